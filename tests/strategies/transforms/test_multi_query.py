import pytest

from desktop_rag.core.events import PassagesFound
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.transforms.multi_query import MultiQuery
from desktop_rag.strategies.transforms.query_fusion import fuse_rankings
from testing.fake_retriever import FakeRetriever, passages
from testing.ollama_double import OllamaDouble
from tests.strategies.conftest import Begin, finished
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    QUESTION,
    TEXTS,
    found,
    listing,
    passed,
    searched,
    steps,
    told,
)

OTHERS = (
    "What does the tenant pay a month?",
    "Monthly housing costs in Zug",
    "How do monthly costs in Zug rise?",
    "Zug, housing, every year",
)


def test_four_wordings_are_searched_beside_the_question_and_fused(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(listing(OTHERS), ANSWER)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(MultiQuery(), begin(retriever, QUESTION))
    assert searched(events) == [QUESTION, *OTHERS]
    assert [query.question for query in retriever.queries] == [None, *[QUESTION] * 4]
    *single, joined = [event for event in events if isinstance(event, PassagesFound)]
    sums: dict[str, float] = {}
    for event in single:
        for passage in event.passages:
            sums[passage.text] = sums.get(passage.text, 0.0) + 1 / (60 + passage.rank)
    best = sorted(sums, key=lambda text: -sums[text])[:3]
    assert [passage.text for passage in joined.passages] == best
    assert [passage.rank for passage in joined.passages] == [1, 2, 3]
    assert joined.query == QUESTION
    assert joined.kept == {passage.chunk_id for passage in joined.passages}
    assert [source.text for source in outcome.sources] == best
    assert found(events)[0] != best, "the fusion changed something"
    assert steps(events) == [("another wording", other) for other in OTHERS]


def test_reciprocal_ranks_sum_up_as_in_the_paper() -> None:
    a, b, c = passages("a", "b", "c")
    _, best = finished(fuse_rankings("q", [[a, b, c], [b, c], [c, b]], 2))
    # b: 1/62 + 1/61 + 1/62; c: 1/63 + 1/62 + 1/61; a: 1/61
    assert [(each.text, each.rank) for each in best] == [("b", 1), ("c", 2)]


def test_the_constant_of_sixty_lets_agreement_outweigh_a_first_place() -> None:
    a, b, c = passages("a", "b", "c")
    _, best = finished(fuse_rankings("q", [[a, c, b], [c, a, b], [c, b]], 5))
    # with 0: c 2.5, a 1.5, b 1.17; and in the next, two third places outweigh one first
    assert [each.text for each in best] == ["c", "b", "a"]


def test_repetitions_and_what_has_no_words_are_left_out(double: OllamaDouble, begin: Begin) -> None:
    double.say(listing([QUESTION.upper(), OTHERS[0], OTHERS[0].lower(), "?!", *OTHERS]), ANSWER)
    events, _ = passed(MultiQuery(queries=2), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [QUESTION, OTHERS[0], OTHERS[1]]


def test_a_later_round_asks_in_all_wordings_too(double: OllamaDouble, begin: Begin) -> None:
    double.say(listing(OTHERS[:1]), "It is in Zug.", ANSWER)
    events, _ = passed(MultiQuery(), begin(FakeRetriever(*TEXTS), QUESTION), IterRetgen(rounds=2))
    assert searched(events) == [
        QUESTION,
        OTHERS[0],
        f"{QUESTION} It is in Zug.",
        f"{OTHERS[0]} It is in Zug.",
    ]


@pytest.mark.parametrize(
    "replies", [(listing([]),), ('{"questions": 5}', '{"questions": 5}'), (listing([QUESTION]),)]
)
def test_without_other_wordings_the_question_is_searched_alone(
    double: OllamaDouble, begin: Begin, replies: tuple[str, ...]
) -> None:
    double.say(*replies, ANSWER)
    events, outcome = passed(MultiQuery(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [QUESTION]
    assert told(events)[-1].endswith("The question is searched as it is.")
    assert outcome.text == ANSWER
    assert double.unsaid == 0
