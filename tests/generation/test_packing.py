import pytest

from desktop_rag.generation.packing import ordered, pack
from testing.fake_retriever import OFFSET, passages


def words(text: str) -> int:
    return len(text.split())


def test_what_fits_is_kept_whole() -> None:
    sources = passages("one two three", "four five")
    packed = pack(sources, 1000, words)
    assert packed.shown == sources
    assert packed.dropped == ()


def test_what_does_not_fit_is_named() -> None:
    sources = passages("a " * 100, "b " * 100, "c " * 100)
    packed = pack(sources, 2 * 160 + 20, words)
    assert packed.shown == sources[:2]
    assert len(packed.dropped) == 1
    assert "passage 3" in packed.dropped[0]
    assert "report.pdf" in packed.dropped[0]
    assert "page 3" in packed.dropped[0]


def test_the_first_that_does_not_fit_is_cut_around_its_match_and_the_cut_is_named() -> None:
    text = " ".join(f"w{n}" for n in range(500))
    (source,) = passages(text)
    packed = pack([source], 60 + 200, words)
    (shown,) = packed.shown
    assert words(shown.text) <= 200
    assert shown.text in text
    assert "part of passage 1" in packed.dropped[0]


def test_a_cut_passage_knows_where_it_stands() -> None:
    text = " ".join(f"w{n}" for n in range(500))
    (source,) = passages(text)
    (shown,) = pack([source], 60 + 200, words).shown
    start, end = shown.locator.start, shown.locator.end
    assert start is not None
    assert end is not None
    assert text[start - OFFSET : end - OFFSET] == shown.text


def test_without_room_nothing_is_shown_and_everything_is_named() -> None:
    packed = pack(passages("a " * 100, "b " * 100), 10, words)
    assert packed.shown == ()
    assert len(packed.dropped) == 2


@pytest.mark.parametrize(
    ("order", "numbers"),
    [
        ("forward", [1, 2, 3, 4, 5]),
        ("reverse", [5, 4, 3, 2, 1]),
        ("sides", [1, 3, 5, 4, 2]),
    ],
)
def test_the_order_moves_passages_but_never_their_numbers(order: str, numbers: list[int]) -> None:
    sources = passages(*"abcde")
    arranged = ordered(sources, order)
    assert [n for n, _ in arranged] == numbers
    assert all(sources[n - 1] == each for n, each in arranged)
