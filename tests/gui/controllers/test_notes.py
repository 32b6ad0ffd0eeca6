"""The notes' controller: saving, reading, writing, ordering, deleting with a way back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.stored_answer import passage_row
from desktop_rag.core.note_records import NewNote, NoteKind
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.controllers.note_jobs import OpenNote
from desktop_rag.gui.controllers.notes import NotesController
from testing.narrowing import present
from testing.sample_answers import citation, passage
from tests.catalog.stored_documents import document, put
from tests.gui.controllers.conversation_setup import Talks


class Desk:
    """A controller over a catalog, with what it told."""

    def __init__(self, folder: Path) -> None:
        self.talks = Talks(folder)
        self.catalog = self.talks.catalog
        self.notes = NotesController(self.talks.jobs, self.talks.folder)
        self.told: list[OpenNote | None] = []
        self.complaints: list[object] = []
        self.notes.opened.connect(self.told.append)
        self.notes.complained.connect(self.complaints.append)

    def add(self, text: str) -> None:
        self.notes.add(NoteRequest("add", text=text))
        self.talks.settle()

    def titles(self) -> list[str]:
        self.talks.settle()
        return [each.title for each in self.notes.rows]

    def close(self) -> None:
        self.notes.deleteLater()
        self.talks.close()


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "home")
    yield made
    made.close()


def test_an_answer_is_saved_told_of_and_listed(desk: Desk) -> None:
    added: list[object] = []
    desk.notes.added.connect(added.append)
    chat = desk.talks.tell("What?")
    desk.notes.add(NoteRequest("add", chat_id=chat))
    assert desk.titles() == ["What?"]
    assert added == [desk.notes.rows[0]]
    desk.notes.open(desk.notes.rows[0].id)
    desk.talks.settle()
    turn = present(present(desk.notes.shown).turn)
    assert (turn.text, turn.cited(), len(turn.sources)) == ("So it is [1].", (1,), 3)


def test_what_cannot_be_saved_is_told(desk: Desk) -> None:
    desk.notes.add(NoteRequest("add", chat_id=77))
    desk.talks.settle()
    assert len(desk.complaints) == 1


def test_a_note_names_the_path_that_its_document_has_today(desk: Desk) -> None:
    kb = desk.catalog.kbs.ensure("default").id
    number = put(desk.catalog, kb, "/new/report.pdf", document("quote 1 is here"))
    source = passage(1, "/old/report.pdf")
    object.__setattr__(source, "document_id", number)
    kept = {"sources": [passage_row(source)], "citations": [citation(1).as_json()]}
    note = desk.catalog.notes.add(NewNote(NoteKind.QUOTE, "q", "> q [1]", json.dumps(kept)))
    desk.notes.open(note)
    desk.talks.settle()
    turn = present(desk.notes.shown).turn
    assert {turn.sources[0].path, turn.citations[0].path} == {"/new/report.pdf"}


def test_what_is_typed_is_kept_soon_and_at_the_end(desk: Desk) -> None:
    desk.add("first")
    note = desk.notes.rows[0].id
    desk.notes.open(note)
    desk.talks.settle()
    desk.notes.write(note, "Title", "one")
    desk.notes.write(note, "Title", "two")
    assert desk.catalog.notes.get(note).text == "first"
    desk.notes.flush()
    desk.talks.settle()
    assert desk.catalog.notes.get(note).text == "two"
    assert (desk.notes.rows[0].title, present(desk.notes.shown).note.text) == ("Title", "two")
    desk.notes.write(note, "Title", "three")
    desk.notes.close()
    assert desk.catalog.notes.get(note).text == "three"


def test_what_is_still_being_typed_is_not_taken_back_by_a_look(desk: Desk) -> None:
    desk.add("first")
    note = desk.notes.rows[0].id
    desk.notes.open(note)
    desk.talks.settle()
    desk.notes.write(note, "first", "more")
    before = len(desk.told)
    desk.notes.catch_up()
    desk.talks.settle()
    assert len(desk.told) == before


def test_notes_are_ordered_by_hand(desk: Desk) -> None:
    for text in ("one", "two", "three"):
        desk.add(text)
    assert desk.titles() == ["three", "two", "one"]
    desk.notes.move(desk.notes.rows[2].id, 0)
    assert desk.titles() == ["one", "three", "two"]


def test_what_is_deleted_comes_back_and_is_looked_at_again(desk: Desk) -> None:
    for text in ("one", "two"):
        desk.add(text)
    offered: list[int] = []
    desk.notes.undoable.connect(offered.append)
    gone = desk.notes.rows[0].id
    desk.notes.open(gone)
    desk.talks.settle()
    desk.notes.write(gone, "two", "two, and more")
    desk.notes.delete([gone])
    assert desk.titles() == ["one"]
    assert desk.told[-1] is None
    desk.notes.undo()
    assert desk.titles() == ["two", "one"]
    assert present(desk.notes.shown).note.text == "two, and more"
    assert offered == [1, 0]
    desk.notes.delete([gone])
    desk.notes.bury()
    desk.talks.settle()
    assert [each.title for each in desk.catalog.notes.all()] == ["one"]
    desk.notes.undo()
    assert desk.titles() == ["one"]


def test_a_note_that_a_command_deleted_is_shown_no_more(desk: Desk) -> None:
    desk.add("one")
    note = desk.notes.rows[0].id
    desk.notes.open(note)
    desk.talks.settle()
    desk.catalog.notes.delete(note)
    desk.notes.catch_up()
    desk.talks.settle()
    assert (desk.notes.shown, desk.notes.rows, desk.complaints) == (None, (), [])


def test_a_change_during_a_reading_is_read_as_well(desk: Desk) -> None:
    desk.notes.catch_up()
    desk.talks.settle()
    assert desk.notes.rows == (), "nobody has looked yet"
    desk.notes.refresh()
    desk.catalog.notes.add(NewNote(NoteKind.OWN, "one", ""))
    desk.notes.refresh()
    assert desk.titles() == ["one"]
    desk.catalog.notes.add(NewNote(NoteKind.OWN, "two", ""))
    desk.notes.catch_up()
    assert desk.titles() == ["two", "one"]
