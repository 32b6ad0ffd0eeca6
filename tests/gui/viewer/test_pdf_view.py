"""Pages on screen: where marks lie, what is drawn, how places are kept."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_rag.core.types import Box
from desktop_rag.gui.controllers.pdf_pages import Tile
from desktop_rag.gui.controllers.reading_places import Zoom
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.pdf_painting import MARK_NOW
from desktop_rag.gui.viewer.pdf_view import PdfView

A4 = (600.0, 800.0)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> PdfView:
    made = PdfView(theme)
    qtbot.addWidget(made)
    made.resize(628, 400)
    made.show()
    return made


def draw(view: PdfView, most: int = 50) -> list[int]:
    """Give the view white pictures until it wants no more; return the pages in their order."""
    pages: list[int] = []
    while (wishes := view.wishes()) and len(pages) < most:
        size = wishes[0].area.width * wishes[0].area.height
        view.add(Tile(wishes[0], b"\xff" * (size * 4)))
        pages.append(wishes[0].page)
    return pages


def test_a_mark_lies_on_the_page_where_its_box_says(view: PdfView) -> None:
    view.show_pages((A4, A4))
    view.set_marks({}, {1: (Box(60, 30, 300, 42, 0, 10),)})
    draw(view)
    (mark,) = view.mark_rects()
    assert abs(mark.width() - 240 * view.stack.scale) < 0.01
    shot = view.viewport().grab().toImage()
    inside, beside = mark.center().toPoint(), mark.center().toPoint()
    beside.setY(int(mark.bottom()) + 12)
    assert QColor(shot.pixel(inside)) == QColor(MARK_NOW)
    assert QColor(shot.pixel(beside)) == QColor("#ffffff")


def test_only_what_is_near_is_drawn_of_three_thousand_pages(view: PdfView) -> None:
    view.show_pages((A4,) * 3000)
    view.go(1500)
    drawn = draw(view)
    assert drawn[0] == 1500
    assert set(drawn) <= set(range(1498, 1503))
    assert view.is_whole


def test_what_scrolled_away_is_no_longer_wished_for(view: PdfView) -> None:
    view.show_pages((A4,) * 100)
    before = {wish.page for wish in view.wishes()}
    view.go(60)
    assert before.isdisjoint(wish.page for wish in view.wishes())


def test_few_pictures_are_kept_however_many_pages_were_seen(view: PdfView) -> None:
    view.show_pages((A4,) * 300)
    for page in range(1, 300, 2):
        view.go(page)
        draw(view)
        assert view.is_whole
    assert view.pictures.bytes <= 72 * 1024 * 1024


def test_a_page_that_is_zoomed_far_is_drawn_in_parts_that_are_in_sight(view: PdfView) -> None:
    view.show_pages((A4, A4))
    view.set_zoom(Zoom.FREE, 7.0)
    areas = [wish.area for wish in view.wishes()]
    assert 1 <= len(areas) <= 16
    assert all(area.width * area.height < 2_000_000 for area in areas)
    draw(view)
    assert view.is_whole


@pytest.mark.parametrize("zoom", [0.8, 1.5, 3.0])
def test_zooming_keeps_what_is_under_the_pointer(view: PdfView, zoom: float) -> None:
    view.show_pages((A4,) * 50)
    view.go(20, 0, 300)
    at = QPointF(200, 150)
    page, point = view.at(at)
    view.zoom_by(zoom, at)
    after, there = view.at(at)
    assert after == page
    assert abs(there.y() - point.y()) < 2 / view.stack.scale
    if view.horizontalScrollBar().maximum():
        assert abs(there.x() - point.x()) < 2 / view.stack.scale


@pytest.mark.parametrize("top", [5, 200, 600])
def test_zooming_without_a_pointer_keeps_the_mark_in_sight(view: PdfView, top: int) -> None:
    view.resize(628, 700)
    view.show_pages((A4,))
    lines = (Box(60, top, 560, top + 12, 0, 10), Box(60, top + 14, 200, top + 26, 10, 20))
    view.set_marks({}, {1: lines})
    port = view.viewport().rect().toRectF()
    for zoom in (view.zoom_in, view.zoom_in, view.zoom_in, view.zoom_in):
        zoom()
        for mark in view.mark_rects():
            assert port.top() <= mark.top() < mark.bottom() <= port.bottom()
            assert port.left() <= mark.left() < port.right(), "a sentence is read from its start"
    assert view.percent > 150


def test_a_mark_that_is_out_of_sight_holds_no_zoom(view: PdfView) -> None:
    view.show_pages((A4, A4))
    view.set_marks({}, {2: (Box(60, 700, 300, 712, 0, 10),)})
    middle = QPointF(view.viewport().width() / 2, view.viewport().height() / 3)
    assert view.held() == middle
    view.set_marks({}, {})
    assert view.held() == middle


def test_the_wheel_with_ctrl_zooms(view: PdfView) -> None:
    view.show_pages((A4,) * 3)
    before = view.stack.scale
    where = QPointF(100, 100)
    turn = QWheelEvent(
        where, where, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), turn)
    assert view.stack.scale == pytest.approx(before * 1.2)


def test_another_size_of_the_pane_keeps_the_place(view: PdfView) -> None:
    view.show_pages((A4,) * 50)
    view.go(20, 0, 300)
    for width in (900, 400, 628):
        view.resize(width, 400)
        page, point = view.at(QPointF(14, 14))
        assert page == 20
        assert abs(point.y() - 300) < 2 / view.stack.scale


def test_keys_scroll_by_a_screen_and_to_the_ends(view: PdfView) -> None:
    view.show_pages((A4,) * 50)
    bar = view.verticalScrollBar()
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert 300 < bar.value() < view.viewport().height()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert (bar.value(), view.page) == (bar.maximum(), 50)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.page == 1


def test_zoom_fits_the_width_the_page_and_the_natural_size(view: PdfView) -> None:
    view.show_pages(((600, 800), (1200, 800)))
    assert view.on_screen(1).width() == pytest.approx(view.viewport().width() - 28, abs=1)
    view.fit_page()
    assert view.on_screen(1).height() <= view.viewport().height()
    view.natural()
    assert view.on_screen(1).width() == 800
    assert view.percent == 100
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.zoom is Zoom.WIDTH


def test_a_mark_is_brought_into_sight_and_stays_where_it_is_if_it_was(view: PdfView) -> None:
    view.show_pages((A4,) * 9)
    view.set_marks({}, {7: (Box(60, 700, 300, 712, 0, 10),)})
    view.show_marks()
    (mark,) = view.mark_rects()
    assert view.viewport().rect().contains(mark.center().toPoint())
    assert view.page == 7
    before = view.verticalScrollBar().value()
    view.show_marks()
    assert view.verticalScrollBar().value() == before


def test_in_a_narrow_pane_pages_stay_readable_and_the_mark_is_in_sight(view: PdfView) -> None:
    view.resize(220, 400)
    view.show_pages((A4,) * 3)
    assert view.percent >= 45
    view.set_marks({}, {2: (Box(400, 300, 560, 312, 0, 10),)})
    view.show_marks()
    (mark,) = view.mark_rects()
    assert view.viewport().rect().contains(mark.topLeft().toPoint())


def test_a_page_that_can_not_be_drawn_shows_a_text_and_is_not_wished_for(view: PdfView) -> None:
    view.show_pages((A4, A4))
    view.spoil(1, "Its text")
    assert 1 not in {wish.page for wish in view.wishes()}
    shot = view.viewport().grab().toImage()
    rect = view.on_screen(1).intersected(view.viewport().rect())
    colors = {
        shot.pixel(x, y)
        for x in range(rect.left() + 20, rect.right(), 3)
        for y in range(rect.top() + 20, rect.top() + 60)
    }
    assert len(colors) > 3


def test_a_new_theme_repaints_and_does_not_break(view: PdfView, theme: Theme) -> None:
    view.show_pages((A4,))
    draw(view)
    theme.follow(Qt.ColorScheme.Dark)
    theme.follow(Qt.ColorScheme.Light)
    assert view.isVisible()
