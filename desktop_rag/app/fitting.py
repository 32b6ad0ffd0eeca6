"""Whether the embedding model reads the languages of the knowledge base that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app.deeds import noting
from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Jobs, Lane
from desktop_rag.app.library import LibraryController
from desktop_rag.core.cancel import CancelToken

_TOLD = "told that the model does not fit %s"


@dataclass(frozen=True, slots=True)
class Unfit:
    """Much of a knowledge base is in languages that the model was not trained on."""

    name: str


class FitController(QObject):
    """Looks at what a knowledge base holds when it is shown, and when files were read.

    `found` carries an `Unfit`, or None where the model fits, or where the user was told and did
    not want to hear it again.
    """

    found = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        library: LibraryController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._library = library
        self._shown = ""
        self._dismissed: set[str] = set()
        self.unfit: Unfit | None = None
        library.shelf_changed.connect(self._heed)
        library.indexed.connect(self.look)

    @Slot()
    def look(self) -> None:
        """Look at the knowledge base that is shown."""
        self._shown = self._library.shelf.current
        job = self._jobs.start(Lane.READ, self._work)
        job.yielded.connect(self._learn)

    def dismiss(self) -> None:
        """Never tell of this knowledge base again."""
        if self.unfit is not None:
            name = self.unfit.name
            self._dismissed.add(name)
            self._jobs.start(Lane.HAND, noting(self._folder, _TOLD % name, 1.0))
            self._learn((name, None))

    @Slot()
    def _heed(self) -> None:
        if self._library.shelf.current != self._shown:
            self.look()

    @Slot(object)
    def _learn(self, learnt: tuple[str, Unfit | None]) -> None:
        name, unfit = learnt
        unfit = None if name in self._dismissed else unfit
        if name == self._library.shelf.current and unfit != self.unfit:
            self.unfit = unfit
            self.found.emit(unfit)

    def _work(self, token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.fit import MUCH, unread_share

        name, workspace = self._shown, self._folder.get(token)
        kb = workspace.catalog.kbs.names().get(name)
        if kb is None or workspace.catalog.choices.figure(_TOLD % name):
            yield name, None
        else:
            yield name, Unfit(name) if unread_share(workspace, kb) >= MUCH else None
