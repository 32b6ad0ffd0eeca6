"""Read picture files: what text recognition found on them, each frame a page."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.page_notes import PICTURE_PAGES
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.formats.pdf_blocks import PageBlock, Typography, page_blocks
from desktop_rag.parsing.formats.pdf_page_ends import with_whole_sentences
from desktop_rag.parsing.formats.recognized_lines import (
    as_shown,
    confidence_notes,
    recognized_lines,
)
from desktop_rag.parsing.formats.table_reader import TableReader
from desktop_rag.parsing.ocr.page_pictures import frame_count
from desktop_rag.parsing.ocr.recognized_page import NOTHING_RECOGNIZED, Recognized
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument


def parse(path: Path, recognized: Recognized = NOTHING_RECOGNIZED) -> ParsedDocument:
    """Return a picture's text; a `FileProblem` says that it was not recognised, or has none."""
    pages = frame_count(path)
    read = {number: page for number, page in recognized.items() if 1 <= number <= pages}
    unread = tuple(number for number in range(1, pages + 1) if number not in read)
    if not any(page.lines for page in read.values()):
        if unread:
            raise file_problems.needs_ocr("The file is a picture: it holds no text.", unread)
        raise file_problems.nothing_recognized("No text was found in the picture.")
    length = sum(count_characters(line.text) for page in read.values() for line in page.lines)
    if length < MINIMUM_CHARACTERS and not unread:
        raise file_problems.nothing_recognized("Hardly any text was found in the picture.")
    notes = confidence_notes(read)
    if unread:
        notes = (Phrase(PICTURE_PAGES, len(unread), pages), *notes)
    return ParsedDocument("", tuple(_blocks(read)), pages, notes, unread)


def _blocks(recognized: Recognized) -> list[Block]:
    lines = recognized_lines(recognized, 0.0)
    kind = Typography.of(line for page in lines.values() for line in page)
    tables = TableReader()
    pages: list[list[PageBlock]] = [[] for _ in range(max(lines, default=0))]
    for number, page in sorted(lines.items()):
        place = BlockLocator(LocatorKind.PAGE, number)
        pages[number - 1] += as_shown(page_blocks(page, kind, place, tables), recognized[number])
    return with_whole_sentences(pages, kind)
