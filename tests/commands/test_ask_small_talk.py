"""Small talk is answered at once: no search, no call of a model, no source, and it is said."""

from __future__ import annotations

import pytest

from desktop_rag.core.events import SMALL_TALK, Answer, Step, Token
from desktop_rag.core.types import ChatId
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import QUESTION, AskSetup


@pytest.mark.parametrize("strategy", ["", "single_pass", "adaptive", "direct", "thorough"])
def test_nothing_is_searched_and_no_model_is_called(
    context: AskSetup, double: OllamaDouble, strategy: str
) -> None:
    events = context.ask("Hello!", strategy=strategy)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert (answer.searches, answer.llm_calls, answer.passages) == (0, 0, 0)
    assert (answer.mode, answer.model) == ("generated", None)
    assert answer.citations == () == answer.from_model
    assert "“My documents”" in answer.text
    assert not context.retriever.queries
    assert not double.chats
    assert [each.name for each in events if isinstance(each, Step)] == [SMALL_TALK]
    assert "".join(each.text for each in events if isinstance(each, Token)) == answer.text


def test_it_needs_no_model(context: AskSetup) -> None:
    context.url = None
    events = context.ask("你好，你能做什么？")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text.startswith("我是 Desktop RAG")
    assert len(events) == 3, "a step, the text and the answer: no notice of a missing model"


def test_a_question_with_a_greeting_in_it_is_searched(context: AskSetup) -> None:
    context.ask(f"Hello, {QUESTION}")
    assert context.retriever.queries


def test_what_is_to_be_searched_as_it_is_written_is(context: AskSetup) -> None:
    context.ask("Hello!", as_written=True)
    assert context.retriever.queries


def test_it_is_kept_in_a_conversation_without_sources_and_is_no_answer_that_waits(
    context: AskSetup,
) -> None:
    answer = context.answer("Thanks!", new_chat=True)
    assert answer.chat_id is not None
    question, reply = context.catalog.chats.messages(ChatId(answer.chat_id))
    assert question.text == "Thanks!"
    assert reply.text == answer.text
    assert '"sources": []' in reply.payload
    assert answer.awaits is None
