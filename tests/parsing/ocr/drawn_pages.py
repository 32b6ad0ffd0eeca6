"""Pages drawn as a scanner would see them: black letters on white, 150 pixels an inch."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path(__file__).parents[2] / "screens" / "fonts"
WIDE, HIGH = 1240, 1754  # A4
LATIN, CHINESE = "NotoSans-Regular.ttf", "NotoSansCJKsc-Regular.otf"

SHIPS = (
    "The harbour of the town is old and deep.",
    "Its ships sail at seven every morning.",
    "A ticket costs twelve crowns for a day,",
    "and children under six travel free.",
)
LAMPS = (
    "The lighthouse was built of grey stone.",
    "Three keepers watch its lamp by night.",
    "They write down every ship that passes,",
    "and the weather of each single hour.",
)
SENTENCES = ("请把会议改到三月七日", "文件放在第二个目录中", "请在周末以前回答这些问题")


def page(
    lines: Iterable[tuple[float, float, str]], font: str = LATIN, size: int = 30
) -> Image.Image:
    """Draw lines at places from the top left, in pixels."""
    made = Image.new("RGB", (WIDE, HIGH), "white")
    draw, letters = ImageDraw.Draw(made), ImageFont.truetype(str(FONTS / font), size)
    for x, y, text in lines:
        draw.text((x, y), text, "black", letters)
    return made


def column(texts: Iterable[str], x: float = 150, y: float = 200) -> list[tuple[float, float, str]]:
    """Return texts one below the other."""
    return [(x, y + 50 * at, text) for at, text in enumerate(texts)]


def saved(picture: Image.Image, path: Path) -> Path:
    """Write a page to a file, a PDF's in its own size."""
    picture.save(path, resolution=150)  # pictures pass it over
    return path
