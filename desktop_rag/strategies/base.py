"""What a strategy is, what it is given, and what it gives back.

A strategy is a frozen dataclass whose fields are its options, with the paper's values as defaults.
Its `run` reads from top to bottom: `yield from tools.search(...)`, `yield from tools.answer(...)`.
What it yields is what the window's trace shows and `ask --json` prints.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast, runtime_checkable

from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.events import Event
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId, Citation, KbId, Passage
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompt_builder import RawForm
from desktop_rag.generation.worked_examples import WorkedRules
from desktop_rag.models.pair_reader import PairReading
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.retrieval.derived_tree import NodeSearch
from desktop_rag.retrieval.entity_graph_search import GraphSearch

if TYPE_CHECKING:  # strategies are listed by every start
    from desktop_rag.tables.sql_engine import TableDatabase
    from desktop_rag.tables.stored_tables import StoredTable
    from desktop_rag.tables.table_store import TableScope
    from desktop_rag.tables.typed_table import TypedTable

T = TypeVar("T")
ALL_OF_IT = 1 << 30
"""More chunks than a document has."""
ValueProbabilities = Mapping[str, Mapping[Any, float]]
"""How probable each value of each field is; a field's sum to 1."""
Steps = Generator[Event, None, T]
"""Work that yields events and ends with a value."""


def run_to_end(steps: Steps[T]) -> T:
    """Run steps to their end; their events are for people."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast("T", end.value)


def option(default: Any, title: str, effect: str, **limits: Any) -> Any:
    """Declare one option of a strategy; `limits` may hold `low`, `high` and `choices`, or
    `strategies_but`: any strategy but these.

    `examples` names the kind of worked examples that it counts, for their price.
    """
    return field(default=default, metadata={"title": title, "effect": effect, **limits})


@dataclass(frozen=True, slots=True)
class KnowledgeBaseRef:
    """A knowledge base by its name."""

    name: str
    id: KbId


@dataclass(frozen=True, slots=True)
class Question:
    """A question to research. `text` stands alone; `asked` is what the user typed.

    `kbs` and `where` say what is searched, `k` how many passages the user wants (0: as many as the
    strategy says), `history` what was said before, where `text` could not take that in. `others`
    are knowledge bases that were not asked for, where a strategy may look when it says so.
    """

    text: str
    asked: str
    language: str
    kbs: tuple[KbId, ...] = ()
    k: int = 0
    where: str = ""
    history: tuple[Message, ...] = ()
    others: tuple[KnowledgeBaseRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Generated:
    """What a model wrote in one call.

    `reason` is `stop`, `length`, `broken` (it broke off), or `sentences` (it was stopped, because
    as many as were wanted had come; the beginning of one more is in `text`).

    `tokens` pairs each token with its probability where they were asked for; `gap` is the white
    space that stood before the text. `alternatives` are a row a token where those were asked for:
    what could stand in its place, in the same pairs.
    """

    text: str
    reason: str = "stop"
    tokens: tuple[tuple[str, float], ...] = ()
    gap: str = ""
    alternatives: tuple[tuple[tuple[str, float], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class StrategyResult:
    """The end of a strategy: an answer, and the passages that its numbers mean.

    `mode` is `generated`, `extracted` or `refused`; source n is `sources[n - 1]`. `citations` are
    set where the strategy knows them (an extract); else they are found from the text's numbers.
    `unfinished` is set where the model broke off or ran out of room.
    """

    text: str
    sources: tuple[Passage, ...]
    mode: str = "generated"
    citations: tuple[Citation, ...] = ()
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class SearchOverrides:
    """How the question is put to the index, where a transform changes that.

    In a query that begins with the question, `instead` stands in its place and `behind` at the
    query's end; `alike` are texts whose vectors are averaged with the query's. `where` is a filter;
    where it and the user's own speak of the same, the user's holds. `kbs` are searched instead of
    the question's own: some of `Question.others`. `reads` is how many candidates are reranked at
    most; None leaves it to the settings. `derived` is a way that knowledge bases are prepared for;
    `by_heads`: what was derived is compared head by head.
    `chunks` are candidates beside those that are found, each as near to the question as is said;
    `only_chunks`: there are no others.
    """

    instead: str = ""
    behind: str = ""
    alike: tuple[str, ...] = ()
    where: str = ""
    kbs: tuple[KbId, ...] = ()
    reads: int | None = None
    derived: str = ""
    by_heads: bool = False
    chunks: tuple[tuple[ChunkId, float], ...] = ()
    only_chunks: bool = False


NO_OVERRIDES = SearchOverrides()
"""As the query stands."""


class StrategyTools(Protocol):
    """What a strategy works with. Every call yields its events and can be stopped.

    A tool that others need is added here: scoring texts with the reranker, the titles of
    documents.
    """

    @property
    def only_documents(self) -> bool:
        """Whether nothing may be claimed but what the documents say."""
        ...

    @property
    def model_name(self) -> str:
        """The language model's name, empty where there is none."""
        ...

    @property
    def model_parameters(self) -> int | None:
        """How many parameters the language model has; None where that is not known."""
        ...

    def strategy(self, name: str) -> Strategy:
        """Return another strategy under its defaults; a `UsageError` if there is none."""
        ...

    def search(
        self, query: str, why: str, k: int, aim: SearchOverrides = NO_OVERRIDES
    ) -> Steps[tuple[Passage, ...]]:
        """Return the k best passages for a query; the reranker also scores for the question."""
        ...

    def prepared(self, way: str) -> tuple[int, int]:
        """Return how many of the documents that are asked are prepared for a way, of how many."""
        ...

    def tree(self, way: str) -> NodeSearch:
        """Return what finds the nodes of trees over the documents that are asked; `way` made them.

        A strategy tells which nodes it went by: searching them is no event of its own.
        """
        ...

    def graph(self, way: str) -> GraphSearch:
        """Return what walks the graph of entities over the documents that are asked."""
        ...

    def generate(
        self, messages: Sequence[Message], purpose: str, options: GenerationOptions | None = None
    ) -> Steps[Generated]:
        """Call the model once and return what it wrote; its tokens are not shown as the answer.

        Raises `ModelUnavailable` when nothing comes; what came before a break is returned.
        """
        ...

    def decide(
        self, messages: Sequence[Message], purpose: str, schema: Mapping[str, Any]
    ) -> Steps[dict[str, Any] | None]:
        """Return what the model chooses, as an object that fits a JSON schema.

        A reply that breaks the form is asked for again once; None where that fails, too, after a
        notice: the strategy then does what it says it does without a decision.
        """
        ...

    def weigh(
        self, messages: Sequence[Message], purpose: str, schema: Mapping[str, Any]
    ) -> Steps[ValueProbabilities | None]:
        """Decide, and return for each field how probable its values are, not the likeliest alone.

        Of a boolean, an `enum` or an integer with both limits; where nothing is known of the
        others, the chosen value has 1.0. None as `decide`.
        """
        ...

    def think(self, passages: Sequence[Passage], purpose: str) -> Steps[Generated]:
        """Return a chain of thought over passages, to search with.

        What the model knows itself is asked for beside them where not only documents count.
        """
        ...

    def write(
        self,
        passages: Sequence[Passage],
        purpose: str,
        rules: str | WorkedRules,
        so_far: str = "",
        options: GenerationOptions | None = None,
    ) -> Steps[Generated]:
        """Return what the model writes by rules of the strategy's own, out of sight.

        `so_far` is a beginning that it continues; only what comes after is returned. Passages stand
        in the order given, so that a prompt that grows at its end is read anew only there. Of the
        examples of `WorkedRules` as many are shown as fit beside the passages.
        """
        ...

    def go_on(
        self,
        passages: Sequence[Passage],
        purpose: str,
        options: GenerationOptions | None = None,
        manner: str = "answer/brief",
        draft: str = "",
    ) -> Steps[Generated]:
        """Return a draft of what comes after the kept part of the answer, by the answer's rules.

        `draft` is an earlier draft, to be continued, that is not kept, or not yet.

        A passage keeps the number that it had in an earlier draft, so that citations stay true when
        passages are replaced.
        """
        ...

    def go_on_raw(
        self,
        form: RawForm,
        passages: Sequence[Passage],
        purpose: str,
        options: GenerationOptions,
    ) -> Steps[Generated]:
        """Return what a model writes after a text in the form that it was trained on.

        `form` makes the text of the passages that fit, and must let none of them step out of their
        place. No rules are told, nor the conversation. Passages keep their numbers as in `go_on`.
        """
        ...

    def keep(self, text: str) -> Steps[None]:
        """Show a text, with the space before it, as the next part of the answer."""
        ...

    def written(self, *, unfinished: bool = False) -> Steps[StrategyResult]:
        """Return what was kept as the answer, its sources all that the drafts were shown."""
        ...

    def read(self, query: str, texts: Sequence[str]) -> Sequence[PairReading] | None:
        """Return what the built-in reader says of a query and each text, without a language model.

        None where it does not read the query's script, or cannot be loaded.
        """
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float] | None:
        """Return how well each text fits its query, as the built-in reader says; None as `read`."""
        ...

    def likeness(self, texts: Sequence[str]) -> Sequence[float]:
        """Return how like the question each text is, in [0, 1], by meaning and by words.

        By words alone where the embedder does not read the question.
        """
        ...

    def beyond(self, near: Passage, why: str, k: int) -> Steps[tuple[Passage, ...]]:
        """Return up to k passages that one leads to, by the names in it and by BM25."""
        ...

    def documents(self) -> tuple[OutlineEntry, ...]:
        """Return the documents that the question searches, its filter applied, by their paths."""
        ...

    def headings(
        self, documents: Sequence[OutlineEntry], most: int = ALL_OF_IT
    ) -> tuple[OutlineEntry, ...]:
        """Return documents as tables of contents, read from the first `most` chunks of each."""
        ...

    def by_words(self, lines: Sequence[OutlineEntry], count: int) -> tuple[OutlineEntry, ...]:
        """Return `count` lines of tables of contents, those first that the question's words name.

        The word index says which; no vector is compared.
        """
        ...

    def under(self, lines: Sequence[OutlineEntry], why: str, k: int) -> Steps[tuple[Passage, ...]]:
        """Return the k best passages under lines of tables of contents, the best line first.

        Words and the reranker order them; no vector finds one.
        """
        ...

    def excerpt_about(self, near: Passage, far: Passage) -> str:
        """Return what a passage says of another one's document, in at most 60 words."""
        ...

    def name_of(self, near: Passage, far: Passage) -> str:
        """Return the name under which a passage speaks of another one's document, "" for none."""
        ...

    def tables(self, near: Sequence[Passage]) -> TableScope:
        """Return the tables that are searched; where they are many, those near passages first."""
        ...

    def typed_table(self, group: Sequence[StoredTable], name: str) -> TypedTable:
        """Return tables with the same columns as one that can be asked under a name."""
        ...

    def table_database(self, tables: Sequence[TypedTable]) -> TableDatabase:
        """Return tables as a database that is shut off from all else; close it after use."""
        ...

    def chunk_passages(self, chunk_ids: Sequence[ChunkId]) -> tuple[Passage, ...]:
        """Return chunks as passages, in this order, without those that are gone."""
        ...

    def fenced(self, passages: Sequence[Passage]) -> str:
        """Return passages, numbered from 1, as material for a message; no text steps out of it."""
        ...

    def background(self, texts: Sequence[str]) -> str:
        """Return texts without a number as material for a message; none of them steps out of it."""
        ...

    def room(self, messages: Sequence[Message]) -> int:
        """Return how many tokens of the model's context messages leave for a reply."""
        ...

    def enough(self, passages: Sequence[Passage]) -> bool:
        """Tell whether there is anything to answer from: evidence, where only documents count."""
        ...

    def supported(self, text: str, sources: Sequence[Passage]) -> CitedText:
        """Return a text with the quotes of numbered sources that support its sentences."""
        ...

    def answer(
        self, passages: Sequence[Passage], manner: str = "answer/brief", aside: str = ""
    ) -> Steps[StrategyResult]:
        """Return the answer from passages, its tokens shown as they come.

        `manner` is a prompt: `answer/brief`, or `answer/chain_of_thought`. `aside` is told before
        the passages: a draft, say, and what is wrong. Without a model the answer is made of quotes;
        without evidence it is a refusal. Where the model may say what it knows, it does so without
        passages; `ModelUnavailable` is raised if it fails then.
        """
        ...

    def unseen(self, steps: Steps[StrategyResult]) -> Steps[StrategyResult]:
        """Run a strategy's steps with nothing shown as the answer; what it wrote is taken back."""
        ...


@runtime_checkable
class StrategyWithoutModel(Protocol):
    """A strategy that gives more than quotes without a language model.

    `without_model` is a sentence on what it gives then.
    """

    without_model: ClassVar[Phrase]


class Strategy(Protocol):
    """A way to research a question; `needs` names what must be there (`llm`, `logprobs`)."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Research a question, yield what happens, return the answer."""
        ...
