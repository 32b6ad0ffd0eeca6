"""Read a mailbox (mbox): many mails in one file, each placed by its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import mail, mail_message
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.text_encoding import is_binary

_MOST_MESSAGES = 20_000
_MOST_CHARACTERS = 40_000_000
_LARGEST_MESSAGE = 60_000_000  # bytes
_MOST_NOTES = 20
_START = re.compile(rb"From \S")
_DATED = re.compile(rb"From \S.{0,200}\d{1,2}:\d{2}.{0,20} \d{4}.{0,20}\s*$")
_HEADER = re.compile(rb"[!-9;-~]+:")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def parse(
    path: Path, parse_part: mail_message.ParsePart, pictures: EmbeddedPictures
) -> ParsedDocument:
    """Return a mailbox's mails in order; `parse_part` reads an attachment, as of `mail.parse`."""
    blocks: list[Block] = []
    notes: list[str] = []
    room = _MOST_CHARACTERS
    for number, raw in enumerate(_messages(path), start=1):
        if number > _MOST_MESSAGES or room <= 0:
            notes.append("The mailbox is very large; only the beginning of it was read.")
            break
        if len(raw) >= _LARGEST_MESSAGE:
            notes.append(Phrase("Message {0} is very large; only its beginning was read.", number))
        document = mail.from_bytes(_QUOTED.sub(rb"\1", raw), parse_part, pictures)
        made = list(_of_message(document, number))
        room -= sum(len(block.text) for block in made)
        blocks += made
        notes += [Phrase("Message {0}: {1}", number, note) for note in document.notes]
    if len(notes) > _MOST_NOTES:
        notes = [*notes[:_MOST_NOTES], "More parts of the mailbox were not read."]
    return ParsedDocument("", tuple(blocks), notes=tuple(notes))


def _of_message(document: ParsedDocument, number: int) -> Iterator[Block]:
    """Yield a mail's blocks at its number, its subject as their heading."""
    place = BlockLocator(LocatorKind.MESSAGE, number)
    if document.title:
        yield Block(BlockKind.HEADING, document.title, place, 1)
    subject = f"Subject: {document.title}"
    for at, block in enumerate(document.blocks):
        if at == 0 and block.kind is BlockKind.META:
            lines = [line for line in block.text.split("\n") if line != subject]
            block = replace(block, text="\n".join(lines))  # noqa: PLW2901 - its heading says it
        placed = mail_message.placed(block, place)
        is_inner = placed.kind is BlockKind.HEADING
        yield replace(placed, level=placed.level + 1) if is_inner else placed


def _messages(path: Path) -> Iterator[bytes]:
    """Yield the mails of a mailbox, of a very large one the beginning.

    A mail begins at a line `From …` that a header follows, if it tells a time or stands after a
    blank line (or at the file's start): elsewhere it is a sentence.
    """
    held: list[bytes] = []
    size = 0
    waiting = b""  # a line that may begin a mail, until the next one tells
    is_after_blank = True
    with path.open("rb") as file:
        if is_binary(file.read(65536)):
            raise file_problems.corrupt(
                "The file's name says mailbox, but its content is not text."
            )
        file.seek(0)
        while line := file.readline(_LARGEST_MESSAGE):
            if waiting and _HEADER.match(line):
                if any(each.strip() for each in held):
                    yield b"".join(held)
                held, size = [], 0
            elif waiting:
                held.append(waiting)
            is_start = (_START if is_after_blank else _DATED).match(line)
            waiting = line if is_start else b""
            is_after_blank = not line.strip()
            if not waiting and size < _LARGEST_MESSAGE:
                held.append(line)
                size += len(line)
    if waiting:
        held.append(waiting)
    if any(line.strip() for line in held):
        yield b"".join(held)
