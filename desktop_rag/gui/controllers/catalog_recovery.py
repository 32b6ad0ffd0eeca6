"""A damaged catalog is brought back from the window, on the ingest lane, before it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import IndexProgress, ListingRow
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation


@dataclass(frozen=True, slots=True)
class RecoveredKind:
    """What became of one kind of thing, by its English name; `exact`: no more can be lost."""

    name: str
    kept: int
    lost: int
    from_copy: int
    is_exact: bool


@dataclass(frozen=True, slots=True)
class RecoveryResult:
    """The end: what there is again; `aside` is the damaged file, where one was kept.

    `renamed` counts knowledge bases, conversations and question sets that have new names;
    `is_empty`: nothing could be read, `is_exact`: no more is lost than the kinds say.
    """

    kinds: tuple[RecoveredKind, ...]
    was_damaged: bool
    aside: str
    renamed: int
    is_empty: bool
    is_exact: bool


class RecoveryController(QObject):
    """`progressed` carries the English name of what is read, `ended` a `RecoveryResult`.

    `failed` carries the `UserError` that it failed with, `broke` any other error.
    """

    progressed = Signal(object)
    ended = Signal(object)
    failed = Signal(object)
    broke = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None

    def begin(self) -> None:
        """Recover the catalog."""
        recovering = Operation(self._work).on_value(self._take)
        recovering.on_user_error(self.failed).on_bug(self.broke)
        self._job = recovering.start(self._jobs, Lane.INGEST)

    def stop(self) -> None:
        """Give up; the damaged catalog is as it was."""
        if self._job is not None:
            self._job.cancel()

    @Slot(object)
    def _take(self, news: object) -> None:
        (self.ended if isinstance(news, RecoveryResult) else self.progressed).emit(news)

    def _work(self, token: CancelToken) -> Iterator[object]:
        kinds: list[RecoveredKind] = []
        for event in self._folder.recovering(token):
            if isinstance(event, IndexProgress):
                yield event.current
            elif isinstance(event, ListingRow) and "kind" in event.values:
                row = event.values
                figures = (row["kept"], row["lost"], row["from_copy"], row["exact"])
                kinds.append(RecoveredKind(row["kind"], *figures))
            elif isinstance(event, ListingRow):
                row = event.values
                end = (row["recovered"], row["aside"], row["renamed"], row["empty"], row["exact"])
                yield RecoveryResult(tuple(kinds), *end)
