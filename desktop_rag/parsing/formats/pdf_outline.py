"""The outline of a PDF (its bookmarks): which of its lines are headings, and at which level.

An entry is told with the page that it leads to; its heading is the block of that page which says
the same, but for numbers and signs. What only the letters tell to be a heading stands below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from pypdfium2 import PdfiumError

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.parsed_document import Block

_MOST_ENTRIES = 5000
_LEAST_FOUND = 3  # entries: fewer name a file or a sheet
_LONGEST = 300  # characters of a heading
_HEADING_KINDS = (BlockKind.HEADING, BlockKind.TEXT)

Outline = dict[tuple[int, str], int]  # a level from 1, by a page's number and a heading's letters


def read_outline(document: Any) -> Outline:
    """Return the entries of a document's outline that lead to a page."""
    outline: Outline = {}
    try:
        for entry in islice(document.get_toc(), _MOST_ENTRIES):
            target = entry.get_dest()
            page = target.get_index() if target is not None else None
            letters = _letters(entry.get_title()[:_LONGEST])
            if page is not None and letters:
                outline.setdefault((page + 1, letters), entry.level + 1)
    except PdfiumError:
        return {}
    return outline


def with_outline(blocks: Sequence[Block], outline: Outline) -> list[Block]:
    """Return blocks with their headings at the levels of the outline, if it tells of headings."""
    unused = dict(outline)
    found = {at: level for at, block in enumerate(blocks) if (level := _taken(block, unused))}
    if len(found) < _LEAST_FOUND:
        return list(blocks)
    deepest = max(found.values())
    return [
        replace(block, kind=BlockKind.HEADING, level=found[at])
        if at in found
        else replace(block, level=block.level + deepest)
        if block.kind is BlockKind.HEADING
        else block
        for at, block in enumerate(blocks)
    ]


def _taken(block: Block, unused: Outline) -> int:
    """Take a block's entry out of the outline and return its level, 0 if there is none."""
    if block.kind not in _HEADING_KINDS or len(block.text) > _LONGEST:
        return 0
    return unused.pop((int(block.place.value), _letters(block.text)), 0)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()
