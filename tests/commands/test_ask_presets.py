"""Questions asked by a preset: what it does, what it says, and what it leaves out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from desktop_rag.core.events import Answer, Event, Notice, SearchStarted, Step
from desktop_rag.core.settings import Answering
from desktop_rag.core.types import ChatId
from desktop_rag.strategies import presets
from testing.fake_retriever import FakeRetriever
from testing.narrowing import narrow, present
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import COURT, TEA, AskSetup

SEVERAL = "In which year did the founder of the court found it?"


def decisions(events: Iterable[Event]) -> list[str]:
    return [each.text for each in events if isinstance(each, Step) and each.name == "decision"]


def test_without_any_name_balanced_answers_and_says_which_strategy_ran(context: AskSetup) -> None:
    simple, harder = context.ask()[-1], context.ask(SEVERAL)
    assert isinstance(simple, Answer)
    assert (simple.preset, simple.strategy, simple.llm_calls) == ("balanced", "single_pass", 1)
    assert narrow(harder[-1], Answer).strategy == "linked_hops"
    assert decisions(harder)[0] == "The question seems to need several steps: Linked hops."


def test_a_question_of_one_step_is_searched_without_a_word_about_it(context: AskSetup) -> None:
    assert decisions(context.ask()) == []


def test_a_follow_up_is_weighed_as_it_stands_alone(context: AskSetup, double: OllamaDouble) -> None:
    first = context.answer("Who founded the court?", new_chat=True)
    double.say(SEVERAL)
    events = context.ask("And when?", chat_id=first.chat_id)
    assert decisions(events)[0] == "The question seems to need several steps: Linked hops."
    assert narrow(events[-1], Answer).llm_calls == 2


def test_fast_reads_fewer_passages_twice(context: AskSetup) -> None:
    assert context.answer(preset="fast").preset == "fast"
    fast = presets.find("fast")
    assert context.retriever.reads == fast.reads
    assert context.retriever.queries[-1].k == int(fast.options["k"])
    context.answer(preset="fast", k=9)
    assert context.retriever.queries[-1].k == 9


def test_thorough_asks_in_other_wordings_and_checks_the_answer(
    context: AskSetup, double: OllamaDouble
) -> None:
    wordings = json.dumps({"questions": ["How many judges does the court have?"]})
    checks = json.dumps({"questions": ["How many justices are on the court?"]})
    double.say(wordings, "Twelve [1].", checks, "Nine.", "There are nine justices [1].")
    events = context.ask(preset="thorough")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.text, answer.preset) == ("There are nine justices [1].", "thorough")
    assert answer.strategy == "linked_hops"
    assert answer.llm_calls == 5
    searched = [each.query for each in events if isinstance(each, SearchStarted)]
    assert "How many judges does the court have?" in searched


def test_thorough_without_a_model_says_once_what_it_leaves_out(context: AskSetup) -> None:
    context.url = None
    events = context.ask(preset="thorough")
    told = [each.text for each in events if isinstance(each, Notice)]
    assert told.count(presets.find("thorough").without) == 1
    assert not any("Several queries" in text or "Verify" in text for text in told)
    answer = narrow(events[-1], Answer)
    assert (answer.mode, answer.strategy) == ("extracted", "linked_hops")


def test_the_study_s_best_searches_with_a_made_up_passage_and_shortens_what_is_read(
    context: AskSetup, double: OllamaDouble
) -> None:
    context.retriever = FakeRetriever(" ".join((COURT, *(f"{TEA} It is good." for _ in range(9)))))
    double.say("The court has nine justices.", "Nine [1].", "Nine [1].")
    events = context.ask(preset="study_best")
    answer = narrow(events[-1], Answer)
    assert (answer.preset, answer.strategy, answer.llm_calls) == ("study_best", "single_pass", 2)
    assert context.retriever.queries[-1].alike == ("The court has nine justices.",)
    shortened = double.chats[-1].prompt
    context.ask(strategy="single_pass")
    whole = double.chats[-1].prompt
    assert COURT.partition(".")[0] in shortened
    assert shortened.count(TEA) < whole.count(TEA) == 9


@pytest.mark.parametrize("preset", ["fast", "balanced", "study_balanced"])
def test_the_others_leave_nothing_out_without_a_model(context: AskSetup, preset: str) -> None:
    context.url = None
    events = context.ask(preset=preset)
    assert narrow(events[-1], Answer).mode == "extracted"
    assert len([each for each in events if isinstance(each, Notice)]) == 1  # that there is none


def test_the_settings_way_is_a_strategy_where_they_say_so(context: AskSetup) -> None:
    answering = Answering(strategy="single_pass")
    context.settings = replace(context.settings, answering=answering)
    answer = context.answer(SEVERAL)
    assert (answer.preset, answer.strategy) == ("", "single_pass")
    assert context.answer(SEVERAL, preset="balanced").strategy == "linked_hops"


def test_a_kept_answer_remembers_its_preset(context: AskSetup) -> None:
    chat = ChatId(present(context.answer(preset="fast", new_chat=True).chat_id))
    kept = context.catalog.chats.messages(chat)[-1]
    assert json.loads(kept.payload)["preset"] == "fast"
