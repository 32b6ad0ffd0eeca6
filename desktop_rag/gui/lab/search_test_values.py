"""A search that is tried: what is asked, what came, what moved, and a passage's way through it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.explain_events import Stage, Verdict
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import Passage, VectorSearch

_NAME = 60  # characters of a passage that name it


@dataclass(frozen=True, slots=True)
class SearchTestQuery:
    """A search under rules that are not kept; the first `k` passages would be handed over."""

    question: str
    kb: str
    rules: Retrieval
    k: int = 5
    where: str = ""


@dataclass(frozen=True, slots=True)
class PassageTarget:
    """The passage that a user points at, by its number, its words or its file.

    `name` says it in words. `chat_id` and `answer_id` are those of the answer it is missing in;
    `question` and `kbs` what was asked there, empty where it is what is tried.
    """

    text: str = ""
    path: str = ""
    chunk_id: int | None = None
    name: str = ""
    question: str = ""
    chat_id: int | None = None
    answer_id: int = 0
    kbs: tuple[str, ...] = ()


def target_of(passage: Passage) -> PassageTarget:
    """Return the aim at a passage that was found somewhere."""
    return PassageTarget(
        path=passage.path, chunk_id=passage.chunk_id, name=passage_label(passage.text)
    )


def passage_label(text: str) -> str:
    """Return the beginning of a passage, to name it by."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _NAME else f"{flat[:_NAME].rstrip()} …"


@dataclass(frozen=True, slots=True)
class RankChange:
    """A passage, and by how many places it rose (below 0: fell) against the run before.

    None where it was not among the passages then; 0 where nothing is compared.
    """

    passage: Passage
    by: int | None = 0


@dataclass(frozen=True, slots=True)
class StageCounts:
    """How many chunks each stage of a search had."""

    dense: int
    lexical: int
    joined: int
    read: int


@dataclass(frozen=True, slots=True)
class SearchTestResult:
    """What a trial gave, best first; `timings` are in seconds, by the names of the stages.

    `is_compared` says that `before` was the same question; `gone` are its passages that are no
    longer among these. `vector_search` says how the nearest vectors were found. `problems` are
    sentences about models that failed.
    """

    trial: SearchTestQuery
    rows: tuple[RankChange, ...]
    counts: StageCounts
    seconds: float
    timings: tuple[tuple[str, float], ...]
    evidence: float
    vector_search: VectorSearch | None = None
    problems: tuple[str, ...] = ()
    gone: tuple[Passage, ...] = ()
    is_compared: bool = False

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages."""
        return tuple(each.passage for each in self.rows)


@dataclass(frozen=True, slots=True)
class PassageTrace:
    """A passage's way, as far as it is known; the verdict comes last."""

    trial: SearchTestQuery
    aim: PassageTarget
    stages: tuple[Stage, ...] = ()
    verdict: Verdict | None = None


def rank_changes(
    passages: Sequence[Passage], before: Sequence[Passage]
) -> tuple[tuple[RankChange, ...], tuple[Passage, ...]]:
    """Return how passages moved against those before, and which of those are gone."""
    rows = []
    for place, passage in enumerate(passages):
        was = [at for at, each in enumerate(before) if is_same(each, passage)]
        rows.append(RankChange(passage, was[0] - place if was else None))
    gone = [each for each in before if not any(is_same(each, one) for one in passages)]
    return tuple(rows), tuple(gone)


def is_same(one: Passage, other: Passage) -> bool:
    """Say whether two passages are of the same piece, or one lies in the other."""
    if one.chunk_id == other.chunk_id:
        return True
    return one.document_id == other.document_id and (_has(one, other) or _has(other, one))


def _has(big: Passage, small: Passage) -> bool:
    start, end = big.locator.start, big.locator.end
    if start is None or end is None:
        return False
    return start <= small.match[0] and small.match[1] <= end
