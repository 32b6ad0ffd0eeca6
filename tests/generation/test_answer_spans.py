from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from desktop_rag.core.paths import resources
from desktop_rag.generation.answer_spans import find_answer_quotes
from desktop_rag.generation.extract import extract
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.models.pair_reader import PairReader, PairReading
from testing.fake_retriever import passages

QUESTION = "Where was the painter of the harbour born?"
LIFE = (
    "The painter of the harbour was a member of a guild that painted harbours. "
    "Anna Meer was born in Delft. The harbour was painted by painters born elsewhere, too."
)
LONG = " ".join(
    f"In the year {1500 + n} the harbour was painted again by a guild." for n in range(60)
)


@pytest.fixture(scope="module")
def reader() -> PairReader:
    return PairReader(resources() / "models" / "pair-reader")


class Marking:
    """A reader that sees the answer in one word, and remembers what it was given."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.texts: list[str] = []

    def read(self, _query: str, texts: Sequence[str]) -> list[PairReading]:
        self.texts += texts
        return [self._reading(text) for text in texts]

    def _reading(self, text: str) -> PairReading:
        words = text.split(" ")
        ends = np.cumsum([len(word) + 1 for word in words]) - 1
        told = tuple(
            (int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True)
        )
        marks = np.zeros((len(told) + 3, 4), np.float32)
        for at, (begin, end) in enumerate(told):
            marks[at + 2, :2] = 3.0 if text[begin:end].strip(".") == self.word else -1.0
        return PairReading(0.0, marks, np.zeros(4, np.float32), (), told)


class Following(Marking):
    """Sees the answer in one word, and in another where it is told a third."""

    def __init__(self, word: str, told: str, then: str) -> None:
        super().__init__(word)
        self.told, self.then = told, then
        self.queries: list[str] = []

    def read(self, query: str, texts: Sequence[str]) -> list[PairReading]:
        self.queries.append(query)
        readings = super().read(query, texts)
        knowing = Marking(self.then).read(query, texts) if self.told in query else []
        for reading, more in zip(readings, knowing, strict=False):
            reading.marks[:] = np.where(more.marks > 0, 4.0, reading.marks)
        return readings


def _alike(quotes: Sequence[Quote]) -> list[float]:
    """Score quotes so that the first of each passage comes nearest to the question."""
    return [1.0 - at / 100 for at in range(len(quotes))]


def nobody(_query: str, _texts: Sequence[str]) -> None:
    """Read nothing, as where the question is in another script."""


def test_the_quote_that_holds_what_the_reader_marks_is_spotted() -> None:
    quotes = quotes_of(passages(LIFE, LONG))
    (found,) = find_answer_quotes(QUESTION, quotes, _alike(quotes), Marking("Delft").read)
    assert quotes[found].text == "Anna Meer was born in Delft."


def test_a_long_passage_is_read_to_its_end_in_whole_sentences() -> None:
    marking = Marking("1559")
    quotes = quotes_of(passages(LONG))
    (found,) = find_answer_quotes(QUESTION, quotes, _alike(quotes), marking.read)
    assert "1559" in quotes[found].text
    assert len(marking.texts) > 2
    assert " ".join(text.removeprefix("Report\n").strip() for text in marking.texts) == LONG
    assert all(text.endswith(".") for text in marking.texts)


TWO_STEPS = (
    "The harbour was painted by Anna Meer. She was paid with two houses in Haarlem.",
    "Anna Meer was born in Delft. She learnt her trade in Gouda.",
)


def test_where_the_reader_is_surer_once_it_is_told_more_a_second_quote_is_spotted() -> None:
    quotes = quotes_of(passages(*TWO_STEPS))
    reader = Following("Haarlem", "painted by Anna Meer", "Delft")
    found = find_answer_quotes(QUESTION, quotes, _alike(quotes), reader.read)
    assert [quotes[at].text for at in found] == [
        "She was paid with two houses in Haarlem.",
        "Anna Meer was born in Delft.",
    ]
    assert reader.queries[1] == f"{QUESTION} Report: The harbour was painted by Anna Meer."
    made = extract(QUESTION, passages(*TWO_STEPS), None, reader.read)
    assert "“Anna Meer was born in Delft.” [2]" in made.text


def test_what_a_passage_says_of_another_is_what_the_reader_is_told_of_it() -> None:
    by_name = [
        replace(each, title=title)
        for each, title in zip(passages(*TWO_STEPS), ("Harbour", "Haarlem (city)"), strict=True)
    ]
    quotes = quotes_of(by_name)
    reader = Following("Delft", "nobody says this", "Delft")
    find_answer_quotes(QUESTION, quotes, _alike(quotes), reader.read)
    assert reader.queries[1] == f"{QUESTION} Harbour: She was paid with two houses in Haarlem."
    assert reader.queries[2] == f"{QUESTION} Haarlem (city): Anna Meer was born in Delft."


def test_where_it_is_not_surer_nothing_is_added() -> None:
    quotes = quotes_of(passages(*TWO_STEPS))
    reader = Following("Haarlem", "nobody says this", "Delft")
    found = find_answer_quotes(QUESTION, quotes, _alike(quotes), reader.read)
    assert [quotes[at].text for at in found] == ["She was paid with two houses in Haarlem."]


def test_the_best_quote_stays_first_and_three_are_the_most() -> None:
    texts = ("The harbour was painted by the painter of the harbour.", *TWO_STEPS)
    reader = Following("Haarlem", "painted by Anna Meer", "Delft")
    plain = extract(QUESTION, passages(*texts), None)
    made = extract(QUESTION, passages(*texts), None, reader.read)
    assert made.text.partition("\n\n")[0] == plain.text.partition("\n\n")[0]
    assert len(made.citations) <= 3
    assert {"She was paid with two houses in Haarlem.", "Anna Meer was born in Delft."} <= {
        each.quote for each in made.citations
    }


def test_where_nobody_reads_the_answer_is_as_without_a_reader() -> None:
    quotes = quotes_of(passages(LIFE))
    assert find_answer_quotes(QUESTION, quotes, _alike(quotes), nobody) == []
    assert extract(QUESTION, passages(LIFE), None, nobody) == extract(
        QUESTION, passages(LIFE), None
    )


def test_what_was_cut_off_before_it_was_read_is_no_answer() -> None:
    reading = Marking("Delft").read(QUESTION, ["Anna was born in Delft."])[0]
    assert reading.margin_in((0, 4)) == -2.0
    assert reading.margin_in((100, 120)) == -float("inf")
    assert reading.margin_in((0, 23)) == 6.0


def test_the_built_in_reader_adds_the_sentence_that_answers(reader: PairReader) -> None:
    question = "How long is the notice period of the lease?"
    lease = (
        "The period of the lease is told on the notice of the lease. "
        "Either side may end it with three months' notice. "
        "The notice board of the lease office hangs beside the door for the period of the lease."
    )
    made = extract(question, passages(lease), None, reader.read)
    assert "“Either side may end it with three months' notice.” [1]" in made.text.split("\n\n")[1]
    assert "three months" not in extract(question, passages(lease), None).text
    assert len(made.citations) <= 3


def test_the_built_in_reader_follows_what_it_is_told(reader: PairReader) -> None:
    question = "Who directed the film that Anna Meer wrote?"
    writer = "Anna Meer is a Dutch writer. She wrote the screenplay of the film Low Water."
    film = "Low Water is a 1962 drama film directed by Pieter Haas. It was shot in Zeeland."
    found = [
        replace(each, title=title)
        for each, title in zip(passages(writer, film), ("Anna Meer", "Low Water"), strict=True)
    ]
    made = extract(question, found, None, reader.read)
    assert "directed by Pieter Haas.” [2]" in made.text
