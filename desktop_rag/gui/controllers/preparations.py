"""What the shown knowledge base is prepared for, kept up to date while somebody looks.

The wish is noted at once, beside what is read; the work itself is done by the ingest lane when
nothing else waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import PrepareRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.ingest_queue import IngestQueue
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation

_AGAIN_MS = 1000  # between looks while work is done


@dataclass(frozen=True, slots=True)
class PreparationRow:
    """What there is of a way; see the lines of `desktop-rag prepare --list`."""

    kb: str
    way: str
    title: str
    effect: str
    state: str
    model: str | None
    documents: int
    prepared: int
    texts: int
    passages_left: int
    asks_model: bool
    remark: str = ""
    remark_with_model: str = ""


class PreparationController(QObject):
    """Follows a knowledge base's preparations between `watch` and `leave`.

    `rows_changed` carries `PreparationRow`s, `complained` a `UserError`.
    """

    rows_changed = Signal(object)
    complained = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        ingest_queue: IngestQueue,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._queue = ingest_queue
        self._kb = ""
        self._job: Job | None = None
        self._again = QTimer(self)
        self._again.setInterval(_AGAIN_MS)
        self._again.timeout.connect(self.look)
        self.rows: tuple[PreparationRow, ...] = ()

    def watch(self, kb: str) -> None:
        """Begin to follow a knowledge base."""
        self._kb, self.rows = kb, ()
        self._again.start()
        self.look()

    def leave(self) -> None:
        """Follow no longer."""
        self._again.stop()
        self._kb = ""

    @Slot()
    def look(self) -> None:
        """Read what there is, unless that is being done."""
        if self._kb and self._job is None:
            self._start(PrepareRequest(self._kb, action="list"))

    def prepare(self, way: str, *, uses_model: bool) -> None:
        """Prepare for a way from now on, or go on with it."""
        self._decide(PrepareRequest(self._kb, way, "request", None if uses_model else ""))

    def pause(self, way: str) -> None:
        """Do no more for a way until it is asked for again."""
        self._decide(PrepareRequest(self._kb, way, "pause"))

    def remove(self, way: str) -> None:
        """Delete what was prepared for a way."""
        self._decide(PrepareRequest(self._kb, way, "remove"))

    def _decide(self, request: PrepareRequest) -> None:
        deciding = Operation(partial(_rows, self._folder, request))
        deciding.on_end(self.look).on_user_error(self.complained)
        if request.action == "request":
            deciding.on_end(partial(self._queue.put, PrepareRequest(self._kb, action="resume")))
        deciding.start(self._jobs, Lane.HAND)

    def _start(self, request: PrepareRequest) -> None:
        looking = Operation(partial(_rows, self._folder, request))
        looking.on_end(self._end).on_success(self._take).on_user_error(self.complained)
        self._job = looking.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._job = None

    @Slot(object)
    def _take(self, rows: tuple[PreparationRow, ...]) -> None:
        is_current = all(each.kb == self._kb for each in rows)
        if is_current and rows != self.rows:
            self.rows = rows
            self.rows_changed.emit(rows)


def _rows(
    folder: DataFolder, request: PrepareRequest, token: CancelToken
) -> tuple[PreparationRow, ...]:
    """Do what is asked, and return what there is."""
    from desktop_rag.commands.dispatch import perform

    workspace = folder.get(token)
    if request.kb not in workspace.catalog.kbs.names():
        return ()
    return tuple(_read(perform(workspace, request, token)))


def _read(events: Iterator[object]) -> Iterator[PreparationRow]:
    names = [each.name for each in fields(PreparationRow)]
    for event in events:
        if isinstance(event, ListingRow):
            yield PreparationRow(**{name: event.values[name] for name in names})
