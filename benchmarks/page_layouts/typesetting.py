"""Fonts, and paragraphs broken into lines, long Latin words at a hyphen where that fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

_FONTS = Path(__file__).resolve().parent / "fonts"
CHINESE, HEBREW = "NotoSansSC", "DejaVuSansHebrew"
_EMBEDDED = (CHINESE, HEBREW)
# Pieces that a line may be broken between: of Chinese each character with the punctuation at it.
_CJK_PIECE = re.compile(r"[（“]?(?:[A-Za-z0-9.]+|.)[，。；：、？）”%]*")
_SYLLABLE = re.compile(r"(?<=[aeiou][b-df-hj-np-tv-z])(?=[b-df-hj-np-tv-z][aeiou])")
_LEAST_HYPHENATED = 8


@dataclass(frozen=True, slots=True)
class Style:
    """How text is set: its font's name, size and distance from line to line, in points."""

    font: str
    size: float
    leading: float
    hyphenated: bool = False
    indent: float = 0.0

    def width(self, text: str) -> float:
        """Return a text's width in points."""
        return float(pdfmetrics.stringWidth(text, self.font, self.size))


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line of a paragraph; `broken` says that its last word goes on in the next one."""

    text: str
    broken: bool = False


def register_fonts() -> None:
    """Make the embedded fonts known to ReportLab."""
    for name in _EMBEDDED:
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, str(_FONTS / f"{name}.ttf")))


def broken_lines(text: str, style: Style, width: float) -> list[BrokenLine]:
    """Return a paragraph's lines, each at most as wide as given."""
    pieces = _CJK_PIECE.findall(text) if style.font == CHINESE else re.findall(r"\S+\s*", text)
    lines: list[BrokenLine] = []
    line = ""
    room = width - style.indent
    for piece in pieces:
        if style.width((line + piece).rstrip()) <= room:
            line += piece
            continue
        head, rest = _hyphenated(line, piece, style, room)
        lines.append(BrokenLine(f"{line}{head}-", broken=True) if head else BrokenLine(line))
        line, room = rest, width
    lines.append(BrokenLine(line))
    return [BrokenLine(each.text.rstrip(), each.broken) for each in lines if each.text]


def _hyphenated(line: str, word: str, style: Style, room: float) -> tuple[str, str]:
    """Return what of a word still goes on a line, and what does not."""
    bare = word.strip()
    if not style.hyphenated or len(bare) < _LEAST_HYPHENATED or not bare.isalpha():
        return "", word
    for at in reversed(list(_syllables(bare))):
        if style.width(f"{line}{bare[:at]}-") <= room:
            return bare[:at], word[at:]
    return "", word


def _syllables(word: str) -> Iterator[int]:
    for found in _SYLLABLE.finditer(word):
        if 3 <= found.start() <= len(word) - 3:
            yield found.start()
