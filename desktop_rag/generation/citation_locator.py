"""Find the very line or row of a quote; a passage knows only where it begins itself.

The small chunks know their own lines. From there the line ends of the stored text are counted; it
has a blank line between any two blocks, also where the file has none, so a way to count is taken
that arrives at the next chunk's line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from desktop_rag.catalog.documents import Documents
from desktop_rag.core.types import Citation, DocumentId, Locator, LocatorKind, Passage

_COUNTED = frozenset({LocatorKind.LINE, LocatorKind.ROW})
_ITEM = r"[ \t]*(?:[-*+]|\d+[.)])[ \t]"
_AHEAD = 16  # characters that tell an item behind the last line end
_ENDS = (
    re.compile(rf"^{_ITEM}.*\n\n(?={_ITEM})|\n", re.MULTILINE),  # items one below the other
    re.compile(r"\n"),
    re.compile(rf"\n\n(?={_ITEM})|\n"),
    re.compile(r"\n+"),
)


def locate_citations(
    citations: Sequence[Citation], sources: Sequence[Passage], documents: Documents
) -> tuple[Citation, ...]:
    """Return the citations with the place of each quote, as exactly as the catalog knows it."""
    return tuple(
        replace(each, locator=_exact(each.locator, sources[each.n - 1].document_id, documents))
        for each in citations
    )


def _exact(locator: Locator, document_id: DocumentId, documents: Documents) -> Locator:
    """Return the locator of a quote; its own where the document is gone or has other places."""
    if locator.start is None:
        return locator
    around = documents.around(document_id, locator.start)
    chunk = around[0] if around and around[0].kind is locator.kind else None
    if chunk is None or chunk.start is None or chunk.start > locator.start:
        return locator
    found = replace(locator, value=chunk.value, cells=chunk.cells)
    if found.kind not in _COUNTED or not isinstance(found.value, int):
        return found
    following = around[1] if len(around) > 1 else Locator(found.kind, "")
    known = following.value - found.value if isinstance(following.value, int) else None
    end = following.start or locator.end or locator.start
    text = documents.text(document_id, chunk.start, end + _AHEAD)
    spans = (locator.start - chunk.start, end - chunk.start)
    return replace(found, value=found.value + _lines(text, spans, known))


def _lines(text: str, spans: tuple[int, int], known: int | None) -> int:
    """Return the line ends before the first offset, if there are `known` before the second."""
    before, whole = spans
    counts = [_counted(text, ends, before, whole) for ends in _ENDS]
    likely = next((count for count, total in counts if total == known), counts[0][0])
    return likely if known is None else min(likely, max(known, 0))


def _counted(text: str, ends: re.Pattern[str], *offsets: int) -> list[int]:
    found = [end.end() for end in ends.finditer(text)]
    return [sum(at <= offset for at in found) for offset in offsets]
