"""What a PDF is called: by its metadata, by the form it fills in, or by its largest letters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.parsing.formats.pdf_lines import TextLine

# Titles that programs make up: they tell documents apart worse than file names do.
_POOR = re.compile(
    r"(microsoft (word|powerpoint|excel)\b|untitled|document\d*$|slide \d|edgar|.*\.\w{2,5}$"
    r"|[\W\d_]*$|[0-9a-f-]{16,}$|.{0,3}$|table of contents|cover)", re.IGNORECASE,
)  # fmt: skip
# An annual report to the SEC names its company on the line above these words.
_REGISTRANT = re.compile(r"\(?\s*exact name of registrant", re.IGNORECASE)
_YEAR = re.compile(r"(fiscal )?year ended:?\s+(\w+ \d{1,2}, ?\d{4})", re.IGNORECASE)
_LONGEST = 150
_LEAST_LETTERS = 6


def title_of(named: str, pages: Sequence[Sequence[TextLine]], body: float) -> str:
    """Return a title, or nothing; `named` is the metadata's, `body` the running text's size."""
    named = " ".join(named.split())
    if named and not _POOR.match(named):
        return named[:_LONGEST]
    return (_registrant(pages) or _largest(pages, body))[:_LONGEST]


def _registrant(pages: Sequence[Sequence[TextLine]]) -> str:
    """Return the company and the year of an annual report."""
    for page in pages:
        for at, line in enumerate(page):
            if at and _REGISTRANT.match(line.text):
                year = _YEAR.search(" ".join(each.text for each in page))
                of_year = f", annual report, year ended {year.group(2)}" if year else ""
                name = next((e.text for e in reversed(page[:at]) if _letters(e)), "")
                return f"{name}{of_year}"
    return ""


def _largest(pages: Sequence[Sequence[TextLine]], body: float) -> str:
    """Return the largest lines of the first page that has words larger than running text."""
    first = next((page for page in pages if page), [])
    wordy = [line for line in first if _letters(line) >= _LEAST_LETTERS]
    largest = max((line.size for line in wordy), default=0.0)
    if largest <= body * 1.12:
        return ""
    title = " ".join(line.text for line in wordy if line.size > largest * 0.95)
    return "" if _POOR.match(title) else title


def _letters(line: TextLine) -> int:
    return sum(map(str.isalpha, line.text))
