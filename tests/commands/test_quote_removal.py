"""Conversations that quote a document that is taken out."""

from __future__ import annotations

import pytest

from desktop_rag.catalog.citation_redaction import CitationRedaction, RemovedDocuments
from desktop_rag.commands import index_files, kb_actions, remove
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.errors import Cancelled, UsageError
from desktop_rag.core.requests import IndexRequest, KbRequest, RemoveRequest
from desktop_rag.core.types import DocumentId
from desktop_rag.gui.controllers import conversation_jobs
from testing.narrowing import present
from testing.sample_answers import answer, passage
from tests.catalog.stored_documents import bytes_hold
from tests.indexing.indexed_folder import KB, IndexedFolder, prose

SECRET = "unmistakable harbour"


@pytest.fixture
def quoted(library: IndexedFolder) -> str:
    """An indexed file that a conversation quotes."""
    path = library.write("one.md", prose(SECRET))
    library.index()
    catalog = library.workspace.catalog
    number = present(present(catalog.files.get(library.kb, str(path))).document_id)
    chat = catalog.chats.create("talk", (KB,))
    source = passage(1, str(path), f"the {SECRET}")
    said = answer("It is there [1].", 1, sources=0)
    object.__setattr__(source, "document_id", DocumentId(number))
    object.__setattr__(said, "sources", (source,))
    ConversationLog(catalog, chat).asked("Where?").answered(said)
    return str(path)


def take_out(library: IndexedFolder, path: str, quotes: str) -> None:
    request = RemoveRequest(KB, (path,), quotes)
    list(remove.run(library.workspace, request, CancelToken()))


def test_quotes_are_kept_where_the_user_wants_them(library: IndexedFolder, quoted: str) -> None:
    take_out(library, quoted, "keep")
    (chat,) = library.workspace.catalog.quotes.quoting(RemovedDocuments.of([quoted]))
    assert chat.title == "talk"


def test_quotes_go_with_the_file_to_the_last_byte(library: IndexedFolder, quoted: str) -> None:
    assert bytes_hold(library.home, SECRET)
    take_out(library, quoted, "lose")
    assert bytes_hold(library.home, SECRET) == []
    catalog = library.workspace.catalog
    (turn,) = conversation_jobs.load_transcript(catalog, catalog.chats.all()[0].id).turns
    assert (turn.text, turn.sources[0].title, turn.citations) == (
        "It is there [1].",
        REMOVED_TITLE,
        (),
    )
    assert "taken out" in turn.notices[0]
    assert library.workspace.catalog.quotes.quoting(RemovedDocuments.of([quoted])) == []


def test_quotes_go_with_their_knowledge_base(library: IndexedFolder, quoted: str) -> None:
    request = KbRequest("delete", KB, quotes="lose")
    list(kb_actions.run(library.workspace, request, CancelToken()))
    assert bytes_hold(library.home, SECRET) == []


def test_a_word_that_means_neither_is_refused_before_anything_goes(
    library: IndexedFolder, quoted: str
) -> None:
    with pytest.raises(UsageError, match="burn"):
        take_out(library, quoted, "burn")
    assert library.finds(SECRET) == {"one.md"}


def test_quotes_go_also_from_an_answer_that_is_still_being_written(library: IndexedFolder) -> None:
    path = library.write("one.md", prose(SECRET))
    library.index()
    catalog = library.workspace.catalog
    record = ConversationLog(catalog, catalog.chats.create("talk", (KB,))).asked("Where?")
    take_out(library, str(path), "lose")
    said = answer("It is there [1].", 1, sources=0)
    object.__setattr__(said, "sources", (passage(1, str(path), f"the {SECRET}"),))
    record.answered(said)
    assert bytes_hold(library.home, SECRET) == []


@pytest.mark.parametrize("is_killed", [False, True])
def test_quotes_go_also_where_the_removal_is_stopped_in_the_middle(
    library: IndexedFolder, quoted: str, is_killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        if is_killed:
            monkeypatch.setattr(CitationRedaction, "forget", nothing)  # not done any more
        raise Cancelled

    monkeypatch.setattr(type(library.workspace.indexer), "forget", stop)
    with pytest.raises(Cancelled):
        take_out(library, quoted, "lose")
    look = IndexRequest(KB, only_known=True)
    list(index_files.run(library.workspace, look, CancelToken()))
    assert library.workspace.catalog.files.get(library.kb, quoted) is None
    assert bytes_hold(library.home, SECRET) == []


def nothing(*_: object) -> None:
    """Do nothing."""
