"""The same question of unchanged documents is answered at once, by the answer that is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask, remove
from desktop_rag.commands.answer_reuse import same_question
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import (
    Answer,
    Event,
    ModelCall,
    Notice,
    NoticeCode,
    PassagesFound,
    Token,
)
from desktop_rag.core.requests import AskRequest, RemoveRequest
from desktop_rag.core.settings import Answering, Ollama
from desktop_rag.core.types import ChatId
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "How many cars does the ferry Solveig carry?"
FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord."
FOUND = "The ferry Solveig carries forty cars [1]."
OTHER = "It carries forty cars across the fjord [1]."


@pytest.fixture
def library(modelled: IndexedFolder) -> IndexedFolder:
    modelled.write("ferry.md", FERRY)
    modelled.write("tea.md", "# Tea\n\nTea is grown in the hills and carried down in sacks.")
    modelled.index()
    return modelled


def events(library: IndexedFolder, question: str = QUESTION, **more: Any) -> list[Event]:
    more.setdefault("new_chat", "chat_id" not in more)
    more.setdefault("may_reuse", True)
    request = AskRequest((KB,), question, **more)
    return list(ask.run(library.workspace, request, CancelToken()))


def asked(library: IndexedFolder, question: str = QUESTION, **more: Any) -> tuple[Answer, bool]:
    """Return an answer, and whether it is an earlier one."""
    *before, answer = events(library, question, **more)
    assert isinstance(answer, Answer)
    notices = [each for each in before if isinstance(each, Notice)]
    return answer, any(each.says(NoticeCode.ANSWERED_BEFORE) for each in notices)


def first(library: IndexedFolder, double: OllamaDouble, **more: Any) -> Answer:
    double.say(FOUND)
    answer, is_earlier = asked(library, **more)
    assert (answer.text, is_earlier) == (FOUND, False)
    return answer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is tea?", "what  is TEA"),
        ("什么是茶？", "什么是茶?"),
        ("Ｔｅａ。", "tea"),
        ("Straße", "STRASSE"),
    ],
)
def test_writings_of_one_question_are_the_same(one: str, other: str) -> None:
    assert same_question(one) == same_question(other)


@pytest.mark.parametrize(("one", "other"), [("C#", "C"), ("not tea", "tea"), ("v1.2", "v12")])
def test_other_questions_are_not(one: str, other: str) -> None:
    assert same_question(one) != same_question(other)


def test_the_earlier_answer_comes_with_its_citations_and_says_so(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    answer = first(library, double)
    calls = len(double.chats)
    *steps, again = events(library, "how many cars does  the ferry solveig carry")
    assert isinstance(again, Answer)
    assert (again.text, again.citations) == (FOUND, answer.citations)
    assert again.citations
    assert again.sources == answer.sources
    assert again.chat_id != answer.chat_id, "it is kept where it was asked"
    assert (again.llm_calls, again.searches, again.prompt_tokens) == (0, 0, 0)
    assert again.seconds < answer.seconds
    assert len(double.chats) == calls, "nothing was generated"
    assert any(isinstance(each, PassagesFound) for each in steps), "how it came about is there"
    assert not any(isinstance(each, ModelCall) for each in steps)
    assert "".join(each.text for each in steps if isinstance(each, Token)) == FOUND
    told = [each.text for each in steps if isinstance(each, Notice)]
    assert told[-1].startswith("Answered before, on 20")


def test_it_can_be_asked_anew_and_the_new_answer_is_the_one_from_then_on(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first(library, double)
    double.say(OTHER)
    answer, is_earlier = asked(library, may_reuse=False)
    assert (answer.text, is_earlier) == (OTHER, False)
    answer, is_earlier = asked(library)
    assert (answer.text, is_earlier) == (OTHER, True)


def test_without_a_conversation_a_kept_answer_is_given_and_none_is_kept(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first(library, double, new_chat=False)
    first(library, double)
    answer, is_earlier = asked(library, new_chat=False)
    assert (answer.text, answer.chat_id, is_earlier) == (FOUND, None, True)


def test_an_earlier_answer_survives_a_restart(library: IndexedFolder, double: OllamaDouble) -> None:
    first(library, double)
    library.workspace.close()
    library.workspace = open_workspace(library.home, library.workspace.settings)
    assert asked(library)[1]


@pytest.mark.parametrize(
    "how",
    [
        {"strategy": "single_pass"},
        {"preset": "fast"},
        {"k": 2},
        {"where": "path:ferry"},
        {"model": "qwen3:0.6b"},
        {"transforms": ("step_back",)},
    ],
)
def test_asked_in_another_way_it_is_another_question(
    library: IndexedFolder, double: OllamaDouble, how: dict[str, Any]
) -> None:
    first(library, double)
    assert not asked(library, **how)[1]


@pytest.mark.parametrize(
    "changed",
    [
        {"answering": Answering(order="forward")},
        {"answering": Answering(reuse=False)},
    ],
)
def test_under_other_settings_it_is_another_question(
    library: IndexedFolder, double: OllamaDouble, changed: dict[str, Any]
) -> None:
    first(library, double)
    before = library.workspace
    library.workspace = replace(before, settings=replace(before.settings, **changed))
    assert not asked(library)[1]
    library.workspace = before
    assert asked(library)[1], "and under those of before the same"


def test_a_document_that_came_changed_moved_or_went_makes_it_another(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    def is_given_again_after(change: Any) -> bool:
        first(library, double, may_reuse=False)
        assert asked(library)[1]
        change()
        library.index()
        return asked(library)[1]

    path = library.docs / "tea.md"
    assert is_given_again_after(lambda: None), "looked at again, and nothing changed"
    assert not is_given_again_after(lambda: library.write("new.md", "# New\n\nA new document."))
    assert not is_given_again_after(lambda: path.write_text("# Tea\n\nTea grows by the fjord now."))
    assert not is_given_again_after(lambda: path.rename(library.docs / "moved.md"))
    assert not is_given_again_after((library.docs / "moved.md").unlink)


def test_a_prepared_base_is_another(library: IndexedFolder, double: OllamaDouble) -> None:
    first(library, double)
    library.workspace.catalog.preparations.request(library.kb, "propositions")
    assert not asked(library)[1]


def test_a_file_that_waits_makes_it_another(library: IndexedFolder, double: OllamaDouble) -> None:
    first(library, double)
    path = library.write("later.md", "# Later\n\nNot read yet.")
    library.workspace.catalog.files.enqueue(library.kb, [str(path)])
    answer, is_earlier = asked(library)
    assert answer.awaits is not None
    assert not is_earlier
    assert not asked(library)[1], "an answer that waits for files is not given again"


def test_a_document_that_is_taken_out_takes_the_answer_along(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    answer = first(library, double)
    catalog = library.workspace.catalog
    path = str(library.docs / "ferry.md")
    list(remove.run(library.workspace, RemoveRequest(KB, (path,), "lose"), CancelToken()))
    rows = catalog.database.read().execute("SELECT count(*) FROM reusable_answers").fetchone()
    assert rows == (0,), "a redacted answer is given to nobody again"
    again, is_earlier = asked(library)
    assert not is_earlier
    assert again.mode == "refused"
    assert answer.citations


def test_a_conversation_that_is_deleted_answers_no_more(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    chat = first(library, double).chat_id
    chats = library.workspace.catalog.chats
    chats.put_away([ChatId(chat or 0)])
    assert not asked(library, new_chat=False)[1]
    chats.bring_back([ChatId(chat or 0)])
    assert asked(library, new_chat=False)[1]
    chats.delete(ChatId(chat or 0))
    assert not asked(library, new_chat=False)[1]


def test_a_follow_up_is_not_the_same_question(library: IndexedFolder, double: OllamaDouble) -> None:
    chat = first(library, double).chat_id
    assert not asked(library, chat_id=chat)[1], "something was said before"
    assert not asked(library, chat_id=chat)[1], "nor is an answer to a follow-up given again"


def test_a_stopped_answer_is_not_given_again(library: IndexedFolder, double: OllamaDouble) -> None:
    double.say(FOUND)
    token = CancelToken()
    request = AskRequest((KB,), QUESTION, new_chat=True, may_reuse=True)

    def stop() -> None:
        for event in ask.run(library.workspace, request, token):
            if isinstance(event, Token):
                token.cancel()

    with pytest.raises(Cancelled):
        stop()
    assert not asked(library)[1]


def test_what_came_while_it_was_answered_makes_it_another(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    double.say(FOUND)
    asking = ask.run(library.workspace, AskRequest((KB,), QUESTION, new_chat=True), CancelToken())
    for event in asking:
        if isinstance(event, PassagesFound):
            break
    library.write("new.md", "# New\n\nThe ferry Solveig carries fifty cars since May.")
    library.index()
    list(asking)
    assert not asked(library)[1]


def test_without_a_model_quotes_are_given_again(library: IndexedFolder) -> None:
    settings = replace(library.workspace.settings, ollama=Ollama(host="http://127.0.0.1:9"))
    library.workspace = open_workspace(library.home, settings)
    answer, is_earlier = asked(library)
    assert (answer.mode, is_earlier) == ("extracted", False)
    *steps, again = events(library)
    assert isinstance(again, Answer)
    assert (again.text, again.mode) == (answer.text, "extracted")
    notices = [each for each in steps if isinstance(each, Notice)]
    assert [each.says(NoticeCode.QUOTES_ONLY) for each in notices].count(True) == 1
    assert notices[-1].says(NoticeCode.ANSWERED_BEFORE)
