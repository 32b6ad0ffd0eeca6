"""What is asked of the child process, and in which order: pages of a PDF for the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.page_geometry import PageArea
from desktop_rag.gui.controllers.jobs import InlineRunner
from desktop_rag.gui.controllers.pdf_pages import PdfPageController, Tile, TileRequest
from tests.parsing.sample_files import Pdf, PdfPage, Put

SMALL = PageArea.whole(60, 80)


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[InlineRunner]:
    made = InlineRunner()
    yield made
    made.deleteLater()


@pytest.fixture
def context(jobs: InlineRunner) -> Iterator[PdfPageController]:
    made = PdfPageController(jobs)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    pages = tuple(PdfPage((Put(100, 700, f"water {n}"),)) for n in range(1, 46))
    return Pdf(pages).write(tmp_path / "a.pdf")


def came(context: PdfPageController) -> list[Any]:
    found: list[Any] = []
    for signal in (
        context.sizes_came,
        context.drawn,
        context.spelt,
        context.hits_came,
        context.spoilt,
        context.failed,
    ):
        signal.connect(found.append)
    return found


def test_wishes_are_replaced_and_what_was_not_begun_is_never_drawn(
    context: PdfPageController, jobs: InlineRunner, path: Path
) -> None:
    context.open(str(path))
    jobs.drain()
    found = came(context)
    context.want(
        tuple(TileRequest(page, SMALL) for page in (1, 2, 3))
    )  # the first is begun at once
    context.want((TileRequest(40, SMALL),), (41,))
    jobs.drain()
    drawn = [each.wish.page for each in found if isinstance(each, Tile)]
    assert drawn == [1, 40]
    assert found[-1].letters.told() == "water 41"


def test_a_search_takes_turns_with_drawing_and_goes_round(
    context: PdfPageController, jobs: InlineRunner, path: Path
) -> None:
    context.open(str(path))
    jobs.drain()
    found = came(context)
    context.find("water", 30, 45)
    context.want(tuple(TileRequest(page, SMALL) for page in (1, 2, 3)))
    jobs.drain()
    kinds = "".join("d" if isinstance(each, Tile) else "s" for each in found)
    assert kinds in ("sdsdsd", "sdsdsd", "dsdsds"), "neither waits for the other"
    hits = [each for each in found if not isinstance(each, Tile)]
    pages = [hit.page for each in hits for hit in each.hits]
    assert pages == [*range(30, 46), *range(1, 30)]
    assert [each.done for each in hits] == [False, False, True]


def test_words_that_were_replaced_are_not_told(
    context: PdfPageController, jobs: InlineRunner, path: Path
) -> None:
    context.open(str(path))
    jobs.drain()
    found = came(context)
    context.find("water", 1, 45)
    context.find("nothing like it", 1, 45)
    jobs.drain()
    assert {each.words for each in found} == {"nothing like it"}


def test_what_came_for_a_document_that_was_left_is_dropped(
    context: PdfPageController, jobs: InlineRunner, path: Path, tmp_path: Path
) -> None:
    context.open(str(path))
    jobs.drain()
    context.want((TileRequest(1, SMALL),))
    found = came(context)
    other = Pdf((PdfPage(),)).write(tmp_path / "b.pdf")
    context.open(str(other))
    jobs.drain()
    assert found == [((600.0, 800.0),)]
    context.leave()
    jobs.drain()
    assert len(found) == 1


def test_a_page_that_can_not_be_drawn_is_told_and_the_next_one_is(
    context: PdfPageController, jobs: InlineRunner, path: Path
) -> None:
    context.open(str(path))
    jobs.drain()
    found = came(context)
    context.want((TileRequest(2, PageArea.whole(50_000, 50_000)), TileRequest(3, SMALL)))
    jobs.drain()
    spoilt, drawn = found
    assert (spoilt.page, drawn.wish.page) == (2, 3)
    assert "too large" in spoilt.trouble.what


def test_a_document_that_is_none_is_told(
    context: PdfPageController, jobs: InlineRunner, tmp_path: Path
) -> None:
    found = came(context)
    context.open(str(tmp_path / "nowhere.pdf"))
    jobs.drain()
    (trouble,) = found
    assert "gone" in trouble.what
