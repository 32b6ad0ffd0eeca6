"""The conversation of the window: asks, stops, keeps, and brings old conversations back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app import kept
from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.transcript import Stopped, Transcript, failure, fold
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, Event
from desktop_rag.core.requests import AskRequest
from desktop_rag.store.records import Conversation


@dataclass(frozen=True, slots=True)
class How:
    """How a question is to be answered; `as_written` searches a follow-up just as it stands."""

    kbs: tuple[str, ...]
    strategy: str
    model: str = ""
    as_written: bool = False


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
        """Ask at the end of the shown conversation; ignored while an answer is on its way."""
        if self.transcript.running or not question.strip():
            return
        shown = self.transcript.begun(question.strip(), strategy)
        self._begin(shown, How(kbs, strategy, model), None)

    def ask_at(self, number: int, question: str, how: How) -> None:
        """Ask in place of a turn's question, after what was said before it; that turn is kept."""
        if not 0 <= number < len(self.transcript.turns) or not question.strip():
            return
        self.stop()
        after = self.transcript.before(number)
        shown = self.transcript.begun_at(number, question.strip(), how.strategy)
        self._begin(shown, how, after)

    def retry(self, number: int, how: How) -> None:
        """Have a turn's question answered once more; the answer before is kept."""
        if 0 <= number < len(self.transcript.turns):
            self.ask_at(number, self.transcript.turns[number].question, how)

    def branch(self, question_id: int) -> None:
        """Show another version of a question, with what followed it."""
        if self.transcript.chat_id is None:
            return
        self.stop()
        work = kept.branching(self._folder, self.transcript.chat_id, question_id)
        self._jobs.start(Lane.CHAT, work).yielded.connect(self.show)

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

    def _begin(self, shown: Transcript, how: How, after: int | None) -> None:
        """Show the last turn's question and have it answered."""
        request = AskRequest(
            kbs=how.kbs,
            question=shown.turns[-1].question,
            strategy=how.strategy,
            model=how.model,
            chat_id=shown.chat_id,
            after=after if shown.chat_id is not None else None,
            as_written=how.as_written,
        )
        self.show(shown)
        self._job = self._jobs.start(Lane.CHAT, kept.asking(self._folder, request))
        self._job.yielded.connect(self._fold)
        self._job.failed.connect(self._fail)

    @Slot(object)
    def _fold(self, event: Event) -> None:
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
