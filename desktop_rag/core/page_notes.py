"""What a document's notes say of pages that were read badly or not at all, as templates.

Parsers fill them in; who counts such pages knows a note by its template. In each the first gap is
the number of pages, but in that of a single page.
"""

from __future__ import annotations

PICTURE_PAGES = "{0} of {1} pages are pictures without text and were not read."
GARBLED_PAGES = "{0} of {1} pages have letters that cannot be told."
HARD_PAGES = "{0} of {1} recognised pages were hard to read."
HARD_PAGE = "Page {0} was hard to read."
