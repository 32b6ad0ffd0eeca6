"""The conversation of the window: asks, stops, keeps, and brings old conversations back."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app import kept
from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.transcript import Stopped, Transcript, failure, fold
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, Event
from desktop_rag.core.requests import AskRequest
from desktop_rag.store.records import Conversation


class ChatController(QObject):
    """Holds the transcript that is shown.

    `transcript_changed` carries the new `Transcript`, `conversations_changed` a tuple of
    `Conversation`, newest first.
    """

    transcript_changed = Signal(object)
    conversations_changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self.transcript = Transcript()

    def ask(self, question: str, kbs: tuple[str, ...], strategy: str, model: str = "") -> None:
        """Ask in the shown conversation; ignored while an answer is on its way."""
        if self.transcript.running or not question.strip():
            return
        request = AskRequest(
            kbs=kbs,
            question=question.strip(),
            strategy=strategy,
            model=model,
            chat_id=self.transcript.chat_id,
        )
        self.show(self.transcript.begun(request.question, strategy))
        self._job = self._jobs.start(Lane.CHAT, kept.asking(self._folder, request))
        self._job.yielded.connect(self._fold)
        self._job.failed.connect(self._fail)

    def stop(self) -> None:
        """End the answer that is being made and keep what has come of it."""
        if self._job is None or not self.transcript.running:
            return
        self._job.cancel()
        self._job = None
        self.show(self.transcript.ended(Stopped()))
        self.refresh()

    def new(self) -> None:
        """Begin a conversation."""
        self.stop()
        self.show(Transcript())

    def open(self, chat_id: int) -> None:
        """Show a kept conversation."""
        if chat_id == self.transcript.chat_id:
            return
        self.stop()
        job = self._jobs.start(Lane.CHAT, kept.loading(self._folder, chat_id))
        job.yielded.connect(self.show)

    def delete(self, chat_id: int) -> None:
        """Forget a kept conversation."""
        if chat_id == self.transcript.chat_id:
            self.new()
        self._list_after(kept.deleting(self._folder, chat_id))

    def rename(self, chat_id: int, title: str) -> None:
        """Give a kept conversation another title."""
        if chat_id == self.transcript.chat_id:
            self.show(replace(self.transcript, title=title))
        self._list_after(kept.renaming(self._folder, chat_id, title))

    def refresh(self) -> None:
        """Read the list of kept conversations."""
        self._list_after(kept.listing(self._folder))

    @Slot(object)
    def _fold(self, event: Event | kept.Kept) -> None:
        if isinstance(event, kept.Kept):
            self.show(replace(self.transcript, chat_id=event.chat_id))
            return
        self.show(fold(self.transcript, event))
        if isinstance(event, Answer):
            self._job = None
            self.refresh()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._job = None
        self.show(self.transcript.ended(failure(error)))
        self.refresh()
        if not isinstance(error, UserError):
            raise error

    @Slot(object)
    def show(self, transcript: Transcript) -> None:
        """Show a transcript."""
        self.transcript = transcript
        self.transcript_changed.emit(transcript)

    @Slot(object)
    def _list(self, conversations: tuple[Conversation, ...]) -> None:
        self.conversations_changed.emit(conversations)

    def _list_after(self, work: Work) -> None:
        """Do something in the chat lane, after what is stopped there has ended, and list."""
        job = self._jobs.start(Lane.CHAT, work)
        job.yielded.connect(self._list)
