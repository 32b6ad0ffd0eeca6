"""The adaptation of the shown knowledge base's query vectors: what was measured, and a run of it.

A run goes on when nobody looks; nothing of it is kept where it is stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import IndexProgress, ListingRow
from desktop_rag.core.requests import AdaptRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation


@dataclass(frozen=True, slots=True)
class AdaptationRow:
    """What there is of an adaptation; see the lines of `desktop-rag adapt --list`."""

    kb: str
    title: str
    effect: str
    state: str
    documents: int
    documents_then: int = 0
    trained: int = 0
    held_out: int = 0
    recall_before: float = 0.0
    recall_after: float = 0.0
    gain: tuple[float, float] = (0.0, 0.0)
    vector_before: float = 0.0
    vector_after: float = 0.0


@dataclass(frozen=True, slots=True)
class AdaptationStatus:
    """What there is, and how many questions of how many a run has done, None where none is."""

    row: AdaptationRow
    progress: tuple[int, int] | None


class AdaptationController(QObject):
    """Follows a knowledge base's adaptation between `watch` and `leave`.

    `changed` carries an `AdaptationStatus`, `complained` a `UserError`.
    """

    changed = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._kb = ""
        self._row: AdaptationRow | None = None
        self._running: Job | None = None
        self._adapted = ""
        self._progress = (0, 0)

    def watch(self, kb: str) -> None:
        """Begin to follow a knowledge base."""
        self._kb, self._row = kb, None
        self._look()

    def leave(self) -> None:
        """Follow no longer; a run goes on."""
        self._kb = ""

    def adapt(self, *, uses_model: bool) -> None:
        """Begin a run, unless one is at work."""
        if self._running is not None:
            return
        request = AdaptRequest(self._kb, model=None if uses_model else "")
        self._adapted, self._progress = self._kb, (0, 0)
        adapting = Operation(partial(_events, self._folder, request))
        adapting.on_value(self._hear).on_end(self._end).on_user_error(self.complained)
        self._running = adapting.start(self._jobs, Lane.MEASURE)
        self._tell()

    def stop(self) -> None:
        """Stop a run; what there was before it stays."""
        if self._running is not None:
            self._running.cancel()
            self._end()

    def remove(self) -> None:
        """Go back to the model's own vectors."""
        removing = Operation(partial(_row, self._folder, AdaptRequest(self._kb, "remove")))
        removing.on_success(self._take).on_user_error(self.complained)
        removing.start(self._jobs, Lane.HAND)

    def _look(self) -> None:
        looking = Operation(partial(_row, self._folder, AdaptRequest(self._kb, "list")))
        looking.on_success(self._take).on_user_error(self.complained)
        looking.start(self._jobs, Lane.READ)

    @Slot(object)
    def _hear(self, event: object) -> None:
        if isinstance(event, IndexProgress) and event.stage == "adapt":
            self._progress = (event.done, event.total)
            self._tell()

    @Slot()
    def _end(self) -> None:
        self._running = None
        if self._kb:
            self._look()

    @Slot(object)
    def _take(self, row: AdaptationRow | None) -> None:
        if row is not None and row.kb == self._kb:
            self._row = row
            self._tell()

    def _tell(self) -> None:
        if self._row is not None:
            is_running = self._running is not None and self._adapted == self._row.kb
            progress = self._progress if is_running else None
            self.changed.emit(AdaptationStatus(self._row, progress))


def _events(folder: DataFolder, request: AdaptRequest, token: CancelToken) -> Iterator[object]:
    from desktop_rag.commands.dispatch import perform

    yield from perform(folder.get(token), request, token)


def _row(folder: DataFolder, request: AdaptRequest, token: CancelToken) -> AdaptationRow | None:
    """Do what is asked, and return what there is; None where the knowledge base is gone."""
    if request.kb not in folder.get(token).catalog.kbs.names():
        return None
    names = {each.name for each in fields(AdaptationRow)}
    for event in _events(folder, request, token):
        if isinstance(event, ListingRow):
            told = {name: value for name, value in event.values.items() if name in names}
            return AdaptationRow(**told | {"gain": tuple(told.get("gain", (0.0, 0.0)))})
    return None
