"""Notes in the catalog: their order, their way back, and what becomes of what they quote."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.citation_redaction import RemovedDocuments
from desktop_rag.catalog.database import migration_scripts
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.recovery.coordinator import Recovery, RecoveryOutcome, is_damaged
from desktop_rag.catalog.stored_answer import passage_row, payload_of, read_answer
from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.errors import UserError
from desktop_rag.core.note_records import NewNote, NoteId, NoteKind
from desktop_rag.core.types import ChunkId, Citation, KbId
from testing.sample_answers import passage
from tests.catalog.stored_documents import bytes_hold
from tests.catalog.test_recovery import key_of

SECRET = "xylophonequartz"
PATH = f"/d/{SECRET}.txt"


def add(catalog: Catalog, title: str, text: str = "") -> NoteId:
    return catalog.notes.add(NewNote(NoteKind.OWN, title, text))


def titles(catalog: Catalog) -> list[str]:
    return [each.title for each in catalog.notes.all()]


def quoting(catalog: Catalog, kind: NoteKind, mode: str, title: str, text: str) -> NoteId:
    """A note that cites a secret document as [1] and another one as [2]."""
    secret = replace(passage(1, PATH, f"the {SECRET} is hidden here"), title=SECRET)
    sources = (secret, passage(2))
    cited = [
        Citation(n, ChunkId(n), each.path, each.locator, each.text, n - 1).as_json()
        for n, each in enumerate(sources, 1)
    ]
    kept = {"mode": mode, "sources": [*map(passage_row, sources)], "citations": cited}
    return catalog.notes.add(NewNote(kind, title, text, json.dumps(kept)))


def test_the_newest_note_comes_first_and_a_moved_one_stays_where_it_was_put(
    catalog: Catalog,
) -> None:
    first, _, third = add(catalog, "one"), add(catalog, "two"), add(catalog, "three")
    assert titles(catalog) == ["three", "two", "one"]
    catalog.notes.move(first, 0)
    assert titles(catalog) == ["one", "three", "two"]
    catalog.notes.move(third, 99)
    assert titles(catalog) == ["one", "two", "three"]
    add(catalog, "four")
    assert titles(catalog) == ["four", "one", "two", "three"]


def test_what_is_put_away_comes_back_to_its_place(catalog: Catalog) -> None:
    add(catalog, "one")
    middle = add(catalog, "two")
    add(catalog, "three")
    catalog.notes.put_away([middle])
    assert titles(catalog) == ["three", "one"]
    with pytest.raises(UserError, match="no note"):
        catalog.notes.get(middle)
    catalog.notes.bring_back([middle])
    assert titles(catalog) == ["three", "two", "one"]


def test_a_deleted_note_leaves_no_trace(catalog: Catalog, home: Path) -> None:
    catalog.notes.put_away([add(catalog, "gone", f"about {SECRET}")])
    assert bytes_hold(home, SECRET)
    assert catalog.notes.bury() == 1
    assert bytes_hold(home, SECRET) == []


def test_a_changed_text_does_not_say_any_more_which_sentence_rests_on_what(
    catalog: Catalog,
) -> None:
    note = quoting(catalog, NoteKind.ANSWER, "generated", "Where?", "It is there [1]. So [2].")
    catalog.notes.revise(note, "Where is it?", "It is there [1]. So [2].")
    kept = read_answer(catalog.notes.payload(note)).citations
    assert [each.sentence for each in kept] == [0, 1]
    catalog.notes.revise(note, "Where is it?", "So [2]. It is there [1].")
    kept = read_answer(catalog.notes.payload(note)).citations
    assert [(each.n, each.sentence) for each in kept] == [(1, -1), (2, -1)]


def test_a_note_outlives_its_conversation_and_follows_the_name_of_its_knowledge_base(
    catalog: Catalog, kb: KbId
) -> None:
    note = catalog.notes.add(NewNote(NoteKind.OWN, "mine", "text", kbs=("default", "other")))
    catalog.chats.delete(catalog.chats.create("talk", ("default",)))
    catalog.kbs.rename("default", "papers")
    assert catalog.notes.get(note).kbs == ("papers", "other")
    catalog.kbs.delete("papers")
    assert catalog.notes.get(note).text == "text"


def test_a_note_that_a_model_wrote_keeps_its_words_and_loses_the_quotes(
    catalog: Catalog, home: Path
) -> None:
    note = quoting(catalog, NoteKind.ANSWER, "generated", "Where?", "It is there [1]. So [2].")
    taken = RemovedDocuments.of([PATH])
    assert catalog.quotes.notes_quoting(taken) == 1
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    left = read_answer(catalog.notes.payload(note))
    assert catalog.notes.get(note).text == "It is there [1]. So [2]."
    assert [each.title for each in left.sources] == [REMOVED_TITLE, "Report 2"]
    assert [each.n for each in left.citations] == [2]
    assert catalog.quotes.notes_quoting(taken) == 0


@pytest.mark.parametrize(
    "quote",
    [f"> the {SECRET} is hidden here [1]", f"As they say, the {SECRET}  is hidden *here*!"],
)
def test_of_a_quote_the_users_own_lines_stay(catalog: Catalog, home: Path, quote: str) -> None:
    text = f"{quote}\n\nI do not believe that.\nSee the other report [2]."
    note = quoting(catalog, NoteKind.QUOTE, "extracted", f"the {SECRET} is…", text)
    catalog.quotes.forget([PATH])
    assert bytes_hold(home, SECRET) == []
    kept = catalog.notes.get(note)
    assert kept.text == "I do not believe that.\nSee the other report [2]."
    assert kept.title == REMOVED_TITLE
    assert payload_of(catalog.notes.payload(note))["mode"] == "extracted"


def test_a_damaged_catalog_gives_its_notes_back(catalog: Catalog, home: Path) -> None:
    for number in range(30):
        add(catalog, f"note {number}", "x" * 400)
    broken = catalog.notes.add(NewNote(NoteKind.OWN, "broken", "text"))
    catalog.close()
    path = home / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE notes SET payload = '{', kbs = 'x' WHERE id = ?", (broken,))
    assert is_damaged(path, migration_scripts(), key_of, lambda: None)
    *_, outcome = Recovery(path, migration_scripts(), key_of).run(lambda: None)
    assert isinstance(outcome, RecoveryOutcome)
    (count,) = (each for each in outcome.counts if each.kind == "notes")
    assert (count.kept, count.lost) == (31, 0)
    again = Catalog.open(home)
    assert [each.title for each in again.notes.all()][:2] == ["broken", "note 29"]
    assert again.notes.payload(broken) == "{}"
    again.close()
