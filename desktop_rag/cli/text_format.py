"""Small forms for people: where a passage stands, a snippet, a count, a time."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from desktop_rag.core.locator_text import format_locator

_WORD = re.compile(r"\w+")


def place_in(locator: dict[str, Any], section: str) -> str:
    """Return a place with the section around it, whose last name may be the place itself."""
    if locator.get("kind") == "section" and section.endswith(str(locator.get("value"))):
        return f"section {section}"
    return " · ".join(filter(None, (format_locator(locator), section)))


def flat(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def snippet(text: str, query: str, width: int) -> str:
    """Return the stretch of a text that holds most of a query's words, about `width` wide."""
    text = flat(text)
    if len(text) <= width:
        return text
    wanted = {word.casefold() for word in _WORD.findall(query)}
    hits = [m.start() for m in _WORD.finditer(text) if m.group().casefold() in wanted]
    begin = max(hits, key=lambda at: sum(at <= hit < at + width for hit in hits), default=0)
    begin = min(max(0, begin - width // 5), len(text) - width)
    begin = text.rfind(" ", 0, begin) + 1 if begin else 0
    piece = text[begin : begin + width].strip()
    return ("… " if begin else "") + piece + (" …" if begin + width < len(text) else "")


def indented(text: str, width: int, by: str = "   ") -> str:
    """Return a text wrapped and indented."""
    return textwrap.fill(
        text, width, initial_indent=by, subsequent_indent=by, break_on_hyphens=False
    )


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `2,304 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def format_duration(seconds: float) -> str:
    """Return a time for people: `0.4 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def columns(rows: list[tuple[str, ...]]) -> list[str]:
    """Return rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
