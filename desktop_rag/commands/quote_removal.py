"""What conversations quote from documents that are taken out: kept, or lost with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase

KEEP, LOSE = "keep", "lose"


@contextmanager
def redacting_quotes(catalog: Catalog, quotes: str, files: Sequence[FileRow]) -> Iterator[None]:
    """Take files of one knowledge base out in this block; their quotes go, where that is wanted.

    They go before, for the case of a kill: what is followed no longer goes without a word, at the
    next look. And after, also after a stop: an answer may have quoted meanwhile what was there.
    """
    if quotes not in (KEEP, LOSE):
        raise UsageError(
            Phrase("Quotes can't be treated as {0}.", f"{quotes!r}"), "Keep or lose them."
        )
    if quotes == KEEP or not files:
        yield
        return
    documents = {row.document_id for row in files if row.document_id is not None}
    gone = [row.path for row in files], documents, files[0].kb
    catalog.quotes.forget(*gone)
    try:
        yield
    finally:
        catalog.quotes.forget(*gone)
