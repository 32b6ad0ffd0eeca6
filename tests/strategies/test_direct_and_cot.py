"""What retrieval is measured against: no retrieval, and reasoning with and without it."""

from typing import Any

import pytest

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Event, Token
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Strategy, StrategyResult
from desktop_rag.strategies.chain_of_thought import ChainOfThought
from desktop_rag.strategies.direct import Direct
from desktop_rag.strategies.single_pass_cot import SinglePassCot
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble, fail
from testing.ollama_double.script import Reply, Script
from tests.strategies.conftest import Begin, Run, finished

QUESTION = "Where was the founder of the Lighthouse company born?"
TEXTS = (
    "Anna Berg founded the Lighthouse company.",
    "Anna Berg was born in Oslo.",
    "Tea is grown in the hills.",
    "The tower was built in 1902.",
    "A company has a board.",
    "Rome is a city.",
)
SAID = "Anna Berg founded the Lighthouse company. Penguins swim. Anna Berg was born in Oslo."
OPEN = Settings(answering=Answering(only_documents=False))
WITHOUT = [(Direct(), "answer/brief"), (ChainOfThought(), "answer/chain_of_thought")]


@pytest.fixture
def run(double: OllamaDouble, begin: Begin) -> Run:
    def go(
        strategy: Strategy, *replies: Reply, question: str = QUESTION, **more: Any
    ) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        double.say(*replies)
        retriever = FakeRetriever(*TEXTS)
        research = begin(retriever, question, **more)
        events, outcome = finished(strategy.run(research.question, research))
        return retriever, events, outcome

    return go


@pytest.mark.parametrize(("strategy", "manner"), WITHOUT)
def test_the_model_answers_without_passages(
    run: Run, double: OllamaDouble, strategy: Strategy, manner: str
) -> None:
    run(strategy, SAID)
    run(strategy, SAID, settings=OPEN)
    for chat in double.chats:
        assert chat.said("system") == Prompts("en").closed_book(manner)
        assert chat.said("user") == f"Question: {QUESTION}"


@pytest.mark.parametrize(("strategy", "manner"), WITHOUT)
def test_where_only_documents_count_just_what_they_support_is_kept(
    run: Run, strategy: Strategy, manner: str
) -> None:
    del manner
    retriever, events, outcome = run(strategy, SAID)
    assert outcome.text == (
        "Anna Berg founded the Lighthouse company. [1] Anna Berg was born in Oslo. [2]"
    )
    assert "".join(event.text for event in events if isinstance(event, Token)) == outcome.text
    assert len(retriever.queries) == 3


@pytest.mark.parametrize(("strategy", "manner"), WITHOUT)
def test_where_the_model_may_know_it_all_is_shown_and_nothing_searched(
    run: Run, strategy: Strategy, manner: str
) -> None:
    del manner
    retriever, events, outcome = run(strategy, SAID, settings=OPEN)
    assert (outcome.text, outcome.sources, retriever.queries) == (SAID, (), [])
    assert len([event for event in events if isinstance(event, Token)]) > 5


@pytest.mark.parametrize("settings", [Settings(), OPEN])
@pytest.mark.parametrize(("strategy", "manner"), WITHOUT)
def test_a_server_that_fails_is_an_error_of_the_models(
    run: Run, strategy: Strategy, manner: str, settings: Settings
) -> None:
    del manner
    with pytest.raises(ModelUnavailable):
        run(strategy, fail(500, "it crashed"), settings=settings)


def test_a_reply_that_breaks_off_is_grounded_as_far_as_it_came(run: Run) -> None:
    _, _, outcome = run(Direct(), Script(f"{TEXTS[1]} And then", breaks_after=7))
    assert (outcome.text, outcome.unfinished) == (f"{TEXTS[1]} [1]", True)


def test_a_chinese_question_is_answered_by_chinese_rules(run: Run, double: OllamaDouble) -> None:
    _, _, outcome = run(ChainOfThought(), "我不知道。", question="创始人出生在哪里？")
    assert double.chats[0].said("system") == Prompts("zh").closed_book("answer/chain_of_thought")
    assert outcome.mode == "refused"


def test_chain_of_thought_over_passages_searches_once_and_reasons(
    run: Run, double: OllamaDouble
) -> None:
    retriever, _, outcome = run(
        SinglePassCot(), "She was born in Oslo [1]. So the answer is: Oslo."
    )
    assert [(query.text, query.k) for query in retriever.queries] == [(QUESTION, 5)]
    assert Prompts("en").text("answer/chain_of_thought") in double.chats[0].said("system")
    assert len(double.chats) == 1
    assert outcome.text.endswith("So the answer is: Oslo.")
    assert len(outcome.sources) == 5
