from dataclasses import replace

import pytest

from desktop_rag.core.types import KbId
from desktop_rag.strategies.base import Question, SearchOverrides
from desktop_rag.strategies.transforms.query_fusion import search_variants
from desktop_rag.strategies.transforms.search_override import (
    aimed_search,
    every_search,
    is_question_query,
)
from testing.fake_retriever import FakeRetriever
from tests.strategies.conftest import Begin, finished
from tests.strategies.transforms.transform_setup import QUESTION, TEXTS


@pytest.mark.parametrize(
    ("query", "text", "is_asked"),
    [
        (QUESTION, QUESTION, True),
        (f"{QUESTION} Anna Berg let it.", QUESTION, True),
        (f"{QUESTION}, Anna Berg", QUESTION, True),
        ("Where is the house?", QUESTION, False),
        (f"Well: {QUESTION}", QUESTION, False),
        ("rents of houses", "rent", False),
        ("rent of the house", "rent", True),
        ("房子的租金是多少法郎", "房子的租金", True),
        ("租金", "房子的租金", False),
    ],
)
def test_a_query_is_the_questions_where_it_begins_with_all_of_it(
    query: str, text: str, is_asked: bool
) -> None:
    assert is_question_query(query, Question(text, text, "en")) is is_asked


def test_only_a_query_that_begins_with_the_question_is_put_in_another_way(begin: Begin) -> None:
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)

    def change(aim: SearchOverrides) -> SearchOverrides:
        return replace(aim, instead="rent", behind="francs", alike=("a passage",))

    tools = aimed_search(research, research.question, change)
    for query in (QUESTION, f"{QUESTION} In Zug.", "Where is tea grown?"):
        finished(tools.search(query, "why", 2))
    assert [(query.text, query.alike) for query in retriever.queries] == [
        ("rent francs", ("a passage",)),
        ("rent In Zug. francs", ("a passage",)),
        ("Where is tea grown?", ()),
    ]
    assert [query.asked for query in retriever.queries] == ["rent", "rent", ""]
    assert [query.question for query in retriever.queries] == [QUESTION] * 3


def test_other_wordings_are_searched_where_the_question_is(begin: Begin) -> None:
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    tools = search_variants(research, research.question, ["Who pays?", "How much?"], "another")
    finished(tools.search(QUESTION, "keywords", 2, SearchOverrides(kbs=(KbId(7),), reads=4)))
    assert [(query.kbs, query.reads) for query in retriever.queries] == [((KbId(7),), 4)] * 3


def test_every_other_tool_is_the_same(begin: Begin) -> None:
    research = begin(FakeRetriever(*TEXTS), QUESTION)
    tools = every_search(research, research.search)
    for name in ("generate", "decide", "answer", "keep", "written", "go_on", "read", "unseen"):
        assert getattr(tools, name) == getattr(research, name)
    with pytest.raises(AttributeError):
        getattr(tools, "nothing_of_that_name")  # noqa: B009 - mypy knows that there is none
