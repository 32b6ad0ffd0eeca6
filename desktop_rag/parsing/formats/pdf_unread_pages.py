"""Which pages of a PDF can't be read as text, and why: what text recognition is for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from unicodedata import category

import pypdfium2.raw as pdfium
from pypdfium2 import PdfiumError

from desktop_rag.core.page_notes import GARBLED_PAGES, PICTURE_PAGES
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing.file_problems import count_characters
from desktop_rag.parsing.formats.pdf_lines import TextLine

_HARDLY_ANY = 120  # characters beside a picture that is most of the page
_MOST_OF_PAGE = 0.5  # of its area
_DRAWN = 30  # shapes on a page without text: letters may be among them
_MEANINGLESS = {"Cc", "Cn", "Co"}  # control, unassigned and private characters
_MOST_OBJECTS = 5000  # that are looked at


@dataclass(slots=True)
class PageProblems:
    """Numbers of pages, from 1, by what is wrong with them.

    A picture may have text in it; so may one that covers a page with little text of its own.
    """

    damaged: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    meaningless: list[int] = field(default_factory=list)
    covered: list[int] = field(default_factory=list)

    def judge(self, number: int, page: Any, lines: Sequence[TextLine]) -> None:
        """Note what is wrong with a page, if anything is."""
        if is_garbled(lines):
            self.meaningless.append(number)
            return
        length = sum(count_characters(line.text) for line in lines)
        if length > _HARDLY_ANY:
            return
        if length and _picture_share(page) > _MOST_OF_PAGE:
            self.covered.append(number)
        elif not lines and _is_drawn(page):
            self.pictures.append(number)

    @property
    def recognizable(self) -> tuple[int, ...]:
        """The pages that text recognition could read."""
        return tuple(sorted([*self.pictures, *self.meaningless, *self.covered]))

    def without(self, read: Collection[int]) -> PageProblems:
        """Return what is left when some pages were recognised."""
        pictures, meaningless, covered = (
            [number for number in numbers if number not in read]
            for numbers in (self.pictures, self.meaningless, self.covered)
        )
        return PageProblems(self.damaged, pictures, meaningless, covered)

    def notes(self, pages: int) -> tuple[str, ...]:
        """Say which of so many pages could not be read."""
        told = (
            (self.damaged, "{0} of {1} pages are damaged and were not read."),
            (self.pictures, PICTURE_PAGES),
            (self.meaningless, GARBLED_PAGES),
        )
        return tuple(Phrase(note, len(numbers), pages) for numbers, note in told if numbers)


def is_garbled(found: Sequence[TextLine]) -> bool:
    """Say whether most of a page's characters have no meaning: a font without its table."""
    text = "".join(line.text for line in found)
    strange = text.count("\ufffd")
    if not text.isprintable():
        strange += sum(category(char) in _MEANINGLESS for char in text)
    strange += 6 * text.count("(cid:")
    return strange * 3 > len(text) > 0


def _is_drawn(page: Any) -> bool:
    """Say whether a page shows a picture, or as many shapes as letters have."""
    shapes = 0
    for each in islice(page.get_objects(max_depth=4), _MOST_OBJECTS):
        if each.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            return True
        shapes += each.type == pdfium.FPDF_PAGEOBJ_PATH
        if shapes >= _DRAWN:
            return True
    return False


def _picture_share(page: Any) -> float:
    """Return the largest picture's share of a page."""
    width, height = page.get_size()
    wanted = [pdfium.FPDF_PAGEOBJ_IMAGE]
    largest = 0.0
    for each in islice(page.get_objects(filter=wanted, max_depth=4), _MOST_OBJECTS):
        try:
            left, bottom, right, top = each.get_bounds()
        except PdfiumError:
            continue
        across, down = min(right - left, width), min(top - bottom, height)
        largest = max(largest, across * down / max(1.0, width * height))
    return largest
