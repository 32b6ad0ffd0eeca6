"""Notes as a command: what is saved of answers, passages and documents, with their sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.commands import remove
from desktop_rag.commands.conversation_recorder import ConversationLog
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import ListingRow
from desktop_rag.core.note_records import NoteId
from desktop_rag.core.requests import NoteRequest, RemoveRequest
from desktop_rag.core.types import ChatId
from testing.narrowing import narrow, present
from testing.sample_answers import answer
from tests.indexing.indexed_folder import KB, IndexedFolder

SAID = "Ferries are small [2]. They carry cars [1] and people [3]. Nobody knows why."


def do(library: IndexedFolder, action: str, **more: Any) -> list[dict[str, Any]]:
    rows = perform(library.workspace, NoteRequest(action, **more), CancelToken())
    return [narrow(each, ListingRow).values for each in rows]


def told(library: IndexedFolder, text: str = SAID, mode: str = "generated") -> ChatId:
    catalog = library.workspace.catalog
    chat = catalog.chats.create("talk", (KB,))
    said = answer(text, 2, 1, mode=mode)
    third = replace(said.citations[0], n=3, chunk_id=said.sources[2].chunk_id, sentence=1)
    said = replace(said, citations=(*said.citations, third))
    ConversationLog(catalog, chat).asked("What do ferries\ncarry?").answered(said)
    return chat


def rests_on(library: IndexedFolder, row: dict[str, Any]) -> StoredAnswer:
    return read_answer(library.workspace.catalog.notes.payload(NoteId(row["id"])))


def test_an_answer_is_saved_with_its_sources_and_outlives_its_conversation(
    library: IndexedFolder,
) -> None:
    chat = told(library)
    (row,) = do(library, "add", chat_id=chat)
    assert (row["kind"], row["title"], row["text"]) == ("answer", "What do ferries carry?", SAID)
    assert row["knowledge_bases"] == [KB]
    library.workspace.catalog.chats.delete(chat)
    kept = rests_on(library, do(library, "list")[0])
    assert [each.title for each in kept.sources] == ["Report 1", "Report 2", "Report 3"]
    assert [(each.n, each.quote) for each in kept.citations] == [
        (2, "quote 2"), (1, "quote 1"), (3, "quote 2"),
    ]  # fmt: skip
    assert kept.mode == "generated"


def test_of_a_selection_the_sources_are_numbered_anew(library: IndexedFolder) -> None:
    selected = "They carry cars [\u20091\u2009] and people [\u20093\u2009]."
    (row,) = do(library, "add", chat_id=told(library), text=selected)
    assert row["text"] == "They carry cars [1] and people [2]."
    assert row["kind"] == "selection"
    assert row["title"] == "They carry cars and people."
    kept = rests_on(library, row)
    assert [each.title for each in kept.sources] == ["Report 1", "Report 3"]
    assert [(each.n, each.quote) for each in kept.citations] == [(1, "quote 1"), (2, "quote 2")]


def test_half_a_sentence_brings_the_source_that_stands_behind_its_end(
    library: IndexedFolder,
) -> None:
    (row,) = do(library, "add", chat_id=told(library), text="Ferries are")
    assert row["text"] == "Ferries are [1]"
    assert [each.title for each in rests_on(library, row).sources] == ["Report 2"]
    (row,) = do(library, "add", chat_id=told(library), text="Nobody knows why.")
    assert row["text"] == "Nobody knows why."
    assert rests_on(library, row).sources == ()


def test_a_source_is_saved_as_the_quote_that_the_answer_cites(library: IndexedFolder) -> None:
    chat = told(library)
    (row,) = do(library, "add", chat_id=chat, chunk_id=2, text="quote 2")
    assert (row["kind"], row["text"], row["title"]) == ("quote", "> quote 2 [1]", "quote 2")
    (cited,) = rests_on(library, row).citations
    assert (cited.n, cited.quote, cited.locator.start) == (1, "quote 2", 100)
    (row,) = do(library, "add", chat_id=chat, chunk_id=3)
    assert row["text"] == "> Passage 3 says something about ferries. [1]"


@pytest.mark.parametrize(
    "asked", [{"chat_id": 99}, {"answer_id": 12345}, {"chunk_id": 77}, {"answer_id": 1}]
)
def test_what_is_not_there_is_told(library: IndexedFolder, asked: dict[str, int]) -> None:
    chat = told(library)
    with pytest.raises(UserError):
        do(library, "add", **({"chat_id": chat} | asked))
    assert do(library, "list") == []


def test_a_refusal_is_no_note(library: IndexedFolder) -> None:
    with pytest.raises(UserError, match="no such answer"):
        do(library, "add", chat_id=told(library, "Not found.", "refused"))


def test_what_is_selected_in_a_document_is_a_quote_with_its_place(library: IndexedFolder) -> None:
    path = library.write("ferry.md", "# Ferry\n\nThe *ferry* [7] carries forty\ncars across.")
    library.index()
    catalog = library.workspace.catalog
    number = present(catalog.files.get(library.kb, str(path))).document_id
    text = catalog.documents.text(present(number))
    selected = text[text.index("The") : text.index(" across")]
    (row,) = do(library, "add", path=str(path), text=selected, kbs=(KB,))
    assert row["kind"] == "quote"
    kept = rests_on(library, row)
    (cited,), (source,) = kept.citations, kept.sources
    assert text[present(cited.locator.start) : cited.locator.end] == selected == cited.quote
    assert (source.document_id, source.path, source.title) == (number, str(path), "Ferry")
    assert source.content_hash
    assert "[7]" not in row["text"], "a number of the document's own is no citation"
    (row,) = do(library, "add", path=str(path), text="words that stand nowhere in it")
    assert rests_on(library, row).citations[0].locator.start is None


def test_of_several_places_the_nearest_is_quoted(library: IndexedFolder) -> None:
    said = "The ferry sails at six."
    path = library.write("twice.md", f"# Ferry\n\n{said}\n\n{'Much between. ' * 60}\n\n{said}")
    library.index()
    starts = []
    for near in (0, 900):
        (row,) = do(library, "add", path=str(path), text=said, near=near)
        starts.append(present(rests_on(library, row).citations[0].locator.start))
    assert starts[0] < 50
    assert starts[1] > 800


def test_cells_of_a_table_are_one_line(library: IndexedFolder) -> None:
    path = library.write("orders.csv", "Order,Region,Sum\nA5,North,5.50\nA6,South,7.25\n")
    library.index()
    (row,) = do(library, "add", path=str(path), text="A5\tNorth\t5.50")
    assert row["text"] == "> A5; North; 5.50 [1]"


def test_a_quote_of_a_document_in_no_knowledge_base_is_refused(library: IndexedFolder) -> None:
    with pytest.raises(UserError, match="not in a knowledge base"):
        do(library, "add", path="/nowhere.md", text="words")
    with pytest.raises(UserError, match="nothing to save"):
        do(library, "add", path="/nowhere.md", text="  ")


def test_notes_of_ones_own_are_edited_ordered_and_removed(library: IndexedFolder) -> None:
    (first,) = do(library, "add", text="# Ideas\n\nOne", kbs=(KB,))
    (second,) = do(library, "add", title="Second", text="")
    assert (first["kind"], first["title"]) == ("own", "Ideas")
    (row,) = do(library, "edit", note_id=first["id"], text="Two")
    assert (row["title"], row["text"]) == ("Ideas", "Two")
    (row,) = do(library, "edit", note_id=first["id"], title=" More\nideas ")
    assert (row["title"], row["text"]) == ("More ideas", "Two")
    moved = do(library, "move", note_id=first["id"], place=0)
    assert [each["id"] for each in moved] == [first["id"], second["id"]]
    assert [each["id"] for each in do(library, "remove", note_id=first["id"])] == [second["id"]]
    for action in ("edit", "move", "remove"):
        with pytest.raises(UserError, match="no note"):
            do(library, action, note_id=first["id"])
    with pytest.raises(UsageError):
        do(library, "shout")


def test_quotes_go_from_notes_with_the_file_where_that_is_wanted(library: IndexedFolder) -> None:
    path = library.write("ferry.md", "# Ferry\n\nThe ferry carries forty cars.")
    library.index()
    do(library, "add", path=str(path), text="The ferry carries forty cars.")
    request = RemoveRequest(KB, (str(path),), "lose")
    list(remove.run(library.workspace, request, CancelToken()))
    (row,) = do(library, "list")
    assert (row["title"], row["text"]) == ("Source removed", "")
