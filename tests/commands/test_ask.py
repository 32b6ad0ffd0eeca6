import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.commands import ask, list_strategies
from desktop_rag.core.errors import Cancelled, UsageError, UserError
from desktop_rag.core.events import (
    NO_QUOTE,
    Answer,
    Event,
    ModelCall,
    Notice,
    SearchStarted,
    Step,
    Token,
)
from desktop_rag.core.requests import AskRequest, DescribeRequest
from desktop_rag.core.settings import Answering, Settings
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies import presets, registry
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script
from testing.ollama_double.server import refused_url
from tests.attacks.hostile_ollama import HostileOllama
from tests.catalog.stored_documents import document, put
from tests.commands.ask_setup import COURT, QUESTION, TEA, AskSetup


class Doubting(FakeRetriever):
    """Finds no evidence for a query with one word."""

    def __init__(self, *texts: str, doubted: str) -> None:
        super().__init__(*texts)
        self.doubted = doubted

    def search(self, query: Query) -> SearchResult:
        return replace(super().search(query), evidence=float(self.doubted not in query.text))


class Demanding(Doubting):
    """Finds no evidence for a query without one word."""

    def __init__(self, *texts: str, demanded: str) -> None:
        super().__init__(*texts, doubted=demanded)

    def search(self, query: Query) -> SearchResult:
        return replace(super().search(query), evidence=float(self.doubted in query.text))


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[AskSetup]:
    """A machine without Ollama."""
    made = AskSetup(tmp_path, None)
    yield made
    made.catalog.close()


def names(events: list[Event]) -> list[str]:
    return list(dict.fromkeys(event.event for event in events))


def test_the_events_come_in_their_order_and_end_with_the_answer(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say("There are nine justices on the court [1].")
    events = context.ask()
    assert names(events) == ["search", "passages", "token", "call", "answer"]
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.mode, answer.strategy, answer.model) == (
        "generated",
        "single_pass",
        "llama3.2:3b",
    )
    assert (answer.searches, answer.llm_calls, answer.passages) == (1, 1, 2)
    assert answer.citations[0].quote == "The court is currently filled with nine justices."
    assert json.loads(json.dumps(answer.as_json()))["citations"][0]["locator"]["kind"] == "page"


def test_a_machine_without_a_model_still_answers(bare: AskSetup) -> None:
    events = bare.ask()
    assert names(events) == ["notice", "search", "passages", "answer"]
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.mode, answer.model, answer.llm_calls) == ("extracted", None, 0)
    assert "nine justices" in answer.text
    assert answer.citations[0].n == 1


def test_a_machine_without_a_model_says_when_it_found_nothing(bare: AskSetup) -> None:
    put(bare.catalog, bare.catalog.kbs.get("default").id, "/d/tea.md", document(TEA))
    answer = bare.answer("Which volcano erupted yesterday?")
    assert (answer.mode, answer.text) == ("refused", "Not found in your documents.")
    assert (answer.citations, answer.sources, answer.model) == ((), (), None)


@pytest.mark.parametrize("question", [QUESTION, "Which volcano erupted yesterday?"])
def test_what_is_said_about_a_missing_model_is_true_of_quotes_and_of_a_refusal(
    bare: AskSetup, question: str
) -> None:
    (notice,) = [event.text for event in bare.ask(question) if isinstance(event, Notice)]
    assert notice == (
        "Ollama does not answer. Without a language model only quotes from your documents can be "
        "given. Start Ollama."
    )


def test_a_strategy_that_needs_a_model_says_so_and_one_pass_is_done(bare: AskSetup) -> None:
    events = bare.ask(strategy="iter_retgen")
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert any("needs a language model" in text for text in notices)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.strategy, answer.mode) == ("single_pass", "extracted")


def test_an_ollama_that_vanishes_is_no_error(context: AskSetup) -> None:
    context.url = refused_url()
    for strategy in ("single_pass", "iter_retgen"):
        answer = context.answer(strategy=strategy)
        assert (answer.strategy, answer.mode, answer.model) == ("single_pass", "extracted", None)


def test_a_port_that_hangs_up_is_no_error(context: AskSetup) -> None:
    with HostileOllama(tags=lambda _: None) as taken:
        context.url = taken.url
        for strategy in ("single_pass", "iter_retgen"):
            events = context.ask(strategy=strategy)
            answer = events[-1]
            assert isinstance(answer, Answer)
            assert (answer.strategy, answer.mode) == ("single_pass", "extracted")
            told = [each.text for each in events if isinstance(each, Notice)]
            assert any("hangs up without an answer" in text for text in told)


def test_a_model_that_is_not_installed_is_no_error(context: AskSetup) -> None:
    events = context.ask(model="nobody:7b")
    assert any("nobody:7b" in e.text for e in events if isinstance(e, Notice))
    assert isinstance(events[-1], Answer)
    assert events[-1].mode == "extracted"


def test_the_strategy_of_the_settings_is_taken_when_none_is_named(context: AskSetup) -> None:
    context.settings = Settings(answering=Answering(strategy="iter_retgen"))
    answer = context.answer(options={"rounds": "2"})
    assert (answer.strategy, answer.searches, answer.llm_calls) == ("iter_retgen", 2, 2)


def test_sentences_without_a_source_are_numbered(context: AskSetup, double: OllamaDouble) -> None:
    double.say("There are nine justices [1]. Coffee comes from Ethiopian forests.")
    assert context.answer().from_model == (1,)


def test_an_answer_that_nothing_supports_is_marked_by_a_notice(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say("Coffee comes from Ethiopian forests.")
    events = context.ask()
    assert events[-2] == Notice(NO_QUOTE)


def test_what_a_model_that_broke_off_left_unfinished_is_not_judged(
    context: AskSetup, double: OllamaDouble
) -> None:
    said = "Anna Berg founded it in 1902 [1]. The court is currently filled with nine justices."
    double.say(Script(said, breaks_after=20))
    events = context.ask()
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert said.startswith(answer.text)
    assert "filled" in answer.text
    assert [citation.sentence for citation in answer.citations] == [0]
    assert answer.from_model == ()
    assert any("kept" in event.text for event in events if isinstance(event, Notice))


def test_a_follow_up_is_condensed_before_it_is_searched(
    context: AskSetup, double: OllamaDouble
) -> None:
    first = context.answer("Who founded the court?", new_chat=True)
    double.say("When did Anna Berg found the court?", "In 1902 [1].")
    events = context.ask("And when?", chat_id=first.chat_id)
    (step,) = [event for event in events if isinstance(event, Step)]
    assert (step.name, step.text) == ("condensed", "When did Anna Berg found the court?")
    assert [e.query for e in events if isinstance(e, SearchStarted)] == [step.text]
    assert [e.purpose for e in events if isinstance(e, ModelCall)] == ["condense", "answer"]
    helper = double.chats[-2]
    assert "Who founded the court?" in helper.prompt
    assert helper.body.get("think") in (None, False)
    assert [e.text for e in events if isinstance(e, Token)] != []
    assert "When did Anna" not in "".join(e.text for e in events if isinstance(e, Token))


def test_a_model_that_cannot_condense_is_replaced_by_the_question_before(
    context: AskSetup, double: OllamaDouble
) -> None:
    first = context.answer("Who founded the court?", new_chat=True)
    double.say(Script(status=500, error="busy"), "In 1902 [1].")
    events = context.ask("And when was it?", chat_id=first.chat_id)
    assert [e.query for e in events if isinstance(e, SearchStarted)] == [
        "Who founded the court? And when was it?"
    ]
    assert isinstance(events[-1], Answer)
    assert events[-1].mode == "generated"


def test_a_follow_up_without_a_model_finds_its_subject(bare: AskSetup) -> None:
    first = bare.answer("Who founded the court?", new_chat=True)
    answer = bare.answer("And when was it?", chat_id=first.chat_id)
    assert "1902" in answer.text


def searched(events: list[Event]) -> list[str]:
    return [event.query for event in events if isinstance(event, SearchStarted)]


def test_a_new_topic_without_a_model_is_searched_alone(bare: AskSetup) -> None:
    first = bare.answer("Who founded the court?", new_chat=True)
    events = bare.ask("Why is tea grown in the hills?", chat_id=first.chat_id)
    assert searched(events) == ["Why is tea grown in the hills?"]
    assert isinstance(events[-1], Answer)
    assert TEA in events[-1].text


def test_a_glued_question_that_finds_nothing_is_searched_alone(bare: AskSetup) -> None:
    first = bare.answer("Who founded the court?", new_chat=True)
    bare.retriever = Doubting(COURT, TEA, doubted="founded")
    events = bare.ask("And where is tea grown?", chat_id=first.chat_id)
    assert searched(events) == [
        "Who founded the court? And where is tea grown?",
        "And where is tea grown?",
    ]
    assert isinstance(events[-1], Answer)
    assert (events[-1].searches, TEA in events[-1].text) == (2, True)


def test_a_question_that_finds_nothing_alone_is_searched_behind_the_one_before(
    bare: AskSetup,
) -> None:
    bare.retriever = Demanding(COURT, TEA, demanded="founded")
    first = bare.answer("Who founded the court?", new_chat=True)
    events = bare.ask("Which year 1902 event happened?", chat_id=first.chat_id)
    assert len(searched(events)) == 2
    assert isinstance(events[-1], Answer)
    assert "1902" in events[-1].text


def test_the_question_before_does_not_answer_for_another_one(bare: AskSetup) -> None:
    first = bare.answer("Who founded the court?", new_chat=True)
    answer = bare.answer("Which volcano erupted yesterday?", chat_id=first.chat_id)
    assert (answer.mode, answer.sources) == ("refused", ())


def test_condensing_can_be_switched_off_and_asked_for(
    context: AskSetup, double: OllamaDouble
) -> None:
    context.settings = Settings(answering=Answering(condense=False))
    first = context.answer("Who founded the court?", new_chat=True)
    plain = context.ask("And when was the court founded?", chat_id=first.chat_id)
    assert not [event for event in plain if isinstance(event, Step)]
    assert any("Who founded" in m["content"] for m in double.chats[-1].messages[:-1])
    double.say("When did Anna Berg found the court?")
    forced = context.ask("And when?", chat_id=first.chat_id, transforms=("condense",))
    assert [event.name for event in forced if isinstance(event, Step)] == ["condensed"]


def test_a_conversation_is_kept_with_what_showing_it_needs(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say("There are nine justices on the court [1].")
    answer = context.answer(new_chat=True)
    (kept,) = context.catalog.chats.all()
    assert (kept.id, kept.title, kept.kbs) == (answer.chat_id, QUESTION, ("default",))
    asked, told = context.catalog.chats.messages(kept.id)
    assert (asked.role, asked.text) == ("user", QUESTION)
    assert (told.role, told.text) == ("assistant", answer.text)
    payload = json.loads(told.payload)
    assert payload["citations"][0]["quote"] == answer.citations[0].quote
    assert [source["text"] for source in payload["sources"]] == [COURT, TEA]


def test_a_question_outside_a_conversation_leaves_nothing_behind(context: AskSetup) -> None:
    assert context.answer().chat_id is None
    assert context.catalog.chats.all() == []


def test_stop_keeps_the_partial_answer(context: AskSetup, double: OllamaDouble) -> None:
    double.say(Script("one two three four five six seven", pace=0.02))
    events = context.start(new_chat=True)
    while not isinstance(next(events), Token):
        pass
    context.token.cancel()
    with pytest.raises(Cancelled):
        list(events)
    (kept,) = context.catalog.chats.all()
    told = context.catalog.chats.messages(kept.id)[-1]
    assert told.text.startswith("one")
    payload = json.loads(told.payload)
    assert payload["mode"] == "stopped"
    assert [source["text"] for source in payload["sources"]] == [COURT, TEA]


def test_a_reader_that_goes_away_leaves_what_came(context: AskSetup, double: OllamaDouble) -> None:
    double.say(Script("one two three four five six seven", pace=0.02))
    events = context.start(new_chat=True)
    while not isinstance(next(events), Token):
        pass
    events.close()  # type: ignore[attr-defined]
    (kept,) = context.catalog.chats.all()
    assert context.catalog.chats.messages(kept.id)[-1].text.startswith("one")


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": "  "},
        {"strategy": "magic"},
        {"preset": "best"},
        {"transforms": ("magic",)},
        {"options": {"hyde.passages": "2"}},
        {"options": {"rounds": "3"}},
    ],
)
def test_wrong_usage_is_told_before_anything_is_kept(
    context: AskSetup, wrong: dict[str, Any]
) -> None:
    with pytest.raises(UsageError):
        context.ask(**({"new_chat": True} | wrong))
    assert context.catalog.chats.all() == []


def test_an_unknown_knowledge_base_is_told_before_anything_is_kept(context: AskSetup) -> None:
    request = AskRequest(kbs=("nowhere",), question=QUESTION, new_chat=True)
    with pytest.raises(UserError):
        list(ask.run(context.workspace, request, context.token))
    assert context.catalog.chats.all() == []


@pytest.mark.parametrize("wanted", [(), ("boats",), ("default",)])
def test_a_conversation_goes_on_in_what_it_asked_or_in_what_is_named(
    context: AskSetup, wanted: tuple[str, ...]
) -> None:
    context.catalog.kbs.ensure("boats")
    chat = context.catalog.chats.create("boats", ("boats",))
    request = AskRequest(kbs=wanted, question=QUESTION, chat_id=chat)
    list(ask.run(context.workspace, request, context.token))
    scope = wanted or ("boats",)
    assert context.catalog.chats.get(chat).kbs == scope
    assert {query.kbs for query in context.retriever.queries} == {
        tuple(context.catalog.kbs.get(name).id for name in scope)
    }


def test_a_strategy_reaches_another_by_its_name(context: AskSetup) -> None:
    events = context.ask(strategy="adaptive")
    assert [event.text for event in events if isinstance(event, Step)] == ["one: single_pass"]
    assert isinstance(events[-1], Answer)
    assert (events[-1].strategy, events[-1].mode) == ("adaptive", "generated")


def test_a_strategy_reaches_the_knowledge_bases_that_were_not_asked_for(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say('{"marks": [0, 0]}', "justices court", '{"marks": [9, 0]}', "Nine [1].")
    boats = context.catalog.kbs.ensure("boats").id
    answer = context.answer(strategy="crag")
    assert [query.kbs for query in context.retriever.queries][2] == (boats,)
    assert (answer.text, answer.searches) == ("Nine [1].", 3)


def test_only_what_exists_is_listed(context: AskSetup) -> None:
    rows = [
        event.as_json()
        for event in list_strategies.run(
            context.workspace, DescribeRequest("strategies"), context.token
        )
    ]
    assert [(row["kind"], row["name"]) for row in rows] == [
        *(("preset", each.name) for each in presets.PRESETS),
        *(("strategy", kind.name) for kind in registry.STRATEGIES),
        *(("transform", kind.name) for kind in registry.TRANSFORMS),
    ]


def test_what_tables_give_without_a_model_is_told_as_it_is(bare: AskSetup) -> None:
    notices = [each.text for each in bare.ask(strategy="tables") if isinstance(each, Notice)]
    assert "computed over all rows of tables" in notices[0]
    assert "only quotes from your documents" not in notices[0]
