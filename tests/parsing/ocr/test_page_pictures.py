from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.ocr.page_pictures import (
    MOST_PIXELS,
    frame_count,
    frame_sizes,
    page_picture,
)
from tests.parsing.sample_files import Pdf, PdfPage, Put, one_page, paragraph
from tests.parsing.sample_pictures import TURNED_PHOTO


def png_of(width: int, height: int) -> bytes:
    """Return a PNG that names a size, and holds hardly a row of it."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b""))
    made = b"\x89PNG\r\n\x1a\n"
    for name, content in chunks:
        made += struct.pack(">I", len(content)) + name + content
        made += struct.pack(">I", zlib.crc32(name + content))
    return made


def status(path: Path, number: int = 1) -> FileStatus:
    with pytest.raises(FileProblem) as caught:
        page_picture(path, number)
    return caught.value.status


@pytest.mark.parametrize("size", [(60_000, 60_000), (20_000, 9_000), (2_000_000, 2)])
def test_a_picture_with_too_many_pixels_is_refused_unseen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_of(*size))
    assert status(path) is FileStatus.TOO_LARGE


def test_a_large_picture_is_looked_at_in_fewer_pixels(tmp_path: Path) -> None:
    Image.new("1", (9_000, 6_000), 1).save(tmp_path / "large.png")
    picture = page_picture(tmp_path / "large.png", 1)
    height, width = picture.pixels.shape[:2]
    assert height * width <= MOST_PIXELS
    assert (picture.width, picture.height) == (4_500, 3_000)


def test_a_telephone_s_photo_is_seen_as_it_was_taken() -> None:
    """A camera turns its pictures by a mark; that in EXIF, which says it again, does not count."""
    picture = page_picture(TURNED_PHOTO, 1)
    assert frame_sizes(TURNED_PHOTO) == ((picture.width, picture.height),) == ((280.0, 75.0),)
    dark = picture.pixels.mean(axis=2) < 100
    assert dark[20:50].any(axis=0).sum() > dark[80:110].any(axis=0).sum() > 100
    assert not dark[55:75].any()
    with pytest.raises(FileProblem):
        page_picture(TURNED_PHOTO, 2)


def test_an_avif_picture_is_seen(tmp_path: Path) -> None:
    made = Image.new("RGB", (300, 100), "white")
    made.paste("black", (0, 0, 100, 100))
    made.save(tmp_path / "half.avif")
    picture = page_picture(tmp_path / "half.avif", 1)
    assert picture.pixels[:, :90].max() < 40
    assert picture.pixels[:, 110:].min() > 215


@pytest.mark.parametrize("kept", [24, 200, 2000, 5000])
def test_a_photo_that_was_cut_off_is_damaged(tmp_path: Path, kept: int) -> None:
    whole = TURNED_PHOTO.read_bytes()
    (tmp_path / "photo.heic").write_bytes(whole[:kept])
    assert status(tmp_path / "photo.heic") is FileStatus.CORRUPT


def test_a_huge_page_of_a_pdf_is_drawn_in_fewer_pixels(tmp_path: Path) -> None:
    page = PdfPage((Put(50, 50, "Plan"),), "/MediaBox[0 0 14000 9000]")
    picture = page_picture(Pdf((page,)).write(tmp_path / "plan.pdf"), 1)
    assert picture.pixels.shape[0] * picture.pixels.shape[1] <= MOST_PIXELS * 1.01
    assert (picture.width, picture.height) == (14_000, 9_000)


def test_a_page_of_a_pdf_has_300_dots_an_inch(tmp_path: Path) -> None:
    path = one_page(*paragraph(700, "A sentence.")).write(tmp_path / "a.pdf")
    picture = page_picture(path, 1)
    assert picture.pixels.shape[1] == pytest.approx(picture.width * 300 / 72, abs=1)
    assert picture.pixels.min() < 50
    assert picture.pixels.max() > 250


def test_a_photograph_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    made = Image.new("RGB", (40, 20), "white")
    made.paste("red", (0, 0, 10, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees, clockwise
    made.save(tmp_path / "a.png", exif=exif)
    picture = page_picture(tmp_path / "a.png", 1)
    assert picture.pixels.shape == (40, 20, 3)
    assert picture.pixels[2, 5].tolist() == [0, 0, 255]  # blue, green, red
    assert (picture.width, picture.height) == (10, 20)


def test_all_frames_of_a_tiff_are_pages(tmp_path: Path) -> None:
    frames = [Image.new("L", (30, 20), shade) for shade in (0, 100, 200)]
    frames[0].save(tmp_path / "a.tif", save_all=True, append_images=frames[1:])
    assert frame_count(tmp_path / "a.tif") == 3
    shades = [page_picture(tmp_path / "a.tif", at).pixels[0, 0, 0] for at in (1, 2, 3)]
    assert shades == [0, 100, 200]
    assert status(tmp_path / "a.tif", 4) is FileStatus.CORRUPT


def test_of_a_moving_picture_the_first_frame_is_a_page(tmp_path: Path) -> None:
    frames = [Image.new("L", (30, 20), shade) for shade in (0, 255)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    assert frame_count(tmp_path / "a.gif") == 1
    assert page_picture(tmp_path / "a.gif", 1).pixels.max() == 0


@pytest.mark.parametrize(("ink", "shade"), [("black", 255), ("white", 0)])
def test_letters_on_nothing_can_be_seen(tmp_path: Path, ink: str, shade: int) -> None:
    made = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    made.paste(ink, (10, 10, 20, 20))
    made.save(tmp_path / "a.png")
    pixels = page_picture(tmp_path / "a.png", 1).pixels
    assert pixels[0, 0].tolist() == [shade] * 3
    assert pixels[15, 15].tolist() == [255 - shade] * 3


def test_a_picture_of_16_bits_keeps_its_shades(tmp_path: Path) -> None:
    values = np.full((20, 30), 60_000, np.uint16)
    values[5:10] = 1_000
    Image.fromarray(values).save(tmp_path / "a.png")
    pixels = page_picture(tmp_path / "a.png", 1).pixels
    assert (pixels[0, 0, 0], pixels[7, 0, 0]) == (255, 0)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif", "a.bmp", "a.webp", "a.gif"])
def test_a_picture_that_breaks_off_is_corrupt(tmp_path: Path, name: str) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (200, 200, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / name)
    raw = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(raw[: len(raw) // 2])
    assert status(tmp_path / name) is FileStatus.CORRUPT


def test_a_page_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = one_page(*paragraph(700, "A sentence.")).write(tmp_path / "a.pdf")
    assert status(path, 2) is FileStatus.CORRUPT
    Image.new("L", (30, 20)).save(tmp_path / "a.png")
    assert status(tmp_path / "a.png", 2) is FileStatus.CORRUPT


def test_the_same_pixels_have_the_same_digest_in_any_file(tmp_path: Path) -> None:
    made = Image.new("RGB", (30, 20), "white")
    for name in ("a.png", "b.bmp"):
        made.save(tmp_path / name)
    made.putpixel((3, 3), (254, 255, 255))
    made.save(tmp_path / "c.png")
    one, two, other = (page_picture(tmp_path / name, 1).digest() for name in
                       ("a.png", "b.bmp", "c.png"))  # fmt: skip
    assert one == two != other
    assert len(one) == 64
