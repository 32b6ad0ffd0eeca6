import json
from typing import Any

import pytest

from desktop_rag.core.events import Event, ModelCall, Notice
from desktop_rag.models.protocols import Message
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script
from tests.strategies.conftest import Begin, finished

SCHEMA = {
    "type": "object",
    "properties": {"steps": {"type": "integer", "minimum": 1}},
    "required": ["steps"],
}
ASKED = (Message("user", "How many steps?"),)


def decide(begin: Begin) -> tuple[list[Event], dict[str, Any] | None]:
    research = begin(FakeRetriever(), "Why?")
    return finished(research.decide(ASKED, "route", SCHEMA))


def test_a_decision_is_an_object_that_fits_the_schema(double: OllamaDouble, begin: Begin) -> None:
    double.say('{"steps": 2}')
    events, found = decide(begin)
    assert found == {"steps": 2}
    assert double.chats[0].body["format"] == SCHEMA | {"additionalProperties": False}
    assert [event.purpose for event in events if isinstance(event, ModelCall)] == ["route"]


def test_a_reply_that_breaks_the_form_is_asked_for_again_once(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say('{"steps": 0}', '{"steps": 3}')
    events, found = decide(begin)
    assert found == {"steps": 3}
    again = double.chats[1]
    assert again.messages[-2]["content"] == '{"steps": 0}'
    assert json.dumps(SCHEMA) in again.messages[-1]["content"]
    assert not [event for event in events if isinstance(event, Notice)]


LISTED = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
}


def test_what_a_schema_leaves_open_is_bounded_for_the_server(
    double: OllamaDouble, begin: Begin
) -> None:
    """Unbounded, a model fills its context with one list; what is told of the form is as it was."""
    double.say('{"questions": ["One?"]}')
    finished(begin(FakeRetriever(), "Why?").decide(ASKED, "questions", LISTED))
    sent = double.chats[0].body["format"]
    assert sent["additionalProperties"] is False
    assert sent["properties"]["questions"]["maxItems"] == 32
    assert sent["properties"]["questions"]["items"]["maxLength"] == 600
    own = LISTED["properties"]["questions"] | {"maxItems": 2}  # type: ignore[index]
    double.say('{"questions": []}')
    narrow = LISTED | {"properties": {"questions": own}}
    finished(begin(FakeRetriever(), "Why?").decide(ASKED, "questions", narrow))
    assert double.chats[1].body["format"]["properties"]["questions"]["maxItems"] == 2


def test_of_a_list_that_was_cut_the_finished_items_are_kept(
    double: OllamaDouble, begin: Begin
) -> None:
    """Asked for again, it would be cut again."""
    asked = [f"What is thing number {n}?" for n in range(200)]
    double.say(json.dumps({"questions": asked}))
    _, found = finished(begin(FakeRetriever(), "Why?").decide(ASKED, "questions", LISTED))
    assert found is not None
    assert 10 < len(found["questions"]) < 200
    assert found["questions"] == asked[: len(found["questions"])]
    assert len(double.chats) == 1


def test_two_broken_replies_are_no_decision_and_that_is_told(
    double: OllamaDouble, begin: Begin
) -> None:
    double.say('{"steps": "many"}', Script('{"steps": 1', tokens=('{"steps"', ": 1")))
    events, found = decide(begin)
    assert found is None
    assert len(double.chats) == 2
    assert [event.text for event in events if isinstance(event, Notice)] == [
        "The model did not decide in the form that was asked for."
    ]


def test_decisions_that_fail_are_told_once_a_question(double: OllamaDouble, begin: Begin) -> None:
    double.otherwise = '{"steps": "many"}'
    research = begin(FakeRetriever(), "Why?")
    events = [each for _ in "12" for each in finished(research.decide(ASKED, "route", SCHEMA))[0]]
    assert len(double.chats) == 4
    assert len([event for event in events if isinstance(event, Notice)]) == 1


def test_weighing_tells_how_near_the_other_values_were(double: OllamaDouble, begin: Begin) -> None:
    fields = {
        "sure": {"type": "boolean"},
        "kind": {"enum": ["new", "old"]},
        "text": {"type": "string"},
    }
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    said = json.dumps({"sure": True, "kind": "old", "text": "x"})
    rivals = {" true": {" false": 0.3}, "old": {"new": 0.1, "odd": 0.5}}
    double.say("{}", Script(said, probabilities=(0.9,), rivals=rivals))
    research = begin(FakeRetriever(), "Why?")
    _, found = finished(research.weigh(ASKED, "route", schema))
    assert found is not None
    assert found["sure"] == pytest.approx({True: 0.75, False: 0.25})
    assert found["kind"] == pytest.approx({"old": 0.9, "new": 0.1})
    assert found["text"] == {"x": 1.0}
    assert [chat.body["top_logprobs"] for chat in double.chats] == [20, 20]


def test_weighing_without_an_object_is_no_decision(double: OllamaDouble, begin: Begin) -> None:
    double.say('{"steps": 0}', '{"steps": 0}')
    events, found = finished(begin(FakeRetriever(), "Why?").weigh(ASKED, "route", SCHEMA))
    assert found is None
    assert len([event for event in events if isinstance(event, Notice)]) == 1
