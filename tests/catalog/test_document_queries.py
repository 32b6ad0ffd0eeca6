from __future__ import annotations

from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId


def test_what_is_not_there_has_no_length_no_pieces_and_no_file(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    gone = DocumentId(7)
    assert catalog.stretches.length(gone) is None
    assert catalog.stretches.pieces(gone, 0, 100) == []
    assert catalog.stretches.headings(gone, 0, 100) == frozenset()
    assert catalog.stretches.held("/nowhere") == []
    catalog.close()
