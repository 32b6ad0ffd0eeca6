from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.step_back import StepBack
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    FEES,
    LEASE,
    OWNER,
    QUESTION,
    TEXTS,
    found,
    passed,
    searched,
    steps,
)

GENERAL = "What are monthly housing costs in Zug?"


def test_the_more_general_question_is_searched_too_and_both_are_fused(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(f"More general question: {GENERAL}", ANSWER)
    events, outcome = passed(StepBack(), begin(FakeRetriever(*TEXTS), QUESTION), SinglePass(k=2))
    assert searched(events) == [QUESTION, GENERAL]
    assert steps(events) == [("step back", GENERAL)]
    own, general, joined = found(events)
    assert FEES not in own
    assert general[0] == FEES
    assert own == [OWNER, LEASE]
    assert joined == [LEASE, OWNER], "LEASE is second in both"
    assert [source.text for source in outcome.sources] == joined
    assert LEASE in double.chats[-1].prompt
    assert GENERAL not in double.chats[-1].prompt


def test_a_question_that_is_general_already_is_searched_once(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(QUESTION.upper(), ANSWER)
    events, _ = passed(StepBack(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [QUESTION]
