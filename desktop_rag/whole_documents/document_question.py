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
_ANSWERS = 0.0  # what the reader gives a passage that answers, at least
_LEAST_SHARE = 0.4  # of the evidence that an answer needs, where the reader finds one
MANNER = "each/one_sentence"


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
    """Let a document that was chosen answer where the built-in reader finds that it does.

    Evidence is calibrated for whole knowledge bases, in which words are rarer than in one document.
    """
    enough = tools.engine.refuse_below
    read = max((p.rerank_score for p in passages if p.rerank_score is not None), default=None)
    if read is not None and read > _ANSWERS and tools.tally.evidence >= _LEAST_SHARE * enough:
        tools.tally.evidence = max(tools.tally.evidence, enough)


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
