"""Asks one document a question, and gives an answer of one sentence, or the best quote."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from typing import cast

from desktop_rag.core.document_table import shown_quote
from desktop_rag.core.events import Notice
from desktop_rag.core.path_filter import path_filter
from desktop_rag.core.types import Passage
from desktop_rag.generation.answer_spans import answer_margin
from desktop_rag.generation.answer_type import answer_type_bonus
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.quotes import quotes_of
from desktop_rag.strategies.base import Generated, Steps, StrategyResult
from desktop_rag.strategies.research_context import ResearchState
from desktop_rag.whole_documents.cited_draft import cited_only
from desktop_rag.whole_documents.document_passages import IndexedDocument
from desktop_rag.whole_documents.document_tools import DocumentTools, Written

_PASSAGES = 5
MANNER = "each/one_sentence"


@dataclass(frozen=True, slots=True)
class _ModelLimits:
    """From what evidence alone, or from what score of the reranker, a model is asked; chosen on a
    dozen questions to four documents.
    """

    evidence: float = 0.1
    reader: float = -3.5


@dataclass(frozen=True, slots=True)
class _QuoteLimits:
    """When a document answers by a quote: from `evidence`, or where the built-in reader sees the
    answer by a margin of `seen`; from less of either (`typed`, `nearly`), where the quote says the
    number, date or name that is asked for. Below `least`, or where the reader denies it, never.
    Where it does not read the language, a sentence must have `strength`, unless it says those.

    Chosen on the documents of one half (`benchmarks.whole_document_questions --half tuning`).
    """

    evidence: float = 0.7
    typed: float = 0.2
    least: float = 0.02
    seen: float = 0.0
    nearly: float = -2.5
    denied: float = -4.0
    strength: float = 0.45


_READ = 2  # passages of a document in which the reader looks for the answer
_FOR_MODEL = _ModelLimits()
_FOR_QUOTES = _QuoteLimits()
_NOTHING: tuple[CitedText, tuple[Passage, ...]] = CitedText("", (), ()), ()


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What a document answers; `mode` as of an answer. `failed` says that the model did."""

    made: CitedText
    sources: tuple[Passage, ...]
    mode: str
    passages: int
    failed: bool = False


def ask_document(tools: DocumentTools, found: IndexedDocument) -> Steps[DocumentOutcome]:
    """Search this document alone, and answer from what is found.

    What it takes is counted with the rest; what is known of one document says nothing of another.
    """
    question = replace(tools.question, kbs=(found.kb,), where=path_filter(found.path))
    own = replace(tools, question=question, tally=ResearchState(told=tools.tally.told))
    try:
        return (yield from _silenced(_asked(own, found), tools))
    finally:
        _count(tools.tally, own.tally)


def _asked(tools: DocumentTools, found: IndexedDocument) -> Steps[DocumentOutcome]:
    passages = yield from tools.search(tools.question.text, "in one document", _PASSAGES)
    passages = tuple(replace(each, path=found.path, other_paths=()) for each in passages)
    had_model, evidence = tools.engine.model is not None, tools.tally.evidence
    (made, sources), mode = _NOTHING, "extracted"
    if had_model:
        _weigh_for_model(tools, passages)
        outcome = yield from tools.unseen(tools.answer(passages, MANNER))
        made, mode, sources = *_made(tools, outcome), outcome.sources
    failed = had_model and mode == "extracted"
    if failed or (not made.text and mode in ("generated", "extracted")):
        tools.tally.evidence = evidence
        plain = replace(tools, engine=replace(tools.engine, model=None))
        made, sources = yield from _quoted(plain, passages)
        mode = "extracted"
    if not made.text:
        refusal = Prompts(tools.question.language).text("each/not_found")
        return DocumentOutcome(CitedText(refusal, (), ()), (), "refused", len(passages))
    return DocumentOutcome(made, sources, mode, len(passages), failed)


def _weigh_for_model(tools: DocumentTools, passages: Sequence[Passage]) -> None:
    """Let a model be asked sooner than of whole knowledge bases: it can still say that there is
    nothing, and the documents were chosen.
    """
    tally, limits = tools.tally, _FOR_MODEL
    read = max((p.rerank_score for p in passages if p.rerank_score is not None), default=None)
    is_read = read is not None and read >= limits.reader
    if passages and (is_read or tally.evidence >= limits.evidence):
        tally.evidence = max(tally.evidence, tools.engine.refuse_below)


def _quoted(
    tools: DocumentTools, passages: Sequence[Passage]
) -> Steps[tuple[CitedText, tuple[Passage, ...]]]:
    """Return the best quote, where this document stands out as one that answers; else nothing.

    Of every document some sentence is the nearest to a question. A row that says nothing is the
    better mistake: nobody reads all rows against their documents.
    """
    evidence, limits = tools.tally.evidence, _FOR_QUOTES
    if not passages or evidence < limits.least:
        return _NOTHING
    asked = tools.question.text
    readable = [each for each in passages[:_READ] if each.rerank_score is not None]
    margin = answer_margin(asked, readable, tools.read)
    if margin is not None and margin < limits.denied:
        return _NOTHING
    seen = -inf if margin is None else margin
    is_sure = evidence >= limits.evidence or seen >= limits.seen
    if not is_sure and evidence < limits.typed and seen < limits.nearly:
        return _NOTHING
    tools.tally.evidence = max(evidence, tools.engine.refuse_below)
    outcome = yield from tools.answer(passages)
    made, _ = _made(tools, outcome)
    says_type = any(answer_type_bonus(asked, each.quote) > 0 for each in made.citations)
    if says_type or (is_sure and (margin is not None or _is_near(tools, passages))):
        return made, outcome.sources
    return _NOTHING


def _is_near(tools: DocumentTools, passages: Sequence[Passage]) -> bool:
    """Say whether one sentence holds enough of the question: the passages around it may hold its
    words here and there. The sentences were embedded when the best was chosen.
    """
    found = tools.likeness([each.text for each in quotes_of(passages)])
    return max(found, default=0.0) >= _FOR_QUOTES.strength


def _made(tools: DocumentTools, outcome: StrategyResult) -> tuple[CitedText, str]:
    """Return what was answered, on one line, as far as quotes support it."""
    if outcome.mode == "generated":
        told = " ".join(outcome.text.split())
        reply = Generated(told, "length" if outcome.unfinished else "stop")
        written = Written(reply, outcome.sources)
        return cited_only(tools.checked(written, by_meaning=True)), outcome.mode
    if outcome.mode == "extracted" and outcome.citations:
        return _best_quote(outcome), outcome.mode
    return CitedText("", (), ()), outcome.mode


def _best_quote(outcome: StrategyResult) -> CitedText:
    best = outcome.citations[0]
    text = shown_quote(best.quote)
    return CitedText(f"“{text}” [{best.n}]", (replace(best, sentence=0),), ())


def _silenced(steps: Steps[DocumentOutcome], tools: DocumentTools) -> Steps[DocumentOutcome]:
    """Run the steps; what is told of one document is not told of each."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("DocumentOutcome", end.value)
            if isinstance(event, Notice):
                if event.text in tools.tally.problems:
                    continue
                tools.tally.problems.append(event.text)
            yield event


def _count(tally: ResearchState, own: ResearchState) -> None:
    tally.searches += own.searches
    tally.llm_calls += own.llm_calls
    tally.prompt_tokens += own.prompt_tokens
    tally.answer_tokens += own.answer_tokens
