"""Quotes found again in texts that were changed."""

from __future__ import annotations

from desktop_rag.core.quote_search import QuotePlace, find_quote, find_same, find_similar

QUOTE = "The ferry carries forty cars across the fjord in twenty minutes."
FILLER = "Nothing is said here of what was asked. " * 40


def said(text: str, place: QuotePlace | None) -> str:
    assert place is not None
    return text[place.start : place.end]


def test_of_several_places_the_nearest_is_found() -> None:
    text = f"{QUOTE}\n{FILLER}\n{QUOTE}\n{FILLER}"
    second = text.rindex(QUOTE)
    assert find_quote(text, QUOTE, 0) == QuotePlace(0, len(QUOTE))
    assert find_quote(text, QUOTE, second + 100) == QuotePlace(second, second + len(QUOTE))


def test_white_space_hyphens_and_quotation_marks_make_no_difference() -> None:
    set_otherwise = "The “ferry” carries for-\nty  cars across\nthe fjord"
    text = FILLER + set_otherwise + FILLER
    place = find_same(text, 'the "ferry" carries forty cars across the fjord', 0)
    assert said(text, place) == set_otherwise
    assert not place or not place.is_similar


def test_chinese_is_found_over_a_line_end() -> None:
    text = "前言。\n渡轮每次可以运\n载四十辆汽车。\n后记。"
    assert said(text, find_quote(text, "渡轮每次可以运载四十辆汽车。", 0)).startswith("渡轮")


def test_a_quote_in_other_words_is_similar() -> None:
    changed = "The new ferry carries fifty cars across the fjord in twenty minutes"
    text = FILLER + changed + ". " + FILLER
    place = find_quote(text, QUOTE, 0)
    assert place is not None
    assert place.is_similar
    assert said(text, place) in changed
    assert said(text, place).endswith("twenty minutes")


def test_changed_chinese_is_similar() -> None:
    text = "前言很长很长。" * 30 + "这艘渡轮每次可以运载五十辆汽车过海峡。" + "后记。" * 30
    place = find_similar(text, "这艘渡轮每次可以运载四十辆汽车过海峡。", 0)
    assert "五十辆" in said(text, place)


def test_the_same_words_in_another_order_are_no_quote() -> None:
    words = QUOTE.rstrip(".").split()
    assert find_quote(FILLER + " ".join(reversed(words)) + FILLER, QUOTE, 0) is None


def test_what_is_not_there_is_not_found() -> None:
    assert find_quote(FILLER, QUOTE, 0) is None
    assert find_quote(FILLER, "  ", 0) is None
    assert find_quote("", QUOTE, 5) is None


def test_few_words_are_not_guessed() -> None:
    assert find_quote("It carries fifty cars.", "It carries forty cars.", 0) is None
