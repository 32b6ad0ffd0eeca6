"""What is marked in a document that is opened."""

from __future__ import annotations

from dataclasses import replace

from desktop_rag.core.types import Box, Locator, LocatorKind
from desktop_rag.gui.controllers.open_document import boxes_by_page, document_of_citation
from desktop_rag.gui.controllers.transcript import Transcript, Turn, fold
from testing.sample_answers import answer, citation, passage, place


def turn() -> Turn:
    return fold(Transcript().begun("Why?", ""), answer("A [1]. B [2]. C [1].", 1, 2, 1)).turns[0]


def test_a_document_opens_at_the_mark_that_was_asked_for() -> None:
    shown = document_of_citation(turn(), passage(2), citation(2).locator)
    assert shown.mark == citation(2).locator
    assert shown.is_paged


def test_every_place_that_the_answer_cites_in_it_is_marked_once() -> None:
    assert len(document_of_citation(turn(), passage(1), citation(1).locator).marks) == 1
    assert len(document_of_citation(turn(), passage(1), place(1, 150, 160)).marks) == 2


def test_boxes_are_told_by_page_the_current_ones_apart() -> None:
    shown = document_of_citation(turn(), passage(1), place(7, 150, 160))
    others, current = boxes_by_page(shown)
    assert current == {7: place(7, 150, 160).boxes}
    assert others == {1: citation(1).locator.boxes}


def test_a_mark_that_goes_on_on_the_next_page_is_marked_there_as_well() -> None:
    near, far = Box(100, 700, 300, 710, 100, 150), Box(50, 80, 200, 90, 150, 190, page=3)
    mark = Locator(LocatorKind.PAGE, 2, 100, 190, (near, far))
    shown = document_of_citation(turn(), passage(2), mark)
    _, current = boxes_by_page(shown)
    assert shown.page == 2
    assert list(current.items()) == [(2, (near,)), (3, (far,))]


def test_a_mark_ends_in_the_line_where_the_quote_ends() -> None:
    wide, narrow = Box(100, 50, 300, 60, 100, 200), Box(50, 20, 60, 400, 200, 230)
    whole = Locator(LocatorKind.PAGE, 2, 100, 230, (wide, narrow))
    source = replace(passage(2), locator=whole, match=(100, 230))
    assert source.place_of(150, 175).boxes == (Box(200, 50, 250, 60, 150, 175),)
    assert source.place_of(150, 210).boxes == (Box(200, 50, 300, 60, 150, 200), narrow)
    assert source.place_of(100, 230).boxes == (wide, narrow)


def test_a_format_without_pages_shows_its_text() -> None:
    assert not document_of_citation(
        turn(), passage(1, "/tmp/notes.md"), citation(1).locator
    ).is_paged
