"""Colours, fonts and paragraph forms that a conversation is written in."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrame,
)

from desktop_rag.core.phrases import parts_of
from desktop_rag.gui.colors import Colors
from desktop_rag.gui.controllers.strategy_choices import WayForm
from desktop_rag.gui.theme import READING
from desktop_rag.gui.theme import SMALL as SMALL_ELSEWHERE

PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
LINE_HEIGHT = 140
_FIXED_WIDTH = ("Cascadia Mono", "SF Mono", "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono")
SMALL = SMALL_ELSEWHERE / READING  # of the larger letters of an answer, as small as elsewhere


@dataclass(frozen=True, slots=True)
class TurnStyle:
    """Colours and the font that a turn is written in.

    Notices already told, and those that begin with `known` (what the banner says), are left out;
    the latter are among the steps. `alone` writes an answer without its question, without how it
    came about, and without what would change the conversation: all that stands around it elsewhere.
    `forms` tell what the options of ways are called. Figures and steps are for an `is_expert`.
    """

    colors: Colors
    font: QFont
    told: frozenset[str] = frozenset()
    known: str = ""
    alone: bool = False
    forms: tuple[WayForm, ...] = ()
    is_expert: bool = True

    def leaves_out(self, notice: str) -> bool:
        """Return whether the banner says what a notice says."""
        return bool(self.known) and self.known in parts_of(notice)

    def chars(
        self, role: str, scale: float = 1.0, weight: QFont.Weight = QFont.Weight.Normal
    ) -> QTextCharFormat:
        """Return the form of characters in a colour role."""
        made = QTextCharFormat()
        font = QFont(self.font)
        font.setPointSizeF(font.pointSizeF() * scale)
        font.setWeight(weight)
        made.setFont(font)
        made.setForeground(self.colors.of(role))
        return made

    def link(self, address: str, scale: float = SMALL) -> QTextCharFormat:
        """Return the form of one of our own links."""
        made = self.chars("accent", scale)
        made.setAnchor(True)
        made.setAnchorHref(address)
        return made

    def chip(self, address: str) -> QTextCharFormat:
        """Return the form of a link that stands out as a thing of its own."""
        made = self.link(address)
        made.setForeground(self.colors.of("accent_text"))
        made.setBackground(self.colors.of("soft"))
        return made

    def code(self) -> QTextCharFormat:
        """Return the form of code: of fixed width, Chinese from the reading font."""
        made = self.chars("text", 0.92)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        made.setFontFamilies([*fixed.families(), *_FIXED_WIDTH, *self.font.families()])
        made.setFontStyleHint(QFont.StyleHint.Monospace)
        made.setFontFixedPitch(True)
        return made


def paragraph(top: int = 0, indent: int = 0, height: int = LINE_HEIGHT) -> QTextBlockFormat:
    """Return the form of a paragraph."""
    made = QTextBlockFormat()
    made.setLineHeight(height, PROPORTIONAL)
    made.setTopMargin(top)
    made.setLeftMargin(indent)
    made.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return made


def collapse_paragraph(cursor: QTextCursor) -> None:
    """Make the empty paragraph, which Qt wants around a frame, as good as invisible."""
    low = QTextBlockFormat()
    low.setLineHeight(1, _FIXED)
    cursor.setBlockFormat(low)


def clear_frame(frame: QTextFrame, start: int | None = None) -> QTextCursor:
    """Delete everything in a frame, or what is behind a position; return a cursor there."""
    cursor = frame.firstCursorPosition()
    if start is not None:
        cursor.setPosition(start)
    cursor.setPosition(frame.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor = frame.lastCursorPosition()
    cursor.setCharFormat(QTextCharFormat())
    cursor.setBlockFormat(QTextBlockFormat())
    collapse_paragraph(cursor)
    return cursor
