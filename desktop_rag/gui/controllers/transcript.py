"""A conversation as it is shown, and how each event changes it: pure values, pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import get_args

from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.events import (
    Answer,
    AwaitedFiles,
    DocumentAnswered,
    DocumentsTask,
    EarlierAnswer,
    Event,
    KbsChosen,
    ModelCall,
    Notice,
    NoticeCode,
    OtherKb,
    PassagesFound,
    QuestionStored,
    Resumed,
    Step,
    Token,
    TraceEvent,
    ends_with_more,
    is_unfinished,
)
from desktop_rag.core.phrases import has_code
from desktop_rag.core.types import Citation, Passage
from desktop_rag.gui.controllers.document_scope import DocumentScope


@dataclass(frozen=True, slots=True)
class InProgress:
    """The answer is being made; `stage` is `search`, `read`, `steps` or `write`.

    `steps` are those of a strategy that asks the model before it answers.
    """

    stage: str = "search"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is whole."""

    mode: str
    model: str | None
    seconds: float
    searches: int
    llm_calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user said stop; what had come was kept."""


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer: a sentence what is wrong, and one what to do."""

    what: str
    remedy: str


Outcome = InProgress | Answered | Stopped | Failed


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and what came of it; source n is `sources[n - 1]`.

    `preset` is what chose the strategy, where one did; `options` (`rounds=2`) and `transforms` are
    what was set for that way. `question_id` and `answer_id` are the
    messages in the catalog, 0 until they are known; `versions` are the questions asked at this
    place, oldest first, this one among them. `awaits` are the files after whose reading it is asked
    again by itself; `is_asked_again` says that it is, now. What `is_unfinished` can be continued;
    while it is, the first `told_before` notices are of the part before. `task` is what is done with
    whole documents, None for a question. `is_kept` says that later questions are told of it.
    """

    question: str
    strategy: str
    text: str = ""
    outcome: Outcome = InProgress()
    trace: tuple[TraceEvent, ...] = ()
    notices: tuple[str, ...] = ()
    sources: tuple[Passage, ...] = ()
    citations: tuple[Citation, ...] = ()
    retrieved: tuple[Passage, ...] = ()
    from_model: tuple[int, ...] = ()
    preset: str = ""
    options: tuple[str, ...] = ()
    transforms: tuple[str, ...] = ()
    question_id: int = 0
    answer_id: int = 0
    versions: tuple[int, ...] = ()
    awaits: AwaitedFiles | None = None
    is_asked_again: bool = False
    is_unfinished: bool = False
    told_before: int = 0
    task: DocumentsTask | None = None
    is_kept: bool = False

    @property
    def can_be_kept(self) -> bool:
        """Whether it is a whole answer."""
        is_answer = isinstance(self.outcome, Answered) and not self.refused
        return is_answer and bool(self.text and self.answer_id) and not self.is_unfinished

    @property
    def can_be_noted(self) -> bool:
        """Whether it says something that can be saved as a note, whole or not."""
        is_answer = isinstance(self.outcome, (Answered, Stopped)) and not self.refused
        return is_answer and bool(self.text.strip() and self.answer_id)

    @property
    def earlier(self) -> tuple[EarlierAnswer, ...]:
        """The kept answers to near questions."""
        return tuple(each for each in self.trace if isinstance(each, EarlierAnswer))

    @property
    def elsewhere(self) -> str:
        """The name of another knowledge base that may know, "" where none does."""
        told = (each.kb for each in self.trace if isinstance(each, OtherKb))
        return next(told, "")

    @property
    def running(self) -> bool:
        """Whether events are still expected."""
        return isinstance(self.outcome, InProgress)

    @property
    def refused(self) -> bool:
        """Whether the documents do not hold the answer."""
        return isinstance(self.outcome, Answered) and self.outcome.mode == "refused"

    @property
    def version(self) -> int:
        """Which of `versions` this is, from 0; the newest while its message is not yet known."""
        if self.question_id in self.versions:
            return self.versions.index(self.question_id)
        return max(0, len(self.versions) - 1)

    @property
    def is_newest(self) -> bool:
        """Whether nobody asked at this place since."""
        return self.version >= len(self.versions) - 1

    @property
    def condensed(self) -> str:
        """What a follow-up was taken to mean, "" where it was searched as it was written."""
        steps = (each for each in self.trace if isinstance(each, Step))
        return next((each.text for each in steps if each.name == "condensed"), "")

    @property
    def broken_off(self) -> bool:
        """Whether the language model went away in the middle of the answer."""
        return any(has_code(each, NoticeCode.BROKEN_OFF) for each in self.notices)

    def cited(self) -> tuple[int, ...]:
        """Return the numbers of the sources that the answer cites, in the order of the text."""
        return tuple(dict.fromkeys(citation.n for citation in self.citations))

    def waiting_no_more(self) -> Turn:
        """Return it as one that is not asked again by itself."""
        if self.awaits is None and not self.is_asked_again:
            return self
        return replace(self, awaits=None, is_asked_again=False)

    def followed(self) -> Turn:
        """Return it as one behind which something was asked: only the last can go on."""
        waits_no_more = self.waiting_no_more()
        return replace(waits_no_more, is_unfinished=False) if self.is_unfinished else waits_no_more

    def continued(self) -> Turn:
        """Return it with its answer being written on."""
        return replace(self, outcome=InProgress("write"), told_before=len(self.notices))

    def with_paths(self, path_of: Callable[[Passage], str]) -> Turn:
        """Return it with its passages, and what is quoted of them, at other paths."""
        paths = {each.chunk_id: path_of(each) for each in (*self.sources, *self.retrieved)}
        return replace(
            self,
            sources=tuple(replace(p, path=paths[p.chunk_id]) for p in self.sources),
            retrieved=tuple(replace(p, path=paths[p.chunk_id]) for p in self.retrieved),
            citations=tuple(replace(c, path=paths.get(c.chunk_id, c.path)) for c in self.citations),
        )

    def also_retrieved(self) -> tuple[Passage, ...]:
        """Return what was found and is no numbered source, each passage once."""
        known = {passage.chunk_id for passage in self.sources}
        rest = {p.chunk_id: p for p in self.retrieved if p.chunk_id not in known}
        return tuple(rest.values())


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation; `chat_id` is None until it is kept. `draft` is the question begun in it.

    `kbs` are the knowledge bases that its last question was asked of, `scope` is what was kept of
    what the next one is asked of.
    """

    chat_id: int | None = None
    title: str = ""
    turns: tuple[Turn, ...] = ()
    draft: str = ""
    kbs: tuple[str, ...] = ()
    scope: DocumentScope | None = None

    def begun(self, question: str, strategy: str) -> Transcript:
        """Return the conversation with a new question, its answer running."""
        title = self.title or " ".join(question.split())
        before = tuple(each.followed() for each in self.turns)
        return replace(self, title=title, turns=(*before, Turn(question, strategy)))

    def begun_with(self, task: DocumentsTask | None) -> Transcript:
        """Return it with its last turn about whole documents."""
        return self.with_last(replace(self.turns[-1], task=task))

    def begun_at(self, number: int, question: str, strategy: str) -> Transcript:
        """Return the conversation with a question in place of another and of all that followed.

        Both are versions from now on; what was there is shown no more, and is still kept.
        """
        before = self.turns[number]
        known = [each for each in before.versions or (before.question_id,) if each]
        turn = Turn(question, strategy, versions=(*known, 0))
        return replace(self, turns=(*self.turns[:number], turn))

    def before(self, number: int) -> int:
        """Return the message that a turn follows, 0 at the beginning.

        A question that never came to be kept is passed over.
        """
        for turn in reversed(self.turns[:number]):
            if turn.answer_id or turn.question_id:
                return turn.answer_id or turn.question_id
        return 0

    def placed(self, kept: QuestionStored) -> Transcript:
        """Return the conversation kept from its first question on, which was stopped before."""
        first, *rest = self.turns
        turns = (first if first.running else _kept(first, kept), *rest)
        return replace(self, chat_id=kept.chat_id, turns=turns)

    def ended(self, outcome: Outcome) -> Transcript:
        """Return the conversation with its last turn's outcome."""
        return self.with_last(replace(self.turns[-1], outcome=outcome))

    def with_last(self, turn: Turn) -> Transcript:
        """Return the conversation with another last turn."""
        return replace(self, turns=(*self.turns[:-1], turn))

    @property
    def running(self) -> bool:
        """Whether the last turn is still being answered."""
        return bool(self.turns) and self.turns[-1].running


def fold(transcript: Transcript, event: Event) -> Transcript:
    """Return the conversation after an event of its last question."""
    if not transcript.turns:
        return transcript
    if isinstance(event, (Answer, QuestionStored)):
        chat_id = event.chat_id if event.chat_id is not None else transcript.chat_id
        transcript = replace(transcript, chat_id=chat_id)
    if isinstance(event, KbsChosen):
        transcript = replace(transcript, kbs=event.kbs)
    return transcript.with_last(_turn_after(transcript.turns[-1], event))


def _turn_after(turn: Turn, event: Event) -> Turn:
    if isinstance(event, Token):
        return replace(turn, text=turn.text + event.text, outcome=InProgress("write"))
    if isinstance(event, Resumed):
        return replace(turn, text=event.text, outcome=InProgress("write"))
    if isinstance(event, Answer):
        return _answered(turn, event)
    if isinstance(event, QuestionStored):
        return _kept(turn, event)
    if isinstance(event, Notice):
        return replace(turn, notices=(*turn.notices, event.text), trace=(*turn.trace, event))
    if isinstance(event, PassagesFound):
        return _found(turn, event)
    if isinstance(event, DocumentAnswered):
        return _row_added(turn, event)
    if isinstance(event, ModelCall) and turn.running and not turn.text:
        return replace(turn, trace=(*turn.trace, event), outcome=InProgress("steps"))
    if isinstance(event, get_args(TraceEvent)):
        return replace(turn, trace=(*turn.trace, event))
    return turn


def _kept(turn: Turn, event: QuestionStored) -> Turn:
    return replace(
        turn,
        question_id=event.question_id,
        answer_id=event.answer_id,
        versions=event.versions,
    )


def _found(turn: Turn, event: PassagesFound) -> Turn:
    """Number the kept passages at once, so that a stopped answer's [n] can be followed."""
    kept = tuple(p for p in event.passages if p.chunk_id in event.kept)
    is_table = turn.task is not None and turn.task.action == "each"  # rows bring their own
    return replace(
        turn,
        trace=(*turn.trace, event),
        sources=turn.sources if is_table else kept or turn.sources,
        retrieved=(*turn.retrieved, *event.passages),
        outcome=turn.outcome if turn.outcome == InProgress("steps") else InProgress("read"),
    )


def _row_added(turn: Turn, event: DocumentAnswered) -> Turn:
    """Note the sources of a table's new row, and whose row it is."""
    if turn.task is None:
        return turn
    task = replace(turn.task, documents=(*turn.task.documents, (event.path, 0)))
    return replace(turn, task=task, sources=(*turn.sources, *event.sources))


def _answered(turn: Turn, answer: Answer) -> Turn:
    tokens = answer.prompt_tokens + answer.answer_tokens
    outcome = Answered(
        answer.mode, answer.model, answer.seconds, answer.searches, answer.llm_calls, tokens
    )
    before, new = turn.notices[: turn.told_before], turn.notices[turn.told_before :]
    notices = (*(each for each in before if not ends_with_more(each)), *new)
    return replace(
        turn,
        text=answer.text,
        notices=notices,
        told_before=0,
        is_unfinished=answer.mode == "generated" and turn.task is None and is_unfinished(notices),
        strategy=answer.strategy,
        preset=answer.preset,
        options=answer.options,
        transforms=answer.transforms,
        outcome=outcome,
        sources=answer.sources or turn.sources,
        citations=answer.citations,
        from_model=answer.from_model,
        awaits=answer.awaits,
    )


def failure(error: Exception) -> Failed:
    """Return an error as the user reads it; a bug says that it is one."""
    if isinstance(error, CatalogDamaged):
        return Failed(error.what, "")  # the window itself offers what is to be done
    if isinstance(error, UserError):
        return Failed(error.what, error.remedy)
    return Failed(
        "Something went wrong in the program itself.", "The log in the data folder tells more."
    )


def fold_all(transcript: Transcript, events: Iterable[Event]) -> Transcript:
    """Fold several events, in order."""
    for event in events:
        transcript = fold(transcript, event)
    return transcript
