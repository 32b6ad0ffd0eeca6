"""The tools of one question: searching, calling the model, answering, and a tally of all that.

Searching and generating become events here, so that no strategy can do either unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import (
    Event,
    Notice,
    NoticeCode,
    PassagesFound,
    Resumed,
    SearchStarted,
    Step,
    Token,
    answer_cut_at_limit,
)
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import is_ended
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.generation.answer_continuation import AnswerContinuation
from desktop_rag.generation.citation_support import CitedText, ClaimReader, cite_sentences
from desktop_rag.generation.extract import extract
from desktop_rag.generation.prompt_builder import Prompt, RawForm
from desktop_rag.generation.prompt_delimiters import delimit, delimit_background
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import is_standard_refusal, says_not_found
from desktop_rag.generation.sentence_ranking import SentenceRanking
from desktop_rag.models.pair_reader import PairReading
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.retrieval.derived_tree import NodeSearch
from desktop_rag.retrieval.entity_graph_search import GraphSearch
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies.base import (
    ALL_OF_IT,
    NO_OVERRIDES,
    Generated,
    SearchOverrides,
    Steps,
    Strategy,
    StrategyResult,
)
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.passage_compression import compress_passages
from desktop_rag.strategies.query_builder import build_query, fit_to_embedder
from desktop_rag.strategies.sufficiency import is_enough

if TYPE_CHECKING:
    from desktop_rag.tables.sql_engine import TableDatabase
    from desktop_rag.tables.stored_tables import StoredTable
    from desktop_rag.tables.table_store import TableScope
    from desktop_rag.tables.typed_table import TypedTable

T = TypeVar("T")

_FEWEST_WORDS = 3  # that mean something, of an answer that broke off before its first end


@dataclass(frozen=True, slots=True)
class ResearchTools(ModelTools):
    """The tools for one question; see `base.StrategyTools`."""

    @property
    def only_documents(self) -> bool:
        """Whether the settings allow nothing but what the documents say."""
        return self.engine.settings.answering.only_documents

    def strategy(self, name: str) -> Strategy:
        """Return another strategy."""
        return self.engine.strategy(name)

    def search(
        self, query: str, why: str, k: int, aim: SearchOverrides = NO_OVERRIDES
    ) -> Steps[tuple[Passage, ...]]:
        """Search, and keep all k that are found."""
        self.token.check()
        meant = build_query(query, self.question, k, aim)
        query = fit_to_embedder(meant.text, aim.instead or self.question.text, self.engine.embedder)
        yield SearchStarted(query, why)
        return (
            yield from self._found(query, self.engine.retriever.search(replace(meant, text=query)))
        )

    def _found(self, query: str, found: SearchResult) -> Steps[tuple[Passage, ...]]:
        """Count a search, and show what it gave."""
        self.token.check()
        self.tally.searches += 1
        self.tally.evidence = max(self.tally.evidence, found.evidence)
        for problem in found.problems:
            if problem not in self.tally.problems:
                self.tally.problems.append(problem)
                yield Notice(problem)
        kept = frozenset(int(passage.chunk_id) for passage in found.passages)
        yield PassagesFound(query, found.passages, kept)
        for _, text in found.derived:
            yield Step("matched", text)
        return found.passages

    def prepared(self, way: str) -> tuple[int, int]:
        """Count the documents that are prepared for a way."""
        return self.engine.prepared(self.question.kbs, way)

    def tree(self, way: str) -> NodeSearch:
        """Return the nodes of the trees of the question's documents."""
        asked = build_query(self.question.text, self.question, 0, NO_OVERRIDES)
        return self.engine.retriever.tree(asked, way)

    def graph(self, way: str) -> GraphSearch:
        """Return the graph of the question's documents."""
        asked = build_query(self.question.text, self.question, 0, NO_OVERRIDES)
        return self.engine.retriever.graph(asked, way)

    def keep(self, text: str) -> Steps[None]:
        """Show a text as the answer's next part."""
        self.tally.written += text
        yield Token(text)

    def written(self, *, unfinished: bool = False) -> Steps[StrategyResult]:
        """Return what was kept as the answer; without evidence, or any text, a refusal."""
        yield from ()
        text, sources = self.tally.written.strip(), self.tally.shown
        if not text or (self.only_documents and (says_not_found(text) or not self.enough(sources))):
            return self._refusal()
        return StrategyResult(text, sources, unfinished=unfinished)

    def read(self, query: str, texts: Sequence[str]) -> Sequence[PairReading] | None:
        """Have the built-in reader read a query with each text."""
        reader = self.engine.reader_of(query)
        if reader is None:
            return None
        try:
            return reader.read(query, texts, self.token)
        except ModelUnavailable:
            return None

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float] | None:
        """Have the built-in reader score pairs of query and text."""
        reader = self.engine.reader_of(self.question.text)
        if reader is None:
            return None
        try:
            return reader.score_pairs(pairs, self.token)
        except ModelUnavailable:
            return None

    def likeness(self, texts: Sequence[str]) -> Sequence[float]:
        """Compare texts with the question."""
        ranking = SentenceRanking(texts, self.engine.embedder)
        return [float(each) for each in ranking.scores(self.question.text).strength]

    def beyond(self, near: Passage, why: str, k: int) -> Steps[tuple[Passage, ...]]:
        """Follow a passage to other ones."""
        self.token.check()
        links, question = self.engine.retriever.links, self.question
        if links is None:
            return ()
        query = self._plain_query(k)
        shown = f"{question.text} {near.title}"
        yield SearchStarted(shown, why)
        found = links.beyond(query, near)
        self.tally.searches += 1
        yield PassagesFound(shown, found, frozenset(int(each.chunk_id) for each in found))
        return found

    def documents(self) -> tuple[OutlineEntry, ...]:
        """Return the documents that the question searches; none where they cannot be listed."""
        outlines = self.engine.retriever.outlines
        return () if outlines is None else outlines.documents(self._plain_query())

    def headings(
        self, documents: Sequence[OutlineEntry], most: int = ALL_OF_IT
    ) -> tuple[OutlineEntry, ...]:
        """Return documents with their headings."""
        self.token.check()
        outlines = self.engine.retriever.outlines
        return () if outlines is None else outlines.headings(documents, most)

    def by_words(self, lines: Sequence[OutlineEntry], count: int) -> tuple[OutlineEntry, ...]:
        """Return the lines that the question's words name first."""
        self.token.check()
        outlines = self.engine.retriever.outlines
        return () if outlines is None else outlines.by_words(self._plain_query(), lines, count)

    def under(self, lines: Sequence[OutlineEntry], why: str, k: int) -> Steps[tuple[Passage, ...]]:
        """Search under lines of tables of contents, and keep all k that are found."""
        self.token.check()
        outlines, query = self.engine.retriever.outlines, self._plain_query(k)
        if outlines is None:
            return ()
        yield SearchStarted(query.text, why)
        return (yield from self._found(query.text, outlines.passages(query, lines)))

    def excerpt_about(self, near: Passage, far: Passage) -> str:
        """Return what a passage says of another one's document."""
        links = self.engine.retriever.links
        return "" if links is None else links.excerpt_about(near, far)

    def name_of(self, near: Passage, far: Passage) -> str:
        """Return what a passage calls another one's document."""
        links = self.engine.retriever.links
        return "" if links is None else links.name_of(near, far)

    def tables(self, near: Sequence[Passage]) -> TableScope:
        """Read the tables of the question's knowledge bases under its filter."""
        from desktop_rag.tables.table_store import TableScope

        store, question = self.engine.tables, self.question
        if store is None:
            return TableScope(())
        likely = [each.document_id for each in near]
        return store.tables(question.kbs, question.where, likely, self.token)

    def typed_table(self, group: Sequence[StoredTable], name: str) -> TypedTable:
        """Decide what the columns of tables hold."""
        from desktop_rag.tables.typed_table import make_typed_table

        self.token.check()
        store = self.engine.tables
        return (
            make_typed_table(name, group) if store is None else store.typed(group, name, self.token)
        )

    def table_database(self, tables: Sequence[TypedTable]) -> TableDatabase:
        """Load tables into a database of their own."""
        from desktop_rag.tables.sql_engine import TableDatabase

        return TableDatabase(tables, self.token)

    def chunk_passages(self, chunk_ids: Sequence[ChunkId]) -> tuple[Passage, ...]:
        """Read chunks from the catalog, and show them as found."""
        store = self.engine.tables
        return () if store is None else store.passages(chunk_ids, self.question.kbs)

    def fenced(self, passages: Sequence[Passage]) -> str:
        """Return passages as material for a message."""
        return delimit(list(enumerate(passages, start=1)), self.question.text)

    def background(self, texts: Sequence[str]) -> str:
        """Return texts as material for a message, without a number."""
        return delimit_background(texts, self.question.text)

    def enough(self, passages: Sequence[Passage]) -> bool:
        """Tell whether there is anything to answer from."""
        return is_enough(passages, self.question.text, self.engine, self.tally.evidence)

    def supported(
        self, text: str, sources: Sequence[Passage], *, unfinished: bool = False
    ) -> CitedText:
        """Tie a text's sentences to the quotes that support them."""
        look = ClaimReader(self.read, self.question.text)
        return cite_sentences(text, sources, self.engine.embedder, look, unfinished=unfinished)

    def unseen(self, steps: Steps[StrategyResult]) -> Steps[StrategyResult]:
        """Leave the answer's tokens out, and forget them, also where the steps are stopped."""
        try:
            return (yield from _without_tokens(steps))
        finally:
            self.tally.written, self.tally.shown = "", ()

    def go_on(
        self,
        passages: Sequence[Passage],
        purpose: str,
        options: GenerationOptions | None = None,
        manner: str = "answer/brief",
        draft: str = "",
    ) -> Steps[Generated]:
        """Write the answer's next part out of sight, its passages numbered for good."""
        shortened = yield from compress_passages(self, passages, in_parts=True)
        composer = replace(self._composer(), shorter=shortened)
        prompt = composer.go_on(passages, manner, f"{self.tally.written}{draft}", self.tally.shown)
        self.tally.shown = prompt.sources
        return (
            yield from self._call(prompt, purpose, options or self._options(composer), shown=False)
        )

    def go_on_raw(
        self,
        form: RawForm,
        passages: Sequence[Passage],
        purpose: str,
        options: GenerationOptions,
    ) -> Steps[Generated]:
        """Write on after a text in the model's own form, out of sight."""
        shortened = yield from compress_passages(self, passages, in_parts=True)
        composer = replace(self._composer(), shorter=shortened)
        prompt = composer.raw(form, passages, self.tally.shown)
        self.tally.shown = prompt.sources
        return (yield from self._call(prompt, purpose, replace(options, raw=True), shown=False))

    def answer(
        self, passages: Sequence[Passage], manner: str = "answer/brief", aside: str = ""
    ) -> Steps[StrategyResult]:
        """Answer by generating, by quoting or by refusing."""
        if not self.enough(passages):
            return self._refusal()
        if self.engine.model is None:
            return self._quotes(passages)
        if passages and self.tally.evidence < self.engine.refuse_below:
            yield Notice("The passages that were found match the question only weakly.")
        composer = replace(self._composer(), shorter=(yield from compress_passages(self, passages)))
        prompt = composer.answer(passages, manner, aside)
        if passages and not prompt.sources and self.only_documents:
            yield Notice("No passage fits the model's context, so quotes are given instead.")
            return self._quotes(passages)
        self.tally.shown, self.tally.manner = prompt.sources, manner
        options = self._options(composer, think=self.engine.settings.ollama.think)
        try:
            reply = yield from self._worded(prompt, options)
        except ModelUnavailable as problem:
            if not passages:
                raise
            yield Notice(
                Phrase(
                    "{0} Without it only quotes can be given.",
                    problem.sentence,
                    code=NoticeCode.QUOTES_ONLY,
                )
            )
            return self._quotes(passages)
        if self.only_documents and says_not_found(reply.text):
            return self._refusal()
        if reply.reason == "length":
            yield answer_cut_at_limit(options.max_tokens)
        return StrategyResult(reply.text, prompt.sources, unfinished=reply.reason != "stop")

    def resume(
        self,
        text: str,
        passages: Sequence[Passage],
        sources: Sequence[Passage],
        manner: str = "answer/brief",
    ) -> Steps[StrategyResult]:
        """Write a cut answer on from the passages that are left of its sources.

        Its tokens are shown behind a `Resumed`. `ModelUnavailable` is raised when nothing comes.
        """
        self.tally.written, self.tally.shown = text, tuple(sources)
        composer = replace(self._composer(), shorter=(yield from compress_passages(self, passages)))
        joined = AnswerContinuation(text)
        prompt = composer.resume(passages, manner, joined.kept, sources)
        options = self._options(composer)
        steps = self._call(prompt, "continue", options, shown=True)
        reply = yield from self._joined(joined, steps)
        whole = self.tally.written.strip()
        if says_not_found(reply.text) and is_standard_refusal(reply.text):
            whole = text.strip()  # behind an answer it is no part of it
        if reply.reason == "length":
            yield answer_cut_at_limit(options.max_tokens)
        is_as_before = whole == text.strip()
        return StrategyResult(
            whole, tuple(sources), unfinished=is_as_before or reply.reason != "stop"
        )

    def _joined(self, joined: AnswerContinuation, steps: Steps[Generated]) -> Steps[Generated]:
        """Show what a call writes behind the text before it, instead of as it comes."""
        written, is_resumed = self.tally.written, False
        with closing(steps):
            while True:
                try:
                    event: Event | None = next(steps)
                except StopIteration as end:
                    reply, event = cast("Generated", end.value), None
                is_text = event is None or isinstance(event, Token)
                new = joined.feed(event.text) if isinstance(event, Token) else ""
                new = joined.end() if event is None else new
                if new and not is_resumed:
                    written, is_resumed = joined.kept, True
                    yield Resumed(written)
                written += new
                self.tally.written = written
                if new:
                    yield Token(new)
                if event is None:
                    return reply
                if not is_text:
                    yield event

    def _worded(self, prompt: Prompt, options: GenerationOptions) -> Steps[Generated]:
        """Return the model's answer; none at all, or a word or two of one, is a failure of its."""
        reply = yield from self._call(prompt, "answer", options, shown=True)
        is_begun = reply.reason == "broken" and not is_ended(reply.text)
        if is_begun and len(content_words(reply.text)) < _FEWEST_WORDS:
            what = "The model broke off before it had said anything."
            raise ModelUnavailable(what, "Try again.", retryable=True)
        if not reply.text:
            raise ModelUnavailable("The model wrote nothing.", "Try again.", retryable=True)
        return reply

    def _plain_query(self, k: int = 1) -> Query:
        question = self.question
        return Query(question.text, question.kbs, k, where=question.where)

    def _refusal(self) -> StrategyResult:
        return StrategyResult(Prompts(self.question.language).not_found, (), "refused")

    def _quotes(self, passages: Sequence[Passage]) -> StrategyResult:
        """Return an extract, or a refusal where even that is empty."""
        made = extract(self.question.text, passages, self.engine.embedder, self.read)
        if not made.text or self.tally.evidence < self.engine.refuse_below:
            return self._refusal()
        return StrategyResult(made.text, made.sources, "extracted", made.citations)


def _without_tokens(steps: Steps[T]) -> Steps[T]:
    """Run steps to their end; every event but a token passes."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("T", end.value)
            if not isinstance(event, Token):
                yield event
