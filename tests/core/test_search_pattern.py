from __future__ import annotations

import pytest

from desktop_rag.core.search_pattern import search_pattern


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("office", "The OFFICE"),
        ("office", "o\ufb03ce"),
        ("office", "of\ufffe\r\nfice"),
        ("stiff", "\ufb06i\ufb00"),
        ("masse", "Maße"),
        ("Maße", "MASSE"),
        ("transport", "trans-\nport"),
        ("transport", "trans\u00adport"),
        ("well-known", "well\ufffe\r\nknown"),
        ("well-known", "well\u2011known"),
        ("water tank", "water\r\n  tank"),
        ("don't", "don’t"),
        ("ABC 12", "ＡＢＣ　１２"),
        ("差旅报销", "差旅\r\n报销"),
        ("人工", "\u2f08\u2f2f"),
        ("c++ (x)", "C++ (x)"),
    ],
)
def test_words_are_found_however_they_are_set(words: str, text: str) -> None:
    wanted = search_pattern(words)
    assert wanted is not None
    assert wanted.search(text)


@pytest.mark.parametrize(
    ("words", "text"),
    [("the.se", "these"), ("cat", "magic at"), ("water tank", "watertank"), ("flat", "fat")],
)
def test_other_words_are_not(words: str, text: str) -> None:
    wanted = search_pattern(words)
    assert wanted is not None
    assert not wanted.search(text)


def test_nothing_is_no_pattern() -> None:
    assert search_pattern("  \n") is None


def test_a_very_long_search_ends_soon() -> None:
    wanted = search_pattern("ffi " * 500)
    assert wanted is not None
    assert not wanted.search("ff" * 20_000)
