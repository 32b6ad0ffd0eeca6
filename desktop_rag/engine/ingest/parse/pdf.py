"""Read PDF: text with the box of every line, page by page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place


def parse(path: Path) -> ParsedDocument:
    """Return a PDF's text; pages count from 1, boxes are in points of the page as shown."""
    document = open_pdf(path)
    try:
        blocks: list[Block] = []
        for index in range(len(document)):
            page = document[index]
            textpage = page.get_textpage()
            text = textpage.get_text_range().replace("\r\n", "\n").replace("\ufffe", "-\n")
            textpage.close()
            page.close()
            if text.strip():
                blocks.append(Block(BlockKind.TEXT, text, Place(LocatorKind.PAGE, index + 1)))
        if not blocks:
            raise problems.needs_ocr("The pages are pictures: they hold no text.")
        return ParsedDocument("", tuple(blocks), pages=len(document))
    finally:
        document.close()


def open_pdf(path: Path) -> Any:
    """Open a PDF, with the empty password if it has one."""
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise problems.encrypted() from error
        raise problems.corrupt("The PDF is damaged.") from error
