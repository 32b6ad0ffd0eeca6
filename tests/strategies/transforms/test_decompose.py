from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.types import KbId
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
)
from desktop_rag.strategies.transforms.decompose import Decompose
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import fail
from tests.strategies.conftest import Begin
from tests.strategies.transforms.transform_setup import (
    ANSWER,
    HILLS,
    OWNER,
    QUESTION,
    TEXTS,
    found,
    listing,
    passed,
    searched,
    steps,
    told,
)

FIRST = "Which house did Anna Berg let?"
SECOND = "How high is the rent of that house?"
PARTS = listing([FIRST, SECOND])
HOUSE = "Gartenweg 12 [1]."
RENT = "1,450 francs."


def test_the_parts_are_answered_in_order_each_with_the_answers_before_it(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(PARTS, HOUSE, RENT, ANSWER)
    events, outcome = passed(Decompose(k=2), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [
        FIRST,
        f"{SECOND} Gartenweg 12.",
        f"{QUESTION} Gartenweg 12. 1,450 francs.",
    ]
    _, first, second, _ = double.chats
    assert first.said("user").split("</passage")[-1].endswith(f"\n\n{FIRST}")
    assert second.said("user").endswith(f"\n\n{FIRST} Gartenweg 12.\n\n{SECOND}")
    assert steps(events) == [
        ("sub-question", FIRST),
        ("thought", f"{FIRST} Gartenweg 12."),
        ("sub-question", SECOND),
        ("thought", f"{SECOND} 1,450 francs."),
    ]
    assert outcome.text == ANSWER


def test_each_part_is_answered_from_its_own_passages_fenced(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(PARTS, HOUSE, RENT, ANSWER)
    events, _ = passed(Decompose(k=2), begin(FakeRetriever(*TEXTS), QUESTION))
    for request, texts in zip(double.chats[1:3], found(events), strict=False):
        assert {text for text in TEXTS if text in request.prompt} == set(texts)
        assert request.said("user").startswith("<passage_")


def test_the_answer_rests_on_the_passages_of_all_and_the_answers_are_not_in_its_prompt(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(listing(["Where is tea grown?"]), "In far Bengal.", ANSWER)
    events, outcome = passed(Decompose(k=1), begin(FakeRetriever(*TEXTS), QUESTION))
    part, own, joined = found(events)
    assert part == [HILLS]
    assert own[0] != HILLS
    assert HILLS in joined
    assert [source.text for source in outcome.sources] == joined
    assert "Bengal" not in double.chats[-1].prompt


def test_an_answer_that_was_not_found_joins_nothing(double: OllamaDouble, begin: Begin) -> None:
    double.say(PARTS, "Not found in your documents.", RENT, ANSWER)
    events, _ = passed(Decompose(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events) == [FIRST, SECOND, f"{QUESTION} 1,450 francs."]
    assert steps(events)[1] == ("thought", f"{FIRST} —")


def test_the_passages_of_the_parts_are_none_of_another_knowledge_base(
    double: OllamaDouble, begin: Begin
) -> None:
    class Elsewhere:
        def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
            passages = yield from tools.search(
                question.text, "there", 1, SearchOverrides(kbs=(KbId(7),))
            )
            return StrategyResult("", passages, "refused")

    double.say(PARTS, HOUSE, RENT)
    retriever = FakeRetriever(*TEXTS)
    events, outcome = passed(Decompose(), begin(retriever, QUESTION), Elsewhere())
    assert retriever.queries[-1].kbs == (KbId(7),)
    assert [[each.text for each in outcome.sources]] == found(events)[-1:]
    assert len(found(events)) == len(retriever.queries), "nothing was joined"


def test_the_answers_of_the_parts_are_no_evidence(double: OllamaDouble, begin: Begin) -> None:
    double.say(PARTS, HOUSE, RENT, ANSWER)
    retriever = FakeRetriever(*TEXTS)
    passed(Decompose(), begin(retriever, QUESTION))
    assert [query.asked for query in retriever.queries] == ["", "", QUESTION]


def test_five_parts_are_the_most(double: OllamaDouble, begin: Begin) -> None:
    double.say(listing([f"Who lived in house {n}?" for n in range(9)]), *["Anna."] * 5, ANSWER)
    events, outcome = passed(Decompose(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert len(searched(events)) == 6
    assert outcome.text == ANSWER


def test_a_call_that_fails_leaves_the_parts_before_it(double: OllamaDouble, begin: Begin) -> None:
    double.say(PARTS, HOUSE, fail(500, "busy"), ANSWER)
    events, outcome = passed(Decompose(), begin(FakeRetriever(*TEXTS), QUESTION))
    assert searched(events)[-1] == f"{QUESTION} Gartenweg 12."
    assert "answered until then" in told(events)[0]
    assert outcome.text == ANSWER
    assert OWNER in {source.text for source in outcome.sources}


def test_a_part_that_finds_nothing_is_not_put_to_the_model(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(PARTS)
    _, outcome = passed(Decompose(), begin(FakeRetriever(), QUESTION))
    assert len(double.chats) == 1
    assert outcome.mode == "refused"


def test_passages_that_do_not_fit_the_call_of_a_part_are_left_out(
    double: OllamaDouble, begin: Begin
) -> None:
    long = [f"The house of {name} was let. " * 300 for name in ("Anna", "Otto", "Maria")]
    double.say(PARTS, HOUSE, RENT, ANSWER)
    settings = Settings(ollama=Ollama(num_ctx=4096))
    passed(Decompose(k=3), begin(FakeRetriever(*long), QUESTION, settings=settings))
    assert double.chats[1].said("user").count("</passage_") == 1
    assert double.chats[1].dropped == 0
