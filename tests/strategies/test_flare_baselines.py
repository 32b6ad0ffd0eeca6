"""FLARE's baselines, which search in a fixed rhythm."""

from collections.abc import Sequence

import pytest

from desktop_rag.core.events import Event, PassagesFound, Token
from desktop_rag.strategies.base import Strategy, StrategyResult
from desktop_rag.strategies.flare_baselines import PreviousSentence, PreviousWindow
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble, fail
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Reply, Script
from testing.ollama_double.words import count
from tests.strategies.conftest import Begin, Run, finished

QUESTION = "Where was the founder of the Lighthouse company born?"
TEXTS = (
    "The founder of the Lighthouse company is Anna Berg.",
    "The Lighthouse company has a founder and a board.",
    "Anna Berg was born in Oslo, the capital.",
    "Berg is a name.",
    "Oslo is the capital of Norway.",
    "A capital is a city.",
)
WHOLE = " ".join(f"word{n}" for n in range(1, 30)) + "."


@pytest.fixture
def run(double: OllamaDouble, begin: Begin) -> Run:
    def go(
        strategy: Strategy, *replies: Reply, question: str = QUESTION, texts: Sequence[str] = TEXTS
    ) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        double.say(*replies)
        retriever = FakeRetriever(*texts)
        research = begin(retriever, question)
        events, outcome = finished(strategy.run(research.question, research))
        return retriever, events, outcome

    return go


def test_every_sentence_is_the_query_for_the_next(run: Run, double: OllamaDouble) -> None:
    retriever, events, outcome = run(
        PreviousSentence(),
        "The founder is Anna Berg [1]. She was born in Rome.",
        " She was born in Oslo [3]. She left.",
        " Oslo is in Norway.",
    )
    assert [query.text for query in retriever.queries] == [
        QUESTION,
        "The founder is Anna Berg.",
        "She was born in Oslo.",
    ]
    assert [query.k for query in retriever.queries] == [2, 2, 2]
    assert outcome.text == (
        "The founder is Anna Berg [1]. She was born in Oslo [3]. Oslo is in Norway."
    )
    assert "".join(event.text for event in events if isinstance(event, Token)) == outcome.text
    found = [event.passages for event in events if isinstance(event, PassagesFound)]
    for request, passages in zip(double.chats, found, strict=True):
        assert {text for text in TEXTS if text in request.prompt} == {p.text for p in passages}
    assert {chat.options["num_predict"] for chat in double.chats} == {64}
    assert "logprobs" not in double.chats[0].body


def continuing(request: Recorded) -> Script:
    """Go on where the beginning ends, as a model would."""
    return Script(WHOLE[len(request.prefill) :])


def test_every_window_of_16_tokens_is_the_query_for_the_next(
    run: Run, double: OllamaDouble
) -> None:
    double.otherwise = continuing
    retriever, _, outcome = run(PreviousWindow(), texts=(*TEXTS, WHOLE))
    assert outcome.text == WHOLE
    assert [chat.options["num_predict"] for chat in double.chats] == [16] * len(double.chats)
    windows = [query.text for query in retriever.queries[1:]]
    assert " ".join(windows) + " " == WHOLE[: len(" ".join(windows)) + 1]
    assert all(8 <= count(each) <= 16 for each in windows)
    assert len(retriever.queries) == len(double.chats)


def test_a_window_is_an_option(run: Run, double: OllamaDouble) -> None:
    double.otherwise = continuing
    run(PreviousWindow(window=64), texts=(*TEXTS, WHOLE))
    assert len(double.chats) == 1


@pytest.mark.parametrize("last", [(" and", " [1", "]."), (" [1,", " 2", "].")])
def test_a_citation_is_not_cut_in_two(
    run: Run, double: OllamaDouble, last: tuple[str, ...]
) -> None:
    first = (*["a "] * 11, "Anna Berg", " founded", " it", *last)
    _, _, outcome = run(PreviousWindow(), Script(tokens=first), " [1].")
    kept = "Anna Berg founded it" + (" and" if "and" in last[0] else "")
    assert double.chats[1].prefill.endswith(kept)
    assert outcome.text.endswith(f"{kept} [1].")


@pytest.mark.parametrize("second", ["安娜离开了。", "Anna离开了。"])
def test_sentences_of_a_wide_script_need_no_space(run: Run, second: str) -> None:
    _, _, outcome = run(PreviousSentence(), "她叫安娜。还有。", second)
    assert outcome.text == f"她叫安娜。{second}"


@pytest.mark.parametrize("gap", ["", " ", "\n\n"])
def test_sentences_are_joined_as_the_model_meant_them(run: Run, gap: str) -> None:
    _, _, outcome = run(PreviousSentence(), "She is Anna. More.", f"{gap}She left.")
    assert outcome.text == f"She is Anna.{gap or ' '}She left."


@pytest.mark.parametrize("strategy", [PreviousSentence(), PreviousWindow()])
def test_an_answer_takes_256_tokens_in_all(
    run: Run, double: OllamaDouble, strategy: Strategy
) -> None:
    double.otherwise = lambda _: f"Number {len(double.chats)} is long " + "and long " * 30 + ". On."
    _, _, outcome = run(strategy)
    assert 180 < count(outcome.text) < 300
    assert outcome.unfinished
    assert len(double.chats) <= 24


@pytest.mark.parametrize("strategy", [PreviousSentence(), PreviousWindow()])
def test_nothing_is_searched_after_the_end(run: Run, strategy: Strategy) -> None:
    retriever, _, outcome = run(strategy, "She was born in Oslo [1].")
    assert [query.text for query in retriever.queries] == [QUESTION]
    assert not outcome.unfinished


@pytest.mark.parametrize("strategy", [PreviousSentence(), PreviousWindow()])
def test_a_failure_keeps_what_was_written(run: Run, strategy: Strategy) -> None:
    first = "Anna Berg founded the company in the city of Oslo in the year of 1902. " * 2
    _, _, outcome = run(strategy, first, fail(500, "it crashed"))
    assert outcome.unfinished
    assert outcome.text
    assert first.startswith(outcome.text)


@pytest.mark.parametrize("strategy", [PreviousSentence(), PreviousWindow()])
def test_without_evidence_nothing_is_written(
    run: Run, double: OllamaDouble, strategy: Strategy
) -> None:
    _, _, outcome = run(strategy, question="Why zebras?")
    assert (outcome.mode, double.chats) == ("refused", [])


@pytest.mark.parametrize("strategy", [PreviousSentence(), PreviousWindow()])
def test_a_window_or_sentence_without_meaning_is_no_query(run: Run, strategy: Strategy) -> None:
    retriever, _, _ = run(strategy, Script(tokens=tuple(["… "] * 40)), "… … .")
    assert [query.text for query in retriever.queries] == [QUESTION]


def test_short_sentences_are_at_their_end_after_forty(run: Run, double: OllamaDouble) -> None:
    double.otherwise = lambda _: f"Go {len(double.chats)}. On."
    _, _, outcome = run(PreviousSentence())
    assert len(double.chats) == 40
    assert outcome.text.endswith("Go 40.")
    assert outcome.unfinished
