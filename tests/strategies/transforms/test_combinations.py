"""All transforms, alone and one behind the other, before every strategy there is."""

from typing import Any

import pytest

from desktop_rag.core.events import ModelCall, Token
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies import registry
from desktop_rag.strategies.base import StrategyResult
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.base import apply_transforms
from desktop_rag.strategies.transforms.passage_utility import Utility
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import fail
from tests.strategies.conftest import Begin, finished
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    LEASE,
    OWNER,
    QUESTION,
    TEXTS,
    listing,
    passed,
    searched,
    steps,
    told,
)

OF_A_MODEL = [kind for kind in registry.TRANSFORMS if "llm" in kind.needs]
ALL = [kind.name for kind in registry.TRANSFORMS]
SEARCHING = [kind for kind in OF_A_MODEL if kind.name != "verify"]
ZH_QUESTION = "安娜出租的房子租金是多少？"
ZH_TEXTS = ("房子的租金是每月一千四百五十法郎。", "安娜把房子租给了奥托。", "茶叶产于山区。")


@pytest.mark.parametrize("kind", registry.TRANSFORMS, ids=lambda kind: kind.name)
def test_without_a_model_the_strategy_runs_on_the_question_as_it_is(
    kind: type[Any], begin: Begin
) -> None:
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(kind(), begin(retriever, QUESTION, model=False))
    assert [query.text for query in retriever.queries] == [QUESTION]
    assert outcome.mode == "extracted"
    assert OWNER in outcome.text
    assert len(told(events)) == len(kind.needs) + (kind is Utility)  # nor is there a reader
    assert all(kind.title in text for text in told(events))


@pytest.mark.parametrize("kind", SEARCHING, ids=lambda kind: kind.name)
def test_where_its_call_fails_the_strategy_runs_on_the_question_as_it_is(
    kind: type[Any], double: OllamaDouble, begin: Begin
) -> None:
    double.say(fail(500, "busy"), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(kind(), begin(retriever, QUESTION))
    assert [(query.text, query.alike, query.where) for query in retriever.queries] == [
        (QUESTION, (), "")
    ]
    assert len(told(events)) == 1
    assert told(events)[0].startswith(f"{kind.title}: ")
    assert told(events)[0].endswith("The question is searched as it is.")
    assert outcome.text == ANSWER


@pytest.mark.parametrize("kind", SEARCHING, ids=lambda kind: kind.name)
def test_an_empty_reply_changes_nothing_and_says_so(
    kind: type[Any], double: OllamaDouble, begin: Begin
) -> None:
    double.otherwise = lambda request: (
        ANSWER
        if "<passage_" in request.prompt
        else '{"questions": [], "filter": 5}'
        if request.body.get("format")
        else ""
    )
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(kind(), begin(retriever, QUESTION))
    assert [(query.text, query.alike, query.where) for query in retriever.queries] == [
        (QUESTION, (), "")
    ]
    assert told(events)[-1].endswith("The question is searched as it is.")
    assert outcome.text == ANSWER


@pytest.mark.parametrize("kind", OF_A_MODEL, ids=lambda kind: kind.name)
def test_a_chinese_question_is_put_to_the_model_in_chinese(
    kind: type[Any], double: OllamaDouble, begin: Begin
) -> None:
    retriever = FakeRetriever(*ZH_TEXTS)
    _, outcome = passed(kind(), begin(retriever, ZH_QUESTION))
    english = Prompts("en").text("answer/rules", scope="", manner="")[:40]
    for request in double.chats:
        assert "Question:" not in request.prompt.replace("Question: " + ZH_QUESTION, "")
        assert english not in request.prompt
    assert outcome.mode in ("generated", "refused")


@pytest.mark.parametrize("kind", OF_A_MODEL, ids=lambda kind: kind.name)
def test_calls_are_short_and_the_model_does_not_think_aloud(
    kind: type[Any], double: OllamaDouble, begin: Begin
) -> None:
    events, _ = passed(kind(), begin(FakeRetriever(*TEXTS), QUESTION))
    purposes = [event.purpose for event in events if isinstance(event, ModelCall)]
    assert len(purposes) > 1
    for purpose, request in zip(purposes, double.chats, strict=True):
        if purpose != "answer":
            assert request.options["num_predict"] <= 400
            assert request.body.get("think") in (None, False)


@pytest.mark.parametrize("kind", registry.STRATEGIES, ids=lambda kind: kind.name)
@pytest.mark.parametrize(
    "name", ["all", *(pytest.param(each, marks=pytest.mark.slow) for each in ALL)]
)
def test_every_transform_composes_with_every_strategy(
    kind: type[Any], name: str, double: OllamaDouble, begin: Begin
) -> None:
    chosen = registry.transforms(ALL if name == "all" else [name], {})
    research = begin(FakeRetriever(*TEXTS), QUESTION)
    events, outcome = finished(apply_transforms(chosen, kind()).run(research.question, research))
    assert isinstance(outcome, StrategyResult)
    assert outcome.text
    assert outcome.mode in ("generated", "refused")
    calls = [event for event in events if isinstance(event, ModelCall)]
    assert len(calls) == len(double.chats) < 80
    if outcome.mode == "generated":
        shown = "".join(event.text for event in events if isinstance(event, Token))
        assert outcome.text in shown
    assert all("\n" not in query for query in searched(events))


@pytest.mark.parametrize("names", [("rewrite", "multi_query"), ("multi_query", "rewrite")])
def test_the_first_that_is_named_acts_first_and_both_act_on_the_search(
    names: tuple[str, ...], double: OllamaDouble, begin: Begin
) -> None:
    replies = {"rewrite": "rent house", "multi_query": listing(["What does the tenant pay?"])}
    double.say(*(replies[name] for name in names), ANSWER)
    research = begin(FakeRetriever(*TEXTS), QUESTION)
    composed = apply_transforms(registry.transforms(names, {}), SinglePass(k=3))
    events, _ = finished(composed.run(research.question, research))
    kinds = {"rewritten": "rewrite", "another wording": "multi_query"}
    assert [kinds[kind] for kind, _ in steps(events)] == list(names)
    assert searched(events) == ["rent house", "What does the tenant pay?"]


@pytest.mark.parametrize("names", [("hyde", "self_query"), ("self_query", "hyde")])
def test_what_several_ask_of_one_search_is_asked_together(
    names: tuple[str, ...], double: OllamaDouble, begin: Begin
) -> None:
    replies = {"hyde": "It is 900.", "self_query": '{"filter": "ext:pdf", "query": "the rent"}'}
    double.say(*(replies[name] for name in names), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    composed = apply_transforms(registry.transforms(names, {}), SinglePass(k=3))
    finished(composed.run(research.question, research))
    (query,) = retriever.queries
    assert (query.text, query.alike, query.where) == ("the rent", ("It is 900.",), "ext:pdf")


def test_a_filter_holds_for_every_wording(double: OllamaDouble, begin: Begin) -> None:
    replies = ('{"filter": "ext:pdf", "query": "the rent"}', listing(["What is paid?"]))
    for order in (1, -1):
        names = ["self_query", "multi_query"][::order]
        double.say(*replies[::order], ANSWER)
        retriever = FakeRetriever(*TEXTS)
        research = begin(retriever, QUESTION)
        composed = apply_transforms(registry.transforms(names, {}), SinglePass(k=3))
        finished(composed.run(research.question, research))
        assert [query.where for query in retriever.queries] == ["ext:pdf", "ext:pdf"]


def test_what_was_said_before_is_left_to_condensing(double: OllamaDouble, begin: Begin) -> None:
    double.say(ANSWER)
    history = (Message("user", LEASE), Message("assistant", OWNER))
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION, history=history)
    (condense,) = registry.transforms(["condense"], {})
    passed(condense, research)
    assert [query.text for query in retriever.queries] == [QUESTION]
    assert len(double.chats) == 1


@pytest.mark.parametrize(
    ("names", "query"),
    [(("rewrite", "self_query"), "the rent"), (("self_query", "rewrite"), "rent house")],
)
def test_of_two_that_put_the_question_in_other_words_the_last_one_counts(
    names: tuple[str, ...], query: str, double: OllamaDouble, begin: Begin
) -> None:
    replies = {"rewrite": "rent house", "self_query": '{"filter": "ext:pdf", "query": "the rent"}'}
    double.say(*(replies[name] for name in names), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    composed = apply_transforms(registry.transforms(names, {}), SinglePass(k=3))
    finished(composed.run(research.question, research))
    assert [(each.text, each.where) for each in retriever.queries] == [(query, "ext:pdf")]
