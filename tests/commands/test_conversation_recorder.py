"""What a follow-up is told of the conversation before it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import PassagesFound, QuestionStored, Token
from desktop_rag.strategies.research_context import ResearchState
from testing.sample_answers import answer, passage


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path)
    yield opened
    opened.close()


def test_a_refused_question_is_not_part_of_what_was_said(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    chat = catalog.chats.create("boats", ("default",))
    said = [
        ("user", "How long is the lease?", ""),
        ("assistant", "Ten years [1].", json.dumps({"mode": "generated"})),
        ("user", "Who won the cup?", ""),
        ("assistant", "Not found in your documents.", json.dumps({"mode": "refused"})),
    ]
    for role, text, payload in said:
        catalog.chats.append(chat, role, text, payload)
    history = ConversationLog(catalog, chat).history()
    catalog.close()
    assert [message.content for message in history] == ["How long is the lease?", "Ten years [1]."]


def test_a_follow_up_is_told_of_its_own_branch_only(catalog: Catalog) -> None:
    chat = catalog.chats.create("boats", ())
    first = ConversationLog(catalog, chat).asked("How long is the lease?")
    first.answered(answer("Ten years [1].", 1))
    (place,) = first.place()
    assert isinstance(place, QuestionStored)
    ConversationLog(catalog, chat).asked("And the rent?").answered(answer("Nine [1].", 1))
    history = ConversationLog(catalog, chat, place.answer_id).history()
    assert [each.content for each in history] == ["How long is the lease?", "Ten years [1]."]
    assert ConversationLog(catalog, chat, 0).history() == ()


def test_a_question_asked_anew_tells_its_versions(catalog: Catalog) -> None:
    chat = catalog.chats.create("boats", ())
    (first,) = ConversationLog(catalog, chat).asked("How long?").place()
    (second,) = ConversationLog(catalog, chat, 0).asked("How long is it?").place()
    assert isinstance(first, QuestionStored)
    assert isinstance(second, QuestionStored)
    assert second.versions == (first.question_id, second.question_id)


def test_what_an_answer_has_come_to_is_in_the_catalog_while_it_is_written(
    catalog: Catalog,
) -> None:
    chat = catalog.chats.create("boats", ())
    record = ConversationLog(catalog, chat).asked("How long?")
    tally = ResearchState(written="Ten ye", shown=(passage(1),))
    record.take(Token("Ten ye"), tally)
    _question, told = catalog.chats.messages(chat)
    assert told.text == "Ten ye"
    assert json.loads(told.payload)["mode"] == "running"
    assert len(json.loads(told.payload)["sources"]) == 1


def test_an_answer_that_failed_says_why(catalog: Catalog) -> None:
    chat = catalog.chats.create("boats", ())
    record = ConversationLog(catalog, chat).asked("How long?")
    record.failed(UserError("The disk is full.", "Make room."), ResearchState(), "single_pass")
    payload = json.loads(catalog.chats.messages(chat)[-1].payload)
    assert (payload["mode"], payload["what"]) == ("failed", "The disk is full.")


def test_each_passage_is_written_once(catalog: Catalog) -> None:
    chat = catalog.chats.create("boats", ())
    record = ConversationLog(catalog, chat).asked("How long?")
    found = (passage(1), passage(2, text="A rare sentence."))
    for query in ("a", "b"):
        again = tuple(replace(each, rank=3 - each.rank) for each in found)
        record.take(
            PassagesFound(query, found if query == "a" else again, frozenset({1})), ResearchState()
        )
    record.answered(answer("Ten years [1].", 1, sources=1))
    payload = catalog.chats.messages(chat)[-1].payload
    assert payload.count("A rare sentence.") == 1
    assert json.loads(payload)["trace"][1]["passages"] == [[1, 2, True], [2, 1, False]]
