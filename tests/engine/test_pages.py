from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.engine.ingest.parse.registry import parse
from desktop_rag.engine.pages import PageRenderer
from tests.engine.ingest.parse.samples import Pdf, PdfPage, Put

INK = "IIIIIIIIIIIIIIIIIIII"


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    made = PageRenderer()
    yield made
    made.close()


def inked(rgb: bytes, width: int, height: int) -> tuple[int, int, int, int]:
    """Return the rectangle of the dark points, in points of the picture."""
    dark = [at // 3 for at in range(0, len(rgb), 3) if rgb[at] < 128]
    xs, ys = [at % width for at in dark], [at // width for at in dark]
    assert max(ys) < height
    return min(xs), min(ys), max(xs), max(ys)


def test_a_page_is_drawn_at_its_scale(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage(), PdfPage((Put(100, 700, INK),)))).write(tmp_path / "a.pdf")
    drawn = renderer.render(path, 2, 0.5)
    assert (drawn.width, drawn.height, drawn.pages) == (300, 400, 2)
    assert drawn.points == (600, 800)
    assert len(drawn.rgb) == 300 * 400 * 3
    assert set(renderer.render(path, 1, 0.5).rgb) == {255}


@pytest.mark.parametrize(
    "extra", ["", "/Rotate 90", "/Rotate 180", "/Rotate 270", "/CropBox[50 100 600 750]",
              "/Rotate 90/CropBox[50 100 600 750]"],
)  # fmt: skip
def test_boxes_lie_on_the_ink(renderer: PageRenderer, tmp_path: Path, extra: str) -> None:
    path = Pdf((PdfPage((Put(100, 700, INK),), extra),)).write(tmp_path / "a.pdf")
    (box,) = parse(path).blocks[0].boxes
    drawn = renderer.render(path, 1, 1.0)
    x0, y0, x1, y1 = inked(drawn.rgb, drawn.width, drawn.height)
    for edge, ink in ((box.x0, x0), (box.y0, y0), (box.x1, x1), (box.y1, y1)):
        assert edge == pytest.approx(ink, abs=4)


def test_what_can_not_be_drawn_says_why(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage(),)).write(tmp_path / "a.pdf")
    with pytest.raises(FileProblem):
        renderer.render(path, 2, 1.0)
    path.write_bytes(b"%PDF-1.4 nonsense")
    with pytest.raises(FileProblem) as caught:
        renderer.render(path, 1, 1.0)
    assert caught.value.status is FileStatus.CORRUPT
    path.unlink()
    with pytest.raises(FileProblem, match="gone"):
        renderer.render(path, 1, 1.0)


def test_a_huge_page_is_drawn_smaller(renderer: PageRenderer, tmp_path: Path) -> None:
    path = Pdf((PdfPage((), "/MediaBox[0 0 14000 7000]"),)).write(tmp_path / "a.pdf")
    drawn = renderer.render(path, 1, 1.0)
    assert (drawn.width, drawn.height) == (6000, 3000)
