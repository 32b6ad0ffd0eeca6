"""The parsers on several hundred real documents: a sample by default, all of them when asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.parsing.parser_scoring import Score, entries, score

pytestmark = pytest.mark.shared


def check(made: Score) -> None:
    assert made.fitting >= 0.98 * made.files, made.wrong
    assert made.found >= 0.98 * made.phrases, made.wrong
    assert made.right >= 0.98 * made.placed, made.wrong


def test_a_sample_of_real_documents_is_read(shared: Path) -> None:
    small = [row for row in entries(shared / "documents") if row["bytes"] < 100_000]
    made = score(shared / "documents", small[::8], ocr=True)
    assert made.files > 50
    check(made)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_real_documents_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents"), ocr=True)
    assert made.files > 600
    check(made)
