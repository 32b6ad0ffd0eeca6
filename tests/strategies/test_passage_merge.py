from collections.abc import Iterable
from dataclasses import replace

from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.generation.packing import slice_passage
from desktop_rag.strategies.passage_merge import (
    interleave_by_rank,
    merge_new,
    truncate_words,
    word_count,
)
from testing.fake_retriever import OFFSET, passage, passages

LONG = "The harbour of Oslo was deepened in the spring so that larger ships could call there"


def texts(found: Iterable[Passage]) -> list[str]:
    return [each.text for each in found]


def test_what_is_new_goes_behind_what_was_collected() -> None:
    one, two, three = passages("Tea.", "Coffee.", "Milk.")
    assert merge_new([two], [one, two, three], 9) == (two, one, three)


def test_no_more_are_collected_than_asked_for() -> None:
    one, two, three = passages("Tea.", "Coffee.", "Milk.")
    assert merge_new([one], [two, three], 2) == (one, two)


def test_nearly_the_same_text_is_collected_once() -> None:
    again = passage(f"{LONG.upper()}!", rank=7)
    assert texts(merge_new(passages(LONG), [again], 9)) == [LONG]


def test_a_part_of_a_page_that_was_collected_is_not_collected_again() -> None:
    page, other = passages(f"{LONG}. Tea came by sea, in chests.", "Milk.")
    part = replace(slice_passage(page, 0, len(LONG)), chunk_id=ChunkId(77))
    assert merge_new([page], [part, other], 9) == (page, other)
    assert merge_new([part], [page], 9) == (part, page)


def test_texts_that_differ_by_a_number_are_two() -> None:
    one, two = passages(f"{LONG} in 1902.", f"{LONG} in 1903.")
    assert merge_new([one], [two], 9) == (one, two)


def test_every_search_gives_its_best_before_any_gives_its_second() -> None:
    a, b, c, d = passages("Tea.", "Coffee.", "Milk.", "Water.")
    assert interleave_by_rank([[a, b, c], [], [d, a]], 9) == (a, d, b, c)
    assert interleave_by_rank([[a, b, c], [d]], 2) == (a, d)


def test_two_chinese_characters_are_a_word() -> None:
    assert word_count("奥斯陆是挪威的首都。") == 6
    assert word_count("Oslo is the capital, 挪威首都.") == 7


def test_a_long_passage_is_cut_to_its_first_words() -> None:
    cut = truncate_words(passage("One two three four five six."), 3)
    assert cut.text == "One two three"
    assert (cut.locator.start, cut.locator.end) == (OFFSET, OFFSET + len("One two three"))
    assert truncate_words(cut, 3) is cut


def test_a_long_passage_keeps_what_matched() -> None:
    whole = passage("One two three four five six.")
    matched = replace(whole, match=(OFFSET + 14, OFFSET + 18))  # "four"
    assert truncate_words(matched, 2).text == "four five"
    assert truncate_words(matched, 4).text == "One two three four"
    last = replace(whole, match=(OFFSET + 24, OFFSET + 28))  # "six."
    assert truncate_words(last, 2).text == "five six."
