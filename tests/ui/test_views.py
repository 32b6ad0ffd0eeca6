"""Pages, texts, paragraphs: what is marked and where."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QImage
from PySide6.QtTest import QTest

from desktop_rag.app.reader import DocumentText, Opened
from desktop_rag.core.types import Box, DocumentId, Locator, LocatorKind
from desktop_rag.ui.sources.page_view import PageView, Picture
from desktop_rag.ui.sources.text_view import TextView
from desktop_rag.ui.widgets.paragraph import lines_of


def page_view(qtbot, theme) -> PageView:
    view = PageView(theme)
    qtbot.addWidget(view)
    view.resize(628, 400)
    view.show()
    return view


def picture() -> Picture:
    image = QImage(1200, 1600, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.white)
    return Picture(1, image, 600.0)


def test_a_mark_lies_on_the_page_where_its_box_says(qtbot, theme) -> None:
    view = page_view(qtbot, theme)
    view.show_picture(picture(), (), (Box(60, 30, 300, 42, 0, 10),))
    (mark,) = view.mark_rects()
    scale = view.page_width() / 600
    assert abs(mark.width() - 240 * scale) < 0.01
    shot = view.viewport().grab().toImage()
    inside, beside = mark.center().toPoint(), mark.center().toPoint()
    beside.setY(int(mark.bottom()) + 12)
    assert QColor(shot.pixel(inside)) == QColor("#ffe066")
    assert QColor(shot.pixel(beside)) == QColor("#ffffff")


def test_marks_grow_with_the_zoom_and_scroll_into_sight(qtbot, theme) -> None:
    view = page_view(qtbot, theme)
    view.show_picture(picture(), (), (Box(60, 700, 300, 712, 0, 10),))
    before = view.mark_rects()[0].width()
    view.zoom_by(1.5)
    assert abs(view.mark_rects()[0].width() - before * 1.5) < 0.01
    view.show_marks()
    assert view.viewport().rect().contains(view.mark_rects()[0].center().toPoint())


def test_page_keys_turn_pages(qtbot, theme) -> None:
    view = page_view(qtbot, theme)
    view.show_picture(picture(), (), ())
    with qtbot.waitSignal(view.turned) as heard:
        QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert heard.args == [1]


def opened(start: int, end: int) -> Opened:
    mark = Locator(LocatorKind.LINE, 1, start, end)
    return Opened("/tmp/notes.md", "Notes", DocumentId(1), (mark,), 0)


def marked(view: TextView) -> str:
    selections = view.extraSelections()
    return selections[0].cursor.selectedText()


def test_the_passage_is_marked_in_the_text_whatever_stands_before_it(qtbot, theme) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    text = "🚢🚢 差旅 " + "line\n" * 300 + "the very words" + "\nmore" * 50
    start = text.index("the very words")
    view.resize(300, 200)
    view.show()
    view.show_text(DocumentText(text, 0, (), missing=False), opened(start, start + 14))
    assert marked(view) == "the very words"
    assert view.verticalScrollBar().value() > 0


def test_a_text_that_begins_later_is_counted_from_there(qtbot, theme) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    view.show_text(DocumentText("abc the words def", 1000, (), missing=False), opened(1004, 1013))
    assert marked(view) == "the words"


def test_a_mark_outside_the_shown_text_marks_nothing(qtbot, theme) -> None:
    view = TextView(theme)
    qtbot.addWidget(view)
    view.show_text(DocumentText("abc", 1000, (), missing=False), opened(5, 9))
    assert view.extraSelections() == []


def test_lines_break_at_words_and_the_last_one_says_that_there_is_more(qapp) -> None:
    font = QFont(qapp.font())
    lines = lines_of("several quite ordinary words in a row " * 6, font, 160, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(word in "several quite ordinary words in a row" for word in lines[0].split())


def test_a_short_text_is_one_line_without_dots(qapp) -> None:
    assert lines_of("short 短", QFont(qapp.font()), 400, 3) == ["short 短"]


def test_a_new_theme_repaints_and_does_not_break(qtbot, theme) -> None:
    view = page_view(qtbot, theme)
    theme.follow(Qt.ColorScheme.Dark)
    theme.follow(Qt.ColorScheme.Light)
    view.event(QEvent(QEvent.Type.PaletteChange))
    assert view.isVisible()
