import pytest

from desktop_rag.core.events import ModelCall
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.transforms.rewrite import Rewrite
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import ANSWER, QUESTION, TEXTS, passed, steps, told

REWRITTEN = "rent house Anna Berg"


def test_the_rewritten_question_is_searched_and_the_question_is_answered(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(REWRITTEN, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(Rewrite(), begin(retriever, QUESTION))
    assert [(query.text, query.question) for query in retriever.queries] == [(REWRITTEN, QUESTION)]
    assert [event.purpose for event in events if isinstance(event, ModelCall)] == [
        "rewrite",
        "answer",
    ]
    asked, answered = double.chats
    assert QUESTION in asked.prompt
    assert asked.options["num_predict"] <= 160
    assert QUESTION in answered.prompt
    assert REWRITTEN not in answered.prompt
    assert outcome.text == ANSWER
    assert steps(events) == [("rewritten", REWRITTEN)]
    assert told(events) == []


def test_a_later_query_that_begins_with_the_question_begins_with_the_rewritten_one(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(REWRITTEN, "It is in Zug.", "In Zug [1].")
    retriever = FakeRetriever(*TEXTS)
    passed(Rewrite(), begin(retriever, QUESTION), IterRetgen(rounds=2))
    assert [query.text for query in retriever.queries] == [REWRITTEN, f"{REWRITTEN} It is in Zug."]


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("Query: rent of the house", "rent of the house"),
        ("**“rent of the house”**\n\nI left the rest out.", "rent of the house"),
        ("Rewritten query: rent [1]", "rent"),
        ("查询：house 的租金", "house 的租金"),
        ('Who let "the house"', 'Who let "the house"'),
        ("Who wrote Faust", f"{QUESTION} Who wrote Faust"),  # of something else: both
    ],
)
def test_only_the_query_is_taken_from_a_reply(
    double: OllamaDouble, begin: Begin, reply: str, query: str
) -> None:
    double.say(reply)
    retriever = FakeRetriever(*TEXTS)
    passed(Rewrite(), begin(retriever, QUESTION))
    assert retriever.queries[0].text == query


@pytest.mark.parametrize(
    "reply",
    ["...", "word " * 100 + "\n" + "word " * 100, Script("rent house Anna Berg", breaks_after=2)],
    ids=["no words", "too long", "broken off"],
)
def test_a_reply_that_is_no_query_leaves_the_question_as_it_is(
    double: OllamaDouble, begin: Begin, reply: str | Script
) -> None:
    double.say(reply, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(Rewrite(), begin(retriever, QUESTION))
    assert [query.text for query in retriever.queries] == [QUESTION]
    assert told(events)[-1].endswith("The question is searched as it is.")
    assert outcome.text == ANSWER
