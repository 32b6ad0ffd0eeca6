"""Answers a question for a document's property: from a mail's head, or from the file's properties.

A head is part of the text, and is quoted. The other properties stand nowhere in it: what is said of
them says where they are from.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.document_table import plain, shown_quote
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import LocatorKind
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.quotes import Quote
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_question import DocumentOutcome
from desktop_rag.whole_documents.property_question import DocumentProperty as Property

_HEAD_LINES = {  # of a mail, as its reader writes them
    Property.SENDER: ("From",),
    Property.AUTHORS: ("From",),
    Property.RECIPIENTS: ("To", "Cc"),
    Property.SUBJECT: ("Subject",),
    Property.CREATED: ("Date",),
}


def property_outcome(
    catalog: Catalog, document: WholeDocument, asked: Property, language: str
) -> DocumentOutcome | None:
    """Return what a document says of a property; None where it does not say it."""
    quotes = _head_quotes(document, asked)
    if quotes:
        return _quoted(quotes)
    value = _value(catalog, document, asked)
    if not value:
        return None
    said = Prompts(language).text("each/property", value=plain(value))
    return DocumentOutcome(CitedText(said, (), ()), (), "extracted", 0)


def _head_quotes(document: WholeDocument, asked: Property) -> list[Quote]:
    """Return the values of a mail's own head; those of a mail in it are no answer."""
    names = _HEAD_LINES.get(asked, ())
    for passage, chunks in zip(document.passages, document.chunks, strict=True):
        begin = passage.locator.start or 0
        for chunk in chunks if names else ():
            if (chunk.locator.kind, chunk.locator.value) != (LocatorKind.PART, "head"):
                continue
            line = re.compile(rf"^(?:{'|'.join(names)}): *(\S.*)$", re.MULTILINE)
            places = line.finditer(passage.text, chunk.start - begin, chunk.end - begin)
            found = [Quote(1, passage, *each.span(1)) for each in places]
            if found:
                return found
    return []


def _quoted(quotes: list[Quote]) -> DocumentOutcome:
    text, citations = "", []
    for each in quotes:
        text += f"{', ' if text else ''}“{shown_quote(each.text)}” [1]"
        citations.append(each.citation(max(0, len(sentences(text)) - 1)))
    made = CitedText(text, tuple(citations), ())
    return DocumentOutcome(made, (quotes[0].passage,), "extracted", 1)


def _value(catalog: Catalog, document: WholeDocument, asked: Property) -> str:
    """Return a property as it is told, "" where the document does not say it."""
    if asked is Property.PAGES:
        row = catalog.files.get(document.kb, document.path)
        return str(row.pages) if row is not None and row.pages else ""
    return _told(catalog.metadata.of(document.document_id), asked)


def _told(metadata: DocumentMetadata, asked: Property) -> str:
    return {
        Property.AUTHORS: ", ".join(metadata.authors),
        Property.SUBJECT: metadata.subject,
        Property.KEYWORDS: ", ".join(metadata.keywords),
        Property.CREATED: _day(metadata.created),
        Property.MODIFIED: _day(metadata.modified),
    }.get(asked, "")


def _day(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
