"""What search reads of a chunk, in both stages."""

from __future__ import annotations

from desktop_rag.core.table_rows import bare_cells


def search_text(context: str, text: str) -> str:
    """Return a chunk's context and text as the word index, the embedder and the reranker read them.

    Names of columns that the context has stand in no row again.
    """
    return f"{context}\n{bare_cells(text, context)}"
