from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from desktop_rag.core.events import Draft, Event, Notice, PassagesFound, SearchStarted, Step, Token
from desktop_rag.core.language import language
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies.base import Strategy, StrategyResult
from desktop_rag.strategies.flare_direct import FlareDirect
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble, fail
from testing.ollama_double.script import Reply, Script
from testing.timeouts import eventually
from tests.strategies.conftest import Begin, Run, finished

# The paper's own example: which words the model is unsure of, what is searched, what comes of it.
QUESTION = "Generate a summary about Joe Biden."
FIRST = "Joe Biden is the 46th president."
GUESS = (" Joe Biden", " attended", " the University of Pennsylvania", ", where he earned")
GUESS_END = (" a law degree", ".")
WRONG = "".join(GUESS + GUESS_END).strip()
DEGREE = "He graduated from the University of Delaware in 1965."
DATE = (" Joe Biden", " announced his candidacy on", " August 18, 2019", ".")
RIGHT_DATE = "Joe Biden announced his candidacy on April 25, 2019."
TEXTS = (
    "Joe Biden is the 46th president of the United States.",
    "A summary about Joe Biden was printed.",
    "In 1965 Joe Biden earned a degree where he attended the University of Delaware.",
    "He earned a law degree where he attended Syracuse.",
    "Joe Biden announced his candidacy on April 25, 2019.",
    "The candidacy was announced in a video.",
)

MAY_KNOW = Settings(answering=Answering(only_documents=False))  # as in the paper
ONLY_DOCUMENTS = Settings()


def sure(text: str) -> Script:
    return Script(text, probabilities=(0.95,))


def unsure(tokens: tuple[str, ...], probabilities: tuple[float, ...], more: str = "") -> Script:
    pieces = (*tokens, more) if more else tokens
    return Script(tokens=pieces, probabilities=(*probabilities, 0.95))


def papers_example() -> tuple[Script, ...]:
    return (
        sure(f"{FIRST} He was born in 1942."),
        unsure((*GUESS, *GUESS_END), (0.95, 0.9, 0.3, 0.85, 0.2, 0.9)),
        sure(f" {DEGREE} He likes ice cream."),
        unsure(DATE, (0.95, 0.9, 0.35, 0.9)),
        sure(f" {RIGHT_DATE}"),
    )


@pytest.fixture
def run(double: OllamaDouble, begin: Begin) -> Run:
    def go(
        *replies: Reply,
        strategy: Strategy | None = None,
        question: str = QUESTION,
        texts: Sequence[str] = TEXTS,
        **more: Any,
    ) -> tuple[FakeRetriever, list[Event], StrategyResult]:
        double.say(*(replies or papers_example()))
        more.setdefault("settings", MAY_KNOW)
        retriever = FakeRetriever(*texts)
        research = begin(retriever, question, **more)
        events, outcome = finished((strategy or FlareDirect()).run(research.question, research))
        return retriever, events, outcome

    return go


def of(kind: type[Any], events: Iterable[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_a_query_is_the_unsure_sentence_without_its_unsure_tokens(run: Run) -> None:
    retriever, _, _ = run()
    assert [query.text for query in retriever.queries] == [
        QUESTION,
        "Joe Biden attended, where he earned.",
        "Joe Biden announced his candidacy on.",
    ]
    assert [query.k for query in retriever.queries] == [2, 2, 2]


def test_a_sure_sentence_is_kept_and_an_unsure_one_written_anew(run: Run) -> None:
    _, events, outcome = run()
    assert outcome.text == f"{FIRST} {DEGREE} {RIGHT_DATE}"
    assert "".join(event.text for event in of(Token, events)) == outcome.text
    assert [(draft.text, draft.kept) for draft in of(Draft, events)] == [
        (FIRST, True),
        (WRONG, False),
        (DEGREE, True),
        ("".join(DATE).strip(), False),
        (RIGHT_DATE, True),
    ]


def test_only_the_first_sentence_of_what_was_looked_ahead_counts(
    run: Run, double: OllamaDouble
) -> None:
    _, _, outcome = run()
    assert "1942" not in outcome.text
    assert [chat.prefill for chat in double.chats] == [
        "",
        FIRST,
        FIRST,
        f"{FIRST} {DEGREE}",
        f"{FIRST} {DEGREE}",
    ]


def test_passages_are_replaced_and_keep_their_numbers(run: Run, double: OllamaDouble) -> None:
    _, events, outcome = run()
    first, second, third = found = [event.passages for event in of(PassagesFound, events)]
    for request, passages in zip(double.chats, (first, (), second, (), third), strict=True):
        assert {text for text in TEXTS if text in request.prompt} == {p.text for p in passages}
    shown = list(dict.fromkeys(passage.text for each in found for passage in each))
    assert [source.text for source in outcome.sources] == shown


def test_the_look_ahead_asks_for_64_tokens_with_their_probabilities(
    run: Run, double: OllamaDouble
) -> None:
    run()
    assert {chat.options["num_predict"] for chat in double.chats} == {64}
    assert all(chat.body["logprobs"] is True for chat in double.chats)


def test_drafts_carry_the_tokens_of_their_sentence(run: Run) -> None:
    _, events, _ = run()
    first, wrong = of(Draft, events)[:2]
    assert "".join(token for token, _ in first.tokens) == FIRST
    assert [token for token, _ in wrong.tokens] == [*GUESS, *GUESS_END]
    assert [p for _, p in wrong.tokens] == pytest.approx([0.95, 0.9, 0.3, 0.85, 0.2, 0.9])


def test_the_rate_of_retrieval_is_told(run: Run) -> None:
    _, events, _ = run()
    assert of(Step, events)[-1] == Step("decision", "retrieved for 2 of 3 sentences (67%)")


def test_a_search_says_what_the_model_is_unsure_of(run: Run) -> None:
    _, events, _ = run()
    assert of(SearchStarted, events)[1].why == "unsure of “a law degree” (20%)"


@pytest.mark.parametrize(("theta", "searches"), [(0.8, 2), (0.2, 1), (0.0, 1)])
def test_how_sure_is_sure_enough_is_an_option(run: Run, theta: float, searches: int) -> None:
    reply = unsure(("Joe Biden", " is old", "."), (0.95, 0.5, 0.9))
    retriever, _, _ = run(reply, sure("Joe Biden is 82."), strategy=FlareDirect(theta=theta))
    assert len(retriever.queries) == searches


def test_between_the_two_bars_the_whole_sentence_is_the_query(run: Run) -> None:
    reply = unsure(("Joe Biden", " studied", " law", "."), (0.95, 0.5, 0.7, 0.9))
    retriever, _, _ = run(reply, sure("Joe Biden studied."))
    assert retriever.queries[1].text == "Joe Biden studied law."


def test_a_sentence_that_is_unsure_from_end_to_end_leaves_the_question(run: Run) -> None:
    guess = unsure(("Joe Biden", " studied", "."), (0.1, 0.1, 0.1))
    replies = (sure(f"{FIRST} More."), guess, sure("Joe Biden studied."))
    retriever, events, outcome = run(*replies)
    assert [query.text for query in retriever.queries] == [QUESTION], "which was searched with"
    assert outcome.text == f"{FIRST} Joe Biden studied."
    assert of(Step, events)[-1].text == "retrieved for 0 of 2 sentences (0%)"


def test_the_number_of_a_source_is_nothing_to_be_unsure_of(run: Run) -> None:
    reply = unsure(("Joe Biden", " is old", " [", "1", "]", "."), (0.95, 0.9, 0.1, 0.1, 0.1, 0.9))
    retriever, _, outcome = run(reply, "")
    assert len(retriever.queries) == 1
    assert outcome.text == "Joe Biden is old [1]."


def test_explicit_queries_are_questions_about_the_unsure_spans(
    run: Run, double: OllamaDouble
) -> None:
    replies = (
        sure(f"{FIRST} And more."),
        unsure((*GUESS, *GUESS_END), (0.95, 0.6, 0.3, 0.85, 0.2, 0.9)),
        "Which university did Joe Biden attend?\nThe answer is Delaware.",
        "Was it a law degree?",
        sure(f" {DEGREE}"),
    )
    retriever, events, outcome = run(*replies, strategy=FlareDirect(queries="explicit"))
    assert [query.text for query in retriever.queries] == [
        QUESTION,
        "Which university did Joe Biden attend?",
        "Was it a law degree?",
    ]
    asked = [double.chats[n].said("user") for n in (2, 3)]
    for text, span in zip(asked, ("the University of Pennsylvania", "a law degree"), strict=True):
        assert f'"{span}"' in text
        assert f"{FIRST} {WRONG}" in text
    assert [s.text for s in of(Step, events) if s.name == "sub-question"] == [
        query.text for query in retriever.queries[1:]
    ]
    lists = [event.passages for event in of(PassagesFound, events)[1:]]
    interleaved = [lists[0][0].text, lists[1][0].text]
    assert interleaved[0] != interleaved[1]
    assert {t for t in TEXTS if t in double.chats[4].prompt} == set(interleaved)
    assert outcome.text == f"{FIRST} {DEGREE}"


@pytest.mark.parametrize("reply", ["", fail(500, "it crashed")])
def test_where_no_question_comes_the_sentence_is_searched_with(run: Run, reply: Reply) -> None:
    first = unsure(("Joe Biden", " studied", " law", "."), (0.95, 0.9, 0.1, 0.9))
    retriever, events, _ = run(
        first, reply, sure("He did."), strategy=FlareDirect(queries="explicit")
    )
    assert retriever.queries[1].text == "Joe Biden studied."
    assert bool(of(Notice, events)) == (reply != "")


def test_an_answer_takes_256_tokens_in_all(run: Run, double: OllamaDouble) -> None:
    double.otherwise = lambda request: sure(
        f" Sentence {len(request.prefill)} " + "is long " * 12 + "indeed. More."
    )
    _, events, outcome = run(sure("It begins. More."))
    words = outcome.text.split()
    assert 150 < len(words) < 260
    assert outcome.unfinished
    assert [each.text for each in of(Notice, events)] == [
        "The answer was cut at 256 tokens: “Longest answer” sets how many."
    ]
    assert len(double.chats) <= 14
    assert double.chats[-1].options["num_predict"] < 64


def test_a_model_that_repeats_itself_is_at_its_end(run: Run, double: OllamaDouble) -> None:
    double.otherwise = sure(" The same again. And again.")
    _, _, outcome = run(sure("It begins. More."))
    assert outcome.text == "It begins. The same again."
    assert len(double.chats) == 3


def test_a_sentence_with_no_word_that_is_new_is_a_repetition(run: Run) -> None:
    whole = "The lighthouse cost 3 million euros and stands on the coast of Halden."
    cut_short = "The lighthouse cost 3 million euros and stands on the"
    _, _, outcome = run(sure(f"{whole} More."), sure(f" {cut_short}"))
    assert outcome.text == whole
    other = "The lighthouse cost 4 million euros and stands on the coast of Moss."
    _, _, outcome = run(sure(f"{whole} More."), sure(f" {other} More."), sure(""))
    assert outcome.text == f"{whole} {other}"


def test_an_empty_reply_ends_the_answer(run: Run) -> None:
    _, _, outcome = run(sure("It begins. More."), sure(""))
    assert outcome.text == "It begins."
    assert not outcome.unfinished
    assert run(sure(""), sure(""), settings=ONLY_DOCUMENTS)[2].mode == "refused"


def test_a_failure_keeps_what_was_written(run: Run) -> None:
    _, events, outcome = run(sure("It begins. More."), fail(500, "it crashed"))
    assert (outcome.text, outcome.unfinished) == ("It begins.", True)
    (notice,) = (each.text for each in of(Notice, events) if "crashed" in each.text)
    assert Turn("Why?", "flare_direct", notices=(notice,)).broken_off


def test_a_reply_that_breaks_off_is_kept_as_far_as_it_came(run: Run) -> None:
    broken = Script("Joe Biden is the president and he", probabilities=(0.9,), breaks_after=5)
    _, _, outcome = run(broken)
    assert "Joe Biden is the president and he".startswith(outcome.text)
    assert outcome.unfinished


def test_a_sentence_without_end_is_cut_at_a_word(run: Run) -> None:
    endless = Script(" extraordinarily" * 40, probabilities=(0.9,))
    _, _, outcome = run(endless, sure(" So it is."))
    assert outcome.text.endswith("extraordinarily So it is.")
    assert set(outcome.text.split()) == {"extraordinarily", "So", "it", "is."}


NOT_FOUND = "Not found in your documents."


def test_a_refusal_is_doubt_and_never_a_query(run: Run) -> None:
    """It ended FLARE with "retrieved for 0 of 1 sentences", however sure the refusal was."""
    replies = (sure(NOT_FOUND), sure("Joe Biden announced his candidacy."), sure(RIGHT_DATE))
    retriever, events, outcome = run(*replies)
    assert (outcome.mode, outcome.text) == ("generated", RIGHT_DATE)
    assert [q.text for q in retriever.queries] == [QUESTION, "Joe Biden announced his candidacy."]
    assert of(SearchStarted, events)[1].why == "the model does not know"
    assert of(Step, events)[-1].text == "retrieved for 1 of 1 sentences (100%)"
    retriever, _, _ = run(sure(f"{FIRST} More."), sure("I do not know."), sure(DEGREE))
    assert [query.text for query in retriever.queries] == [QUESTION, f"{QUESTION} {FIRST}"]


def test_where_neither_passages_nor_a_guess_say_it_the_answer_is_a_refusal(
    run: Run, double: OllamaDouble
) -> None:
    retriever, _, outcome = run(sure(NOT_FOUND), sure(NOT_FOUND), settings=ONLY_DOCUMENTS)
    assert (outcome.mode, len(retriever.queries)) == ("refused", 1)
    assert len(double.chats) == 2, "nothing new was found to write from"


def test_behind_an_answer_not_found_is_left_out(run: Run) -> None:
    _, _, outcome = run(sure("It begins [1]. More."), sure(NOT_FOUND), sure(NOT_FOUND))
    assert (outcome.mode, outcome.text) == ("generated", "It begins [1].")


def test_a_guess_is_made_without_passages_and_without_the_rule_to_refuse(
    run: Run, double: OllamaDouble
) -> None:
    run(sure(f"{FIRST} More."), unsure(DATE, (0.95, 0.9, 0.35, 0.9)), sure(RIGHT_DATE))
    first, guessed, written = double.chats
    assert not [text for text in TEXTS if text in guessed.prompt]
    assert NOT_FOUND not in guessed.prompt
    assert "best guess" in guessed.said("system")
    assert guessed.prefill == FIRST
    for request in (first, written):
        assert [text for text in TEXTS if text in request.prompt]


def test_where_only_documents_count_what_is_known_is_written_from_passages(
    run: Run, double: OllamaDouble
) -> None:
    """Memory is no source: the sentence costs no search, but it is written from what is there."""
    known, cited = "He won the election of 2020.", "He won it [2]."
    replies = (sure(f"{FIRST} More."), sure(known), sure(cited))
    retriever, events, outcome = run(*replies, settings=ONLY_DOCUMENTS)
    assert len(retriever.queries) == 1
    assert (outcome.text, outcome.mode) == (f"{FIRST} {cited}", "generated")
    drafts = [(each.text, each.kept) for each in of(Draft, events)]
    assert drafts == [(FIRST, True), (known, False), (cited, True)]
    assert NOT_FOUND in double.chats[2].said("system")
    assert of(Step, events)[-1].text == "retrieved for 0 of 2 sentences (0%)"


def test_where_the_passages_do_not_say_what_is_known_it_is_searched_for(run: Run) -> None:
    known = "Joe Biden announced his candidacy."
    replies = (sure(f"{FIRST} More."), sure(known), sure(NOT_FOUND), sure(RIGHT_DATE))
    retriever, events, outcome = run(*replies, settings=ONLY_DOCUMENTS)
    assert retriever.queries[1].text == known
    assert of(SearchStarted, events)[1].why == "the passages do not say it"
    assert outcome.text == f"{FIRST} {RIGHT_DATE}"


@pytest.mark.parametrize("settings", [MAY_KNOW, ONLY_DOCUMENTS])
def test_the_model_is_stopped_where_the_next_sentence_begins(
    run: Run, double: OllamaDouble, settings: Settings
) -> None:
    long = Script(f"{FIRST} " + "And so on it goes. " * 10, probabilities=(0.95,), pace=0.02)
    run(long, long, sure(DEGREE), settings=settings)
    asked = double.chats[:2]
    assert eventually(lambda: all(request.abandoned for request in asked))
    assert all(len(request.sent) < 80 for request in asked)


def test_without_evidence_nothing_is_written(run: Run, double: OllamaDouble) -> None:
    _, events, outcome = run(question="Why zebras?", settings=ONLY_DOCUMENTS)
    assert (outcome.mode, double.chats, of(Token, events)) == ("refused", [], [])


def test_where_the_model_may_know_it_no_evidence_is_needed(run: Run) -> None:
    settings = Settings(answering=Answering(only_documents=False))
    _, _, outcome = run(sure("Zebras run."), question="Why zebras?", settings=settings)
    assert (outcome.mode, outcome.text) == ("generated", "Zebras run.")


class Once(FakeRetriever):
    """Finds something for the first query only."""

    def search(self, query: Query) -> SearchResult:
        found = super().search(query)
        self.passages = ()
        return found


def test_a_search_that_finds_nothing_leaves_the_passages(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say(unsure(("Biden", " fell", "."), (0.9, 0.1, 0.9)), sure("He rose."))
    research = begin(Once(*TEXTS), QUESTION)
    _, outcome = finished(FlareDirect().run(research.question, research))
    before, after = ({text for text in TEXTS if text in chat.prompt} for chat in double.chats)
    assert before == after == {source.text for source in outcome.sources}
    assert len(before) == 2


def test_a_chinese_answer_has_no_spaces_between_its_sentences(
    run: Run, double: OllamaDouble
) -> None:
    question = "拜登毕业于哪所大学？"
    assert language(question) == "zh"
    guess = ("拜登", "毕业于", "宾夕法尼亚大学", "。")
    _, events, outcome = run(
        sure("拜登是美国总统。他很老。"),
        unsure(guess, (0.95, 0.9, 0.1, 0.9)),
        sure("拜登毕业于特拉华大学[1]。"),
        question=question,
        texts=("拜登是美国总统。", "拜登毕业于特拉华大学。"),
    )
    assert outcome.text == "拜登是美国总统。拜登毕业于特拉华大学[1]。"
    assert of(SearchStarted, events)[1].query == "拜登毕业于。"
    assert "你根据用户自己的文档回答问题" in double.chats[2].said("system")
    assert "最好的推测" in double.chats[1].said("system")
