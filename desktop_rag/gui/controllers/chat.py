"""The conversation of the window: asks, stops, keeps, and brings old conversations back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QLocale, QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, DocumentsTask, Event, QuestionStored
from desktop_rag.core.requests import AskRequest, ContinueRequest, DocumentsRequest, KeepRequest
from desktop_rag.gui.controllers import answer_export, conversation_jobs
from desktop_rag.gui.controllers.answer_export import AnswerExport
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_scope import DocumentScope
from desktop_rag.gui.controllers.draft_autosave import NEW_CONVERSATION, DraftAutosave
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.scope_memory import ScopeMemory
from desktop_rag.gui.controllers.transcript import (
    Answered,
    Stopped,
    Transcript,
    Turn,
    failure,
    fold,
)


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is to be answered; `as_written` searches a follow-up just as it stands.

    `where` is a filter of the documents that are asked. `kept_options` is what is kept of the
    options of ways, None for what the engine's settings keep. `anew` gives no earlier answer again.
    With `chooses_kb` the question chooses among all knowledge bases; with `only_these` no way to
    answer looks into others than `kbs`.
    """

    kbs: tuple[str, ...]
    strategy: str
    model: str = ""
    as_written: bool = False
    transforms: tuple[str, ...] = ()
    kept_options: str | None = None
    where: str = ""
    anew: bool = False
    chooses_kb: bool = False
    only_these: bool = False


class ChatController(QObject):
    """Holds the transcript that is shown.

    `transcript_changed` carries the new `Transcript`, `draft_found` what was typed in the one that
    is shown now, `scope_found` the `DocumentScope` that was chosen in it or None, `exported` the
    path of a file that an answer was written to, `complained` the `UserError` of what can't be
    read or written; `conversations_changed` says that one was begun or gone on with.
    """

    transcript_changed = Signal(object)
    conversations_changed = Signal()
    draft_found = Signal(object)
    scope_found = Signal(object)
    exported = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self._loading: Job | None = None
        self._placing: Job | None = None
        self._held: AskOptions | None = None
        self._before: Turn | None = None
        self._drafts = DraftAutosave(jobs, folder, self)
        self._scopes = ScopeMemory(jobs, folder, self)
        self.transcript = Transcript()

    def ask(self, question: str, kbs: tuple[str, ...], strategy: str, model: str = "") -> None:
        """Ask at the end of what is shown; ignored while an answer is on its way."""
        self.ask_so(question, AskOptions(kbs, strategy, model))

    def ask_so(self, question: str, how: AskOptions) -> None:
        """Ask at the end of what is shown, in a way of its own."""
        if self.transcript.running or not question.strip():
            return
        self._begin(self.transcript.begun(question.strip(), how.strategy), how)

    def read_documents(self, task: DocumentsTask, asked: str, how: AskOptions) -> None:
        """Have whole documents read, at the end of what is shown; ignored while one is answered."""
        if not self.transcript.running:
            self._begin(self.transcript.begun(asked, task.action).begun_with(task), how)

    def save_table(self, number: int, path: str) -> None:
        """Write the rows of a turn's answer as a table."""
        turn = self.transcript.turns[number]
        if turn.task is not None:
            work = partial(
                conversation_jobs.write_table, turn.task, turn.text, turn.citations, path
            )
            Operation(work).on_user_error(self.complained).start(self._jobs, Lane.READ)

    def export(self, export: AnswerExport) -> None:
        """Write an answer to a file."""
        writing = Operation(partial(answer_export.write, self._folder, export))
        writing.on_success(self.exported).on_user_error(self.complained)
        writing.start(self._jobs, Lane.CARRY)

    def ask_at(self, number: int, question: str, how: AskOptions) -> None:
        """Ask in place of a turn's question, after what was said before it; that turn is kept."""
        if not 0 <= number < len(self.transcript.turns) or not question.strip():
            return
        self.stop()
        self._begin(self.transcript.begun_at(number, question.strip(), how.strategy), how)

    def ask_elsewhere(self, number: int, how: AskOptions) -> None:
        """Ask a turn's question in a new conversation, of the knowledge base that may know."""
        if 0 <= number < len(self.transcript.turns):
            turn = self.transcript.turns[number]
            if turn.elsewhere:
                self.new()
                self.choose_scope(None)
                self.scope_found.emit(None)
                whole = replace(how, where="", chooses_kb=False, only_these=False)
                self.ask_so(turn.question, replace(whole, kbs=(turn.elsewhere,)))

    def retry(self, number: int, how: AskOptions) -> None:
        """Have a turn's question answered once more; the answer before is kept."""
        if not 0 <= number < len(self.transcript.turns):
            return
        before = self.transcript.turns[number]
        if before.task is None:
            self.ask_at(number, before.question, replace(how, anew=True))
            return
        self.stop()
        shown = self.transcript.begun_at(number, before.question, before.task.action)
        self._begin(shown.begun_with(replace(before.task, documents=())), how)

    def keep(self, number: int) -> None:
        """Keep a turn's answer, so that later questions are told of it; or keep it no longer."""
        shown, turn = self.transcript, self.transcript.turns[number]
        if shown.chat_id is not None and (turn.is_kept or turn.can_be_kept):
            action = "release" if turn.is_kept else "keep"
            request = KeepRequest(action, shown.chat_id, turn.answer_id)
            keeping = Operation(partial(conversation_jobs.keep, self._folder, request))
            keeping.on_success(self._show_kept).on_user_error(self.complained)
            keeping.start(self._jobs, Lane.READ)

    @Slot(object)
    def _show_kept(self, kept: tuple[int, bool]) -> None:
        answer_id, is_kept = kept
        turns = (
            replace(each, is_kept=is_kept) if each.answer_id == answer_id else each
            for each in self.transcript.turns
        )
        self._put(replace(self.transcript, turns=tuple(turns)))

    def continue_answer(self, model: str = "") -> None:
        """Have the last answer written on, where it was cut; without a `model` by the same one."""
        shown = self.transcript
        last = shown.turns[-1] if shown.turns else None
        if last is None or last.running or not last.is_unfinished or shown.chat_id is None:
            return
        self._forget_loading()
        self._before = last
        self.show(shown.with_last(last.continued()))
        if not model and isinstance(last.outcome, Answered):
            model = last.outcome.model or ""
        request = ContinueRequest(shown.chat_id, last.answer_id, model)
        work = partial(conversation_jobs.continue_answer, self._folder, request, shown.kbs)
        going = Operation(work).on_value(self._fold)
        going.on_user_error(self._stay).on_bug(self._fail)
        self._job = going.start(self._jobs, Lane.CHAT)

    def branch(self, question_id: int) -> None:
        """Show another version of a question, with what followed it."""
        if self.transcript.chat_id is None:
            return
        self.stop()
        chat_id = self.transcript.chat_id
        self._load(partial(conversation_jobs.branch, self._folder, chat_id, question_id))

    def stop(self) -> None:
        """End the answer that is being made and keep what has come of it.

        A first question goes on until it is known where it is kept: what is asked next belongs to
        the same conversation, and waits for that.
        """
        if not self.transcript.running:
            return
        job, self._job, self._held = self._job, None, None
        if job is not None and self.transcript.chat_id is None:
            self._await_place(job)
        elif job is not None:
            job.cancel()
        before, self._before = self._before, None
        if before is not None and before.text == self.transcript.turns[-1].text:
            self.show(self.transcript.with_last(before))  # nothing came of its continuation
        else:
            self.show(self.transcript.ended(Stopped()))
            self._show_what_was_kept()
        self.conversations_changed.emit()

    def _show_what_was_kept(self) -> None:
        """Show the notes of whole documents that were read until a stop: none was shown before."""
        chat_id, last = self.transcript.chat_id, self.transcript.turns[-1]
        if chat_id is not None and last.task is not None and not last.text:
            self._load(partial(conversation_jobs.load, self._folder, chat_id))

    def new(self) -> None:
        """Begin a conversation, with what was typed before one."""
        self.stop()
        self._forget_loading()
        self.show(Transcript())
        self.recall_draft()

    def recall_draft(self) -> None:
        """Read what was typed before a conversation began, unless it is known."""
        if self._drafts.remembered(NEW_CONVERSATION) is None:
            self._load(partial(conversation_jobs.load, self._folder, NEW_CONVERSATION))

    def typed(self, text: str, *, is_new: bool = False) -> None:
        """Keep what is typed in the shown conversation, or before one that `is_new`."""
        self._drafts.typed(self._drafted(is_new=is_new), text)

    def draft(self, *, is_new: bool) -> str:
        """Return what was typed in the shown conversation, or before one that `is_new`."""
        return self._drafts.remembered(self._drafted(is_new=is_new)) or ""

    def choose_scope(self, scope: DocumentScope | None, *, is_new: bool = False) -> None:
        """Keep what is asked in the shown conversation, or in one that `is_new`."""
        self._scopes.choose(self._drafted(is_new=is_new), scope)

    def scope(self, *, is_new: bool) -> DocumentScope | None:
        """Return what is asked in the shown conversation, or in one that `is_new`."""
        return self._scopes.remembered(self._drafted(is_new=is_new))

    def _drafted(self, *, is_new: bool) -> int:
        return NEW_CONVERSATION if is_new else self.transcript.chat_id or NEW_CONVERSATION

    def close(self) -> None:
        """Keep what was typed last: the last work of the lanes."""
        self._drafts.close()
        self._scopes.close()

    def open(self, chat_id: int) -> None:
        """Show a kept conversation."""
        if chat_id == self.transcript.chat_id:
            self._forget_loading()
            return
        self.stop()
        self._load(partial(conversation_jobs.load, self._folder, chat_id))

    def open_at(self, chat_id: int, message_id: int) -> Job:
        """Show the branch of a kept conversation that goes through a message.

        The job tells it when it is shown, and nothing when something else was wanted since.
        """
        self.stop()
        return self._load(partial(conversation_jobs.branch, self._folder, chat_id, message_id))

    def open_earlier(self, number: int, place: int) -> None:
        """Show the conversation of an earlier answer that a turn tells of."""
        told = self.transcript.turns[number].earlier
        if place < len(told):
            self.open_at(told[place].chat_id, told[place].answer_id)

    def _begin(self, shown: Transcript, how: AskOptions) -> None:
        """Show the last turn's question and have it answered."""
        self._forget_loading()
        self.show(replace(shown, kbs=how.kbs))
        if self._placing is None:
            self._ask(how)
        else:
            self._held = how

    def _ask(self, how: AskOptions) -> None:
        """Have the last turn's question answered."""
        shown = self.transcript
        if shown.turns[-1].task is not None:
            self._start(self._documents_request(shown.turns[-1].task, how))
            return
        request = AskRequest(
            kbs=how.kbs,
            question=shown.turns[-1].question,
            strategy=how.strategy,
            model=how.model,
            chat_id=shown.chat_id,
            after=shown.before(len(shown.turns) - 1) if shown.chat_id is not None else None,
            as_written=how.as_written,
            transforms=how.transforms,
            kept_options=how.kept_options,
            where=how.where,
            may_reuse=not how.anew,
            chooses_kb=how.chooses_kb,
            only_these=how.only_these,
        )
        self._start(request)

    def _documents_request(self, task: DocumentsTask, how: AskOptions) -> DocumentsRequest:
        shown = self.transcript
        return DocumentsRequest(
            task.action,
            how.kbs,
            task.paths,
            task.question,
            model=how.model,
            chat_id=shown.chat_id,
            after=shown.before(len(shown.turns) - 1) if shown.chat_id is not None else None,
            asked=shown.turns[-1].question,
            language=QLocale().name().partition("_")[0],
        )

    def _start(self, request: AskRequest | DocumentsRequest) -> None:
        asking = Operation(partial(conversation_jobs.ask, self._folder, request))
        asking.on_value(self._fold).on_user_error(self._fail).on_bug(self._fail)
        self._job = asking.start(self._jobs, Lane.CHAT)

    def _await_place(self, job: Job) -> None:
        """Let a stopped question go on as far as telling where it is kept."""
        job.yielded.disconnect(self._fold)
        job.yielded.connect(self._learn_place)
        for failing in (job.refused, job.broke):
            failing.disconnect(self._fail)
            failing.connect(self._lose_place)
        self._placing = job

    @Slot(object)
    def _learn_place(self, event: Event) -> None:
        """Stop a question now that it is kept; what is shown goes on in its conversation."""
        job = self.sender()
        if isinstance(job, Job):
            job.cancel()
        if job is self._placing and isinstance(event, QuestionStored):
            self._drafts.begun(event.chat_id)
            self._scopes.begun(event.chat_id)
            self._put(self.transcript.placed(event))
            self._go_on()
        self.conversations_changed.emit()

    @Slot()
    def _lose_place(self) -> None:
        """Begin a conversation after all: the stopped question could not be kept."""
        if self.sender() is self._placing:
            self._go_on()

    def _go_on(self) -> None:
        """Ask what waited for the place of the question before."""
        held, self._placing, self._held = self._held, None, None
        if held is not None:
            self._ask(held)

    def _load(self, work: Callable[[CancelToken], Transcript]) -> Job:
        """Read a conversation; what was asked for before it is no longer wanted."""
        loading = Operation(work).on_success(self._show_loaded).on_user_error(self.complained)
        self._loading = loading.start(self._jobs, Lane.CHAT, instead_of=self._loading)
        return self._loading

    def _forget_loading(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    @Slot(object)
    def _show_loaded(self, transcript: Transcript) -> None:
        if transcript.chat_id is not None:
            self.show(transcript)
        elif self.transcript.chat_id is None:
            self.draft_found.emit(self._drafts.learnt(NEW_CONVERSATION, transcript.draft))
            self.scope_found.emit(self._scopes.learnt(NEW_CONVERSATION, transcript.scope))

    def _offer_draft(self, transcript: Transcript) -> None:
        if transcript.chat_id is None:
            draft = self._drafts.remembered(NEW_CONVERSATION) or ""
            scope = self._scopes.remembered(NEW_CONVERSATION)
        else:
            draft = self._drafts.learnt(transcript.chat_id, transcript.draft)
            scope = self._scopes.learnt(transcript.chat_id, transcript.scope)
        self.draft_found.emit(draft)
        self.scope_found.emit(scope)

    @Slot(object)
    def _fold(self, event: Event) -> None:
        if isinstance(event, QuestionStored) and self.transcript.chat_id is None:
            self._drafts.begun(event.chat_id)
            self._scopes.begun(event.chat_id)
        self._put(fold(self.transcript, event))
        if isinstance(event, Answer):
            self._job = self._before = None
            self.conversations_changed.emit()

    @Slot(object)
    def _stay(self, error: UserError) -> None:
        """Let an answer stand that could not be continued, and say why."""
        self._job = None
        if self._before is not None:
            self.show(self.transcript.with_last(self._before))
            self._before = None
        self.complained.emit(error)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._job = None
        self.show(self.transcript.ended(failure(error)))
        self.conversations_changed.emit()

    @Slot(object)
    def show(self, transcript: Transcript) -> None:
        """Show a transcript; of another conversation, its draft too."""
        before = self.transcript.chat_id
        if not transcript.turns or transcript.chat_id != before:
            self._placing = None  # it goes on until it is kept, and is shown no more
        self._put(transcript)
        if transcript.chat_id != before:
            self._offer_draft(transcript)

    def _put(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.transcript_changed.emit(transcript)
