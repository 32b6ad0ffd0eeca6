"""The conversation of the window: asks, stops, keeps, and brings old conversations back."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app import kept
from desktop_rag.app.drafts import NOT_BEGUN, DraftKeeper
from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.transcript import Stopped, Transcript, failure, fold
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, Event, Kept
from desktop_rag.core.requests import AskRequest


@dataclass(frozen=True, slots=True)
class How:
    """How a question is to be answered; `as_written` searches a follow-up just as it stands."""

    kbs: tuple[str, ...]
    strategy: str
    model: str = ""
    as_written: bool = False


class ChatController(QObject):
    """Holds the transcript that is shown.

    `transcript_changed` carries the new `Transcript`, `draft_found` what was typed in the one that
    is shown now, `complained` the `UserError` of one that can't be read; `conversations_changed`
    says that one was begun or gone on with.
    """

    transcript_changed = Signal(object)
    conversations_changed = Signal()
    draft_found = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self._loading: Job | None = None
        self._drafts = DraftKeeper(jobs, folder, self)
        self.transcript = Transcript()

    def ask(self, question: str, kbs: tuple[str, ...], strategy: str, model: str = "") -> None:
        """Ask at the end of what is shown; ignored while an answer is on its way."""
        if self.transcript.running or not question.strip():
            return
        last = self.transcript.turns[-1] if self.transcript.turns else None
        after = (last.answer_id or last.question_id or None) if last is not None else None
        shown = self.transcript.begun(question.strip(), strategy)
        self._begin(shown, How(kbs, strategy, model), after)

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
        self._load(kept.branching(self._folder, self.transcript.chat_id, question_id))

    def stop(self) -> None:
        """End the answer that is being made and keep what has come of it."""
        if self._job is None or not self.transcript.running:
            return
        self._job.cancel()
        self._job = None
        self.show(self.transcript.ended(Stopped()))
        self.conversations_changed.emit()

    def new(self) -> None:
        """Begin a conversation, with what was typed before one."""
        self.stop()
        self._forget_loading()
        self.show(Transcript())
        self.recall_draft()

    def recall_draft(self) -> None:
        """Read what was typed before a conversation began, unless it is known."""
        if self._drafts.remembered(NOT_BEGUN) is None:
            self._load(kept.loading(self._folder, NOT_BEGUN))

    def typed(self, text: str) -> None:
        """Keep what is typed in the shown conversation."""
        self._drafts.typed(self.transcript.chat_id or NOT_BEGUN, text)

    def close(self) -> None:
        """Keep what was typed last: the last work of the lanes."""
        self._drafts.close()

    def open(self, chat_id: int) -> None:
        """Show a kept conversation."""
        if chat_id == self.transcript.chat_id:
            self._forget_loading()
            return
        self.stop()
        self._load(kept.loading(self._folder, chat_id))

    def open_at(self, chat_id: int, message_id: int) -> Job:
        """Show the branch of a kept conversation that goes through a message.

        The job yields it when it is shown, and nothing when something else was wanted since.
        """
        self.stop()
        return self._load(kept.branching(self._folder, chat_id, message_id))

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
        self._forget_loading()
        self.show(shown)
        self._job = self._jobs.start(Lane.CHAT, kept.asking(self._folder, request))
        self._job.yielded.connect(self._fold)
        self._job.failed.connect(self._fail)

    def _load(self, work: Work) -> Job:
        """Read a conversation; what was asked for before it is no longer wanted."""
        self._forget_loading()
        self._loading = job = self._jobs.start(Lane.CHAT, work)
        job.yielded.connect(self._show_loaded)
        job.failed.connect(self._complain)
        return job

    def _forget_loading(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    @Slot(object)
    def _show_loaded(self, transcript: Transcript) -> None:
        self._loading = None
        if transcript.chat_id is not None:
            self.show(transcript)
        elif self.transcript.chat_id is None:
            self.draft_found.emit(self._drafts.learnt(NOT_BEGUN, transcript.draft))

    @Slot(object)
    def _complain(self, error: Exception) -> None:
        self._loading = None
        if not isinstance(error, UserError):
            raise error
        self.complained.emit(error)

    def _offer_draft(self, transcript: Transcript) -> None:
        if transcript.chat_id is None:
            draft = self._drafts.remembered(NOT_BEGUN) or ""
        else:
            draft = self._drafts.learnt(transcript.chat_id, transcript.draft)
        self.draft_found.emit(draft)

    @Slot(object)
    def _fold(self, event: Event) -> None:
        if isinstance(event, Kept) and self.transcript.chat_id is None:
            self._drafts.begun(event.chat_id)
        self.show(fold(self.transcript, event))
        if isinstance(event, Answer):
            self._job = None
            self.conversations_changed.emit()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._job = None
        self.show(self.transcript.ended(failure(error)))
        self.conversations_changed.emit()
        if not isinstance(error, UserError):
            raise error

    @Slot(object)
    def show(self, transcript: Transcript) -> None:
        """Show a transcript; of another conversation, its draft too."""
        before, self.transcript = self.transcript, transcript
        self.transcript_changed.emit(transcript)
        goes_on = before.chat_id is None and self._job is not None  # it is kept from now on
        if transcript.chat_id != before.chat_id and not goes_on:
            self._offer_draft(transcript)
