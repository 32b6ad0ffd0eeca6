from __future__ import annotations

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.format_registry import parse

SENTENCES = (
    "The committee met in March and agreed on a budget for the following year of work.",
    "Nobody planned the register as a measurement, yet it is the longest of its kind.",
)
HEADINGS = (("1 Wells", 0), ("1.1 Depth of the water", 1), ("2 The council", 0))


def write(path: Path, entries: tuple[tuple[str, int], ...]) -> Path:
    """Write a page of headings in the letters of the text, each over sentences."""
    canvas = Canvas(str(path))
    y = 780
    for at, (heading, _) in enumerate(HEADINGS):
        canvas.drawString(50, y, heading)
        for line, sentence in enumerate(SENTENCES * 3):
            canvas.drawString(50, y - 30 - 14 * line, sentence)
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(50, y - 140, f"Remark {'abc'[at]}")
        canvas.setFont("Helvetica", 12)
        canvas.drawString(50, y - 170, SENTENCES[0])
        y -= 230
    for name, level in entries:
        canvas.bookmarkPage(name)
        canvas.addOutlineEntry(name, name, level)
    canvas.save()
    return path


def levels(path: Path) -> list[tuple[str, int]]:
    blocks = parse(path).blocks
    return [(block.text, block.level) for block in blocks if block.kind is BlockKind.HEADING]


def test_the_outline_tells_headings_and_their_levels(tmp_path: Path) -> None:
    entries = tuple((name.split(" ", 1)[1], level) for name, level in HEADINGS)
    assert levels(write(tmp_path / "a.pdf", entries)) == [
        ("1 Wells", 1), ("Remark a", 8), ("1.1 Depth of the water", 2), ("Remark b", 8),
        ("2 The council", 1), ("Remark c", 8),
    ]  # fmt: skip


def test_an_outline_that_names_no_headings_changes_none(tmp_path: Path) -> None:
    entries = (("Sheet1", 0), ("Blank page", 0), ("Scan", 0), ("The council", 0))
    assert levels(write(tmp_path / "a.pdf", entries)) == [
        ("Remark a", 6), ("Remark b", 6), ("Remark c", 6),
    ]  # fmt: skip
