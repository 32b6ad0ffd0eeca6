"""The readers of Word and PowerPoint against unstructured's: no word that it finds is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.parsing.format_registry import parse
from tests.parsing.parser_scoring import entries, squeezed
from tests.parsing.unstructured_elements import slide_elements, word_elements

WORD = re.compile(r"[^\W\d_]{2,}")
pytestmark = [pytest.mark.shared, pytest.mark.slow]


@pytest.mark.parametrize(
    ("extension", "elements"), [("docx", word_elements), ("pptx", slide_elements)]
)
def test_no_word_that_unstructured_finds_is_missing(
    shared: Path, extension: str, elements: Callable[[str], list[Any]]
) -> None:
    folder = shared / "documents"
    rows = [row for row in entries(folder, [extension]) if row["expect"] == "ok"]
    missing: dict[str, set[str]] = {}
    compared = 0
    for row in rows[::2]:
        path = folder / row["path"]
        ours = squeezed("".join(block.text for block in parse(path).blocks))
        if "$" in ours:
            continue  # in formulas it runs letters together
        theirs = " ".join(element.text for element in elements(str(path)))
        words = {word for word in WORD.findall(theirs) if squeezed(word) not in ours}
        compared += 1
        if words:
            missing[row["path"]] = words
    assert compared > 10
    assert missing == {}
