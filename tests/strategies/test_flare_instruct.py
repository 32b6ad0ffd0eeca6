from collections.abc import Sequence

import pytest

from desktop_rag.core.events import Event, PassagesFound, Token
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Strategy, StrategyResult
from desktop_rag.strategies.flare_instruct import FlareInstruct
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble, fail
from testing.ollama_double.script import Reply, Script
from tests.strategies.conftest import Begin, Run, finished

# The paper's own example of a model that asks for searches.
QUESTION = "Generate a summary about Joe Biden."
TEXTS = (
    "A summary about Joe Biden was printed.",
    "Joe Biden attended as university the University of Delaware.",
    "Joe Biden announced his candidacy on April 25, 2019.",
    "A university gives a degree.",
    "The candidacy for president was announced in a video.",
)
SEARCHES = ("Joe Biden university", "Joe Biden candidacy president")
REPLIES = (
    "Joe Biden attended [Search(Joe Biden university)] and he guessed on",
    " the University of Delaware [2]. He announced [Search(Joe Biden candidacy president)]",
    " his candidacy on April 25, 2019.",
)
ANSWER = (
    "Joe Biden attended the University of Delaware [2]. He announced his candidacy on "
    "April 25, 2019."
)


@pytest.fixture
def run(double: OllamaDouble, begin: Begin) -> Run:
    def go(
        *replies: Reply,
        strategy: Strategy | None = None,
        question: str = QUESTION,
        texts: Sequence[str] = TEXTS,
    ) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        double.say(*(replies or REPLIES))
        retriever = FakeRetriever(*texts)
        research = begin(retriever, question)
        chosen = strategy or FlareInstruct()
        events, outcome = finished(chosen.run(research.question, research))
        return retriever, events, outcome

    return go


def test_the_model_says_what_to_search(run: Run) -> None:
    retriever, _, _ = run()
    assert [query.text for query in retriever.queries] == [QUESTION, *SEARCHES]
    assert [query.k for query in retriever.queries] == [2, 2, 2]


def test_the_marks_are_never_part_of_the_answer(run: Run) -> None:
    _, events, outcome = run()
    assert outcome.text == ANSWER
    assert "".join(event.text for event in events if isinstance(event, Token)) == ANSWER


def test_the_reply_stops_at_the_mark_and_goes_on_behind_what_was_written(
    run: Run, double: OllamaDouble
) -> None:
    run()
    assert double.chats[0].sent == "Joe Biden attended [Search(Joe Biden university"
    assert [chat.prefill for chat in double.chats] == [
        "",
        "Joe Biden attended",
        "Joe Biden attended the University of Delaware [2]. He announced",
    ]


def test_passages_are_replaced_by_what_was_searched_for(run: Run, double: OllamaDouble) -> None:
    _, events, _ = run()
    found = [event.passages for event in events if isinstance(event, PassagesFound)]
    for request, passages in zip(double.chats, found, strict=True):
        assert {text for text in TEXTS if text in request.prompt} == {p.text for p in passages}


def test_the_model_is_told_how_to_ask(run: Run, double: OllamaDouble) -> None:
    run()
    assert all(
        Prompts("en").text("flare_instruct/search_marks") in chat.said("system")
        for chat in double.chats
    )


@pytest.mark.parametrize(
    "mark",
    [
        "[Search(Biden university)]",
        "[search: Biden university]",
        '[Search("Biden university")]',
        "[ SEARCH (Biden\n university) ]",
        "【Search（Biden university）】",
        "[搜索(Biden university)]",
        "[Search Biden university]",
    ],
)
def test_a_mark_is_known_in_every_spelling(run: Run, mark: str) -> None:
    retriever, _, outcome = run(f"He attended {mark} and left", " Delaware.")
    assert retriever.queries[1].text == "Biden university"
    assert outcome.text == "He attended Delaware."


def test_after_the_last_search_it_answers_without_more(run: Run, double: OllamaDouble) -> None:
    replies = (f"Part {n} [Search(university {n})]" for n in range(3))
    retriever, _, outcome = run(*replies, " and the end.", strategy=FlareInstruct(searches=3))
    assert len(retriever.queries) == 1 + 3
    assert outcome.text == "Part 0 Part 1 Part 2 and the end."
    assert "stop" in double.chats[2].options
    assert "stop" not in double.chats[3].options
    assert Prompts("en").text("flare_instruct/search_marks") not in double.chats[3].said("system")


def test_who_asks_on_without_searches_left_leaves_an_unfinished_answer(
    run: Run, double: OllamaDouble
) -> None:
    double.otherwise = lambda _: f"Go {len(double.chats)} [Search(university {len(double.chats)})]"
    retriever, _, outcome = run("It began [Search(university)]")
    assert len(retriever.queries) == 1 + 5
    assert len(double.chats) == 6
    assert "Search" not in outcome.text
    assert outcome.unfinished


def test_a_search_asked_for_twice_is_done_once(run: Run, double: OllamaDouble) -> None:
    same = "[Search(Joe Biden university)]"
    retriever, _, outcome = run(same, same, "Delaware [1].")
    assert [query.text for query in retriever.queries] == [QUESTION, "Joe Biden university"]
    assert outcome.text == "Delaware [1]."


@pytest.mark.parametrize("mark", ["[Search()]", "[Search( )]", "[Search]"])
def test_a_search_for_nothing_is_none(run: Run, mark: str) -> None:
    retriever, _, outcome = run(f"He attended {mark}", " Delaware.")
    assert len(retriever.queries) == 1
    assert outcome.text == "He attended Delaware."


def test_a_mark_that_breaks_off_is_not_shown(run: Run) -> None:
    broken = Script(tokens=("He", " attended", " [Sea", "rch(x"), breaks_after=3)
    _, _, outcome = run(broken)
    assert (outcome.text, outcome.unfinished) == ("He attended", True)


def test_other_brackets_stay(run: Run) -> None:
    _, _, outcome = run("He attended (with others) Delaware [1][2].")
    assert outcome.text == "He attended (with others) Delaware [1][2]."


def test_a_failure_keeps_what_was_written(run: Run) -> None:
    _, _, outcome = run("He attended [Search(university)]", fail(500, "it crashed"))
    assert (outcome.text, outcome.unfinished) == ("He attended", True)


def test_a_model_that_only_asks_ends(run: Run, double: OllamaDouble) -> None:
    double.otherwise = lambda _: f"[Search(university {len(double.chats)})]"
    _, _, outcome = run("[Search(university)]")
    assert outcome.mode == "refused"
    assert len(double.chats) == 6


def test_a_chinese_model_is_told_in_chinese(run: Run, double: OllamaDouble) -> None:
    texts = ("拜登是总统。", "拜登毕业于特拉华大学。")
    replies = ("拜登毕业于[Search(拜登 大学)]", "特拉华大学。")
    retriever, _, outcome = run(*replies, question="拜登毕业于哪里？", texts=texts)
    assert Prompts("zh").text("flare_instruct/search_marks") in double.chats[0].said("system")
    assert retriever.queries[1].text == "拜登 大学"
    assert outcome.text == "拜登毕业于特拉华大学。"


def test_blanks_without_end_are_at_their_end(run: Run, double: OllamaDouble) -> None:
    double.otherwise = Script(tokens=(" ",) * 400)
    _, _, outcome = run(Script(tokens=("\n",) * 400))
    assert (outcome.mode, len(double.chats)) == ("refused", 2)
