from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.transforms.query2doc import Query2Doc
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import ANSWER, QUESTION, TEXTS, passed, searched

MADE = "The monthly housing costs\nin Zug are 900 francs [2]."
CLEAN = "The monthly housing costs in Zug are 900 francs."


def test_the_document_stands_behind_the_query_and_is_no_evidence(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(MADE, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(Query2Doc(), begin(retriever, QUESTION))
    (query,) = retriever.queries
    assert (query.text, query.question) == (f"{QUESTION} {CLEAN}", QUESTION)
    assert query.asked == QUESTION
    assert query.alike == ()
    assert searched(events) == [query.text]
    assert "900 francs" not in double.chats[-1].prompt
    assert outcome.text == ANSWER


def test_the_document_is_as_long_as_is_set(double: OllamaDouble, begin: Begin) -> None:
    double.say("one two three four five six " * 20, ANSWER)
    passed(Query2Doc(tokens=20), begin(FakeRetriever(*TEXTS), QUESTION))
    assert double.chats[0].options["num_predict"] == 20


def test_the_document_stands_behind_what_a_strategy_adds(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(MADE, "It is in Zug.", ANSWER)
    retriever = FakeRetriever(*TEXTS)
    passed(Query2Doc(), begin(retriever, QUESTION), IterRetgen(rounds=2))
    assert retriever.queries[1].text == f"{QUESTION} It is in Zug. {CLEAN}"
