"""The same question asked again: what is given again, and what is answered anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.commands import ask, prepare
from desktop_rag.commands.answer_reuse import same_words
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import (
    Answer,
    Event,
    Notice,
    NoticeCode,
    PassagesFound,
    QuestionStored,
    SearchStarted,
    Token,
)
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, PrepareRequest
from desktop_rag.core.types import ChatId
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import ChatModel
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "What cut the fuel of the ferry Sula?"
SULA = "The ferry Sula runs on electricity, which cut its fuel by 71 percent."


def no_model(_name: str, _consent: Consent) -> ChatModel:
    raise ModelUnavailable("Ollama does not answer.", "Start Ollama.")


@pytest.fixture
def shelf(library: IndexedFolder) -> IndexedFolder:
    """Two documents, and no language model."""
    library.workspace = replace(library.workspace, make_chat_model=no_model)
    library.write("ferry.md", f"# Ferry\n\n{SULA}\n")
    library.write("tea.md", "# Tea\n\nTea is grown in the hills of Assam.\n")
    library.index()
    return library


def asked(shelf: IndexedFolder, question: str = QUESTION, **more: Any) -> list[Event]:
    place = {"new_chat": True} | more
    request = AskRequest((KB,), question, **place)
    return list(ask.run(shelf.workspace, request, CancelToken()))


def is_given_again(events: list[Event]) -> bool:
    told = [each for each in events if isinstance(each, Notice)]
    return any(each.says(NoticeCode.GIVEN_AGAIN) for each in told)


def answer_of(events: list[Event]) -> Answer:
    last = events[-1]
    assert isinstance(last, Answer)
    return last


def test_the_same_question_is_given_its_answer_with_all_its_places(shelf: IndexedFolder) -> None:
    first = answer_of(asked(shelf))
    assert (first.mode, len(first.citations)) == ("extracted", 1)
    events = asked(shelf, "  what cut the fuel of the ferry SULA ")
    again = answer_of(events)
    assert is_given_again(events)
    assert not [each for each in events if isinstance(each, SearchStarted)]
    assert (again.text, again.sources) == (first.text, first.sources)
    assert again.citations == first.citations
    assert (again.searches, again.llm_calls) == (0, 0)
    assert again.chat_id != first.chat_id, "each conversation keeps its own"
    (found,) = [each for each in events if isinstance(each, PassagesFound)]
    assert found.passages == first.sources
    assert "".join(each.text for each in events if isinstance(each, Token)) == first.text
    assert is_given_again(asked(shelf)), "what was given again can be given again"


def added(shelf: IndexedFolder) -> None:
    shelf.write("more.md", "# More\n\nThe ferry Tern cut its fuel by 12 percent.\n")
    shelf.run()


def changed(shelf: IndexedFolder) -> None:
    shelf.write("tea.md", "# Tea\n\nTea is grown in the valleys of Assam.\n")
    shelf.run()


def removed(shelf: IndexedFolder) -> None:
    shelf.workspace.catalog.files.remove(shelf.kb, [str(shelf.docs / "tea.md")])


def prepared(shelf: IndexedFolder) -> None:
    request = PrepareRequest(KB, "propositions")
    list(prepare.run(shelf.workspace, request, CancelToken()))


def other_settings(shelf: IndexedFolder) -> None:
    settings = shelf.workspace.settings
    retrieval = replace(settings.retrieval, rerank_candidates=7)
    shelf.workspace = replace(shelf.workspace, settings=replace(settings, retrieval=retrieval))


def switched_off(shelf: IndexedFolder) -> None:
    settings = shelf.workspace.settings
    answering = replace(settings.answering, reuse=False)
    shelf.workspace = replace(shelf.workspace, settings=replace(settings, answering=answering))


def deleted(shelf: IndexedFolder) -> None:
    chats = shelf.workspace.catalog.chats
    chats.put_away([each.id for each in chats.all()])


@pytest.mark.parametrize(
    "change", [added, changed, removed, prepared, other_settings, switched_off, deleted]
)
def test_after_any_change_it_is_answered_anew(
    shelf: IndexedFolder, change: Callable[[IndexedFolder], None]
) -> None:
    asked(shelf)
    change(shelf)
    assert not is_given_again(asked(shelf))


@pytest.mark.parametrize(
    "more",
    [
        {"anew": True},
        {"k": 3},
        {"strategy": "linked_hops"},
        {"where": "ext:md"},
        {"options": {"k": "4"}, "strategy": "single_pass"},
        {"new_chat": False},
    ],
)
def test_asked_in_another_way_it_is_answered_anew(
    shelf: IndexedFolder, more: dict[str, Any]
) -> None:
    asked(shelf)
    assert not is_given_again(asked(shelf, **more))


def test_a_follow_up_leans_on_what_was_said_and_is_answered_anew(shelf: IndexedFolder) -> None:
    events = asked(shelf)
    (stored,) = [each for each in events if isinstance(each, QuestionStored)]
    later = asked(shelf, new_chat=False, chat_id=stored.chat_id)
    assert not is_given_again(later)
    assert not is_given_again(asked(shelf, new_chat=False, chat_id=stored.chat_id))


def test_beside_a_conversation_nothing_is_kept_to_be_given_again(shelf: IndexedFolder) -> None:
    asked(shelf, new_chat=False)
    assert not is_given_again(asked(shelf))


def test_refusals_are_not_given_again(shelf: IndexedFolder) -> None:
    unknown = "Who wrote the opera Fidelio?"
    assert answer_of(asked(shelf, unknown)).mode == "refused"
    assert not is_given_again(asked(shelf, unknown))


def test_quotes_do_not_stand_in_for_a_model_that_came_back(
    shelf: IndexedFolder, double: OllamaDouble
) -> None:
    def model(name: str, _consent: Consent) -> ChatModel:
        return OllamaChat(double.url, name or "llama3.2:3b", shelf.workspace.settings.ollama)

    asked(shelf)
    shelf.workspace = replace(shelf.workspace, make_chat_model=model)
    double.otherwise = "Electricity cut its fuel by 71 percent [1]."
    events = asked(shelf)
    assert not is_given_again(events)
    assert answer_of(events).mode == "generated"
    before = len(double.chats)
    again = asked(shelf)
    assert is_given_again(again)
    assert len(double.chats) == before
    assert answer_of(again).model == "llama3.2:3b"


def test_an_answer_that_is_not_whole_is_not_given_again(
    shelf: IndexedFolder, double: OllamaDouble
) -> None:
    def model(name: str, _consent: Consent) -> ChatModel:
        return OllamaChat(double.url, name or "llama3.2:3b", shelf.workspace.settings.ollama)

    shelf.workspace = replace(shelf.workspace, make_chat_model=model)
    running = ask.run(
        shelf.workspace, AskRequest((KB,), QUESTION, new_chat=True), token := CancelToken()
    )
    double.otherwise = "Electricity cut its fuel by 71 percent [1]."
    for event in running:
        if isinstance(event, Token):
            break
    token.cancel()
    running.close()  # type: ignore[attr-defined]
    assert not is_given_again(asked(shelf))


def test_what_was_removed_does_not_come_back(shelf: IndexedFolder) -> None:
    first = answer_of(asked(shelf))
    removed = str(shelf.docs / "ferry.md")
    shelf.workspace.catalog.files.remove(shelf.kb, [removed])
    events = asked(shelf)
    assert not is_given_again(events)
    assert SULA not in answer_of(events).text
    assert first.chat_id is not None
    kept = shelf.workspace.catalog.chats.messages(ChatId(first.chat_id))
    assert kept[-1].role == "assistant"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is tea?", "what  is TEA"),
        ("茶是什么？", "茶是什么?"),
        ("Was ist Tee ?", "was ist tee"),
    ],
)
def test_case_width_spaces_and_end_marks_say_nothing(one: str, other: str) -> None:
    assert same_words(one) == same_words(other)


def test_other_words_are_another_question() -> None:
    assert same_words("What is tea?") != same_words("What is the tea?")
