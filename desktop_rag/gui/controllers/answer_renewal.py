"""Has the shown answer's question asked again when the files that it waits for are read.

Only while it is the last answer of the conversation that is shown, at a quiet moment, and once. A
new question, another conversation, or the user's word ends it. What is typed stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversation_jobs import Renewal
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library import Indexing, LibraryController
from desktop_rag.gui.controllers.transcript import Transcript, Turn

_QUIET_MS = 2_000


class AnswerRenewalController(QObject):
    """Follows the transcript that is shown and what is being read."""

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        chat: ChatController,
        library: LibraryController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._chat = chat
        self._library = library
        self._answer = 0
        self._job: Job | None = None
        self._given_up: set[int] = set()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self.look)
        chat.transcript_changed.connect(self._follow)
        library.activity_changed.connect(self._look_soon)

    @Slot()
    def turn_off(self) -> None:
        """Let the shown answer not be asked again by itself, now nor later."""
        waiting = self._waiting
        if waiting is not None:
            work = partial(conversation_jobs.stop_waiting, self._folder, waiting.answer_id)
            Operation(work).start(self._jobs, Lane.READ)
            self._forget()

    @Slot()
    def look(self) -> None:
        """Have it asked again if it is time to."""
        waiting, chat_id = self._waiting, self._chat.transcript.chat_id
        if waiting is None or chat_id is None or self._job is not None:
            return
        if waiting.answer_id in self._given_up:
            return
        is_named = waiting.awaits is not None and bool(waiting.awaits.named)
        if isinstance(self._library.activity, Indexing) and not is_named:
            return
        work = partial(conversation_jobs.ask_again, self._folder, chat_id, waiting.answer_id)
        asking = Operation(work).on_end(self._end).on_value(self._tell_begun)
        asking.on_success(self._take).on_user_error(self._forget)
        self._job = asking.start(self._jobs, Lane.AGAIN)

    @property
    def _waiting(self) -> Turn | None:
        """The turn that waits: the last one, or none."""
        turns = self._chat.transcript.turns
        last = turns[-1] if turns else None
        is_waiting = last is not None and last.awaits is not None and not last.running
        return last if is_waiting and last is not None and last.answer_id else None

    @Slot(object)
    def _follow(self, transcript: Transcript) -> None:
        """Begin to wait with an answer that is shown newly, and end it with one that is no more."""
        del transcript
        waiting = self._waiting
        answer = waiting.answer_id if waiting is not None else 0
        if answer == self._answer:
            return
        self._answer = answer
        if self._job is not None:
            self._job.cancel()
            self._job = None
        if answer:
            self._look_soon()

    @Slot()
    def _look_soon(self) -> None:
        if self._answer and self._job is None and not self._quiet.isActive():
            self._quiet.start()

    @Slot()
    def _end(self) -> None:
        self._job = None

    @Slot()
    def _tell_begun(self) -> None:
        waiting = self._waiting
        if waiting is not None:
            turn = replace(waiting, is_asked_again=True)
            self._chat.show(self._chat.transcript.with_last(turn))

    @Slot(object)
    def _take(self, renewal: Renewal) -> None:
        """Show what came of it; an answer that is not shown any more is not waited for here."""
        if renewal.transcript is not None:
            self._chat.show(renewal.transcript)
            self._chat.conversations_changed.emit()  # it may be called otherwise now
        elif renewal.is_given_up:
            self._forget()

    @Slot()
    def _forget(self) -> None:
        """Wait no more in this window."""
        waiting = self._waiting
        if waiting is not None:
            self._given_up.add(waiting.answer_id)
            self._chat.show(self._chat.transcript.with_last(waiting.waiting_no_more()))
