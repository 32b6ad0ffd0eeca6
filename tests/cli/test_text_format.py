from __future__ import annotations

import pytest

from desktop_rag.cli import text_format
from desktop_rag.core.locator_text import format_locator


def test_a_snippet_shows_where_the_words_of_the_query_are() -> None:
    text = "nothing here " * 60 + "the invoice number is 4711 and " + "more of it " * 60
    shown = text_format.snippet(text, "invoice number", 80)
    assert "invoice number is 4711" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= 84


def test_a_short_text_is_its_own_snippet() -> None:
    assert text_format.snippet("two\n lines", "x", 80) == "two lines"


def test_a_text_without_the_words_is_shown_from_its_beginning() -> None:
    assert text_format.snippet("begin " + "x" * 200, "absent", 80).startswith("begin")


@pytest.mark.parametrize(
    ("locator", "told"),
    [
        ({"kind": "page", "value": 3, "start": 1, "end": 2}, "page 3"),
        ({"kind": "sheet", "value": "Budget", "cells": "A2:F40"}, "sheet Budget A2:F40"),
    ],
)
def test_a_place_is_told_as_a_reader_finds_it(locator: dict[str, object], told: str) -> None:
    assert format_locator(locator) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.42, "0.4 s"), (42.4, "42 s"), (200, "3 min 20 s"), (180, "3 min"), (7500, "2 h 5 min")],
)
def test_times_are_told_as_people_do(seconds: float, told: str) -> None:
    assert text_format.format_duration(seconds) == told


def test_a_number_goes_with_its_noun() -> None:
    assert text_format.counted(1, "file") == "1 file"
    assert text_format.counted(2304, "file") == "2,304 files"
