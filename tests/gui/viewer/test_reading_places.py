"""Documents open where their user left them, as large as they were; citations go to their marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop_rag.gui.controllers.jobs import JobRunner
from desktop_rag.gui.controllers.reading_places import (
    MOST_PLACES,
    ReadingPlace,
    ReadingPlaces,
    Zoom,
    read_places,
)
from testing.qt_wait import wait_for
from tests.gui.viewer.viewer_driver import Reading, page


def report(reading: Reading, name: str, pages: int = 12) -> Path:
    made = [page(f"{name} page {n} says something of its own.") for n in range(1, pages + 1)]
    return reading.pdf(f"{name}.pdf", *made)


def two_reports(reading: Reading) -> tuple[Path, Path]:
    found = report(reading, "harbour"), report(reading, "ferry")
    reading.library.index()
    return found


def corner(reading: Reading) -> tuple[int, int]:
    """Return the page in the corner, and how far down it, in tens of points."""
    place = reading.viewer.page_view.left_at(ReadingPlace())
    return place.page, round(place.y / 10)


def text_file(reading: Reading, name: str) -> Path:
    path = reading.library.docs / name
    said = (f"Line {n} of {name}: the harbour freezes in winter." for n in range(1, 140))
    path.write_text("\n\n".join(said), encoding="utf-8")
    return path


def test_a_pdf_opens_where_it_was_left_and_as_large(reading: Reading) -> None:
    one, other = two_reports(reading)
    reading.read(one)
    view = reading.viewer.page_view
    assert (view.page, view.zoom) == (1, Zoom.WIDTH)
    view.natural()
    view.go(7, 0.0, 300.0)
    wait_for(reading.is_shown)
    left, before = corner(reading), view.percent
    assert (left, before) == ((7, 30), 100)
    reading.read(other)
    assert (corner(reading), view.zoom) == ((1, 0), Zoom.WIDTH), "never seen: its top, its width"
    assert view.percent != before
    reading.read(one)
    assert (corner(reading), view.zoom, view.percent) == (left, Zoom.FREE, before)
    assert reading.viewer.bar.zoom.text() == "100%"


def test_a_citation_goes_to_its_mark_and_keeps_the_document_s_zoom(reading: Reading) -> None:
    one, other = two_reports(reading)
    reading.read(one)
    view = reading.viewer.page_view
    view.set_zoom(Zoom.FREE, 2.0)
    view.go(7)
    reading.open(reading.opened(other, "ferry page 5 says"))
    assert (view.page, view.zoom) == (5, Zoom.WIDTH), "the zoom of the one before stays with it"
    reading.open(reading.opened(one, "harbour page 3 says"))
    assert (view.zoom, view.percent) == (Zoom.FREE, 150)
    assert view.mark_rects(), "the mark is in sight"
    assert 3 in view.in_sight()


def test_places_outlive_a_restart_and_a_new_name(reading: Reading) -> None:
    one, _ = two_reports(reading)
    reading.read(one)
    reading.viewer.page_view.fit_page()
    reading.viewer.page_view.go(9)
    wait_for(reading.is_shown)
    reading.restart()
    renamed = one.rename(one.with_name("renamed.pdf"))
    reading.library.index()
    reading.read(renamed)
    view = reading.viewer.page_view
    assert (view.page, view.zoom) == (9, Zoom.PAGE)


def test_a_text_opens_where_it_was_left_however_often(reading: Reading) -> None:
    one, other = text_file(reading, "long.txt"), text_file(reading, "港口.txt")
    reading.library.index()
    reading.read(one)
    view = reading.viewer.text_view
    assert view.verticalScrollBar().value() == 0

    def is_at(place: int) -> bool:
        view.show_top(place)  # again: below its end, what is set of the text can't be scrolled
        return reading.is_shown() and abs(view.place - place) < 60

    wait_for(lambda: is_at(3000))
    view.set_letters(1.5)
    assert abs(view.place - 3000) < 60, "the line at the top stays there"
    left, larger = view.left_at(ReadingPlace()).start, view.font().pointSizeF()
    for _ in range(3):
        reading.read(other)
        wait_for(lambda: view.toPlainText().startswith("Line 1 of 港口"))
        assert view.font().pointSizeF() == pytest.approx(larger / 1.5)
        assert view.verticalScrollBar().value() == 0
        reading.read(one)
        wait_for(lambda: "of long.txt" in view.toPlainText())
        assert abs(view.left_at(ReadingPlace()).start - left) <= 2, "at most the gap before it"
        assert view.font().pointSizeF() == pytest.approx(larger)


def test_the_letters_of_a_text_follow_the_keys(reading: Reading) -> None:
    one = text_file(reading, "long.txt")
    reading.library.index()
    reading.read(one)
    view = reading.viewer.text_view
    usual = view.font().pointSizeF()
    QTest.keyClick(view, Qt.Key.Key_Plus)
    QTest.keyClick(view, Qt.Key.Key_Plus)
    assert view.font().pointSizeF() == pytest.approx(usual * 1.21, rel=0.02)
    QTest.keyClick(view, Qt.Key.Key_0)
    assert view.font().pointSizeF() == pytest.approx(usual)


def test_a_table_opens_at_the_cell_and_as_what_was_chosen(reading: Reading) -> None:
    names = ";".join(f"column {n}" for n in range(20))
    rows = (";".join(f"{row}-{n}" for n in range(20)) for row in range(70))
    one = reading.library.docs / "sales.csv"
    one.write_text("\n".join([names, *rows]), encoding="utf-8")
    other = text_file(reading, "long.txt")
    reading.library.index()
    reading.read(one)
    view = reading.viewer.table_view
    assert (view.row, view.column) == (0, 0)
    view.show_corner(33, 7)
    wait_for(reading.is_shown)
    reading.read(other)
    reading.read(one)
    wait_for(reading.is_shown)
    assert (view.row, view.column) == (33, 7)
    reading.viewer.bar.as_text.click()
    wait_for(reading.is_shown)
    reading.read(other)
    reading.read(one)
    assert reading.viewer._stack.currentWidget() is reading.viewer.text_view


def test_a_citation_closes_the_list_of_passages_of_another_document(reading: Reading) -> None:
    one, other = two_reports(reading)
    listed = reading.viewer.bar.passages
    reading.open(reading.opened(one, "harbour page 3 says"))
    assert not listed.isChecked()
    listed.click()
    reading.open(reading.opened(one, "harbour page 4 says"))
    assert listed.isChecked(), "the user's choice for this document"
    reading.open(reading.opened(other, "ferry page 5 says"))
    assert not listed.isChecked()
    assert not reading.viewer.chunks.isVisible()
    reading.viewer.open_file(str(one))
    assert listed.isChecked()
    reading.read(other)
    assert not listed.isChecked()


def test_the_oldest_of_too_many_places_are_dropped(qapp: object, tmp_path: Path) -> None:
    jobs = JobRunner()
    kept = ReadingPlaces(jobs, tmp_path / "places.json")
    for number in range(MOST_PLACES + 20):
        kept.keep(f"document {number}", ReadingPlace(page=number + 1))
    kept.keep("document 20", ReadingPlace(page=3))
    kept.close()
    found = read_places(tmp_path / "places.json")
    assert len(found) == MOST_PLACES
    assert next(iter(found)) == "document 21"
    assert list(found.items())[-1] == ("document 20", ReadingPlace(page=3))
    jobs.close()


@pytest.mark.parametrize(
    "written",
    [
        b"", b"nonsense", b"[]", b"\xff", b'{"a": 1}', b"[" * 100_000,
        json.dumps({"a": {"page": 0.5}}).encode(),
        b'{"a": {"x": NaN}}', b'{"a": {"y": 1e999}}', b'{"a": {"scale": 0}}',
        json.dumps({"a": {"page": 10**30}}).encode(),
    ],
)  # fmt: skip
def test_places_that_make_no_sense_are_left_out(tmp_path: Path, written: bytes) -> None:
    file = tmp_path / "places.json"
    file.write_bytes(written)
    assert read_places(file) == {}


def test_places_of_what_the_library_does_not_hold_any_more_are_forgotten(
    qapp: object, tmp_path: Path
) -> None:
    jobs, held = JobRunner(), {"kept", "removed"}
    places = ReadingPlaces(
        jobs, tmp_path / "places.json", known=lambda _, contents: held & set(contents)
    )
    for content in ("kept", "removed"):
        places.keep(content, ReadingPlace(page=2))
    wait_for(lambda: set(read_places(tmp_path / "places.json")) == {"kept", "removed"})
    held.remove("removed")
    places.look_again()
    wait_for(lambda: set(read_places(tmp_path / "places.json")) == {"kept"})
    jobs.close()
