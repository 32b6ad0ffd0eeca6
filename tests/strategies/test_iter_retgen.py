import pytest

from desktop_rag.core.events import Draft, Event, ModelCall, PassagesFound, SearchStarted, Token
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.strategies.base import StrategyResult
from desktop_rag.strategies.iter_retgen import IterRetgen
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin, Run, finished

QUESTION = "Where was the founder of the Lighthouse company born?"
TEXTS = (
    "The Lighthouse company was founded by Anna Berg.",
    "Anna Berg was born in Oslo.",
    "Oslo is the capital of Norway.",
    "The founder of the museum was born in Rome.",
    "Tea is grown in the hills.",
    "A company has a board.",
    "The tower was built in 1902.",
)
FIRST = "The founder is Anna Berg. So the answer is: unknown"
SECOND = "Anna Berg was born in Oslo. So the answer is: Oslo"
LAST = "Anna Berg founded it [1]. She was born in Oslo [2]. So the answer is: Oslo."


@pytest.fixture
def run(double: OllamaDouble, begin: Begin) -> Run:
    def go(strategy: IterRetgen) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        double.say(FIRST, SECOND, LAST)
        retriever = FakeRetriever(*TEXTS)
        research = begin(retriever, QUESTION)
        events, outcome = finished(strategy.run(research.question, research))
        return retriever, events, outcome

    return go


def test_each_round_searches_with_the_question_and_the_whole_generation_before(run: Run) -> None:
    retriever, _, _ = run(IterRetgen())
    assert [query.text for query in retriever.queries] == [
        QUESTION,
        f"{QUESTION} {FIRST}",
        f"{QUESTION} {SECOND}",
    ]


def test_a_query_has_no_citations_and_no_line_breaks_of_the_draft(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say("The founder [1][2] is\n\n Anna  Berg [Source 3].\nSo: unknown", SECOND, LAST)
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    events, _ = finished(IterRetgen(rounds=2).run(research.question, research))
    assert retriever.queries[1].text == f"{QUESTION} The founder is Anna Berg. So: unknown"
    (draft,) = [event for event in events if isinstance(event, Draft)]
    assert "[1][2]" in draft.text


def test_later_rounds_let_the_reranker_score_for_the_question_too(run: Run) -> None:
    retriever, _, _ = run(IterRetgen())
    assert [query.question for query in retriever.queries] == [None, QUESTION, QUESTION]


def test_three_rounds_of_five_passages_are_the_papers(run: Run) -> None:
    retriever, events, _ = run(IterRetgen())
    assert [query.k for query in retriever.queries] == [5, 5, 5]
    assert len([e for e in events if isinstance(e, ModelCall)]) == 3


def test_passages_are_replaced_and_never_collected(run: Run, double: OllamaDouble) -> None:
    _, events, outcome = run(IterRetgen())
    found = [event.passages for event in events if isinstance(event, PassagesFound)]
    assert outcome.sources == found[-1]
    assert [p.text for p in found[0]] != [p.text for p in found[-1]]
    for request, passages in zip(double.chats, found, strict=True):
        shown = {text for text in TEXTS if text in request.prompt}
        assert shown == {passage.text for passage in passages}


def test_the_last_rounds_generation_is_the_answer(run: Run) -> None:
    _, events, outcome = run(IterRetgen())
    assert outcome.text == LAST
    assert "".join(e.text for e in events if isinstance(e, Token)) == LAST
    assert [(e.text, e.kept) for e in events if isinstance(e, Draft)] == [
        (FIRST, False),
        (SECOND, False),
    ]


def test_there_is_no_early_stop_when_a_round_repeats_itself(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(FIRST, FIRST, FIRST)
    retriever = FakeRetriever(*TEXTS)
    research = begin(retriever, QUESTION)
    finished(IterRetgen().run(research.question, research))
    assert len(retriever.queries) == 3


def test_the_number_of_rounds_is_an_option(run: Run, double: OllamaDouble) -> None:
    retriever, events, _ = run(IterRetgen(rounds=1, k=2))
    assert [query.k for query in retriever.queries] == [2]
    assert len(double.chats) == 1
    assert [e.query for e in events if isinstance(e, SearchStarted)] == [QUESTION]


@pytest.mark.parametrize(("only", "asked"), [(False, True), (True, False)])
@pytest.mark.parametrize("question", [QUESTION, "灯塔公司的创办人出生在哪里？"])
def test_a_draft_says_what_the_model_knows_where_not_only_documents_count(
    double: OllamaDouble, begin: Begin, question: str, only: bool, asked: bool
) -> None:
    double.say(FIRST, LAST)
    settings = Settings(answering=Answering(only_documents=only))
    research = begin(FakeRetriever(*TEXTS), question, settings=settings)
    finished(IterRetgen(rounds=2).run(research.question, research))
    rules = double.chats[0].said("system")
    known = "say what you know yourself", "写出你自己知道的内容"
    guess = "your best guess", "最好的推测"
    assert any(each in rules for each in known) is asked
    assert any(each in rules for each in guess)
    assert "$" not in rules
