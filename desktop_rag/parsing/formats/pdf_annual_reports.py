"""What an annual report to the US Securities and Exchange Commission (Form 10-K) is called.

Its metadata hardly ever names the company, and its largest letters are those of the form, or of
the brochure that is bound before it. Decision 32 says what this rule is worth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_rag.parsing.formats.pdf_lines import TextLine, letter_count

# The form names the company on the line above these words.
_REGISTRANT = re.compile(r"\(?\s*exact name of registrant", re.IGNORECASE)
_YEAR = re.compile(r"(fiscal )?year ended:?\s+(\w+ \d{1,2}, ?\d{4})", re.IGNORECASE)
_COVER_PAGES = 30  # the form's cover comes after the brochure


def company_and_year(pages: Sequence[Sequence[TextLine]]) -> str:
    """Return the company and the year of an annual report, nothing of another document."""
    for page in pages[:_COVER_PAGES]:
        for at, line in enumerate(page):
            if at and _REGISTRANT.match(line.text):
                year = _YEAR.search(" ".join(each.text for each in page))
                of_year = f", annual report, year ended {year.group(2)}" if year else ""
                name = next((e.text for e in reversed(page[:at]) if letter_count(e.text)), "")
                return f"{name}{of_year}"
    return ""
