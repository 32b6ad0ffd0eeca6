"""What conversations quote from documents that are taken out: kept, or lost with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from desktop_rag.core.errors import UsageError
from desktop_rag.store.catalog import Catalog
from desktop_rag.store.records import FileRow

KEEP, LOSE = "keep", "lose"


@contextmanager
def losing_quotes(catalog: Catalog, quotes: str, files: Sequence[FileRow]) -> Iterator[None]:
    """Take files out in this block; then their quotes go, where that is wanted.

    Also after a stop in the middle: only the quotes of what is gone are taken.
    """
    if quotes not in (KEEP, LOSE):
        raise UsageError(f"Quotes can't be treated as {quotes!r}.", "Keep or lose them.")
    try:
        yield
    finally:
        if quotes == LOSE:
            documents = {row.document_id for row in files if row.document_id is not None}
            catalog.quotes.forget([row.path for row in files], documents)
