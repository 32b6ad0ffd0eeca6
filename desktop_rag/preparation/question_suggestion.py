"""Questions of a document that its knowledge base answers, by quotes alone, from that document.

Each candidate is asked as a person would ask it, without a language model, and kept where the first
quote stands where its answer must. So many are tried of a document, whatever its length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import PendingDocument
from desktop_rag.core.language import language
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.parsing.text_language import SAMPLE, language_code
from desktop_rag.preparation.question_candidates import (
    QuestionCandidate,
    QuestionedDocument,
    question_candidates,
)
from desktop_rag.strategies.base import Question, StrategyResult, run_to_end
from desktop_rag.strategies.query_complexity import SEVERAL, query_complexity
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.small_talk import small_talk

RECIPE = "1"
"""Changes when other questions are made of the same document."""

_CHUNKS = 400  # of a document that are read, from its beginning
_TRIED = 4
_KEPT = 2
_SHORTEST = 12  # characters of a quote that says something; a Chinese one counts double


@dataclass(frozen=True, slots=True)
class TriedQuestion:
    """A question that was asked of a knowledge base; `is_kept` where its document answers it."""

    text: str
    is_kept: bool


@dataclass(frozen=True, slots=True)
class QuestionTrial:
    """Asks a knowledge base what its documents seem to answer."""

    kb: KbId
    catalog: Catalog
    engine: ResearchContext
    token: CancelToken

    def of(self, document: PendingDocument) -> Iterator[TriedQuestion]:
        """Yield the questions of a document that are tried, until enough are kept."""
        kept = 0
        for each in question_candidates(self._source(document))[:_TRIED]:
            self.token.check()
            tried = TriedQuestion(each.text, self._is_answered(each, document.document_id))
            kept += tried.is_kept
            yield tried
            if kept == _KEPT:
                return

    def _source(self, document: PendingDocument) -> QuestionedDocument:
        chunks = self.catalog.document_queries.chunks(document.document_id, most=_CHUNKS)
        told = self.catalog.metadata.of(document.document_id).language
        code = told or language_code("\n".join(each.text for each in chunks[:8])[:SAMPLE])
        return QuestionedDocument(code, document.title, chunks)

    def _is_answered(self, asked: QuestionCandidate, document_id: DocumentId) -> bool:
        """Say whether the first quote that is given stands where the answer must."""
        if small_talk(asked.text) is not None or query_complexity(asked.text) == SEVERAL:
            return False
        question = Question(asked.text, asked.text, language(asked.text), (self.kb,))
        tools = ResearchTools(self.engine, question, self.token)
        found: StrategyResult = run_to_end(SinglePass().run(question, tools))
        if found.mode != "extracted" or not found.citations:
            return False
        first = found.citations[0]
        place, source = first.locator, found.sources[first.n - 1]
        if source.document_id != document_id or place.start is None or place.end is None:
            return False
        weight = len(first.quote) * (2 if question.language == "zh" else 1)
        is_there = any(place.start < end and start < place.end for start, end in asked.places)
        return is_there and asked.says in first.quote and (asked.says != "" or weight >= _SHORTEST)
