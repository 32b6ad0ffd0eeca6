from __future__ import annotations

from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId


def test_what_is_not_there_has_no_length_no_pieces_and_no_file(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    gone = DocumentId(7)
    assert catalog.document_queries.length(gone) is None
    assert catalog.document_queries.pieces(gone, 0, 100) == []
    assert catalog.document_queries.headings(gone, 0, 100) == frozenset()
    assert catalog.document_queries.held("/nowhere") == []
    catalog.close()
