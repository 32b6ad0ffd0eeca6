"""Reading documents' texts: a stretch of text, words in it, its chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import DocumentId
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_blocks import blocks_of
from desktop_rag.gui.controllers.open_document import (
    DocumentText,
    ListedChunk,
    OpenDocument,
    PageText,
    TextHit,
    TextHits,
    TextRange,
)

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.workspace import Workspace

_STRETCH = 1_000_000  # characters looked through at a time
_MOST_HITS = 20_000
_LONGEST_HIT = 600
_SLACK = 2000  # characters that a line may be longer than where a stretch was to end
_COUNTED = 500  # chunks whose tokens are counted at a time


def read_text(
    folder: DataFolder, document: OpenDocument, stretch: TextRange, token: CancelToken
) -> DocumentText:
    """Read a stretch of a document's text and what its lines are."""
    catalog = folder.get(token).catalog
    document_id = document.document_id
    length = None if document_id is None else catalog.document_queries.length(document_id)
    if document_id is None or not length:
        return replace(_kept(document), wanted=stretch)
    first, text = _whole_lines(catalog, document_id, stretch)
    last = first + len(text)
    names = catalog.document_queries.headings(document_id, first, last) | {document.title}
    pieces = catalog.document_queries.pieces(document_id, first, last)
    blocks = tuple(blocks_of(text, first, pieces, names))
    return DocumentText(text, first, length, blocks, wanted=stretch)


def read_page(
    folder: DataFolder, document: OpenDocument, page: int, token: CancelToken
) -> PageText:
    """Read what the index has of a page, for a page that can't be drawn."""
    queries = folder.get(token).catalog.document_queries
    texts = () if document.document_id is None else queries.page(document.document_id, page)
    return PageText(page, "\n\n".join(texts))


def find_words(
    folder: DataFolder, document: OpenDocument, words: str, token: CancelToken
) -> Iterator[TextHits]:
    """Look for words in the whole text, stretch by stretch."""
    from desktop_rag.core.search_pattern import search_pattern

    wanted = search_pattern(words)
    found = 0
    for start, text, more in _stretches(folder.get(token).catalog, document):
        token.check()
        limit = start + _STRETCH if more else start + len(text)
        spans = () if wanted is None else (m.span() for m in wanted.finditer(text))
        places = tuple(TextHit(start + a, start + b) for a, b in spans if start + a < limit)
        found += len(places)
        done = not more or found >= _MOST_HITS
        yield TextHits(words, places, done)
        if done:
            return


def list_chunks(
    folder: DataFolder, document: OpenDocument, token: CancelToken
) -> tuple[ListedChunk, ...]:
    """List a document's chunks."""
    workspace = folder.get(token)
    if document.document_id is None:
        return ()
    pieces = workspace.catalog.document_queries.chunks(document.document_id)
    counts = _tokens(workspace, [each.text for each in pieces], token)
    return tuple(
        ListedChunk(
            each.ordinal,
            each.kind,
            each.locator,
            count,
            each.text,
            each.context,
            each.chunk_id,
        )
        for each, count in zip(pieces, counts, strict=True)
    )


def _kept(document: OpenDocument) -> DocumentText:
    """Return the passage as the conversation kept it; a UserError when there is none."""
    quoted = document.quoted
    if quoted is None or not quoted.text:
        raise UserError("The index holds no text of this file.", "Open the file itself.")
    blocks = tuple(blocks_of(quoted.text, quoted.start, (), frozenset()))
    end = quoted.start + len(quoted.text)
    return DocumentText(quoted.text, quoted.start, end, blocks, first=quoted.start)


def _whole_lines(catalog: Catalog, document_id: DocumentId, wanted: TextRange) -> tuple[int, str]:
    """Return where a stretch of whole lines begins, and its text; its fixed edge is kept."""
    first = max(0, wanted.start - _SLACK)
    text = catalog.documents.text(document_id, first, wanted.end + _SLACK)
    head, tail = wanted.start - first, wanted.end - first
    if head and wanted.fixed != wanted.start:
        head = text.rfind("\n", 0, head) + 1 or head
    if wanted.fixed != wanted.end:
        tail = text.find("\n", max(0, tail - 1)) + 1 or len(text)
    return first + head, text[head:tail]


def _stretches(catalog: Catalog, document: OpenDocument) -> Iterator[tuple[int, str, bool]]:
    """Yield start and text of queries that overlap by a hit's length; and whether more come."""
    document_id = document.document_id
    length = None if document_id is None else catalog.document_queries.length(document_id)
    if document_id is None or not length:
        kept = _kept(document)
        yield kept.start, kept.text, False
        return
    for start in range(0, length, _STRETCH):
        text = catalog.documents.text(document_id, start, start + _STRETCH + _LONGEST_HIT)
        yield start, text, start + _STRETCH < length


def _tokens(workspace: Workspace, texts: list[str], token: CancelToken) -> Iterator[int]:
    """Yield how many tokens each text has for the embedding model, about so where it is away."""
    from desktop_rag.models.ollama.token_estimate import TokenEstimate

    try:
        embedder = workspace.models.embedder
        counts = []
        for at in range(0, len(texts), _COUNTED):
            token.check()
            counts += embedder.count_tokens(texts[at : at + _COUNTED])
    except UserError:
        counts = list(map(TokenEstimate().of, texts))
    yield from counts
