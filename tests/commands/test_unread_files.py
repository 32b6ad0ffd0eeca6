"""An answer does not say "not found" while files that may hold it are not read."""

from __future__ import annotations

import pytest

from desktop_rag.commands.unread_files import fitting
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.events import Answer, Event, Notice, NoticeCode
from desktop_rag.core.types import FileStatus
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import AskSetup

ANSWER = "There are nine justices on the court [1]."


def told(events: list[Event]) -> list[str]:
    notices = [each for each in events if isinstance(each, Notice)]
    return [each.text for each in notices if each.says(NoticeCode.UNREAD_FILES)]


def waits(context: AskSetup, *paths: str) -> None:
    context.catalog.files.enqueue(context.catalog.kbs.get("default").id, paths)


def fails(context: AskSetup, path: str, status: FileStatus) -> None:
    read = FileRead(context.catalog.kbs.get("default").id, path, FileStamp(9000, 1, path))
    context.catalog.files.record(read, status, "It is so.")


def test_files_that_wait_are_counted_and_those_named_whose_names_fit(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say(ANSWER)
    waits(context, "/d/court/Justices 1902.pdf", "/d/hills/tea.txt")
    events = context.ask()
    assert told(events) == [
        ("2 files are not read yet, among them Justices 1902.pdf: the answer may stand in them.")
    ]
    assert isinstance(events[-1], Answer)


def test_one_file_that_waits_is_one(context: AskSetup, double: OllamaDouble) -> None:
    double.say(ANSWER)
    waits(context, "/d/hills/tea.txt")
    assert told(context.ask()) == ["One file is not read yet, tea.txt: the answer may stand in it."]


def test_of_files_whose_names_do_not_fit_the_first_is_named(
    context: AskSetup, double: OllamaDouble
) -> None:
    double.say(ANSWER)
    waits(context, "/d/hills/tea.txt", "/d/hills/coffee.txt")
    assert told(context.ask()) == [
        "2 files are not read yet, among them coffee.txt: the answer may stand in them."
    ]


def test_what_could_not_be_read_is_told_where_nothing_was_found(
    context: AskSetup, double: OllamaDouble
) -> None:
    fails(context, "/d/locked.pdf", FileStatus.ENCRYPTED)
    fails(context, "/d/scan.pdf", FileStatus.NEEDS_OCR)
    fails(context, "/d/film.mp4", FileStatus.UNSUPPORTED)
    fails(context, "/d/blank.txt", FileStatus.EMPTY)
    double.say(ANSWER)
    assert told(context.ask()) == []
    double.say("Not found in your documents.")
    assert told(context.ask()) == ["2 files could not be read: the answer may stand in them."]


def test_a_file_that_could_not_be_read_and_fits_is_told_beside_an_answer(
    context: AskSetup, double: OllamaDouble
) -> None:
    fails(context, "/d/scans/court.pdf", FileStatus.NEEDS_OCR)
    double.say(ANSWER)
    assert told(context.ask()) == [
        (
            "One file could not be read: the answer may stand in it. "
            "By its name this could be one: court.pdf."
        )
    ]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many justices has the court?", "Nothing of your documents has been read yet."),
        ("法院有几位法官？", "您的文档中还没有任何内容被读取。"),
    ],
)
def test_an_empty_knowledge_base_is_no_not_found(
    context: AskSetup, question: str, said: str
) -> None:
    context.retriever = FakeRetriever()
    answer = context.answer(question)
    assert (answer.mode, answer.text) == ("refused", said)


def test_names_fit_by_their_telling_words_and_folders() -> None:
    paths = [
        "/d/leases/2019/north.pdf",
        "/d/Mietvertrag Nord.docx",
        "/d/what is new.md",
        "/d/合同.pdf",
    ]
    assert fitting("What does the north pay by the leases of 2019?", paths) == [paths[0]]
    assert fitting("What is it that there is?", paths) == []
    assert fitting("合同的期限是多久？", paths) == [paths[3]]
    assert fitting("north", [f"/d/north {n}.md" for n in range(30)]) == []
