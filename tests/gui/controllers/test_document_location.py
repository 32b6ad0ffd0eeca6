"""Citations follow their documents: asked with the real program, then the files are changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.database import migration_scripts
from desktop_rag.commands import ask, remove
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest, RemoveRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.gui.controllers.conversation_export import ConversationExport, written
from desktop_rag.gui.controllers.conversation_jobs import load_transcript
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_jobs import read_text
from desktop_rag.gui.controllers.document_location import locate_marks
from desktop_rag.gui.controllers.open_document import (
    FileState,
    LocatedDocument,
    OpenDocument,
    TextRange,
    document_of_citation,
)
from desktop_rag.gui.controllers.transcript import Turn
from testing.ollama_double.server import refused_url
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.indexing.indexed_folder import KB, IndexedFolder

QUOTE = "The ferry Solveig carries forty cars across the fjord in twenty minutes."
OTHER = "The harbour master keeps the keys of the lighthouse in a blue tin box."
TEXT = f"# Harbour\n\n{QUOTE}\n\n## Keys\n\n{OTHER}\n"
QUESTION = "How many cars does the ferry Solveig carry?"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[IndexedFolder]:
    made = IndexedFolder(tmp_path, Settings(ollama=Ollama(host=refused_url())))
    yield made
    made.close()


@pytest.fixture
def folder(library: IndexedFolder) -> DataFolder:
    made = DataFolder(lambda: OwnedFolder(library.workspace, closes=False))
    made.open(CancelToken())
    return made


def asked(library: IndexedFolder) -> int:
    """Ask of the folder, keep the conversation, and return its number."""
    request = AskRequest((KB,), QUESTION, new_chat=True)
    *_, answer = ask.run(library.workspace, request, CancelToken())
    assert isinstance(answer, Answer)
    assert answer.chat_id is not None
    return answer.chat_id


def turn_of(library: IndexedFolder, chat: int) -> Turn:
    (turn,) = load_transcript(library.workspace.catalog, chat).turns
    return turn


def cited(library: IndexedFolder, chat: int) -> OpenDocument:
    """Return what a click on the answer's citation of the ferry opens."""
    turn = turn_of(library, chat)
    citation = next(each for each in turn.citations if "Solveig" in each.quote)
    return document_of_citation(turn, turn.sources[citation.n - 1], citation.locator)


def located(folder: DataFolder, document: OpenDocument) -> LocatedDocument:
    placed = locate_marks(folder, document, CancelToken())
    assert placed.asked_path == document.path
    return placed


def marked(folder: DataFolder, placed: LocatedDocument) -> str:
    """Return the text under the current mark, read as the viewer reads it."""
    mark = placed.opened.mark
    assert mark is not None
    assert mark.start is not None
    assert mark.end is not None
    read = read_text(folder, placed.opened, TextRange(mark.start, mark.end), CancelToken())
    return read.text[mark.start - read.start : mark.end - read.start]


def test_a_renamed_document_is_opened_under_its_new_name(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    open_before = cited(library, chat)
    path = path.rename(library.docs / "port.md")
    library.index()
    for document in (open_before, cited(library, chat)):
        placed = located(folder, document)
        assert (placed.opened.path, placed.file_state) == (str(path), FileState.SAME)
        assert marked(folder, placed) == QUOTE


def test_an_old_conversation_names_the_path_of_today_also_when_it_is_exported(
    library: IndexedFolder,
) -> None:
    path = library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    (library.docs / "old").mkdir()
    path.rename(library.docs / "old" / "harbour 2023.md")
    library.index()
    turn = turn_of(library, chat)
    now = str(library.docs / "old" / "harbour 2023.md")
    assert {each.path for each in (*turn.sources, *turn.retrieved)} == {now}
    assert {each.path for each in turn.citations} == {now}
    for form in ("markdown", "html"):
        text = written(
            library.workspace.catalog, ConversationExport((chat,), Path("x"), form)
        ).replace("\\", "")
        assert "harbour 2023.md" in text
        assert str(path) not in text


def test_a_document_moved_out_and_back_in_is_opened_where_it_is(
    library: IndexedFolder, folder: DataFolder, tmp_path: Path
) -> None:
    path = library.write("harbour.md", TEXT)
    library.write("tea.md", "# Tea\n\nTea grows in the hills.")
    library.index()
    chat = asked(library)
    before = cited(library, chat)
    shutil.move(path, tmp_path / "away.md")
    library.index()
    gone = located(folder, before)
    assert gone.file_state is FileState.GONE
    kept = read_text(folder, gone.opened, TextRange(0, 10**6), CancelToken())
    assert QUOTE in kept.text, "the passage as it was kept"
    (library.docs / "back").mkdir()
    shutil.move(tmp_path / "away.md", library.docs / "back" / "harbour again.md")
    library.index()
    for document in (before, cited(library, chat)):
        placed = located(folder, document)
        assert placed.opened.path == str(library.docs / "back" / "harbour again.md")
        assert placed.opened.document_id != before.document_id
        assert placed.file_state is FileState.SAME
        assert marked(folder, placed) == QUOTE


def test_where_the_file_was_changed_a_copy_with_the_old_content_is_opened(
    library: IndexedFolder, folder: DataFolder
) -> None:
    library.write("harbour.md", TEXT)
    copy = library.write("copies/harbour.md", TEXT)
    library.index()
    chat = asked(library)
    library.write("harbour.md", "# Harbour\n\nNothing is left of it.")
    library.index()
    placed = located(folder, cited(library, chat))
    assert (placed.opened.path, placed.file_state) == (str(copy), FileState.SAME)


def test_in_a_changed_document_the_quote_is_found_again_at_its_new_place(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    before = cited(library, chat)
    library.write("harbour.md", "# Foreword\n\nMuch is new here.\n\n" + TEXT + "\nThe end.\n")
    library.index()
    placed = located(folder, before)
    assert (placed.opened.path, placed.file_state) == (str(path), FileState.FOUND_AGAIN)
    assert marked(folder, placed) == QUOTE
    assert placed.opened.mark != before.mark
    again = located(folder, placed.opened)
    assert again.file_state is FileState.FOUND_AGAIN, "it is still said when a mark is stepped to"


def test_a_quote_in_other_words_is_told_as_such(library: IndexedFolder, folder: DataFolder) -> None:
    library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    library.write("harbour.md", TEXT.replace("forty cars", "fifty cars"))
    library.index()
    placed = located(folder, cited(library, chat))
    assert placed.file_state is FileState.SIMILAR
    assert "fifty cars" in marked(folder, placed)


def test_where_the_quote_is_gone_the_kept_passage_is_shown(
    library: IndexedFolder, folder: DataFolder
) -> None:
    library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    library.write("harbour.md", f"# Harbour\n\nIt was closed for good.\n\n{OTHER}\n")
    library.index()
    placed = located(folder, cited(library, chat))
    assert placed.file_state is FileState.REWRITTEN
    kept = read_text(folder, placed.opened, TextRange(0, 10**6), CancelToken())
    assert QUOTE in kept.text


def test_what_was_taken_out_with_its_quotes_is_not_found_by_its_content(
    library: IndexedFolder,
) -> None:
    path = library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    hashes = {each.content_hash for each in turn_of(library, chat).sources}
    request = RemoveRequest(KB, (str(path),), quotes="lose")
    list(remove.run(library.workspace, request, CancelToken()))
    answer = library.workspace.catalog.chats.messages(chat)[-1]  # type: ignore[arg-type]
    assert hashes
    assert not any(each in answer.payload for each in hashes)


def test_answers_of_older_versions_learn_the_content_of_their_documents(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("harbour.md", TEXT)
    library.index()
    chat = asked(library)
    database = library.workspace.catalog.database
    kept = library.workspace.catalog.chats.messages(chat)[-1]  # type: ignore[arg-type]
    old = json.loads(kept.payload)
    for each in (*old["sources"], *old["retrieved"]):
        del each["content_hash"]
    with database.write() as tx:
        tx.execute("UPDATE messages SET payload = ? WHERE id = ?", (json.dumps(old), kept.id))
    forgetful = cited(library, chat)
    assert not forgetful.content_hash
    (script,) = [each for each in migration_scripts() if "'$.content_hash'" in each]
    with database.write() as tx:
        tx.execute(script)
    known = cited(library, chat)
    assert replace(known, content_hash="") == forgetful
    path.rename(library.home / "away.md")
    library.index()
    (library.home / "away.md").rename(library.docs / "back.md")
    library.index()
    assert located(folder, known).file_state is FileState.SAME
    assert located(folder, forgetful).file_state is FileState.GONE


def test_words_in_a_long_text_are_found_far_from_their_old_place(
    library: IndexedFolder, folder: DataFolder
) -> None:
    path = library.write("long.md", TEXT)
    library.index()
    chat = asked(library)
    before = cited(library, chat)
    paragraph = "The log of this day tells of rain, wind and of nothing else at all. " * 8
    library.write("long.md", "\n\n".join([paragraph] * 400) + "\n\n" + QUOTE + "\n")
    library.index()
    placed = located(folder, before)
    assert placed.opened.path == str(path)
    assert placed.file_state is FileState.FOUND_AGAIN
    assert marked(folder, placed) == QUOTE
