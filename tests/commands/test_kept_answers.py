"""Kept answers: near questions are told of them, as earlier answers and never as sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask, keep_answers, remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, EarlierAnswer, ListingRow
from desktop_rag.core.requests import AskRequest, KeepRequest, RemoveRequest
from desktop_rag.core.settings import Answering, Ollama
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.conversation_jobs import load_transcript
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "How many cars does the ferry Solveig carry?"
NEAR = "How many cars can be carried by the ferry Solveig?"
FAR = "Where does tea grow?"
FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord."
FOUND = "The ferry Solveig carries forty cars [1]."


@pytest.fixture
def library(modelled: IndexedFolder) -> IndexedFolder:
    modelled.write("ferry.md", FERRY)
    modelled.write("tea.md", "# Tea\n\nTea is grown in the hills and carried down in sacks.")
    modelled.index()
    return modelled


def asked(
    library: IndexedFolder, double: OllamaDouble, question: str, **more: Any
) -> tuple[Answer, list[EarlierAnswer]]:
    double.say(FOUND)
    request = AskRequest((KB,), question, may_reuse=True, new_chat="chat_id" not in more, **more)
    *steps, answer = ask.run(library.workspace, request, CancelToken())
    assert isinstance(answer, Answer)
    return answer, [each for each in steps if isinstance(each, EarlierAnswer)]


def kept(library: IndexedFolder, action: str, answer: Answer | None = None) -> list[Any]:
    request = KeepRequest(action, answer.chat_id or 0 if answer else 0)
    rows = keep_answers.run(library.workspace, request, CancelToken())
    return [each.values for each in rows if isinstance(each, ListingRow)]


def test_a_near_question_is_told_of_a_kept_answer_and_another_one_is_not(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first, told = asked(library, double, QUESTION)
    assert not told
    assert not asked(library, double, f"{NEAR} And how far?")[1], "nothing is kept yet"
    rows = kept(library, "keep", first)
    assert [(each["question"], each["documents"]) for each in rows] == [(QUESTION, "same")]
    answer, told = asked(library, double, NEAR)
    assert [(each.question, each.chat_id) for each in told] == [(QUESTION, first.chat_id)]
    assert {each.path for each in answer.citations} <= {str(library.docs / "ferry.md")}
    prompts = [str(each.body) for each in double.chats]
    assert not any(first.text in each for each in prompts[-1:]), "no model is told of it"
    assert not asked(library, double, FAR)[1]
    assert kept(library, "release", first) == []
    assert not asked(library, double, "The ferry Solveig: how many cars does it carry?")[1]


def test_it_is_kept_over_a_restart(library: IndexedFolder, double: OllamaDouble) -> None:
    kept(library, "keep", asked(library, double, QUESTION)[0])
    asked(library, double, NEAR)
    library.workspace.close()
    library.workspace = open_workspace(library.home, library.workspace.settings)
    assert asked(library, double, NEAR + " Please.")[1]


def test_what_became_of_its_documents_is_told(library: IndexedFolder, double: OllamaDouble) -> None:
    kept(library, "keep", asked(library, double, QUESTION)[0])
    library.write("ferry.md", FERRY.replace("forty", "fifty"))
    library.index()
    _, told = asked(library, double, NEAR)
    assert [each.documents for each in told] == ["changed"]
    path = str(library.docs / "ferry.md")
    list(remove.run(library.workspace, RemoveRequest(KB, (path,), "lose"), CancelToken()))
    _, told = asked(library, double, NEAR)
    assert [each.documents for each in told] == ["gone"]


def test_it_goes_with_its_conversation_and_leaves_no_word_elsewhere(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first, _ = asked(library, double, QUESTION)
    kept(library, "keep", first)
    second, told = asked(library, double, NEAR)
    assert told
    catalog = library.workspace.catalog
    (shown,) = load_transcript(catalog, second.chat_id or 0).turns
    assert [each.question for each in shown.earlier] == [QUESTION], "read anew it is told again"
    catalog.chats.delete(ChatId(first.chat_id or 0))
    assert kept(library, "list") == []
    assert catalog.kept.vectors(library.workspace.models.embedder.fingerprint) == {}
    (shown,) = load_transcript(catalog, second.chat_id or 0).turns
    assert not shown.earlier
    (raw,) = [
        each.payload
        for each in catalog.chats.messages(ChatId(second.chat_id or 0))
        if each.role == "assistant"
    ]
    assert QUESTION not in raw


def test_the_window_knows_which_answers_are_kept(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first, _ = asked(library, double, QUESTION)
    catalog = library.workspace.catalog
    assert not load_transcript(catalog, first.chat_id or 0).turns[0].is_kept
    kept(library, "keep", first)
    assert load_transcript(catalog, first.chat_id or 0).turns[0].is_kept


def test_of_another_base_or_with_the_setting_off_nothing_is_told(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    kept(library, "keep", asked(library, double, QUESTION)[0])
    workspace = library.workspace
    workspace.catalog.kbs.ensure("other")
    request = AskRequest(("other",), NEAR, may_reuse=True)
    steps = list(ask.run(workspace, request, CancelToken()))
    assert not any(isinstance(each, EarlierAnswer) for each in steps)
    off = replace(workspace.settings, answering=Answering(earlier=False))
    library.workspace = replace(workspace, settings=off)
    assert not asked(library, double, NEAR)[1]


def test_what_is_no_whole_answer_cannot_be_kept(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    del double
    off = replace(library.workspace.settings, ollama=Ollama(host="http://127.0.0.1:9"))
    library.workspace = replace(library.workspace, settings=off)
    chats = library.workspace.catalog.chats
    chat = chats.create("Nothing", (KB,))
    chats.append(chat, "user", "Anything?")
    chats.append(chat, "assistant", "half", '{"mode": "stopped"}')
    with pytest.raises(UserError, match="Only whole answers"):
        list(keep_answers.run(library.workspace, KeepRequest("keep", chat), CancelToken()))
    with pytest.raises(UserError, match="no such answer"):
        list(keep_answers.run(library.workspace, KeepRequest("keep", chat, 999), CancelToken()))
