"""Read PDF: text with the box of every line, page by page.

Running heads and page numbers are recognised over the whole document and told once.

What a PDF is called: by its metadata, by the form it fills in, or by its largest letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pypdfium2

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.formats.pdf_annual_reports import company_and_year
from desktop_rag.parsing.formats.pdf_blocks import PageBlock, Typography, page_blocks
from desktop_rag.parsing.formats.pdf_lines import TextLine, letter_count
from desktop_rag.parsing.formats.pdf_outline import read_outline, with_outline
from desktop_rag.parsing.formats.pdf_page_ends import with_whole_sentences
from desktop_rag.parsing.formats.pdf_reading_order import page_lines
from desktop_rag.parsing.formats.pdf_ruling_lines import page_rules
from desktop_rag.parsing.formats.pdf_unread_pages import PageProblems, is_garbled
from desktop_rag.parsing.formats.recognized_lines import (
    as_shown,
    confidence_notes,
    recognized_lines,
)
from desktop_rag.parsing.formats.ruled_tables import with_ruled_rows
from desktop_rag.parsing.formats.table_reader import TableReader
from desktop_rag.parsing.metadata_values import keywords, one_line, pdf_date, people
from desktop_rag.parsing.ocr.recognized_page import NOTHING_RECOGNIZED, Recognized
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument

# Titles that programs make up: they tell documents apart worse than file names do.
_POOR = re.compile(
    r"(microsoft (word|powerpoint|excel)\b|untitled|document\d*$|slide \d|.*\bpdf$|.*\.\w{2,5}$"
    r"|[\W\d_]*$|[0-9a-f-]{16,}$|[^\u2e80-\uffff]{0,3}$|.$|table of contents"
    r"|cover( page)?$|chapter \d+$|第\s?\w{1,3}\s?章$"
    r"|(目\s?录|封面|无标题|未命名|演示文稿|幻灯片|文档)\s?\d*$)", re.IGNORECASE,
)  # fmt: skip
_PAGE_NUMBER = re.compile(r"第?\s?(\d+|[一二三四五六七八九十百]+)\s?[页頁]|\d+|^[ivxlc]+$")
_LONGEST = 150
_LEAST_LETTERS = 6
Pages = list[list[TextLine]]
_EDGE_LINES = 2
_LEAST_REPEATS = 3


def title_of(named: str, pages: Sequence[Sequence[TextLine]], body: float) -> str:
    """Return a title, or nothing; `named` is the metadata's, `body` the running text's size."""
    named = " ".join(named.split())
    if named and not _POOR.match(named):
        return named[:_LONGEST]
    return (company_and_year(pages) or _largest(pages, body))[:_LONGEST]


def _largest(pages: Sequence[Sequence[TextLine]], body: float) -> str:
    """Return the largest lines of the first page that has words larger than running text."""
    first = next((page for page in pages if page), [])
    wordy = [line for line in first if letter_count(line.text) >= _LEAST_LETTERS]
    largest = max((line.size for line in wordy), default=0.0)
    if largest <= body * 1.12:
        return ""
    title = " ".join(line.text for line in wordy if line.size > largest * 0.95)
    return "" if _POOR.match(title) else title


def parse(
    path: Path, recognized: Recognized = NOTHING_RECOGNIZED, password: Secret = NO_PASSWORD
) -> ParsedDocument:
    """Return a PDF's text; pages count from 1, boxes are in points of the page as shown."""
    document = open_pdf(path, password)
    try:
        pages, unread = _read(document)
        named, metadata = document.get_metadata_value("Title"), _metadata(document)
        outline = read_outline(document)
    finally:
        document.close()
    read = {number: recognized[number] for number in unread.recognizable if number in recognized}
    unread = unread.without(read)
    used = _use(read, pages)
    if sum(count_characters(line.text) for page in pages for line in page) < MINIMUM_CHARACTERS:
        _require_text(pages, unread, read)
    kind = Typography.of(line for page in pages for line in page)
    title = title_of(named, pages, kind.body)
    notes = (*unread.notes(len(pages)), *confidence_notes(used))
    blocks = tuple(with_outline(_blocks(pages, kind, used), outline))
    return ParsedDocument(title, blocks, len(pages), notes, unread.recognizable, metadata)


def _metadata(document: Any) -> DocumentMetadata:
    """Return what the PDF says of itself."""
    value = document.get_metadata_value
    return DocumentMetadata(
        authors=people(value("Author")),
        keywords=keywords(value("Keywords")),
        subject=one_line(value("Subject")),
        created=pdf_date(value("CreationDate")),
        modified=pdf_date(value("ModDate")),
    )


def _use(read: Recognized, pages: Pages) -> Recognized:
    """Put what was recognised in the place of pages' own text, unless that is more."""
    body = Typography.of(line for page in pages for line in page).body
    lines = recognized_lines(read, body)
    used = {n: read[n] for n in lines if _length(lines[n]) > _length(pages[n - 1])}
    for number in used:
        pages[number - 1] = lines[number]
    return used


def _length(lines: Sequence[TextLine]) -> int:
    return sum(count_characters(line.text) for line in lines)


def _require_text(pages: Pages, unread: PageProblems, read: Recognized) -> None:
    """Raise why there is hardly any text, where the pages tell it."""
    if 0 < len(unread.damaged) == len(pages):
        raise file_problems.corrupt("The PDF is damaged.")
    if unread.pictures:
        told = "The pages are pictures: they hold no text."
        raise file_problems.needs_ocr(told, unread.recognizable)
    if unread.meaningless:
        told = "The letters of the pages cannot be told: their font is odd."
        raise file_problems.needs_ocr(told, unread.recognizable)
    if unread.covered:
        told = "The pages are pictures: they hold hardly any text."
        raise file_problems.needs_ocr(told, unread.recognizable)
    if read and not any(pages):
        raise file_problems.nothing_recognized("No text was found on the pages.")


def open_pdf(source: Path | bytes, password: Secret = NO_PASSWORD) -> Any:
    """Open a PDF, without a password with the empty one."""
    try:
        return pypdfium2.PdfDocument(source, password=password.text or None)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
            problem = file_problems.wrong_password() if password else file_problems.encrypted()
            raise problem from error
        raise file_problems.corrupt("The PDF is damaged.") from error


def _read(document: Any) -> tuple[Pages, PageProblems]:
    """Return every page's lines, and which pages have none that could be read."""
    pages: Pages = []
    unread = PageProblems()
    for index in range(len(document)):
        try:
            pages.append(_read_page(document[index], index + 1, unread))
        except pypdfium2.PdfiumError:
            unread.damaged.append(index + 1)
            pages.append([])
    return pages, unread


def _read_page(page: Any, number: int, unread: PageProblems) -> list[TextLine]:
    try:
        found = page_lines(page)
        unread.judge(number, page, found)
        if is_garbled(found):
            return []
        has_cells = any(line.cells > 1 for line in found)
        return with_ruled_rows(found, page_rules(page)) if has_cells else found
    finally:
        page.close()


def _blocks(pages: Pages, kind: Typography, used: Recognized) -> list[Block]:
    repeated = _repeated(pages)
    told: str = ""
    tables = TableReader()
    found: list[list[PageBlock]] = []
    for number, page in enumerate(pages, start=1):
        place = BlockLocator(LocatorKind.PAGE, number)
        edge = {id(line) for line in _edges(page) if _shape(line) in repeated}
        running = [each for each in page if id(each) in edge and _says(each)]
        said = "".join(map(_letters, running))
        found.append([])
        if running and said != told:
            told = said
            head = Block(BlockKind.META, " ".join(each.text for each in running), place)
            found[-1].append(PageBlock(head))
        lines = [line for line in page if id(line) not in edge]
        blocks = page_blocks(lines, kind, place, tables)
        found[-1] += as_shown(blocks, used[number]) if number in used else blocks
    return with_whole_sentences(found, kind)


def _repeated(pages: Pages) -> set[str]:
    """Return the shapes of lines that stand at the edges of many pages.

    None, where most pages hold nothing else: labels, cards, a register's numbered entries.
    """
    counts = Counter(shape for page in pages for shape in {_shape(line) for line in _edges(page)})
    least = max(_LEAST_REPEATS, len(pages) // 20)
    repeated = {shape for shape, count in counts.items() if count >= least}
    written = [page for page in pages if page]
    bare = sum(all(_shape(line) in repeated for line in page) for page in written)
    return set() if bare * 2 > len(written) else repeated


def _edges(page: Sequence[TextLine]) -> list[TextLine]:
    """Return the topmost and lowest lines of a page."""
    by_height = sorted(page, key=_top)
    return [*by_height[:_EDGE_LINES], *by_height[-_EDGE_LINES:]]


def _top(line: TextLine) -> float:
    return line.y0


def _shape(line: TextLine) -> str:
    """Return what stays the same of a running head from page to page: its words."""
    return _PAGE_NUMBER.sub("#", line.text)


def _letters(line: TextLine) -> str:
    return re.sub(r"[\W\d_]+", "", _shape(line))


def _says(line: TextLine) -> bool:
    return letter_count(_shape(line)) >= _LEAST_LETTERS
