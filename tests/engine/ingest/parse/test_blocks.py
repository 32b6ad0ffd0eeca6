from __future__ import annotations

import json

import pytest

from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place, TableRow

PLACE = Place(LocatorKind.SHEET, "Ä", "A1:B2")
DOCUMENT = ParsedDocument(
    "A title",
    (
        Block(BlockKind.HEADING, "One", Place(LocatorKind.PAGE, 3), 2, (Box(1, 2, 3.5, 4, 0, 3),)),
        Block(BlockKind.TABLE, "a | b", PLACE, rows=(TableRow("a | b", PLACE),), header="x | y"),
        Block(BlockKind.TEXT, "a lone surrogate \udcff", PLACE),
    ),
    pages=4,
    notes=("A note.",),
)


def test_a_document_survives_the_pipe() -> None:
    assert ParsedDocument.from_bytes(DOCUMENT.to_bytes()) == DOCUMENT


def test_what_is_no_document_is_refused() -> None:
    plain = json.loads(DOCUMENT.to_bytes().decode("utf-8", "surrogatepass"))
    plain["blocks"][0]["place"] = ["page", ["a", "list"], None]
    for raw in (b"", b"{}", b"[]", json.dumps(plain).encode(), b'{"title":1,"blocks":[3]}'):
        with pytest.raises((ValueError, KeyError, TypeError)):
            ParsedDocument.from_bytes(raw)
