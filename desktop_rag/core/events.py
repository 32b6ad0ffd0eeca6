"""Facts that come up: what an operation yields while it runs, in order of happening.

Every event has a name (its class's `event`) and a form for the command line (`as_json`). A strategy
yields the same events that the window's transcript folds and that `--json` prints.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar

from desktop_rag.core.phrases import Phrase, code_of, has_code
from desktop_rag.core.routing_signals import KbSignals, LeftOut
from desktop_rag.core.types import ChunkId, Citation, FileStatus, Passage, UsedRows


class NoticeCode(StrEnum):
    """What a notice says, where the program itself asks for it."""

    QUOTES_ONLY = "quotes-only"
    BROKEN_OFF = "answer-broken-off"
    CUT = "answer-cut"
    NO_QUOTE = "no-quote"
    UNREAD_FILES = "unread-files"
    ASKED_AGAIN = "asked-again"
    ANSWERED_BEFORE = "answered-before"
    UNPREPARED = "unprepared"
    NOT_MEASURED = "not-measured"
    PARTLY_PREPARED = "partly-prepared"


NO_QUOTE = Phrase(
    "No quote was found that supports this answer: check it yourself.", code=NoticeCode.NO_QUOTE
)


@dataclass(frozen=True, slots=True)
class Event:
    """The base of every event."""

    event: ClassVar[str] = ""

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form: `event` first, then the fields in their order."""
        made: dict[str, Any] = {"event": self.event} if self.event else {}
        for each in fields(self):
            if each.name != "at":
                made[each.name] = _plain(getattr(self, each.name))
        return made


@dataclass(frozen=True, slots=True)
class Moment(Event):
    """An event of an `ask` that is a step of it.

    `at` is when, in seconds since the question; None where nobody noted it. It is no part of what
    happened: two events that differ in nothing else are equal, and the command line leaves it out.
    """

    at: float | None = field(default=None, kw_only=True, compare=False)


@dataclass(frozen=True, slots=True)
class FileDone(Event):
    """One file reached an outcome. `reason` is a sentence for the user, empty when all is well."""

    event = "file"
    path: str
    status: FileStatus
    reason: str = ""
    chunks: int = 0
    pages: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class IndexProgress(Event):
    """How far an indexing run has come; for people, never on standard output.

    `eta` is in seconds, None while unknown; `stage` is `scan`, `parse`, `embed`, `store`, `watch`;
    where a knowledge base goes into or comes from a file, `export`, `check`, `import`, `index`;
    where a model is fetched, `fetch`, and `done` and `total` are bytes; where strategies are
    measured, `ask`, and `current` is the strategy; where questions are made up, `propose`;
    where the text of pages is recognised, `recognize`, at the `page`th of `pages` of a file; where
    chunks get vectors of another model, `reembed`, where documents are prepared, `prepare`, and
    `done` and `total` are chunks.
    """

    event = "progress"
    done: int
    total: int
    current: str
    stage: str
    chunks: int
    chunks_per_second: float
    eta: float | None
    page: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True)
class IndexDone(Event):
    """An indexing run ended; `files` counts outcomes by status."""

    event = "done"
    files: dict[str, int]
    chunks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class QuestionStored(Event):
    """A question has its place in a conversation; for the window, never on standard output.

    `versions` are the questions that stand at this place, oldest first, this one among them.
    """

    event = "kept"
    chat_id: int
    question_id: int
    answer_id: int
    versions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SearchStarted(Moment):
    """A strategy asks the index something; `why` says in a few words for what."""

    event = "search"
    query: str
    why: str


@dataclass(frozen=True, slots=True)
class PassagesFound(Moment):
    """What a search gave, best first; `kept` are the chunk ids that the strategy goes on with."""

    event = "passages"
    query: str
    passages: tuple[Passage, ...]
    kept: frozenset[int]

    def as_json(self) -> dict[str, Any]:
        """Return each passage as in a search, with whether it was kept."""
        rows = [p.as_json() | {"kept": p.chunk_id in self.kept} for p in self.passages]
        return {"event": self.event, "query": self.query, "passages": rows}


@dataclass(frozen=True, slots=True)
class Step(Moment):
    """A step of thought; `name` is its kind: `thought`, `sub-question`, `condensed`, `decision`.

    `matched` names a derived text by which a passage was found.
    """

    event = "step"
    name: str
    text: str


SMALL_TALK = "small talk"
"""The name of the step that says that nothing is searched, as nothing was asked."""


@dataclass(frozen=True, slots=True)
class Draft(Moment):
    """A tentative text, with each token's probability where the model gives them."""

    event = "draft"
    text: str
    kept: bool
    tokens: tuple[tuple[str, float], ...] | None = None

    def as_json(self) -> dict[str, Any]:
        """Leave `tokens` out where there are none."""
        made: dict[str, Any] = {"event": self.event, "text": self.text}
        if self.tokens is not None:
            made["tokens"] = [[text, probability] for text, probability in self.tokens]
        made["kept"] = self.kept
        return made


@dataclass(frozen=True, slots=True)
class LinkedPassage:
    """A passage that may follow on a first one.

    `by` says what led to it: `name` (the first one names it as `name`), `words` that both share, or
    the `question`, which found it as well. `score` is how probable it is that this one follows.
    """

    chunk_id: ChunkId
    title: str
    by: str
    name: str
    score: float

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        return {
            "chunk_id": str(self.chunk_id),
            "title": self.title,
            "by": self.by,
            "name": self.name,
            "score": round(self.score, 4),
        }


@dataclass(frozen=True, slots=True)
class Chain(Moment):
    """A first passage, how probable it is to be one, and the likeliest that follow on it."""

    event = "chain"
    chunk_id: ChunkId
    title: str
    score: float
    follows: tuple[LinkedPassage, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the passage's number as a search does."""
        return super(Chain, self).as_json() | {"chunk_id": str(self.chunk_id)}


@dataclass(frozen=True, slots=True)
class TableQuery(Moment):
    """A query over tables of the documents: its SQL, what the tables are called, their rows.

    `by` says who wrote it: `model`, or `shape` where the question was of a known shape.
    """

    event = "table_query"
    sql: str
    by: str
    tables: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class ResultTable(Moment):
    """What such a query gave, as it is shown: the first of its `total` rows; and made of which."""

    event = "table_result"
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    used: tuple[UsedRows, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierAnswer(Moment):
    """A kept answer to a question that is near this one: no source, and no passage.

    `asked` is when, in local time; `documents` says whether those it cites are the `same`, were
    `changed` since, or are `gone`. Kept with another answer, it is without its question.
    """

    event = "earlier_answer"
    chat_id: int
    answer_id: int
    asked: str
    documents: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class KbsChosen(Moment):
    """The knowledge bases `kbs` that a question goes to, as it was to choose.

    `ranking` is of all that were compared, best first; `left_out` names the others, and why.
    """

    event = "chosen_kbs"
    kbs: tuple[str, ...]
    ranking: tuple[KbSignals, ...]
    left_out: tuple[tuple[str, LeftOut], ...] = ()


@dataclass(frozen=True, slots=True)
class OtherKb(Moment):
    """Another knowledge base may hold the answer; `evidence` in [0, 1] is how surely."""

    event = "other_kb"
    kb: str
    evidence: float


@dataclass(frozen=True, slots=True)
class Token(Event):
    """The next piece of the answer as it is written."""

    event = "token"
    text: str


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """A kept answer is being continued; `text` is what stands of it, tokens come behind that.

    It is the answer without the word in which it was cut: the model writes that word anew.
    """

    event = "resumed"
    text: str


@dataclass(frozen=True, slots=True)
class ModelCall(Moment):
    """One finished call of a language model.

    `dropped` lists what did not fit its context, in words; None for a count that the server did
    not report. Of a reply that was stopped because enough had come, the prompt's is an estimate.
    """

    event = "call"
    model: str
    purpose: str
    prompt_tokens: int | None
    answer_tokens: int | None
    dropped: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Notice(Moment):
    """A sentence that the user should see: a fallback, a limit, a warning."""

    event = "notice"
    text: str

    def says(self, code: NoticeCode) -> bool:
        """Whether it says this, alone or among other things."""
        return has_code(self.text, code)

    def as_json(self) -> dict[str, Any]:
        """Add the code of what it says."""
        return {"event": self.event, "code": code_of(self.text), "text": str(self.text)}


def answer_cut_at_limit(tokens: int) -> Notice:
    """Return what is told of an answer that had to end because it was as long as it may be."""
    return Notice(
        Phrase(
            "The answer was cut at {0} tokens: “Longest answer” sets how many.",
            f"{tokens:,}",
            code=NoticeCode.CUT,
        )
    )


def answer_broken_off(why: str) -> Notice:
    """Return the notice of an answer that the model did not write to its end."""
    said = Phrase("{0} What came until then is kept.", why, code=NoticeCode.BROKEN_OFF)
    return Notice(said)


def is_unfinished(notices: Iterable[str]) -> bool:
    """Whether notices say of an answer that the model did not write it to its end."""
    codes = (NoticeCode.CUT, NoticeCode.BROKEN_OFF)
    return any(has_code(each, code) for each in notices for code in codes)


def ends_with_more(notice: str) -> bool:
    """Whether a notice is of an answer as it was before it was continued."""
    return is_unfinished((notice,)) or has_code(notice, NoticeCode.NO_QUOTE)


TraceEvent = (
    SearchStarted
    | PassagesFound
    | Step
    | Chain
    | TableQuery
    | ResultTable
    | EarlierAnswer
    | KbsChosen
    | OtherKb
    | Draft
    | ModelCall
    | Notice
)
"""The steps of an answer."""


@dataclass(frozen=True, slots=True)
class AwaitedFiles:
    """The files that were still to be read when an answer was made.

    `count` is how many; `named` are the paths of those that may hold the answer, by their names.
    """

    count: int
    named: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        return {"count": self.count, "named": list(self.named)}


@dataclass(frozen=True, slots=True)
class DocumentsTask:
    """What was done with whole documents, kept beside the answer: by it they are read again.

    `documents` are the paths and numbers of those that were read.
    """

    action: str
    paths: tuple[str, ...]
    question: str = ""
    documents: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentAnswered(Event):
    """What one document answers; `mode` is `generated`, `extracted` or `refused`.

    `sources` are the numbered passages that come with it, left out of the JSON form.
    """

    event = "row"
    path: str
    text: str
    mode: str
    citations: tuple[Citation, ...] = ()
    sources: tuple[Passage, ...] = field(default=(), repr=False)

    def as_json(self) -> dict[str, Any]:
        """Leave the sources out."""
        made = super(DocumentAnswered, self).as_json()
        del made["sources"]
        return made


@dataclass(frozen=True, slots=True)
class Answer(Event):
    """The end of an `ask`. `mode` is `generated`, `extracted` or `refused`.

    `sources` are the numbered passages of the answer (source n is `sources[n - 1]`); they are shown
    by the window and left out of the JSON form, where `passages` is their count.
    `from_model` numbers the sentences (from 0) that no quote was found for. `preset` is what
    composed the strategy with others, empty where it was chosen itself; `options` (`rounds=2`) and
    `transforms` are what was set for that way. `awaits` are the files after whose reading it is
    worth asking again, None where none waited.
    """

    event = "answer"
    text: str
    mode: str
    citations: tuple[Citation, ...]
    strategy: str
    model: str | None
    llm_calls: int
    searches: int
    passages: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float
    from_model: tuple[int, ...]
    chat_id: int | None = None
    sources: tuple[Passage, ...] = field(default=(), repr=False)
    preset: str = ""
    awaits: AwaitedFiles | None = None
    options: tuple[str, ...] = ()
    transforms: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Leave the sources out: the `passages` events before have shown them."""
        made = super(Answer, self).as_json()
        del made["sources"]
        for name in ("awaits", "options", "transforms"):
            if not made[name]:
                del made[name]
        return made


@dataclass(frozen=True, slots=True)
class ListingRow(Event):
    """A line of a listing (`kb`, `models`, `strategies`, `doctor`, `show`, `eval`): as it is."""

    values: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the line itself, which carries no event name."""
        return dict(self.values)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; floats rounded to what a reader needs."""
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, (tuple, list, frozenset)):
        return [_plain(each) for each in value]
    return value
