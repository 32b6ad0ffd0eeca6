"""Summaries that a language model wrote when a knowledge base was prepared: kept, and cited again.

What is kept is a text in which number n means the n-th of the chunks that it was written from. When
it is asked for, each of its sentences is tied to a quote anew, so that no citation is older than
the answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.language import language
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import ChunkId, Citation, Passage
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Generated, Question
from desktop_rag.whole_documents.cited_draft import CitedDraft, cited_only
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_tools import DocumentTools, Written

WAY = "summaries"
"""What a knowledge base is prepared for, to have them."""
NumberedText = tuple[str, tuple[ChunkId, ...]]
"""A text, and the chunks that its numbers mean."""
_NUMBER = re.compile(r"\[(\d{1,3})\]")
_SAMPLE = 4000  # characters by which a document's language is told


def document_question(document: WholeDocument) -> Question:
    """Return what is asked of a document that is summed up unasked, in its own language."""
    sample = ""
    for each in document.passages:
        sample += each.text
        if len(sample) >= _SAMPLE:
            break
    spoken = language(sample[:_SAMPLE])
    text = Prompts(spoken).text("summarise/task")
    return Question(text, text, spoken, (document.kb,))


def numbered_by_chunk(draft: CitedDraft, document: WholeDocument) -> NumberedText:
    """Return a summary whose number n means the n-th of the chunks, in the catalog's order.

    A chunk is the one in which a sentence's quote begins.
    """
    chunk_of = {
        (each.sentence, each.n): _chunk_at(each, draft.sources[each.n - 1], document)
        for each in draft.citations
    }
    chunks = sorted(set(chunk_of.values()))
    text, end = "", 0
    for at, span in enumerate(sentences(draft.text)):
        told = {n: chunks.index(chunk) + 1 for (s, n), chunk in chunk_of.items() if s == at}
        text += draft.text[end : span.start] + _renumbered(span.of(draft.text), told)
        end = span.end
    return text.strip(), tuple(chunks)


def _chunk_at(citation: Citation, source: Passage, document: WholeDocument) -> ChunkId:
    start = citation.locator.start
    return source.chunk_id if start is None else document.at(source, start).chunk_id


def _renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a text with other numbers; those that stand for nothing are left out."""
    return _NUMBER.sub(lambda found: _marker(numbers.get(int(found[1]))), text)


def _marker(number: int | None) -> str:
    return f"[{number}]" if number else ""


def find(catalog: Catalog, document: WholeDocument, recipe: str) -> DerivedText | None:
    """Return what is kept of a document by this recipe; None where it is not, or nothing is."""
    if catalog.preparations.position(document.document_id, WAY, recipe) is not None:
        return None
    kept = catalog.preparations.texts_of(document.document_id, WAY)
    return kept[0] if kept else None


def cited_again(
    kept: DerivedText, document: WholeDocument, tools: DocumentTools
) -> tuple[CitedText, tuple[Passage, ...]]:
    """Tie a kept summary to quotes; what nothing supports is left out. With its passages."""
    by_chunk = {
        place.chunk_id: passage
        for passage, places in zip(document.passages, document.chunks, strict=True)
        for place in places
    }
    told = [by_chunk[each] for each in kept.sources if each in by_chunk]
    if len(told) < len(kept.sources):  # the document was read anew meanwhile
        return CitedText("", (), ()), ()
    sources = tuple({each.rank: each for each in told}.values())
    numbers = {at: sources.index(each) + 1 for at, each in enumerate(told, start=1)}
    written = Written(Generated(_renumbered(kept.text, numbers)), sources)
    return cited_only(tools.checked(written, by_meaning=True)), sources
