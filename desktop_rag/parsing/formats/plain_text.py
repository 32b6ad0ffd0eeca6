"""Read plain text, piece by piece: paragraphs with the line each starts on."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.parsed_document import (
    LONGEST_BLOCK,
    Block,
    BlockLocator,
    BlockStream,
    DocumentHead,
    ParsedDocument,
)
from desktop_rag.parsing.text_encoding import encoding_of, is_binary

_NEWLINES = re.compile(r"\r\n|\r|\u2028|\u2029|\x0b|\x0c|\x85")
# Longer paragraphs are given in pieces, so that a place is never further away than this.
_LINES_A_BLOCK = 40
_HEAD = 200_000  # bytes that tell the encoding
_PIECE = 1 << 20


def read_text(path: Path) -> str:
    """Return a file's text, line ends as newlines; `corrupt` when it is not text."""
    return "".join(decoded(path))


def decoded(path: Path) -> Iterator[str]:
    """Yield a file's text in pieces, line ends as newlines; `corrupt` when it is not text."""
    with path.open("rb") as file:
        raw = file.read(_HEAD)
        if is_binary(raw[:65536]):
            raise file_problems.corrupt("The file's name says text, but its content is not text.")
        decoder = codecs.getincrementaldecoder(encoding_of(_telling(file, raw)))("replace")
        is_first, cut = True, ""
        while True:
            piece = cut + decoder.decode(raw, final=not raw)
            piece = piece.lstrip("\ufeff") if is_first else piece
            is_first = is_first and not piece
            cut = "\r" if raw and piece.endswith("\r") else ""  # its newline may be to come
            yield _NEWLINES.sub("\n", piece[: len(piece) - len(cut)])
            if not raw:
                return
            raw = file.read(_PIECE)


def _telling(file: IO[bytes], head: bytes) -> bytes:
    """Return bytes that tell a file's encoding: the first after much ASCII, else its head."""
    if not head.isascii() or b"\0" in head:
        return head
    before = b""
    while piece := file.read(_PIECE):
        if not piece.isascii():
            foreign = next(at for at, byte in enumerate(piece) if byte > 0x7F)
            line = piece.rfind(b"\n", 0, foreign) + 1
            before = b"" if line else before[before.rfind(b"\n") + 1 :]
            head = (before + piece[line:] + file.read(_HEAD))[-2 * _PIECE :]
            break
        before = piece[-_HEAD:]
    file.seek(_HEAD)
    return head


def is_longer(path: Path, most: int) -> bool:
    """Say whether a text file has more characters than that."""
    if path.stat().st_size <= most:
        return False
    length = 0
    return any((length := length + len(piece)) > most for piece in decoded(path))


def parse(path: Path) -> ParsedDocument:
    """Return a text file's paragraphs."""
    return ParsedDocument("", tuple(_paragraphs(_lines(decoded(path)))))


def read(path: Path) -> BlockStream:
    """Yield a text file's paragraphs as they are read."""
    yield from _paragraphs(_lines(decoded(path)))
    return DocumentHead()


def paragraphs(text: str) -> list[Block]:
    """Cut text at blank lines (and long runs of lines); each block is placed at its first line."""
    return list(_paragraphs(_lines([text])))


def _lines(pieces: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield lines, and whether they end: of a very long one several parts are given, in order."""
    rest = ""
    for piece in pieces:
        *whole, rest = (rest + piece).split("\n")
        for line in whole:
            yield line, True
        for start in range(0, len(rest) - LONGEST_BLOCK, LONGEST_BLOCK):
            yield rest[start : start + LONGEST_BLOCK], False
        if len(rest) > LONGEST_BLOCK:
            rest = rest[-(len(rest) % LONGEST_BLOCK or LONGEST_BLOCK) :]
    yield rest, True


def _paragraphs(lines: Iterable[tuple[str, bool]]) -> Iterator[Block]:
    held: list[str] = []
    first = number = 1
    goes_on = is_rest = False
    for line, is_whole in lines:
        if held and (not line.strip() or len(held) >= _LINES_A_BLOCK):
            yield _block(held, first, goes_on=goes_on)
            held = []
        if line.strip():
            first, goes_on = (first, goes_on) if held else (number, is_rest)
            held.append(line.rstrip() if is_whole else line)
        if held and not is_whole:
            yield _block(held, first, goes_on=goes_on)
            held = []
        is_rest = not is_whole
        number += is_whole
    if held:
        yield _block(held, first, goes_on=goes_on)


def _block(lines: list[str], first: int, *, goes_on: bool) -> Block:
    text = "\n".join(lines)
    return Block(BlockKind.TEXT, text, BlockLocator(LocatorKind.LINE, first), goes_on=goes_on)
