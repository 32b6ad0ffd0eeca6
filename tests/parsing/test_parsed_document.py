from __future__ import annotations

import json

import pytest

from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.parsing.parsed_document import (
    LONGEST_NAME,
    Block,
    BlockLocator,
    DocumentHead,
    ParsedDocument,
    TableRow,
    pack,
    unpack,
)

PLACE = BlockLocator(LocatorKind.SHEET, "Ä", "A1:B2")
DOCUMENT = ParsedDocument(
    "A title",
    (
        Block(
            BlockKind.HEADING,
            "One",
            BlockLocator(LocatorKind.PAGE, 3),
            2,
            (Box(1, 2, 3.5, 4, 0, 3),),
        ),
        Block(BlockKind.TABLE, "a | b", PLACE, rows=(TableRow("a | b", PLACE),), header="x | y"),
        Block(BlockKind.TEXT, "a lone surrogate \udcff", PLACE),
    ),
    pages=4,
    notes=("A note.",),
)


def test_a_document_survives_the_pipe() -> None:
    assert unpack(pack(DOCUMENT.blocks)) == DOCUMENT.blocks
    assert DocumentHead.from_bytes(DOCUMENT.head.to_bytes()) == DOCUMENT.head


def test_what_is_no_document_is_refused() -> None:
    plain = json.loads(pack(DOCUMENT.blocks).decode("utf-8", "surrogatepass"))
    plain[0]["place"] = ["page", ["a", "list"], None]
    deep = b"[" * 100_000
    for raw in (b"", b"{}x", b"[3]", json.dumps(plain).encode(), b'{"title":1}', deep):
        with pytest.raises((ValueError, KeyError, TypeError)):
            unpack(raw)
        with pytest.raises((ValueError, KeyError, TypeError)):
            DocumentHead.from_bytes(raw)


def test_what_would_stand_beside_every_chunk_is_short() -> None:
    plain = json.loads(pack(DOCUMENT.blocks).decode("utf-8", "surrogatepass"))
    plain[1]["header"] = "long " * 1000
    with pytest.raises(ValueError, match="long"):
        unpack(json.dumps(plain).encode())
    head = DocumentHead.from_bytes(DocumentHead("title " * 1000, notes=("note",) * 1000).to_bytes())
    assert len(head.title) == LONGEST_NAME
    assert len(head.notes) == 100
