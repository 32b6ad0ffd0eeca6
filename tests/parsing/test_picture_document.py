"""Picture files in the window: the child process shows them as it shows a PDF."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.page_geometry import PageArea
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.ocr.page_pictures import frame_sizes, page_picture
from desktop_rag.parsing.page_renderer import PageRenderer

ORIENTATION = 0x0112
RED = [0, 0, 255]  # blue, green, red


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    made = PageRenderer()
    yield made
    made.close()


def pixel(raw: bytes, width: int, x: int, y: int) -> list[int]:
    at = 4 * (y * width + x)
    return list(raw[at : at + 3])


def half_red() -> Image.Image:
    made = Image.new("RGB", (203, 101), "white")
    made.paste("red", (0, 0, 100, 101))
    return made


def test_every_frame_is_shown_in_its_size(renderer: PageRenderer, tmp_path: Path) -> None:
    blue = Image.new("RGB", (50, 80), "blue")
    path = tmp_path / "a.tif"
    half_red().save(path, save_all=True, append_images=[blue])
    assert renderer.sizes(path) == ((101.5, 50.5), (25, 40))
    raw = renderer.draw(path, 1, PageArea(203, 101, 0, 0, 203, 101))
    assert pixel(raw, 203, 20, 50) == RED
    assert pixel(raw, 203, 180, 50) == [255, 255, 255]
    raw = renderer.draw(path, 2, PageArea(25, 40, 0, 0, 25, 40))
    assert pixel(raw, 25, 12, 20) == [255, 0, 0]
    assert renderer.letters(path, 1).text == ""
    assert renderer.find(path, "red", range(1, 3)) == ()


@pytest.mark.parametrize("name", ["a.jpg", "a.tif", "a.png"])
def test_a_photograph_is_shown_as_its_camera_says(
    renderer: PageRenderer, tmp_path: Path, name: str
) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    half_red().save(tmp_path / name, exif=exif, quality=95)
    assert renderer.sizes(tmp_path / name) == ((50.5, 101.5),)
    raw = renderer.draw(tmp_path / name, 1, PageArea(101, 203, 0, 0, 101, 203))
    red = pixel(raw, 101, 50, 20)
    assert red[0] < 60
    assert red[2] > 200
    picture = page_picture(tmp_path / name, 1)
    assert ((picture.width, picture.height),) == frame_sizes(tmp_path / name)


def test_a_damaged_picture_is_told(renderer: PageRenderer, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    half_red().save(path)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(FileProblem) as caught:
        renderer.draw(path, 1, PageArea(20, 10, 0, 0, 20, 10))
    assert caught.value.status is FileStatus.CORRUPT
