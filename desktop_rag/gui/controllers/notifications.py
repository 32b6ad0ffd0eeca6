"""What is worth telling whoever does something else: reading has ended, an answer is ready."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.events import IndexDone
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.library import Activity, Indexing, LibraryController
from desktop_rag.gui.controllers.transcript import Answered, Transcript

_QUIET_MS = 4_000  # after which no further request joins a run
_BESIDE_READING = ("prepare", "propose")  # may take hours, and no file is read
_QUOTE = "“"  # what a question begins with that asks about a selected text
_LEAST_SECONDS = 5.0  # of a run that somebody may have left alone


@dataclass(frozen=True, slots=True)
class ReadingFinished:
    """How many files a run read, and how many need attention in the knowledge base shown."""

    read: int
    troubled: int


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """A question that was answered, and its conversation.

    `question` is empty where it holds words of a document or names one.
    """

    question: str
    chat_id: int | None


class NotificationsController(QObject):
    """Emits `told` with a `ReadingFinished`, once for all requests of a run, or an `AnswerReady`.

    Of runs shorter than `least_seconds`, and of those that end in a pause, nothing is told: a
    followed folder has one whenever a file is saved.
    """

    told = Signal(object)

    def __init__(
        self, library: LibraryController, chat: ChatController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.least_seconds = _LEAST_SECONDS
        self._library = library
        self._read = self._scans = self._before = 0
        self._began, self._recognizes = 0.0, False
        self._shown = chat.transcript
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._look)
        library.activity_changed.connect(self._follow_activity)
        library.indexed.connect(self._count)
        chat.transcript_changed.connect(self._follow_answer)

    @Slot(object)
    def _follow_activity(self, activity: Activity) -> None:
        """Begin a run; when nothing is done any more, wait whether a further request joins it."""
        if not isinstance(activity, Indexing):
            self._quiet.start()
            return
        if not self._began:
            self._began, self._before = time.monotonic(), self._library.snapshot.problems
        self._recognizes = activity.progress is not None and (
            self._recognizes or activity.progress.stage == "recognize"
        )

    @Slot(object)
    def _count(self, done: IndexDone) -> None:
        """Count what a request did; a file whose pages are recognised later was counted before."""
        ready, scans = (
            done.files.get(each, 0) for each in (FileStatus.READY, FileStatus.NEEDS_OCR)
        )
        self._read += min(ready, self._scans) if self._recognizes else ready
        self._scans += scans

    @Slot()
    def _look(self) -> None:
        """End the run, where nothing that belongs to it is done or waits."""
        activity = self._library.activity
        progress = activity.progress if isinstance(activity, Indexing) else None
        is_beside = progress is not None and progress.stage in _BESIDE_READING
        is_reading = isinstance(activity, Indexing) and not is_beside
        if is_reading or not self._library.ingest_queue.is_empty:
            self._quiet.start()
        else:
            self.end_run()

    def end_run(self) -> None:
        """Tell of what was read until now, where that is worth it; what comes is another run."""
        seconds = time.monotonic() - self._began
        ended = ReadingFinished(self._read, self._library.snapshot.problems)
        is_news = ended.read > 0 or ended.troubled > self._before
        self._read = self._scans = 0
        self._began = 0.0
        is_worth = seconds >= self.least_seconds and not self._library.pause
        if is_worth and is_news:
            self.told.emit(ended)

    @Slot(object)
    def _follow_answer(self, now: Transcript) -> None:
        """Tell of an answer that became whole: not of one that was stopped, nor of an old one."""
        before, self._shown = self._shown, now
        if not before.running or now.running or len(before.turns) != len(now.turns):
            return
        last = now.turns[-1]
        is_same = last.question == before.turns[-1].question
        if is_same and isinstance(last.outcome, Answered):
            is_own = last.task is None and not last.question.startswith(_QUOTE)
            self.told.emit(AnswerReady(last.question if is_own else "", now.chat_id))
