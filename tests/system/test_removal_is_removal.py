"""What is taken out leaves no word of its text, nowhere in the data folder, byte by byte."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.evaluation_records import GoldPassage, SavedQuestion
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import (
    AskRequest,
    EvalRequest,
    IndexRequest,
    KbRequest,
    RemoveRequest,
    Request,
)
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Workspace
from tests.catalog.stored_documents import bytes_hold
from tests.indexing.indexed_folder import prose
from tests.parsing.sample_files import Pdf, PdfPage, paragraph

SECRET = "xylophonequartz"
CHINESE = "蓝鲸密约"
SAID = f"The {SECRET} is kept under the third step. {prose('harbour')}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Write secrets in several formats in a folder, beside one file without any."""
    folder = tmp_path / "docs"
    (folder / "secret").mkdir(parents=True)
    (folder / "open.md").write_text(f"# Open\n\n{prose('valley')}")
    (folder / "secret" / "a.md").write_text(f"# About the {SECRET}\n\n{SAID}")
    (folder / "secret" / "b.csv").write_text(f"thing,place\n{SECRET},under the third step\n" * 20)
    (folder / "secret" / "c.txt").write_text(f"{CHINESE}藏在第三级台阶下面。" * 10)
    page = PdfPage(paragraph(700, f"The {SECRET} again, on a page."))
    Pdf((page,)).write(folder / "secret" / "d.pdf")
    with zipfile.ZipFile(folder / "secret" / "broken.docx", "w") as archive:
        archive.writestr("readme.txt", SECRET)
    return folder


def do(space: Workspace, request: Request) -> list[object]:
    return list(perform(space, request, CancelToken()))


def begun(home: Path, docs: Path) -> Workspace:
    """Read the folder into a knowledge base and talk about what it holds."""
    space = open_workspace(home, Settings())
    do(space, IndexRequest("default", (str(docs),)))
    for question in (f"Where is the {SECRET} kept?", f"{CHINESE}藏在哪里？"):
        answer = do(space, AskRequest(("default",), question, new_chat=True))[-1]
        assert isinstance(answer, Answer)
        assert answer.mode == "extracted"
    return space


def traces(home: Path) -> list[str]:
    return [*bytes_hold(home, SECRET), *bytes_hold(home, CHINESE)]


def forget_what_was_asked(space: Workspace) -> None:
    """Delete the conversations, whose questions the user wrote, not the documents."""
    chats = space.catalog.chats
    chats.put_away([chat.id for chat in chats.all()])
    chats.bury()


def the_folder(docs: Path) -> RemoveRequest:
    return RemoveRequest("default", (str(docs / "secret"),), quotes="lose")


def the_files(docs: Path) -> RemoveRequest:
    return RemoveRequest("default", tuple(map(str, (docs / "secret").iterdir())), quotes="lose")


def the_knowledge_base(_docs: Path) -> KbRequest:
    return KbRequest("delete", "default", quotes="lose")


@pytest.mark.parametrize("request_for", [the_folder, the_files, the_knowledge_base])
def test_what_is_removed_leaves_no_trace(
    home: Path, docs: Path, request_for: Callable[..., Any]
) -> None:
    space = begun(home, docs)
    save_a_test_question(space, docs)
    try:
        assert traces(home), "the search by bytes would find it"
        copy = space.catalog.database.copies.make()
        assert copy.name in traces(home), "and in a copy of the catalog"
        do(space, request_for(docs))
        answers = [message.text for message in all_messages(space) if message.role == "assistant"]
        assert answers
        assert not any(SECRET in text or CHINESE in text for text in answers)
        forget_what_was_asked(space)
        assert space.catalog.questions.all("mine") == []
        assert traces(home) == []
        space.catalog.database.copies.make()
        assert traces(home) == []
    finally:
        space.close()
    assert traces(home) == []


def save_a_test_question(space: Workspace, docs: Path) -> None:
    """Save a question that the secret document answers, with its answer, and measure with it."""
    gold = GoldPassage(str(docs / "secret" / "a.md"))
    saved = SavedQuestion(0, "What is kept there?", (f"The {SECRET}.",), (gold,), ("default",))
    space.catalog.questions.save("mine", [saved])
    do(space, EvalRequest("retrieval", saved="mine"))


def test_a_conversation_keeps_its_quotes_where_the_user_wants_them(home: Path, docs: Path) -> None:
    space = begun(home, docs)
    try:
        do(space, RemoveRequest("default", (str(docs / "secret"),), quotes="keep"))
        told = [message.text for message in all_messages(space) if message.role == "assistant"]
        assert any(SECRET in text for text in told)
        forget_what_was_asked(space)
        assert traces(home) == []
    finally:
        space.close()


def test_a_secret_that_is_edited_out_or_whose_file_is_deleted_is_gone(
    home: Path, docs: Path
) -> None:
    space = open_workspace(home, Settings())
    try:
        do(space, IndexRequest("default", (str(docs),)))
        space.catalog.database.copies.make()
        (docs / "secret" / "a.md").write_text(prose("river"))
        for name in ("b.csv", "c.txt", "d.pdf", "broken.docx"):
            (docs / "secret" / name).unlink()
        do(space, IndexRequest("default", (str(docs),)))
        assert left_after_a_while(home) == []
    finally:
        space.close()
    assert traces(home) == []


def left_after_a_while(home: Path, seconds: float = 10.0) -> list[str]:
    """Return what is left when the index's own threads have had the time to delete files."""
    end = time.monotonic() + seconds
    while (left := traces(home)) and time.monotonic() < end:
        time.sleep(0.1)
    return left


def all_messages(space: Workspace) -> list[ChatMessage]:
    chats = space.catalog.chats
    return [message for chat in chats.all() for message in chats.messages(chat.id)]
