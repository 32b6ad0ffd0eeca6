from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_rag.parsing.ocr.recognized_page import (
    LONGEST_LINE,
    LONGEST_PAGE,
    MOST_LINES,
    RecognizedLine,
    RecognizedPage,
    pack_page,
    unpack_page,
)

LINE = RecognizedLine("港口 is “old”.", 10.0, 20.0, 110.0, 32.5, 0.975)
PAGE = RecognizedPage(595.0, 842.0, 90.0, (LINE,))
PLAIN: dict[str, Any] = json.loads(pack_page(PAGE))


def test_a_page_comes_back_as_it_was() -> None:
    assert unpack_page(pack_page(PAGE)) == PAGE


def test_a_page_that_says_too_much_is_packed_within_its_bounds() -> None:
    long = RecognizedLine("a" * 2 * LONGEST_LINE, 0, 0, 1, 1, 1.0)
    many = RecognizedPage(10, 10, 0, (long, *[LINE] * (MOST_LINES + 5)))
    back = unpack_page(pack_page(many))
    assert len(back.lines) == MOST_LINES
    assert len(back.lines[0].text) == LONGEST_LINE


@pytest.mark.parametrize(
    "change",
    [
        {"width": 0}, {"width": float("inf")}, {"height": float("nan")}, {"turn": "90"},
        {"lines": [["a", 1, 2, 3, 4]]}, {"lines": [["a", 1, 2, 3, float("nan"), 1]]},
        {"lines": [["a", 1, 2, 3, 1e9, 1]]}, {"lines": [["a", 1, 2, 3, 4, 1.5]]},
        {"lines": [["a" * (LONGEST_LINE + 1), 1, 2, 3, 4, 1]]},
        {"lines": [["a", 1, 2, 3, 4, 1]] * (MOST_LINES + 1)}, {"lines": {"a": 1}},
    ],
)  # fmt: skip
def test_what_is_no_page_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        unpack_page(json.dumps(PLAIN | change).encode())


@pytest.mark.parametrize("raw", [b"", b"null", b"[]", b"\xff", b"[" * 200_000])
def test_other_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError):
        unpack_page(raw)


def test_a_packed_page_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(ValueError, match=str(LONGEST_PAGE + 1)):
        unpack_page(b" " * (LONGEST_PAGE + 1))


@pytest.mark.parametrize(
    ("turn", "corners", "shown"),
    [
        (0, (10, 20, 30, 25), (10, 20, 30, 25)),
        (180, (10, 20, 30, 25), (70, 175, 90, 180)),
        (90, (10, 20, 30, 25), (20, 170, 25, 190)),
        (270, (10, 20, 30, 25), (75, 10, 80, 30)),
    ],
)
def test_a_place_on_the_level_page_leads_back_to_the_page_as_shown(
    turn: float, corners: tuple[float, ...], shown: tuple[float, ...]
) -> None:
    x0, y0, x1, y1 = corners
    found = RecognizedPage(100, 200, turn, ()).shown((x0, y0, x1, y1))
    assert found == pytest.approx(shown, abs=1e-6)


def test_a_page_is_as_sure_as_its_characters() -> None:
    lines = (RecognizedLine("abc", 0, 0, 1, 1, 0.9), RecognizedLine("d", 0, 0, 1, 1, 0.5))
    assert RecognizedPage(1, 1, 0, lines).confidence == pytest.approx(0.8)
    assert RecognizedPage(1, 1, 0, ()).confidence == 1.0
