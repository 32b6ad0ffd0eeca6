"""Passages shortened to the sentences that matter: what is told, and what it is still a part of."""

from __future__ import annotations

import pytest

from desktop_rag.core.types import LocatorKind
from desktop_rag.generation.extractive_compression import (
    excerpts,
    is_compressed,
    passage_identity,
    prompt_text,
)
from testing.fake_retriever import passage, passages

COURT = (
    "The building was finished in 1899. The court has nine justices, who serve for life. "
    "Its garden is open to visitors in summer. Parking is free on Sundays."
)
TEA = "Tea is grown in the hills. Rain falls there for most of the year."
QUESTION = "How many justices has the court?"


def test_the_sentence_that_answers_stays_and_an_ellipsis_stands_for_the_others() -> None:
    (source,) = passages(COURT)
    made = excerpts(QUESTION, [source], 0.1, None)[passage_identity(source)]
    assert made.text == "… The court has nine justices, who serve for life. …"


def test_what_is_kept_is_word_for_word_where_it_says_that_it_stands() -> None:
    sources = passages(COURT, TEA)
    made = excerpts(QUESTION, sources, 0.5, None)
    for source in sources:
        short = made[passage_identity(source)]
        assert short.kept
        assert all(span.of(source.text) in short.text for span in short.kept)


def test_sentences_that_follow_one_another_stay_joined_as_they_were() -> None:
    (source,) = passages("The court was founded in 1902.\nThe court has nine justices. Tea is hot.")
    made = excerpts(QUESTION, [source], 0.83, None)[passage_identity(source)]
    assert made.text == "The court was founded in 1902.\nThe court has nine justices. …"


def test_a_share_of_one_leaves_everything() -> None:
    sources = passages(f"{COURT}\n", f"\n {TEA}")
    made = excerpts(QUESTION, sources, 1.0, None)
    assert not is_compressed(sources, made)
    assert [prompt_text(each, made) for each in sources] == list(sources)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7])
def test_no_more_than_the_share_of_each_passage_is_kept_but_one_sentence(share: float) -> None:
    sources = passages(*[COURT.replace("nine", str(n)) for n in range(5)], TEA)
    made = excerpts(QUESTION, sources, share, None)
    for source in sources:
        spans = made[passage_identity(source)].kept
        kept = sum(span.end - span.start for span in spans)
        assert kept <= share * len(source.text) or len(spans) == 1


def test_a_passage_that_is_less_like_the_question_keeps_its_share() -> None:
    sources = passages(COURT, "Tea is hot. Rain is wet. Wind is cold. Snow is white.")
    made = excerpts(QUESTION, sources, 0.5, None)
    assert len(made[passage_identity(sources[1])].kept) == 2


def test_a_heading_stays_above_the_sentence_that_is_kept() -> None:
    text = "Opening hours\nThe garden is open in summer.\n\nStaff\nThe court has nine justices.\n"
    (source,) = passages(text)
    made = excerpts(QUESTION, [source], 0.1, None)[passage_identity(source)]
    assert made.text == "… Staff\nThe court has nine justices."


def test_a_passage_is_told_by_a_sentence_and_not_by_a_line_that_says_little() -> None:
    (source,) = passages("Court 2025\n\nThe harbour takes ferries of the northern line.")
    made = excerpts(QUESTION, [source], 0.1, None)[passage_identity(source)]
    assert made.text == "… The harbour takes ferries of the northern line."


def test_of_a_table_whole_rows_are_kept() -> None:
    rows = "\n".join(
        f"name: {name}; justices: {n}" for n, name in enumerate(("Oslo", "Bern", "Rome"))
    )
    source = passage(rows, kind=LocatorKind.ROW)
    made = excerpts("How many justices has Bern?", [source], 0.1, None)[passage_identity(source)]
    assert made.text == "… name: Bern; justices: 1 …"


def test_chinese_sentences_are_told_apart() -> None:
    (source,) = passages("法院建于1899年。最高法院有九名大法官。花园夏天开放。")
    made = excerpts("最高法院有多少名大法官？", [source], 0.1, None)[passage_identity(source)]
    assert made.text == "… 最高法院有九名大法官。 …"


def test_a_text_without_any_sentence_is_told_as_it_is() -> None:
    (source,) = passages("   ")
    assert prompt_text(source, excerpts(QUESTION, [source], 0.5, None)) == source
