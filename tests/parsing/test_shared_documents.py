"""The parsers on several hundred real documents: a sample by default, all of them when asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.parsing.format_registry import EXTENSIONS
from tests.parsing.parser_scoring import Score, entries, score

pytestmark = pytest.mark.shared


def check(made: Score) -> None:
    assert made.fitting >= 0.98 * made.files, made.wrong
    assert made.found >= 0.98 * made.phrases, made.wrong
    assert made.right >= 0.98 * made.placed, made.wrong


def test_a_sample_of_real_documents_is_read(shared: Path) -> None:
    small = [row for row in entries(shared / "documents") if row["bytes"] < 100_000]
    made = score(shared / "documents", small[::8])
    assert made.files > 50
    check(made)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_all_real_documents_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents"))
    assert made.files > 600
    check(made)


def test_formats_that_are_not_read_end_quickly(shared: Path) -> None:
    rows = [r for r in entries(shared / "documents") if f".{r['ext']}" not in EXTENSIONS]
    images = [row for row in rows if row["ext"] in {"png", "jpg", "tif", "odt", "epub", "rtf"}]
    made = score(shared / "documents", images)
    assert made.fitting == made.files
    assert made.seconds < 60
