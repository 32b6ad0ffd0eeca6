"""Questions asked in place of others: each branch is told of itself only."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, PassagesFound, QuestionStored, SearchStarted
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.transcript import Failed
from desktop_rag.retrieval.query import Query, SearchResult
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import QUESTION, AskSetup


def ask(context: AskSetup, question: str, **more: Any) -> tuple[QuestionStored, Answer]:
    first, *_between, last = context.ask(question, **more)
    assert isinstance(first, QuestionStored)
    assert isinstance(last, Answer)
    return first, last


def told(double: OllamaDouble) -> str:
    return " ".join(message["content"] for message in double.chats[-1].messages)


def test_a_question_asked_after_a_message_is_told_of_what_was_said_before_it(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say("Nine justices [1].")
    first, _answer = ask(context, QUESTION, new_chat=True)
    chat = first.chat_id
    ask(context, "What is said of the tea of Assam?", chat_id=chat, as_written=True)
    again, _answer = ask(
        context, "Who founded the court?", chat_id=chat, after=first.answer_id, as_written=True
    )
    assert "Nine justices" in told(double)
    assert "Assam" not in told(double)
    turns = conversation_jobs.load_transcript(context.catalog, chat).turns
    assert [turn.question for turn in turns] == [QUESTION, "Who founded the court?"]
    assert len(turns[1].versions) == 2
    assert (turns[1].question_id, turns[1].answer_id) == (again.question_id, again.answer_id)


def test_the_first_question_can_be_asked_anew(context: AskSetup, double: OllamaDouble) -> None:
    first, _answer = ask(context, QUESTION, new_chat=True)
    second, answer = ask(context, QUESTION, chat_id=first.chat_id, after=0)
    assert QUESTION not in " ".join(m["content"] for m in double.chats[-1].messages[:-1])
    assert second.versions == (first.question_id, second.question_id)
    (turn,) = conversation_jobs.load_transcript(context.catalog, first.chat_id).turns
    assert turn.text == answer.text


def test_a_place_that_is_not_in_the_conversation_is_refused(context: AskSetup) -> None:
    first, _answer = ask(context, QUESTION, new_chat=True)
    with pytest.raises(UserError, match="no message"):
        context.ask(QUESTION, chat_id=first.chat_id, after=999)
    assert len(conversation_jobs.load_transcript(context.catalog, first.chat_id).turns) == 1


def test_the_steps_of_an_answer_are_those_that_were_shown(context: AskSetup) -> None:
    events = context.ask(QUESTION, new_chat=True)
    answer = events[-1]
    assert isinstance(answer, Answer)
    (turn,) = conversation_jobs.load_transcript(context.catalog, answer.chat_id or 0).turns
    searches = [each for each in turn.trace if isinstance(each, SearchStarted)]
    assert searches == [each for each in events if isinstance(each, SearchStarted)]
    found = [each for each in events if isinstance(each, PassagesFound)]
    again = [each for each in turn.trace if isinstance(each, PassagesFound)]
    assert [[p.text for p in each.passages] for each in again] == [
        [p.text for p in each.passages] for each in found
    ]
    assert [each.kept for each in again] == [each.kept for each in found]


class FullDisk(FakeRetriever):
    """An index that cannot be read."""

    def search(self, query: Query) -> SearchResult:
        del query
        raise UserError("The disk is full.", "Make room.")


def test_why_a_question_has_no_answer_is_kept_with_it(context: AskSetup) -> None:
    context.retriever = FullDisk()
    with pytest.raises(UserError):
        context.ask(QUESTION, new_chat=True)
    (chat,) = context.catalog.chats.all()
    (turn,) = conversation_jobs.load_transcript(context.catalog, chat.id).turns
    assert turn.outcome == Failed("The disk is full.", "Make room.")
