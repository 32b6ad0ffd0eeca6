"""Long documents in frames: bounded, and together what they were."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.core.document_metadata import NO_METADATA
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, Box, FileStatus, LocatorKind
from desktop_rag.parsing import format_registry
from desktop_rag.parsing.formats.plain_text import decoded
from desktop_rag.parsing.parsed_document import (
    LONGEST_BLOCK,
    LONGEST_NAME,
    Block,
    BlockLocator,
    DocumentHead,
    ParsedDocument,
    TableRow,
)
from desktop_rag.parsing.sandbox.document_stream import (
    encode_frames,
    pack_blocks,
    pack_head,
    split_block,
    unpack_blocks,
    unpack_head,
)

PLACE = BlockLocator(LocatorKind.LINE, 1)
PLENTY = 10**9


def blocks_of(path: Path) -> list[Block]:
    *sent, head = encode_frames(format_registry.read(path, PLENTY), PLENTY)
    assert replace(unpack_head(head), metadata=NO_METADATA) == DocumentHead()
    assert max(map(len, sent)) < 4 * LONGEST_BLOCK
    return [block for frame in sent for block in unpack_blocks(frame)]


def test_one_line_of_a_megabyte_is_given_in_parts_that_are_its_text(tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    line = "A sentence that is neither long nor short, and another. " * 20_000
    file.write_text(f"First.\n\n{line}\nlast")
    first, *rest = blocks_of(file)
    assert first.text == "First."
    assert not first.goes_on
    assert "".join(block.text for block in rest) == f"{line.rstrip()}\nlast"
    assert [block.goes_on for block in rest] == [False, *[True] * (len(rest) - 1)]
    assert max(len(block.text) for block in rest) <= LONGEST_BLOCK


def test_a_long_table_is_parted_between_its_rows() -> None:
    rows = tuple(
        TableRow(f"row {n}: {'x' * (n % 97)}", BlockLocator(LocatorKind.ROW, n))
        for n in range(9000)
    )
    text = "\n".join(row.text for row in rows)
    whole = Block(BlockKind.TABLE, text, rows[0].place, rows=rows, header="names")
    made = list(split_block(whole))
    assert len(made) > 3
    assert "".join(part.text for part in made) == text
    assert tuple(row for part in made for row in part.rows) == rows
    assert {part.header for part in made} == {"names"}
    assert all(part.place == part.rows[0].place for part in made)


def test_boxes_go_with_the_text_that_they_stand_around() -> None:
    boxes = tuple(Box(0, n, 9, n + 1, n * 100, n * 100 + 99) for n in range(2500))
    whole = Block(BlockKind.TEXT, f"{'w' * 99} " * 2500, PLACE, boxes=boxes)
    at = 0
    for part in split_block(whole):
        for box in part.boxes:
            assert box.end <= len(part.text)
            assert boxes[int(box.y0)].start == max(box.start + at, 0)
        at += len(part.text)
    assert at == len(whole.text)


def test_a_text_above_the_bound_is_refused_while_it_is_read() -> None:
    taken = 0

    def reading() -> Generator[Block, None, DocumentHead]:
        nonlocal taken
        while True:
            taken += 1
            yield Block(BlockKind.TEXT, "x" * 1000, PLACE)

    with pytest.raises(FileProblem) as refused:
        list(encode_frames(reading(), 200_000))
    assert refused.value.status is FileStatus.TOO_LARGE
    assert "ingest.max_characters" in refused.value.remedy
    assert taken == 201


@pytest.mark.parametrize("name", ["long.csv", "long.md"])
def test_tables_and_markdown_are_refused_before_they_are_parsed(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("name,value\n" * 30_000)
    with pytest.raises(FileProblem, match="more than 200,000 characters"):
        next(format_registry.read(file, 200_000))


def test_a_text_is_decoded_the_same_in_pieces(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    text = "Zwölf Boxkämpfer jagen Viktor\r\nquer über den großen Sylter Deich 中文\r" * 40_000
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        file.write_bytes(text.encode(encoding))
        wanted = text.replace("\r\n", "\n").replace("\r", "\n")
        assert "".join(decoded(file)) == wanted


def test_an_ordinary_document_is_sent_as_it_is() -> None:
    document = ParsedDocument("T", (Block(BlockKind.TEXT, "words", PLACE),), 3, ("A note.",))
    blocks, head = encode_frames(document.reading(), PLENTY)
    assert unpack_blocks(blocks) == document.blocks
    assert unpack_head(head) == document.head


CELLS = BlockLocator(LocatorKind.SHEET, "Ä", "A1:B2")
DOCUMENT = ParsedDocument(
    "A title",
    (
        Block(
            BlockKind.HEADING,
            "One",
            BlockLocator(LocatorKind.PAGE, 3),
            2,
            (Box(1, 2, 3.5, 4, 0, 2), Box(1, 2, 3.5, 4, 2, 3, page=4)),
        ),
        Block(BlockKind.TABLE, "a | b", CELLS, rows=(TableRow("a | b", CELLS),), header="x | y"),
        Block(BlockKind.TEXT, "a lone surrogate \udcff", CELLS),
    ),
    pages=4,
    notes=("A note.",),
)


def test_a_document_survives_the_pipe() -> None:
    assert unpack_blocks(pack_blocks(DOCUMENT.blocks)) == DOCUMENT.blocks
    assert unpack_head(pack_head(DOCUMENT.head)) == DOCUMENT.head


def test_what_is_no_document_is_refused() -> None:
    plain = json.loads(pack_blocks(DOCUMENT.blocks).decode("utf-8", "surrogatepass"))
    plain[0]["place"] = ["page", ["a", "list"], None]
    deep = b"[" * 100_000
    for raw in (b"", b"{}x", b"[3]", json.dumps(plain).encode(), b'{"title":1}', deep):
        with pytest.raises(ValueError):
            unpack_blocks(raw)
        with pytest.raises(ValueError):
            unpack_head(raw)


def test_what_would_stand_beside_every_chunk_is_short() -> None:
    plain = json.loads(pack_blocks(DOCUMENT.blocks).decode("utf-8", "surrogatepass"))
    plain[1]["header"] = "long " * 1000
    with pytest.raises(ValueError, match="header"):
        unpack_blocks(json.dumps(plain).encode())
    head = unpack_head(pack_head(DocumentHead("title " * 1000, notes=("note",) * 1000)))
    assert len(head.title) == LONGEST_NAME
    assert len(head.notes) == 100
