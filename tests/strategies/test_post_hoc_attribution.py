from collections.abc import Sequence

import pytest

from desktop_rag.core.events import Draft, Event, Token
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.strategies.base import Generated, StrategyResult
from desktop_rag.strategies.post_hoc_attribution import agrees, attribute
from testing.fake_retriever import FakeRetriever
from tests.strategies.conftest import Begin, Run, finished

QUESTION = "Where was the founder born?"
FOUNDED = "Anna Berg founded the Lighthouse company in 1902."
BORN = "Anna Berg was born in Oslo."
TEA = "Tea is grown in the hills."


@pytest.fixture
def ground(begin: Begin) -> Run:
    def go(
        said: Generated | str, question: str = QUESTION, texts: Sequence[str] = (TEA, FOUNDED, BORN)
    ) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        retriever = FakeRetriever(*texts)
        research = begin(retriever, question)
        reply = Generated(said) if isinstance(said, str) else said
        events, outcome = finished(attribute(reply, research.question, research))
        return retriever, events, outcome

    return go


def test_a_sentence_that_a_passage_supports_is_kept_with_its_number(ground: Run) -> None:
    _, _, outcome = ground("Anna Berg was born in Oslo. Anna Berg founded the Lighthouse company.")
    assert outcome.text == (
        "Anna Berg was born in Oslo. [1] Anna Berg founded the Lighthouse company. [2]"
    )
    assert [source.text for source in outcome.sources] == [BORN, FOUNDED]
    assert outcome.mode == "generated"


def test_what_nothing_supports_is_dropped_and_never_shown(ground: Run) -> None:
    _, events, outcome = ground("Anna Berg was born in Oslo. Penguins live in Antarctica.")
    assert outcome.text == "Anna Berg was born in Oslo. [1]"
    assert "".join(event.text for event in events if isinstance(event, Token)) == outcome.text
    assert [(e.text, e.kept) for e in events if isinstance(e, Draft)] == [
        ("Anna Berg was born in Oslo.", True),
        ("Penguins live in Antarctica.", False),
    ]


def test_each_sentence_is_searched_for_with_two_passages(ground: Run) -> None:
    retriever, _, _ = ground("Anna Berg was\nborn [7]. Yes.")
    assert [(query.text, query.k) for query in retriever.queries] == [
        ("Anna Berg was born.", 2),
        ("Yes.", 2),
    ]


def test_another_number_than_the_documents_say_is_no_support(ground: Run) -> None:
    said = "Anna Berg founded the Lighthouse company in 1903."
    assert ground(said)[2].mode == "refused"
    assert ground(said.replace("1903", "1902"))[2].mode == "generated"


def test_where_nothing_remains_it_is_a_refusal(ground: Run) -> None:
    _, _, outcome = ground("Penguins live in Antarctica. Yes.")
    assert (outcome.mode, outcome.text) == ("refused", "Not found in your documents.")
    assert outcome.sources == ()


def test_who_does_not_know_is_not_searched_for(ground: Run) -> None:
    retriever, _, outcome = ground("I do not know.")
    assert (outcome.mode, retriever.queries) == ("refused", [])


def test_a_source_that_supports_twice_has_one_number(ground: Run) -> None:
    _, _, outcome = ground("Anna Berg was born in Oslo. Tea is grown in hills. Berg: born in Oslo.")
    assert [source.text for source in outcome.sources] == [BORN, TEA]
    assert outcome.text.endswith("Berg: born in Oslo. [1]")


def test_numbers_that_the_model_made_up_are_not_kept(ground: Run) -> None:
    _, _, outcome = ground("Tea is grown in the hills [2]. Anna Berg was born in Oslo [1].")
    assert outcome.text == "Tea is grown in the hills. [1] Anna Berg was born in Oslo. [2]"


def test_lines_stay_lines(ground: Run) -> None:
    _, _, outcome = ground("- Anna Berg was born in Oslo.\n- Tea is grown in the hills.")
    assert outcome.text == "- Anna Berg was born in Oslo. [1]\n- Tea is grown in the hills. [2]"


def test_a_reply_that_broke_off_is_unfinished(ground: Run) -> None:
    _, _, outcome = ground(Generated("Anna Berg was born in Oslo. And", "broken"))
    assert outcome.unfinished
    assert outcome.text == "Anna Berg was born in Oslo. [1]"


def test_chinese_sentences_are_grounded_too(ground: Run) -> None:
    _, _, outcome = ground(
        "安娜出生于奥斯陆。企鹅住在南极。",
        "创始人出生在哪里？",
        ("安娜出生于奥斯陆。", "茶长在山上。"),
    )
    assert outcome.text == "安娜出生于奥斯陆。[1]"
    refused = ground("企鹅住在南极。", "创始人出生在哪里？", ("茶长在山上。",))[2]
    assert (refused.mode, refused.text) == ("refused", "在您的文档中没有找到答案。")


def test_the_tools_say_whether_only_the_documents_count(begin: Begin) -> None:
    open_ = Settings(answering=Answering(only_documents=False))
    assert begin(FakeRetriever(), QUESTION).only_documents
    assert not begin(FakeRetriever(), QUESTION, settings=open_).only_documents


@pytest.mark.parametrize(
    ("sentence", "quote", "agree"),
    [
        ("Anna Berg was born in Oslo.", "In Oslo Anna Berg was born.", True),
        ("Anna Berg was born in Rome.", "Anna Berg was born in Oslo.", False),
        ("Anna Berg was not born in Oslo.", "Anna Berg was born in Oslo.", False),
        ("Anna Berg was born in Oslo.", "Anna Berg wasn't born in Oslo.", False),
        ("Anna Berg did not found it.", "Anna Berg has never founded it.", True),
        ("The company has 12 ships.", "The company has ships.", False),
        ("The companies own a ship.", "The company owns ships.", True),
        ("Was Anna Berg born in Oslo?", "Anna Berg was born in Oslo.", False),
        ("安娜出生于奥斯陆。", "安娜出生于奥斯陆，后来离开。", True),
        ("安娜出生于奥斯陆？", "安娜出生于奥斯陆。", False),
        ("安娜出生于罗马。", "安娜出生于奥斯陆。", False),
        ("安娜不住在奥斯陆。", "安娜住在奥斯陆。", False),
    ],
)
def test_one_wrong_word_is_no_agreement(sentence: str, quote: str, *, agree: bool) -> None:
    assert agrees(sentence, quote) is agree


def test_nearly_what_a_document_says_is_dropped(ground: Run) -> None:
    assert ground("Anna Berg was born in Rome.")[2].mode == "refused"
    assert ground("Anna Berg was not born in Oslo.")[2].mode == "refused"
