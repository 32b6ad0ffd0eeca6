"""An answer that was made while files waited is asked again when they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.commands import ask
from desktop_rag.commands.ask_again import AskedAgain, ask_again, stop_waiting
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Answer, AwaitedFiles, NoticeCode
from desktop_rag.core.phrases import has_code
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.types import ChatId
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "How many cars does the ferry Solveig carry?"
FERRY = "# Ferry\n\nThe ferry Solveig carries forty cars across the fjord."
TEA = "# Tea\n\nTea is grown in the hills and carried down in sacks."
FOUND = "The ferry Solveig carries forty cars [1]."


@pytest.fixture
def library(modelled: IndexedFolder) -> IndexedFolder:
    return modelled


def asked(library: IndexedFolder, chat: int | None = None, question: str = QUESTION) -> Answer:
    request = AskRequest((KB,), question, chat_id=chat, new_chat=chat is None)
    *_, answer = ask.run(library.workspace, request, CancelToken())
    assert isinstance(answer, Answer)
    return answer


def waits(library: IndexedFolder, name: str, text: str) -> Path:
    """Put a file into the folder that is known and not read yet."""
    path = library.write(name, text)
    library.workspace.catalog.files.enqueue(library.kb, [str(path)])
    return path


def messages(library: IndexedFolder, answer: Answer) -> list[ChatMessage]:
    assert answer.chat_id is not None
    return library.workspace.catalog.chats.messages(ChatId(answer.chat_id))


def last(library: IndexedFolder, answer: Answer) -> StoredAnswer:
    return read_answer(messages(library, answer)[-1].payload)


def again(library: IndexedFolder, answer: Answer, token: CancelToken | None = None) -> AskedAgain:
    assert answer.chat_id is not None
    head = messages(library, answer)[-1].id
    return outcome(library, answer.chat_id, head, token or CancelToken())


def outcome(library: IndexedFolder, chat_id: int, answer_id: int, token: CancelToken) -> AskedAgain:
    """Ask again to the end."""
    asking = ask_again(library.workspace, ChatId(chat_id), answer_id, token)
    while True:
        try:
            next(asking)
        except StopIteration as end:
            return AskedAgain(end.value)


def told(library: IndexedFolder, answer: Answer, code: NoticeCode) -> list[str]:
    return [str(each) for each in last(library, answer).notices if has_code(each, code)]


def test_what_was_not_found_is_found_when_the_file_is_read(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("tea.md", TEA)
    library.index()
    path = waits(library, "ferry.md", FERRY)
    answer = asked(library)
    first = messages(library, answer)[-1]
    assert answer.mode == "refused"
    assert answer.awaits == AwaitedFiles(1, (str(path),))
    assert last(library, answer).awaits == answer.awaits, "it is kept with the answer"
    assert again(library, answer) is AskedAgain.NOT_DUE
    library.index()
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CHANGED
    question, newest = messages(library, answer)
    assert (question.text, newest.text) == (QUESTION, FOUND)
    assert told(library, answer, NoticeCode.ASKED_AGAIN) == [
        "Asked again after one file was read. The answer now cites ferry.md."
    ]
    assert not told(library, answer, NoticeCode.UNREAD_FILES)
    versions = library.workspace.catalog.chats.versions(question.id)
    assert len(versions) == 2, "the answer before is a version, one click away"
    assert first.parent == versions[0]
    assert last(library, answer).awaits is None, "it waits no more: it is asked once"


def test_where_nothing_changed_the_answer_stays_and_is_confirmed(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("ferry.md", FERRY)
    library.index()
    waits(library, "tea.md", TEA)
    double.say(FOUND)
    answer = asked(library)
    before = messages(library, answer)
    assert told(library, answer, NoticeCode.UNREAD_FILES)
    library.index()
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CONFIRMED
    after = messages(library, answer)
    assert [(each.id, each.text) for each in after] == [(each.id, each.text) for each in before]
    assert told(library, answer, NoticeCode.ASKED_AGAIN) == [
        "Asked again after one file was read. Nothing changed."
    ]
    assert not told(library, answer, NoticeCode.UNREAD_FILES)
    assert last(library, answer).awaits is None
    assert again(library, answer) is AskedAgain.OVERTAKEN


def test_it_is_asked_as_soon_as_the_files_that_fit_are_read_and_once_more_at_the_end(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("tea.md", TEA)
    library.index()
    path = waits(library, "ferry.md", FERRY)
    answer = asked(library)
    assert answer.awaits == AwaitedFiles(1, (str(path),))
    library.index()
    waits(library, "hills.md", "# Hills\n\nThe hills are high.")
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CHANGED
    assert last(library, answer).awaits == AwaitedFiles(1), "the other one is waited for"
    assert again(library, answer) is AskedAgain.NOT_DUE
    library.index()
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CONFIRMED
    waits(library, "later.md", "# Later\n\nThis came later.")
    library.index()
    assert again(library, answer) is AskedAgain.OVERTAKEN, "a folder that grows asks nothing more"


def test_a_newer_question_is_not_asked_over(library: IndexedFolder, double: OllamaDouble) -> None:
    library.write("tea.md", TEA)
    library.index()
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    old = messages(library, answer)[-1].id
    library.index()
    double.say("Where does tea grow?", "Tea is grown in the hills [1].")
    assert answer.chat_id is not None
    asked(library, answer.chat_id, "And where does tea grow?")
    assert outcome(library, answer.chat_id, old, CancelToken()) is AskedAgain.OVERTAKEN
    assert len(messages(library, answer)) == 4


def test_an_older_version_is_not_asked_again(library: IndexedFolder, double: OllamaDouble) -> None:
    library.write("tea.md", TEA)
    library.index()
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    question, old = messages(library, answer)
    library.index()
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CHANGED
    assert answer.chat_id is not None
    library.workspace.catalog.chats.select(ChatId(answer.chat_id), question.id)
    assert messages(library, answer)[-1].id == old.id
    assert again(library, answer) is AskedAgain.OVERTAKEN


def test_an_answer_that_was_told_not_to_wait_does_not(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("tea.md", TEA)
    library.index()
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    stop_waiting(library.workspace.catalog, messages(library, answer)[-1].id)
    library.index()
    assert again(library, answer) is AskedAgain.OVERTAKEN
    assert told(library, answer, NoticeCode.UNREAD_FILES), "what it says of the files stays"


def test_what_is_stopped_keeps_nothing(library: IndexedFolder, double: OllamaDouble) -> None:
    library.write("tea.md", TEA)
    library.index()
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    library.index()
    before = messages(library, answer)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        again(library, answer, token)
    assert messages(library, answer) == before


def test_without_its_model_an_answer_waits_on(library: IndexedFolder, double: OllamaDouble) -> None:
    library.write("ferry.md", FERRY)
    library.index()
    waits(library, "tea.md", TEA)
    double.say(FOUND)
    answer = asked(library)
    library.index()
    double.stop()
    assert again(library, answer) is AskedAgain.NO_MODEL
    assert last(library, answer).awaits is not None


def test_without_consent_nothing_leaves_this_computer_by_itself(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("tea.md", TEA)
    library.index()
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    library.index()
    library.use(Settings(ollama=Ollama(host="http://192.0.2.7:11434", model="llama3.2:3b")))
    assert again(library, answer) is AskedAgain.NO_CONSENT
    assert last(library, answer).awaits is not None
    assert not double.chats


def test_where_the_file_that_waited_could_not_be_read_nobody_is_asked(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    library.write("tea.md", TEA)
    library.index()
    path = library.docs / "ferry.pdf"
    path.write_bytes(b"%PDF-1.7\nnothing of use")
    library.workspace.catalog.files.enqueue(library.kb, [str(path)])
    answer = asked(library)
    library.index()
    calls = len(double.requests)
    assert again(library, answer) is AskedAgain.CONFIRMED
    assert len(double.requests) == calls
    (sentence,) = told(library, answer, NoticeCode.UNREAD_FILES)
    assert sentence.startswith("One file could not be read")


def test_of_an_empty_base_nothing_is_said_to_be_not_found(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    answer = asked(library)
    assert answer.text == "Nothing of your documents has been read yet."
    waits(library, "ferry.md", FERRY)
    answer = asked(library)
    assert "not found" not in answer.text.lower()
    assert answer.awaits is not None
    library.index()
    double.say(FOUND)
    assert again(library, answer) is AskedAgain.CHANGED
    assert messages(library, answer)[-1].text == FOUND
