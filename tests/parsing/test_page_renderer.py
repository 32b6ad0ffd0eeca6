from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.page_geometry import PageArea
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.page_renderer import PageRenderer
from tests.parsing.sample_files import Pdf, PdfPage, Put

INK = "IIIIIIIIIIIIIIIIIIII"


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    made = PageRenderer()
    yield made
    made.close()


def inked(pixels: bytes, width: int) -> tuple[int, int, int, int]:
    """Return the rectangle of the dark points, in points of the picture."""
    dark = [at // 4 for at in range(0, len(pixels), 4) if pixels[at] < 128]
    xs, ys = [at % width for at in dark], [at // width for at in dark]
    return min(xs), min(ys), max(xs), max(ys)


def whole(renderer: PageRenderer, path: Path, page: int = 1) -> tuple[bytes, int]:
    """Return a page drawn at a pixel a point, and its width."""
    width, height = (round(side) for side in renderer.sizes(path)[page - 1])
    return renderer.draw(path, page, PageArea.whole(width, height)), width


def test_a_page_is_drawn_as_large_as_it_is_wanted(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage(), PdfPage((Put(100, 700, INK),)))).write(tmp_path / "a.pdf")
    assert renderer.sizes(path) == ((600, 800), (600, 800))
    drawn = renderer.draw(path, 2, PageArea.whole(300, 400))
    assert len(drawn) == 300 * 400 * 4
    assert min(drawn) < 128
    assert set(renderer.draw(path, 1, PageArea.whole(300, 400))[::4]) == {255}


def test_a_part_of_a_page_is_what_the_whole_has_there(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    path = Pdf((PdfPage((Put(100, 700, INK),)),)).write(tmp_path / "a.pdf")
    drawn = renderer.draw(path, 1, PageArea.whole(600, 800))
    part = renderer.draw(path, 1, PageArea(600, 800, 90, 80, 120, 30))
    rows = [drawn[(y * 600 + 90) * 4 : (y * 600 + 210) * 4] for y in range(80, 110)]
    assert part == b"".join(rows)
    assert min(part) < 128


@pytest.mark.parametrize(
    "extra", ["", "/Rotate 90", "/Rotate 180", "/Rotate 270", "/CropBox[50 100 600 750]",
              "/Rotate 90/CropBox[50 100 600 750]"],
)  # fmt: skip
def test_boxes_lie_on_the_ink(renderer: PageRenderer, tmp_path: Path, extra: str) -> None:
    path = Pdf((PdfPage((Put(100, 700, INK),), extra),)).write(tmp_path / "a.pdf")
    (box,) = parse(path).blocks[0].boxes
    x0, y0, x1, y1 = inked(*whole(renderer, path))
    for edge, ink in ((box.x0, x0), (box.y0, y0), (box.x1, x1), (box.y1, y1)):
        assert edge == pytest.approx(ink, abs=4)
    (hit,) = renderer.find(path, INK, range(1, 2))
    assert hit.boxes[0] == pytest.approx((x0, y0, x1, y1), abs=4)
    letters = renderer.letters(path, 1)
    (line,) = letters.lines
    assert line.box == pytest.approx((x0, y0, x1, y1), abs=6)
    assert letters.told() == INK


def test_what_can_not_be_drawn_says_why(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage(),)).write(tmp_path / "a.pdf")
    a4 = PageArea.whole(600, 800)
    with pytest.raises(FileProblem):
        renderer.draw(path, 2, a4)
    path.write_bytes(b"%PDF-1.4 nonsense")
    with pytest.raises(FileProblem) as caught:
        renderer.draw(path, 1, a4)
    assert caught.value.status is FileStatus.CORRUPT
    path.unlink()
    with pytest.raises(FileProblem, match="gone"):
        renderer.draw(path, 1, a4)


def test_too_many_pixels_are_refused(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage((), "/MediaBox[0 0 14000 7000]"),)).write(tmp_path / "a.pdf")
    assert renderer.sizes(path) == ((14000, 7000),)
    with pytest.raises(FileProblem, match="too large"):
        renderer.draw(path, 1, PageArea.whole(14000, 7000))
    assert len(renderer.draw(path, 1, PageArea(14000, 7000, 13000, 6000, 100, 100))) == 40_000


def test_a_file_that_was_rewritten_is_read_anew(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage((Put(100, 700, "first"),)),)).write(tmp_path / "a.pdf")
    assert renderer.letters(path, 1).told() == "first"
    Pdf((PdfPage((Put(100, 700, "second one"),)),)).write(path)
    assert renderer.letters(path, 1).told() == "second one"


def test_a_page_that_ends_the_child_costs_one_request(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    path = Pdf((PdfPage((Put(100, 700, INK),)),)).write(tmp_path / "a.pdf")
    renderer.sizes(path)
    child = renderer._child._process
    assert child is not None
    child.kill()
    child.join()
    assert renderer.letters(path, 1).told() == INK


def test_words_are_found_on_the_pages_that_are_asked_for(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    texts = ("The water", "tank is full", "No water", "WATER tank, water tank")
    pages = tuple(PdfPage((Put(100, 700, text),)) for text in texts)
    path = Pdf(pages).write(tmp_path / "a.pdf")
    assert [hit.page for hit in renderer.find(path, "water", range(1, 5))] == [1, 3, 4, 4]
    assert [hit.page for hit in renderer.find(path, "water", range(2, 4))] == [3]
    first, second = renderer.find(path, "Water Tank", range(1, 5))
    assert (first.page, second.page) == (4, 4)
    assert first.boxes[0][2] < second.boxes[0][0]
    assert first.order < second.order
    assert renderer.find(path, "  ", range(1, 5)) == ()


def test_an_outline_is_bounded_and_its_titles_are_plain(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    deep = tuple((f"level {n}\x07\n\u202e" + "x" * 500, n, 1, 700) for n in range(30))
    path = Pdf((PdfPage(),), outline=deep).write(tmp_path / "deep.pdf")
    found = renderer.outline(path)
    assert 2 <= len(found) <= 10
    assert all(len(each.title) <= 160 and each.title.isprintable() for each in found)
    many = tuple((f"line {n}", 0, 1 + n % 2, 900 - n) for n in range(3000))
    path = Pdf((PdfPage(), PdfPage()), outline=many).write(tmp_path / "many.pdf")
    found = renderer.outline(path)
    assert len(found) == 2000
    assert found[1].page == 2
    assert found[0].y == 0.0, "above the page"
    assert found[200].y == 100.0


def test_an_outline_that_leads_nowhere_or_round_is_left_out(
    renderer: PageRenderer, tmp_path: Path
) -> None:
    made = Pdf((PdfPage(),), outline=(("here", 0, 1, 700), ("there", 0, 1, 600)))
    path = made.write(tmp_path / "a.pdf")
    raw = path.read_bytes()
    (tmp_path / "round.pdf").write_bytes(raw.replace(b"/Next 13 0 R", b"/Next 12 0 R"))
    assert [each.title for each in renderer.outline(tmp_path / "round.pdf")] == ["here"]
    (tmp_path / "away.pdf").write_bytes(raw.replace(b"/Dest[9 0 R", b"/Dest[3 0 R"))
    assert renderer.outline(tmp_path / "away.pdf") == ()
    assert renderer.outline(Pdf((PdfPage(),)).write(tmp_path / "none.pdf")) == ()
