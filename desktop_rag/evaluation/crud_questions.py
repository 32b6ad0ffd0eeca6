"""Questions by rule with their answers, as the documents word them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.defined_terms import quoted_term
from desktop_rag.core.sentences import is_ended, sentences
from desktop_rag.core.types import BlockKind
from desktop_rag.evaluation.question_proposal import Sample, propose_by_rules
from desktop_rag.whole_documents.document_passages import WholeDocument

_TRIED = 30  # chunks of a document
_SENTENCES = 3  # of an answer, at most


@dataclass(frozen=True, slots=True)
class ReadingQuestion:
    """A question about a document, what is said there, and its characters in the document."""

    question: str
    answer: str
    span: tuple[int, int]


def proposed_reading(
    catalog: Catalog, document: WholeDocument, dice: random.Random
) -> ReadingQuestion | None:
    """Return a question about a term that a document defines, else about one of its headings."""
    chunks = list(catalog.documents.each_chunk(document.document_id))
    dice.shuffle(chunks)
    stem = PurePath(document.path).stem
    chunks.sort(key=lambda each: not quoted_term(each.text))
    for chunk in chunks[:_TRIED]:
        start, stop = chunk.locator.start, chunk.locator.end
        if chunk.kind is not BlockKind.TEXT or start is None or stop is None:
            continue
        sample = Sample(chunk, chunk.text)
        proposal = propose_by_rules(sample, stem)
        answer = _answer(chunk.text)
        if proposal is not None and answer:
            return ReadingQuestion(proposal.question, answer, (start, stop))
    return None


def _answer(text: str) -> str:
    """Return the sentence that defines a term, or the first ones of what stands under a heading."""
    whole = [span.of(text) for span in sentences(text) if is_ended(span.of(text))]
    if term := quoted_term(text):
        return next((each for each in whole if term in each), "")
    return " ".join(whole[:_SENTENCES])
