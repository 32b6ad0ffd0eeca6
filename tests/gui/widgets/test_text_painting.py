"""Paragraphs as delegates paint them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.widgets.text_painting import lines_of, paint_line


def test_lines_break_at_words_and_the_last_one_says_that_there_is_more(qapp: QApplication) -> None:
    font = QFont(qapp.font())
    lines = lines_of("several quite ordinary words in a row " * 6, font, 160, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(word in "several quite ordinary words in a row" for word in lines[0].split())


def test_a_short_text_is_one_line_without_dots(qapp: QApplication) -> None:
    assert lines_of("short 短", QFont(qapp.font()), 400, 3) == ["short 短"]


def ink(paint: Callable[[QPainter], object]) -> int:
    image = QImage(300, 80, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    paint(painter)
    painter.end()
    return sum(255 - image.pixelColor(x, y).red() for x in range(300) for y in range(80))


def test_nothing_of_a_line_in_two_scripts_is_cut_off(qapp: QApplication) -> None:
    text = "第 3 页 · Figures, jyg"
    whole = ink(lambda painter: painter.drawText(QRect(0, 10, 300, 60), 0, text))
    assert whole
    assert ink(lambda painter: paint_line(painter, QRect(0, 10, 300, 1), text)) == whole
