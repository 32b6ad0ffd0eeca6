"""Questions changed before they are researched: what is asked, kept and left of them."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Answer, Event, Notice, SearchStarted, Step, Token
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script, fail
from tests.commands.ask_setup import COURT, QUESTION, AskSetup


def searched(events: Iterable[Event]) -> list[str]:
    return [event.query for event in events if isinstance(event, SearchStarted)]


def test_a_follow_up_is_condensed_before_the_first_transform_sees_it(
    context: AskSetup, double: OllamaDouble
) -> None:
    first = context.answer("Who founded the court?", new_chat=True)
    double.say("When did Anna Berg found the court?", "court founded when", "In 1902 [1].")
    events = context.ask("And when?", chat_id=first.chat_id, transforms=("rewrite", "condense"))
    assert [event.name for event in events if isinstance(event, Step)] == ["condensed", "rewritten"]
    assert "When did Anna Berg found the court?" in double.chats[-2].prompt
    assert searched(events) == ["court founded when"]


def test_the_answer_names_its_strategy_and_counts_the_transforms_calls(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say(json.dumps({"questions": ["How many judges are there?"]}), "Nine justices [1].")
    answer = context.answer(transforms=("multi_query",), options={"multi_query.queries": "1"})
    assert (answer.strategy, answer.searches, answer.llm_calls) == ("single_pass", 2, 2)
    assert answer.text == "Nine justices [1]."


def test_a_model_that_vanishes_behind_a_transform_leaves_quotes(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say("justices of the court", *[fail(500, "busy")] * 3)
    events = context.ask(transforms=("rewrite",), strategy="iter_retgen")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.mode, answer.strategy) == ("extracted", "single_pass")
    assert COURT.split(".", maxsplit=1)[0] in answer.text
    assert searched(events)[-1] == QUESTION
    assert any(isinstance(event, Notice) for event in events)


def test_a_verified_answer_is_kept_without_its_draft(
    context: AskSetup, double: OllamaDouble
) -> None:
    checks = json.dumps({"questions": ["How many justices are on the court?"]})
    double.say("There are twelve [1].", checks, "Nine.", "There are nine justices [1].")
    events = context.ask(transforms=("verify",), new_chat=True)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "".join(event.text for event in events if isinstance(event, Token)) == answer.text
    (kept,) = context.catalog.chats.all()
    told = context.catalog.chats.messages(kept.id)[-1]
    assert told.text == answer.text == "There are nine justices [1]."


def test_a_stop_while_checks_are_made_keeps_no_draft_as_an_answer(
    context: AskSetup, double: OllamaDouble
) -> None:
    token: CancelToken = context.token

    def stop(request: Recorded) -> Script:
        del request
        token.cancel()
        return Script("never", wait=5.0)

    double.say("There are twelve justices [1].", stop)
    with pytest.raises(Cancelled):
        context.ask(transforms=("verify",), new_chat=True)
    (kept,) = context.catalog.chats.all()
    told = context.catalog.chats.messages(kept.id)[-1]
    assert told.text == ""
    assert json.loads(told.payload)["mode"] == "stopped"
