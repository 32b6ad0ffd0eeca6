from desktop_rag.core.events import Draft
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.transforms.hyde import Hyde
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import fail
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    QUESTION,
    TEXTS,
    passed,
    searched,
    told,
)

MADE = "The rent is 900 euros a month,\n\ndue on the first [1]."
CLEAN = "The rent is 900 euros a month, due on the first."


def test_one_passage_is_made_up_and_only_the_vector_knows_of_it(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(MADE, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(Hyde(), begin(retriever, QUESTION))
    (query,) = retriever.queries
    assert (query.text, query.question, query.alike, query.asked) == (QUESTION, None, (CLEAN,), "")
    assert searched(events) == [QUESTION]
    assert [(e.text, e.kept) for e in events if isinstance(e, Draft)] == [(CLEAN, False)]
    assert "900 euros" not in double.chats[-1].prompt
    assert outcome.text == ANSWER


def test_the_papers_eight_passages_are_an_option(double: OllamaDouble, begin: Begin) -> None:
    double.say(*(f"The rent is {n}00 francs." for n in range(1, 9)), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    passed(Hyde(passages=8), begin(retriever, QUESTION))
    assert retriever.queries[0].alike == tuple(f"The rent is {n}00 francs." for n in range(1, 9))
    *made, answered = double.chats
    assert {request.options["temperature"] for request in made} == {0.7}
    assert answered.options["temperature"] == 0.0
    assert len(made) == 8


def test_every_query_that_begins_with_the_question_is_near_the_passage(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(MADE, "It is in Zug.", ANSWER)
    retriever = FakeRetriever(*TEXTS)
    passed(Hyde(), begin(retriever, QUESTION), IterRetgen(rounds=2))
    assert [query.alike for query in retriever.queries] == [(CLEAN,), (CLEAN,)]


def test_a_call_that_fails_ends_the_making_up_and_what_there_is_is_used(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(MADE, fail(500, "busy"), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, _ = passed(Hyde(passages=3), begin(retriever, QUESTION))
    assert retriever.queries[0].alike == (CLEAN,)
    assert told(events)[0].endswith("The passages made up until then are used.")
    assert len(double.chats) == 3


def test_an_empty_passage_is_left_out(double: OllamaDouble, begin: Begin) -> None:
    double.say(" ", MADE, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, _ = passed(Hyde(passages=2), begin(retriever, QUESTION))
    assert retriever.queries[0].alike == (CLEAN,)
    assert told(events) == []
