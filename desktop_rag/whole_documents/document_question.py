"""Asks one document a question, and gives an answer of one sentence, or the best quote."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import cast

from desktop_rag.core.document_table import shown_quote
from desktop_rag.core.events import Notice
from desktop_rag.core.path_filter import path_filter
from desktop_rag.core.types import Passage
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Generated, Steps, StrategyResult
from desktop_rag.strategies.research_context import ResearchState
from desktop_rag.whole_documents.cited_draft import cited_only
from desktop_rag.whole_documents.document_passages import IndexedDocument
from desktop_rag.whole_documents.document_tools import DocumentTools, Written

_PASSAGES = 5
MANNER = "each/one_sentence"


@dataclass(frozen=True, slots=True)
class _Limits:
    """From what evidence alone, or from what the reader gives with the least evidence, a document
    answers; chosen on a dozen questions to four documents.
    """

    evidence: float
    reader: float
    least: float


_FOR_QUOTES = _Limits(evidence=0.25, reader=-2.5, least=0.02)
_FOR_MODEL = _Limits(evidence=0.1, reader=-3.5, least=0.0)


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
    had_model = tools.engine.model is not None
    passages = yield from tools.search(tools.question.text, "in one document", _PASSAGES)
    passages = tuple(replace(each, path=found.path, other_paths=()) for each in passages)
    _weigh(tools, passages)
    outcome = yield from tools.unseen(tools.answer(passages, MANNER))
    made, mode = _made(tools, outcome)
    if not made.text and mode == "generated":
        plain = replace(tools, engine=replace(tools.engine, model=None))
        outcome = yield from plain.answer(passages)
        made, mode = _made(plain, outcome)
    if not made.text:
        refusal = Prompts(tools.question.language).text("each/not_found")
        return DocumentOutcome(CitedText(refusal, (), ()), (), "refused", len(passages))
    failed = had_model and outcome.mode == "extracted"
    return DocumentOutcome(made, outcome.sources, mode, len(passages), failed)


def _weigh(tools: DocumentTools, passages: Sequence[Passage]) -> None:
    """Let a document that was chosen answer where the built-in reader, or a little evidence, says
    that it may.

    Evidence is calibrated for whole knowledge bases, where “not found” is the better mistake. Here
    the documents were chosen, and a wrong row is seen by its quote. A model is asked sooner: it can
    still say that there is nothing.
    """
    tally, enough = tools.tally, tools.engine.refuse_below
    limits = _FOR_QUOTES if tools.engine.model is None else _FOR_MODEL
    read = max((p.rerank_score for p in passages if p.rerank_score is not None), default=None)
    is_read = read is not None and read >= limits.reader and tally.evidence >= limits.least
    if passages and (is_read or tally.evidence >= limits.evidence):
        tally.evidence = max(tally.evidence, enough)


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
