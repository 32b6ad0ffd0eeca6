"""Read plain text: paragraphs with the line each starts on."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place
from desktop_rag.engine.ingest.parse.encodings import decode, is_binary

_NEWLINES = re.compile(r"\r\n|\r|\u2028|\u2029|\x0b|\x0c|\x85")
# Longer paragraphs are given in pieces, so that a place is never further away than this.
_LINES_A_BLOCK = 40


def read_text(path: Path) -> str:
    """Return a file's text, line ends as newlines; `corrupt` when it is not text."""
    raw = path.read_bytes()
    if is_binary(raw[:65536]):
        raise problems.corrupt("The file's name says text, but its content is not text.")
    return _NEWLINES.sub("\n", decode(raw))


def parse(path: Path) -> ParsedDocument:
    """Return a text file's paragraphs."""
    return ParsedDocument("", tuple(paragraphs(read_text(path))))


def paragraphs(text: str) -> list[Block]:
    """Cut text at blank lines (and long runs of lines); each block is placed at its first line."""
    blocks: list[Block] = []
    held: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), start=1):
        if held and (not line.strip() or len(held) >= _LINES_A_BLOCK):
            blocks.append(_block(held, first))
            held = []
        if line.strip():
            first = number if not held else first
            held.append(line.rstrip())
    if held:
        blocks.append(_block(held, first))
    return blocks


def _block(lines: list[str], first: int) -> Block:
    return Block(BlockKind.TEXT, "\n".join(lines), Place(LocatorKind.LINE, first))
