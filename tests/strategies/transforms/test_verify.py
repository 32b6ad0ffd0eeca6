from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Draft, Event, Token
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.verify import Verify
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Reply, Script, fail
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    HILLS,
    QUESTION,
    TEXTS,
    TOWER,
    found,
    listing,
    passed,
    searched,
    steps,
    told,
)

DRAFT = "It is 1,540 francs [1]. The tower is from 1902 [2]."
SAID = "It is 1,540 francs. The tower is from 1902."
CHECKS = ("How high is the rent of the house?", "When was the tower built?")
ASKED = listing(CHECKS)


def shown(events: Iterable[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Token))


class Unwritten:
    """A strategy whose passages alone are measured."""

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        return StrategyResult("", (yield from tools.search(question.text, "question", 2)))


def test_where_nothing_is_written_nothing_is_checked(double: OllamaDouble, begin: Begin) -> None:
    events, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION), Unwritten())
    assert double.chats == []
    assert searched(events) == [QUESTION]
    assert len(outcome.sources) == 2


def test_the_draft_is_checked_and_the_answer_is_written_anew(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(DRAFT, ASKED, "1,450 francs.", "Not found in your documents.", ANSWER)
    events, outcome = passed(Verify(k=1), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [QUESTION, *CHECKS]
    assert steps(events) == [
        ("sub-question", CHECKS[0]),
        ("thought", f"{CHECKS[0]} 1,450 francs."),
        ("sub-question", CHECKS[1]),
        ("thought", f"{CHECKS[1]} —"),
    ]
    planned, last = double.chats[1], double.chats[-1]
    assert SAID in planned.prompt
    assert SAID in last.prompt
    assert f"- {CHECKS[0]} 1,450 francs." in last.prompt
    assert last.prompt.index(SAID) < last.prompt.index("<passage_")
    assert outcome.text == ANSWER
    assert told(events) == []


def test_that_the_documents_lack_something_is_an_answer_to_a_check(
    double: OllamaDouble, begin: Begin
) -> None:
    lacking = "The documents do not mention a penalty."
    double.say(DRAFT, ASKED, "1,450 francs.", lacking, ANSWER)
    passed(Verify(k=1), begin(FakeRetriever(*TEXTS), QUESTION))
    assert f"- {CHECKS[1]} {lacking}" in double.chats[-1].prompt


def test_the_draft_is_never_shown_as_the_answer(double: OllamaDouble, begin: Begin) -> None:
    double.say(DRAFT, ASKED, "1,450 francs.", "In 1902.", ANSWER)
    research = begin(FakeRetriever(*TEXTS), QUESTION)
    events, _ = passed(Verify(), research)
    assert shown(events) == ANSWER
    assert [(e.text, e.kept) for e in events if isinstance(e, Draft)] == [(DRAFT, False)]
    assert research.tally.written == ANSWER


def test_a_check_is_answered_without_the_draft_in_sight(double: OllamaDouble, begin: Begin) -> None:
    double.say(DRAFT, ASKED, "1,450 francs.", "In 1902.", ANSWER)
    passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    for request in double.chats[2:4]:
        assert "1,540" not in request.prompt
        assert request.said("user").startswith("<passage_")


def test_the_answer_rests_on_the_passages_of_draft_and_checks(
    double: OllamaDouble, begin: Begin
) -> None:
    questions = listing(["Where is tea grown?", "When was the tower built?"])
    double.say(DRAFT, questions, "In Assam.", "In 1902.", ANSWER)
    events, outcome = passed(Verify(k=1), begin(FakeRetriever(*TEXTS), QUESTION), SinglePass(k=2))
    draft, first, second = found(events)
    assert (first, second) == ([HILLS], [TOWER])
    assert [source.text for source in outcome.sources] == [*draft, *first, *second]


def test_a_passage_of_draft_and_check_is_shown_once(double: OllamaDouble, begin: Begin) -> None:
    double.say(DRAFT, ASKED, "1,450 francs.", "In 1902.", ANSWER)
    _, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    prompt = double.chats[-1].prompt
    assert [prompt.count(source.text) for source in outcome.sources] == [1] * len(outcome.sources)


def test_three_checks_are_the_most(double: OllamaDouble, begin: Begin) -> None:
    many = listing([f"Who lived in house {n}?" for n in range(9)])
    double.say(DRAFT, many, "Anna.", "Otto.", "Maria.", ANSWER)
    events, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert len(searched(events)) == 4
    assert outcome.text == ANSWER


@pytest.mark.parametrize(
    "replies",
    [
        (fail(500, "busy"),),
        (listing([]),),
        ('{"questions": 1}', '{"questions": 1}'),
        (ASKED, fail(500, "busy")),
    ],
    ids=["no checks", "none asked", "no form", "a check fails"],
)
def test_an_answer_that_cannot_be_checked_is_shown_as_it_is_and_said_so(
    double: OllamaDouble, begin: Begin, replies: Sequence[Reply]
) -> None:
    double.say(DRAFT, *replies)
    events, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert told(events)[-1].endswith("The answer is not checked.")
    assert (outcome.text, outcome.mode) == (DRAFT, "generated")
    assert shown(events) == DRAFT
    assert double.unsaid == 0


def test_a_refusal_needs_no_check(double: OllamaDouble, begin: Begin) -> None:
    double.say("Not found in your documents.")
    events, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert outcome.mode == "refused"
    assert (len(double.chats), shown(events), told(events)) == (1, "", [])


def test_a_correction_may_be_that_nothing_is_found(double: OllamaDouble, begin: Begin) -> None:
    double.say(DRAFT, ASKED, "1,450 francs.", "In 1902.", "Not found in your documents.")
    _, outcome = passed(Verify(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert outcome.mode == "refused"


def test_a_stop_during_the_draft_leaves_nothing_of_it(double: OllamaDouble, begin: Begin) -> None:
    token = CancelToken()
    research = replace(begin(FakeRetriever(*TEXTS), QUESTION), token=token)

    def stopped(_: Recorded) -> Script:
        token.cancel()
        return Script("one two three four five six seven", pace=0.05, early_headers=True)

    double.say(stopped)
    with pytest.raises(Cancelled):
        passed(Verify(), research)
    assert (research.tally.written, research.tally.shown) == ("", ())
