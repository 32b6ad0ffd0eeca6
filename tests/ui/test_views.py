"""Paragraphs as delegates paint them."""

from __future__ import annotations

from PySide6.QtGui import QFont

from desktop_rag.ui.widgets.paragraph import lines_of


def test_lines_break_at_words_and_the_last_one_says_that_there_is_more(qapp) -> None:
    font = QFont(qapp.font())
    lines = lines_of("several quite ordinary words in a row " * 6, font, 160, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(word in "several quite ordinary words in a row" for word in lines[0].split())


def test_a_short_text_is_one_line_without_dots(qapp) -> None:
    assert lines_of("short 短", QFont(qapp.font()), 400, 3) == ["short 短"]
