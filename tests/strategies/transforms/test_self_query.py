import json
from dataclasses import replace

import pytest

from desktop_rag.catalog import metadata_filter
from desktop_rag.generation.prompts import Prompts
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.transforms.self_query import SelfQuery
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import ANSWER, TEXTS, passed, searched, steps, told

QUESTION = "What do the PDFs from 2023 say about the rent of the house?"
FILTER = "ext:pdf after:2023 before:2024"
REST = "What is the rent of the house?"


def taken_apart(chosen: str, rest: str = REST) -> str:
    return json.dumps({"filter": chosen, "query": rest})


class Filtered(FakeRetriever):
    """Finds nothing behind any filter."""

    def search(self, query: Query) -> SearchResult:
        found = super().search(query)
        return replace(found, passages=(), evidence=0.0) if query.where else found


def test_the_filter_narrows_the_search_for_the_rest(double: OllamaDouble, begin: Begin) -> None:
    double.say(taken_apart(FILTER), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(SelfQuery(), begin(retriever, QUESTION))
    assert [(query.text, query.where) for query in retriever.queries] == [(REST, FILTER)]
    assert steps(events) == [("decision", f"{FILTER} · {REST}")]
    assert QUESTION in double.chats[-1].prompt
    assert outcome.text == ANSWER
    assert told(events) == []


@pytest.mark.parametrize(
    ("question", "is_kept"),
    [("What do the PDFs from 2023 say?", True), ("Who founded the court?", False)],
)
def test_the_prompts_example_is_no_filter_of_a_question_without_its_year(
    double: OllamaDouble, begin: Begin, question: str, *, is_kept: bool
) -> None:
    """Small models copy it, and nothing is found."""
    double.say(taken_apart(FILTER), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, _ = passed(SelfQuery(), begin(retriever, question))
    assert [query.where for query in retriever.queries] == [FILTER if is_kept else ""]
    dropped = ["A filter that the model copied from the example is dropped."]
    assert told(events) == ([] if is_kept else dropped)


def test_the_filter_holds_for_whatever_a_strategy_searches(
    double: OllamaDouble, begin: Begin
) -> None:
    class Wandering:
        def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
            assert question.text == QUESTION
            yield from tools.search("something else", "a query of its own", 2)
            return (yield from tools.answer(()))

    double.say(taken_apart(FILTER))
    retriever = FakeRetriever(*TEXTS)
    passed(SelfQuery(), begin(retriever, QUESTION), Wandering())
    assert [(query.text, query.where) for query in retriever.queries] == [
        ("something else", FILTER)
    ]


def test_the_users_own_filter_holds_where_both_speak_of_the_same(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(taken_apart("ext:pdf title:lease"), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    passed(SelfQuery(), replace(research, question=replace(research.question, where="ext:docx")))
    chosen = metadata_filter.parse_filter(retriever.queries[0].where)
    assert (chosen.extensions, chosen.title) == (("docx",), ("lease",))


@pytest.mark.parametrize("wrong", ["editor:Anna", "after:yesterday", 'title:"open', "rent"])
def test_a_filter_that_cannot_be_read_is_dropped_with_a_notice(
    double: OllamaDouble, begin: Begin, wrong: str
) -> None:
    double.say(taken_apart(wrong), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(SelfQuery(), begin(retriever, QUESTION))
    assert [(query.text, query.where) for query in retriever.queries] == [(QUESTION, "")]
    assert "dropped" in told(events)[0]
    assert outcome.text == ANSWER


def test_what_a_filter_selects_in_vain_is_searched_again_without_it(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(taken_apart(FILTER), "It is in Zug.", ANSWER)
    retriever = Filtered(*TEXTS)
    events, outcome = passed(SelfQuery(), begin(retriever, QUESTION), IterRetgen(rounds=2))
    assert [(query.text, query.where) for query in retriever.queries] == [
        (REST, FILTER),
        (QUESTION, ""),
        (f"{QUESTION} It is in Zug.", ""),
    ]
    assert [FILTER in text for text in told(events)] == [True], "told once, given up for good"
    assert outcome.text == ANSWER


def test_a_question_that_speaks_of_no_documents_is_searched_as_it_is(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(taken_apart("", "something else"), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, _ = passed(SelfQuery(), begin(retriever, QUESTION))
    assert [(query.text, query.where) for query in retriever.queries] == [(QUESTION, "")]
    assert told(events) == []


def test_a_rest_that_says_nothing_is_replaced_by_the_question(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(taken_apart("ext:pdf", " ? "), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, _ = passed(SelfQuery(), begin(retriever, QUESTION))
    assert (searched(events), retriever.queries[0].where) == ([QUESTION], "ext:pdf")


def test_a_model_that_breaks_the_form_twice_changes_nothing(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say('{"where": 1}', '{"where": 2}', ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(SelfQuery(), begin(retriever, QUESTION))
    assert [(query.text, query.where) for query in retriever.queries] == [(QUESTION, "")]
    assert told(events)[-1].endswith("The question is searched as it is.")
    assert outcome.text == ANSWER


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_names_every_key_of_a_filter_and_its_examples_can_be_read(language: str) -> None:
    text = Prompts(language).text("transform/self_query", question="?", today="2024-05-01")
    told = set(metadata_filter._KEYS) - {"kb"}  # what is asked is not the model's to say
    assert all(f"\n{key}:" in text for key in told)
    lines = [line for line in text.splitlines() if line.startswith('{"filter"')]
    assert len(lines) == 2
    for line in lines:
        metadata_filter.parse_filter(json.loads(line)["filter"])
