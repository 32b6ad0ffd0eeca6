"""A damaged catalog: told as that, and brought back with a true count of what is gone."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.catalog import integrity
from desktop_rag.catalog.copies import Copies
from desktop_rag.catalog.database import migration_scripts
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.integrity import IntegrityFinding
from desktop_rag.catalog.recovery.coordinator import (
    Recovery,
    RecoveryOutcome,
    TableCount,
    is_damaged,
)
from desktop_rag.catalog.sqlite_pages import DatabasePages
from desktop_rag.core.catalog_records import NewDerivedText, PreparedStep
from desktop_rag.core.errors import CatalogDamaged, StoreDamaged
from desktop_rag.core.types import ChatId, DocumentId
from tests.catalog.stored_documents import document, many, put

PAGE = 4096


def key_of(context: str, text: str) -> str:
    """Make a chunk's key as `document` does."""
    return hashlib.blake2b(f"{context}\n{text}".encode(), digest_size=16).hexdigest()


@pytest.fixture
def path(home: Path) -> Path:
    """Make a catalog with two documents, a conversation and a question set, and close it."""
    catalog = Catalog.open(home)
    kb = catalog.kbs.ensure("default").id
    catalog.kbs.add_source(kb, "/d", is_folder=True)
    put(catalog, kb, "/d/a", many("a", 60))
    put(catalog, kb, "/brought/b", many("b", 60))
    chat = catalog.chats.create("Talk", ("default",))
    for number in range(40):
        catalog.chats.append(chat, "user", f"question {number} {'x' * 300}")
    catalog.questions.ensure("mine")
    catalog.consents.give(kb, "http://10.0.0.9:11434")
    catalog.kbs.set_served("default", is_served=True)
    catalog.close()
    return home / "catalog.sqlite"


def recovered(path: Path) -> dict[str, TableCount]:
    assert is_damaged(path, migration_scripts(), key_of, lambda: None), "it is damaged"
    *_, outcome = Recovery(path, migration_scripts(), key_of).run(lambda: None)
    assert isinstance(outcome, RecoveryOutcome)
    assert not is_damaged(path, migration_scripts(), key_of, lambda: None)
    return {count.kind: count for count in outcome.counts}


def changed(path: Path, change: Callable[[bytearray], None]) -> None:
    content = bytearray(path.read_bytes())
    change(content)
    path.write_bytes(content)


def pages_of(path: Path, table: str) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (table,)
        )
        return [row[0] for row in rows]


def blank_page(path: Path, number: int) -> None:
    def change(content: bytearray) -> None:
        content[(number - 1) * PAGE : number * PAGE] = bytes(PAGE)

    changed(path, change)


def count(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_page_that_is_gone_costs_its_rows_alone_and_they_are_counted(path: Path) -> None:
    blank_page(path, pages_of(path, "messages")[1])
    found = recovered(path)["messages"]
    assert found.is_exact
    assert 0 < found.lost < 40
    assert found.kept == count(path, "messages") == 40 - found.lost
    assert Catalog.open(path.parent).chats.messages(ChatId(1)), (
        "the conversation goes on past the gap"
    )


def test_what_a_page_had_comes_from_the_copy(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    catalog.database.copies.make()
    catalog.close()
    blank_page(path, pages_of(path, "messages")[1])
    found = recovered(path)["messages"]
    assert (found.kept, found.lost) == (40, 0)
    assert found.from_copy > 0


def test_what_was_taken_out_after_the_copy_does_not_come_back(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    copy = catalog.database.copies.make()
    kept = shutil.copy(copy, path.parent / "kept")
    catalog.questions.delete("mine")
    catalog.consents.revoke(catalog.kbs.get("default").id, "http://10.0.0.9:11434")
    catalog.kbs.set_served("default", is_served=False)
    catalog.files.remove(catalog.kbs.get("default").id, ["/d/a"])
    catalog.close()
    shutil.copy(kept, copy)  # even if the copy were still there
    for table in ("question_sets", "consents", "served_knowledge_bases", "documents"):
        blank_page(path, pages_of(path, table)[0])
    recovered(path)
    assert not count(path, "served_knowledge_bases")
    assert count(path, "question_sets") == count(path, "consents") == 0
    assert count(path, "documents") <= 1


@pytest.mark.parametrize("at", [0, 16, 18, 19, 21, 44, 56, 60, 63])
def test_a_flipped_header_is_damage_and_no_newer_version(path: Path, at: int) -> None:
    def flip(content: bytearray) -> None:
        content[at] ^= 0x41

    changed(path, flip)
    with pytest.raises(CatalogDamaged):
        Catalog.open(path.parent)
    found = recovered(path)
    assert not any(each.lost for each in found.values())
    assert found["messages"].kept == 40


def test_a_newer_versions_catalog_is_refused_by_the_recovery_as_well(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE chats ADD COLUMN later TEXT")
        connection.execute("PRAGMA user_version = 9999")
    with pytest.raises(StoreDamaged, match="newer version"):
        Catalog.open(path.parent)
    with pytest.raises(StoreDamaged, match="newer version"):
        is_damaged(path, migration_scripts(), key_of, lambda: None)


def test_without_its_first_page_everything_is_found_again(path: Path) -> None:
    blank_page(path, 1)
    found = recovered(path)
    assert not any(each.lost for each in found.values())
    assert (found["documents"].kept, found["chunks"].kept) == (2, 120)
    assert [each.name for each in Catalog.open(path.parent).kbs.all()] == ["default"]


def test_a_missing_catalog_beside_a_copy_is_not_begun_anew(path: Path) -> None:
    Copies(path).make()
    path.unlink()
    with pytest.raises(CatalogDamaged):
        Catalog.open(path.parent)
    assert not path.exists()
    recovered(path)
    assert not list(path.parent.glob("*damaged*")), "there was nothing to keep aside"


def test_an_empty_file_beside_a_copy_is_no_new_catalog(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    catalog.database.copies.make()
    catalog.close()
    path.write_bytes(b"")
    with pytest.raises(CatalogDamaged):
        Catalog.open(path.parent)
    found = recovered(path)
    assert (found["messages"].kept, found["chunks"].kept) == (40, 120)


def test_a_flipped_locator_is_seen_and_costs_one_chunk(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE chunks SET locator = replace(locator, '[', 'K') WHERE id = 5")
        connection.commit()
    with pytest.raises(CatalogDamaged):
        Catalog.open(path.parent).documents.chunks(DocumentId(1))
    with closing(sqlite3.connect(path)) as connection:
        assert list(integrity.findings(connection, key_of)) == [IntegrityFinding(1, "chunks")]
    assert recovered(path)["chunks"].lost == 1
    catalog = Catalog.open(path.parent)
    file = catalog.files.get(catalog.kbs.get("default").id, "/d/a")
    assert file is not None
    assert (file.status, file.chunks) == ("queued", 59), "it is read again, and found till then"


def test_a_text_whose_page_is_gone_is_made_again_of_its_chunks(path: Path) -> None:
    text = " ".join(f"word{n}" for n in range(4000))
    catalog = Catalog.open(path.parent)
    kb = catalog.kbs.get("default").id
    put(catalog, kb, "/brought/long", document(text[:3000], text[3001:9000]))
    before = catalog.documents.text(catalog.files.get(kb, "/brought/long").document_id)  # type: ignore[union-attr,arg-type]
    catalog.close()
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'documents' AND pagetype = 'overflow'"
        ).fetchall()
    blank_page(path, rows[-1][0])
    recovered(path)
    catalog = Catalog.open(path.parent)
    file = catalog.files.get(catalog.kbs.get("default").id, "/brought/long")
    assert file is not None
    assert file.document_id is not None
    assert catalog.documents.text(file.document_id).split() == before.split()


def test_what_stands_in_the_log_behind_a_damaged_frame_is_kept(path: Path, tmp_path: Path) -> None:
    log = path.with_name("catalog.sqlite-wal")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(5):
            connection.execute("INSERT INTO figures VALUES (?, 1.0)", (f"figure {number}",))
        kept = [shutil.copy(each, tmp_path / each.name) for each in (path, log)]
    for file, source in zip((path, log), kept, strict=True):
        shutil.copy(source, file)

    def spoil(content: bytearray) -> None:
        content[32 + 24 + 200] ^= 1

    changed(log, spoil)
    with closing(DatabasePages(path)) as image:
        assert not image.log_is_whole
    with pytest.raises(CatalogDamaged):
        Catalog.open(path.parent)
    recovered(path)
    assert count(path, "figures") == 5


def test_a_lost_name_costs_no_document(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        pages = [
            row[0]
            for row in connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'knowledge_bases'"
            )
        ]
    for page in pages:
        blank_page(path, page)
    recovered(path)
    catalog = Catalog.open(path.parent)
    (base,) = catalog.kbs.all()
    assert (base.name, base.files, base.chunks) == ("Recovered 1", 2, 120)


def test_what_belonged_to_a_lost_row_goes_whichever_table_it_is_in(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO document_metadata VALUES (99, '[]', '[]', '[]', '', NULL, NULL, 'en')"
        )
        connection.execute(
            "INSERT INTO shares (kb, server, shared_name, writer) VALUES (99, 's', 'n', 'w')"
        )
        connection.execute("INSERT INTO shared_files VALUES (99, '/d/a', '/d/a', 'w', 0.0)")
    recovered(path)
    tables = ("document_metadata", "shares", "shared_files")
    assert [count(path, each) for each in tables] == [0, 0, 0]


def test_a_kill_before_the_last_rename_is_made_good_at_the_next_start(path: Path) -> None:
    whole = path.with_name("catalog.recovered")
    shutil.copy(path, whole)
    path.write_bytes(b"damaged")
    path.with_name("catalog.sqlite-wal").write_bytes(b"damaged as well")
    catalog = Catalog.open(path.parent)
    assert [each.name for each in catalog.kbs.all()] == ["default"]
    catalog.close()
    assert not whole.exists()


def test_the_damaged_file_goes_with_the_next_removal(path: Path) -> None:
    blank_page(path, pages_of(path, "messages")[1])
    recovered(path)
    catalog = Catalog.open(path.parent)
    (aside,) = catalog.database.set_aside()
    assert aside.stat().st_mode & 0o777 == 0o600
    catalog.chats.delete(catalog.chats.all()[0].id)
    assert catalog.database.set_aside() == []


def test_damage_that_many_rows_at_once_meet_is_told_in_a_sentence(path: Path) -> None:
    for page in pages_of(path, "messages")[1:]:
        blank_page(path, page)
    catalog = Catalog.open(path.parent)
    rows = catalog.database.read().execute("SELECT * FROM messages")
    with pytest.raises(CatalogDamaged):
        rows.fetchmany(100)


def test_numbers_that_no_json_holds_are_told_as_damage(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    with pytest.raises(CatalogDamaged):
        catalog.documents.get_chunks([float("inf")])  # type: ignore[list-item]
    with pytest.raises(CatalogDamaged):
        catalog.database.read().execute("SELECT json_array_length('[1,')").fetchone()


def test_a_broken_payload_costs_the_sources_of_an_answer_and_not_its_words(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE messages SET payload = '{' WHERE id = 3")
        connection.commit()
    assert recovered(path)["messages"].lost == 0
    with closing(sqlite3.connect(path)) as connection:
        (payload,) = connection.execute("SELECT payload FROM messages WHERE id = 3").fetchone()
    assert json.loads(payload) == {}


def test_a_long_text_is_put_together_again_whichever_part_is_lost(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    text = "".join(f"Sentence {number} of a long text. " for number in range(80_000))
    long = document(*(text[at : at + 1000] for at in range(0, len(text), 1000)))
    put(catalog, catalog.kbs.get("default").id, "/d/long", long)
    catalog.close()
    assert count(path, "segments") > 0
    blank_page(path, pages_of(path, "segments")[0])
    found = recovered(path)
    assert found["files"].lost == 0
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT status FROM files WHERE path = '/d/long'").fetchall()
        loose = connection.execute(
            "SELECT count(*) FROM segments WHERE document_id NOT IN (SELECT id FROM documents)"
        ).fetchone()[0]
    assert rows == [("queued",)], "its text is not whole: it is read again"
    assert loose == 0


def test_a_long_text_without_damage_is_sound(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    long = document(*(f"{number} {'x' * 990}" for number in range(2500)))
    put(catalog, catalog.kbs.get("default").id, "/d/long", long)
    catalog.close()
    assert not is_damaged(path, migration_scripts(), key_of, lambda: None)


def test_of_what_was_derived_only_whole_documents_are_kept(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    kb = catalog.kbs.get("default").id
    catalog.preparations.request(kb, "way")
    for document_id in (DocumentId(1), DocumentId(2)):
        chunks = catalog.documents.chunks(document_id)
        step = PreparedStep(document_id, "way", "way:1:", 0, 60, is_done=True)
        texts = [NewDerivedText(f"derived {c.text} {'x' * 200}", (c.chunk_id,)) for c in chunks]
        assert catalog.preparations.store(step, texts, None, "model-1")
    catalog.close()
    (first, *_) = pages_of(path, "derived_texts")
    changed(
        path,
        lambda content: content.__setitem__(slice(first * PAGE, (first + 1) * PAGE), bytes(PAGE)),
    )
    recovered(path)
    catalog = Catalog.open(path.parent)
    counts = {
        each: len(catalog.preparations.texts_of(each, "way"))
        for each in (DocumentId(1), DocumentId(2))
    }
    waiting = {each.document_id for each in catalog.preparations.pending(kb, "way", "way:1:")}
    catalog.close()
    assert set(counts.values()) <= {0, 60}
    assert waiting == {each for each, count in counts.items() if not count}
    assert waiting, "a page of them was lost"


def test_kept_answers_stay_and_none_is_given_again(path: Path) -> None:
    catalog = Catalog.open(path.parent)
    kb = catalog.kbs.get("default").id
    chat = catalog.chats.create("Tea", ("default",))
    catalog.chats.append(chat, "user", "Where does tea grow?")
    answer = catalog.chats.append(chat, "assistant", "In the hills.", '{"mode": "generated"}')
    state = json.dumps([kb])
    catalog.answered.note(answer, "key", state)
    catalog.kept.keep(answer)
    assert catalog.answered.find("key", state) is not None
    catalog.close()
    blank_page(path, pages_of(path, "embeddings")[0])
    recovered(path)
    catalog = Catalog.open(path.parent)
    assert catalog.answered.find("key", state) is None, "which documents it had is not certain"
    assert [each.message_id for each in catalog.kept.all()] == [answer]
    catalog.close()
