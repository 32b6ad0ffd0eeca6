"""What a language model says of answers, each judgement pinned by a conversation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.settings import Settings
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.llm_judge import Judge, Judgement, average_precision, figures
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.strategies.base import Question, run_to_end
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.research_context import ResearchContext
from testing.fake_retriever import FakeRetriever, passages
from testing.ollama_double import OllamaDouble

ASKED = "When was the ferry bought?"
KNOWN = "It was bought in 2019. It is named Sula."
SOURCES = passages("The ferry Sula was bought in 2019.", "Fuel is dear.", "Sula is white.")
RIGHT = {"right": True}
STATEMENTS = {"statements": ["The ferry was bought in 2019.", "It is blue."]}
HALF = {"supported": [True, False]}
BACK = {"questions": ["When?", "Which year?", "What colour?"], "noncommittal": False}
USEFUL = {"useful": [True, False, True]}
FACTS = {"fact_1": "True", "fact_2": "Not clear"}
ALL = (RIGHT, STATEMENTS, HALF, BACK, USEFUL, HALF, FACTS)


class Directions:
    """Gives each text the direction of its first letter's turn: the question's own is along x."""

    def embed_query(self, text: str) -> Vectors:
        turns = {ASKED: 0.0, "When?": 0.0, "Which year?": np.pi / 3, "What colour?": np.pi / 2}
        return np.array([np.cos(turns[text]), np.sin(turns[text])])


Begin = Callable[..., Judge]


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def begin(double: OllamaDouble) -> Begin:
    def make(
        text: str = "In 2019 [1].", mode: str = "generated", known: tuple[str, ...] = (KNOWN,)
    ) -> Judge:
        model = OllamaChat(double.url, "llama3.2:3b", Settings().ollama)
        engine = ResearchContext(FakeRetriever(), None, model, Settings())
        calls = ModelTools(engine, Question(ASKED, ASKED, "en"), CancelToken())
        answer = Answer(
            text, mode, (), "single_pass", "m", 1, 1, len(SOURCES), 0, 0, 0.0, (), None, SOURCES
        )
        return Judge(
            calls,
            cast("Embedder", Directions()),
            EvalQuestion("q", ASKED, known, frozenset({"1"})),
            answer,
        )

    return make


def say(double: OllamaDouble, *replies: object) -> None:
    double.say(*(each if isinstance(each, str) else json.dumps(each) for each in replies))


def test_every_judgement_is_taken_from_the_model_s_decisions(
    double: OllamaDouble, begin: Begin
) -> None:
    say(double, *ALL)
    found = run_to_end(begin().judged())
    assert (found.right, found.faithful, found.recall, found.facts) == (1.0, 0.5, 0.5, 0.5)
    assert found.relevance == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.precision == pytest.approx((1 + 2 / 3) / 2)
    assert found.unsaid == 0
    right, statements, supported, back, useful, recall, facts = double.chats
    assert "1. It was bought in 2019." in right.messages[-1]["content"]
    assert "In 2019" in right.messages[-1]["content"]
    assert "[1]" not in right.messages[-1]["content"]
    assert ASKED in statements.messages[-1]["content"]
    assert "2. It is blue." in supported.messages[-1]["content"]
    assert "bought in 2019" in supported.messages[-1]["content"]
    assert ASKED not in back.messages[-1]["content"], "it would only have to be repeated"
    assert useful.body["format"]["properties"]["useful"]["minItems"] == 3
    assert "2. It is named Sula." in recall.messages[-1]["content"]
    assert list(facts.body["format"]["properties"]) == ["fact_1", "fact_2"]


def test_a_broken_form_is_asked_for_again_once_and_then_counted(
    double: OllamaDouble, begin: Begin
) -> None:
    short = {"supported": [True]}
    say(double, {"right": "maybe"}, RIGHT, STATEMENTS, short, short, BACK, USEFUL, HALF, FACTS)
    found = run_to_end(begin().judged())
    assert found.right == 1.0
    assert found.faithful is None, "one verdict for two statements, twice"
    assert found.facts == 0.5
    assert found.unsaid == 1
    assert "object of this form" in double.chats[1].messages[-1]["content"]


def test_an_answer_that_says_nothing_definite_is_not_relevant(
    double: OllamaDouble, begin: Begin
) -> None:
    say(double, *ALL[:3], BACK | {"noncommittal": True}, *ALL[4:])
    assert run_to_end(begin("It depends.").judged()).relevance == 0.0


def test_a_refusal_is_wrong_where_an_answer_is_known_and_else_not_judged(
    double: OllamaDouble, begin: Begin
) -> None:
    judge = begin("Not found in your documents.", "refused")
    judge.answer = replace(judge.answer, sources=())
    assert run_to_end(judge.judged()) == Judgement(right=0.0)
    judge = begin("Not found in your documents.", "refused", known=())
    judge.answer = replace(judge.answer, sources=())
    assert run_to_end(judge.judged()) == Judgement()
    assert double.chats == []


def test_passages_that_do_not_fit_are_left_out_from_the_end(
    double: OllamaDouble, begin: Begin
) -> None:
    long = tuple(replace(each, text=f"{each.text} " + "word " * 6000) for each in SOURCES)
    judge = begin()
    judge.answer = replace(judge.answer, sources=long)
    say(double, *ALL[:4], {"useful": [True]}, HALF, FACTS)
    run_to_end(judge.judged())
    assert double.chats[4].body["format"]["properties"]["useful"]["minItems"] < 3


def test_figures_are_means_over_what_was_said_and_name_the_judge() -> None:
    judged = [Judgement(right=1.0, faithful=0.5), Judgement(right=0.0, unsaid=1)]
    made = figures(judged, "llama")
    assert (made["judge"], made["judged_right"], made["judged_faithful"]) == ("llama", 50.0, 50.0)
    assert made["judged_facts"] is None
    assert (made["judged_asked"], made["judged_unsaid"]) == (2, 1)


def test_average_precision_rewards_useful_passages_that_come_first() -> None:
    assert average_precision([True, False, False]) == 1.0
    assert average_precision([False, False, True]) == pytest.approx(1 / 3)
    assert average_precision([False]) == 0.0
