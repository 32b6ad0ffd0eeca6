"""Words that are left out of what a model is told, by the built-in reader's opinion of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from desktop_rag.core.types import LocatorKind
from desktop_rag.generation.extractive_compression import passage_identity
from desktop_rag.generation.token_pruning import prune_tokens
from desktop_rag.models.pair_reader import PairReader, PairReading
from testing.fake_retriever import passage, passages

QUESTION = "How many justices has the court?"
COURT = (
    "The building was finished in 1899. The court has nine justices, who serve for life. "
    "Its garden is open to visitors in summer. Parking is free on Sundays."
)


def by_words(*useful: str) -> object:
    """A reader for which only some words are of use."""

    def read(query: str, texts: Sequence[str]) -> list[PairReading]:
        del query
        return [_reading(text, useful) for text in texts]

    return read


def _reading(text: str, useful: Sequence[str]) -> PairReading:
    places, at = [], 0
    for word in text.split():
        begin = text.index(word, at)
        at = begin + len(word)
        places.append((begin, at))
    marks = np.full((len(places) + 3, 4), -4.0, np.float32)
    for n, (begin, end) in enumerate(places):
        if any(each in text[begin:end] for each in useful):
            marks[n + 3, 2] = 4.0
    return PairReading(0.0, marks, np.zeros(4, np.float32), ((0, 1),), tuple(places))


def told(text: str, share: float, *useful: str) -> str:
    (only,) = passages(text)
    made = prune_tokens(QUESTION, [only], share, by_words(*useful))  # type: ignore[arg-type]
    return made[passage_identity(only)].text


def test_useful_words_stay_in_their_order_and_each_is_of_the_passage(reader: PairReader) -> None:
    (only,) = passages(COURT)
    found = prune_tokens(QUESTION, [only], 0.4, reader.read)[passage_identity(only)]
    assert "nine justices" in found.text
    assert len(found.text) <= 0.4 * len(COURT)
    assert found.is_pruned
    assert found.text == " ".join(each.of(COURT) for each in found.kept)
    assert [each.start for each in found.kept] == sorted(each.start for each in found.kept)


def test_a_larger_share_keeps_more_and_the_whole_is_not_pruned(reader: PairReader) -> None:
    (only,) = passages(COURT)
    lengths = []
    for share in (0.2, 0.5, 0.8, 1.1):
        found = prune_tokens(QUESTION, [only], share, reader.read)[passage_identity(only)]
        lengths.append(len(found.text))
    assert lengths == sorted(set(lengths))
    assert not found.is_pruned
    assert found.text == COURT


def test_neighbours_of_a_useful_word_stay_before_words_far_from_it() -> None:
    assert told("one two three four five six seven", 0.5, "four") == "three four five"


def test_a_negation_stays_where_what_it_denies_does() -> None:
    text = "The tenant shall never again sublet the flat to anybody else at all in this house."
    assert told(text, 0.1, "sublet") == "never sublet"
    assert "never" not in told(text, 0.1, "house")
    assert told("They did not say who. It wasn't open then, people say.", 0.2, "open") == (
        "wasn't open"
    )


def test_every_passage_keeps_at_least_a_word() -> None:
    assert told(COURT, 0.01, "nine") == "nine"


def test_lines_stay_lines_where_words_between_are_left_out() -> None:
    assert told("alpha beta gamma\ndelta epsilon zeta", 0.4, "alpha", "zeta") == "alpha\nzeta"


def test_long_passages_are_read_to_their_end(reader: PairReader) -> None:
    filler = "The weather in the valley was fair for most of that year. " * 60
    text = f"{filler}The court has nine justices, who serve for life."
    (only,) = passages(text)
    found = prune_tokens(QUESTION, [only], 0.1, reader.read)[passage_identity(only)]
    assert "nine justices" in found.text


def test_rows_of_tables_and_what_nobody_reads_are_left_to_others() -> None:
    row = passage("name: court; justices: nine", kind=LocatorKind.ROW)
    assert prune_tokens(QUESTION, [row], 0.5, by_words("nine")) == {}  # type: ignore[arg-type]
    assert prune_tokens(QUESTION, [*passages(COURT)], 0.5, lambda _query, _texts: None) == {}
    assert prune_tokens(QUESTION, [], 0.5, lambda _query, _texts: None) == {}


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_what_is_kept_of_a_passage_does_not_depend_on_the_others(
    reader: PairReader, share: float
) -> None:
    first, second = passages(COURT, "Nine justices sit in the court of Bern, and two in Chur.")
    both = prune_tokens(QUESTION, [first, second], share, reader.read)
    alone = prune_tokens(QUESTION, [replace(first, rank=1)], share, reader.read)
    assert both[passage_identity(first)] == alone[passage_identity(first)]
