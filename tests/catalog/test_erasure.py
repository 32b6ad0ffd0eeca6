"""What is removed leaves no text behind, byte by byte, while the program still runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from desktop_rag.catalog import database
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.index.indexes import IndexManager
from tests.catalog.stored_documents import bytes_hold, document, many, put

SECRET = "xylophonequartz"


@pytest.fixture
def secret(catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path) -> None:
    put(catalog, kb, "/d/open.txt", many("ordinary", 300))
    long = f"{'filler ' * 3000}{SECRET} in a later page of the file"
    put(catalog, kb, f"/d/{SECRET}.txt", document(f"the {SECRET} is hidden here", long))
    indexes.of(kb).sync()
    assert bytes_hold(home, SECRET), "the search by bytes would find it"


def test_a_removed_file_leaves_no_trace(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path, secret: None
) -> None:
    catalog.files.remove(kb, [f"/d/{SECRET}.txt"])
    indexes.of(kb).sync()
    assert bytes_hold(home, SECRET) == []
    assert indexes.of(kb).check() is None


def test_a_changed_file_leaves_no_trace_of_what_it_said(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path
) -> None:
    put(catalog, kb, "/d/a", document(f"the {SECRET} is hidden here"))
    indexes.of(kb).sync()
    put(catalog, kb, "/d/a", document("harmless"))
    indexes.of(kb).sync()
    assert bytes_hold(home, SECRET) == []


def test_a_file_that_can_no_longer_be_read_leaves_no_trace(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path
) -> None:
    put(catalog, kb, "/d/a", document(f"the {SECRET} is hidden here"))
    indexes.of(kb).sync()
    catalog.files.record(FileRead(kb, "/d/a", FileStamp(1, 1)), FileStatus.CORRUPT, "Broken.")
    indexes.of(kb).sync()
    assert bytes_hold(home, SECRET) == []


@pytest.mark.parametrize("content", ["", "another", "text"])
def test_a_scan_that_changed_or_went_leaves_no_trace_of_what_was_recognised(
    catalog: Catalog, kb: KbId, home: Path, content: str
) -> None:
    read = FileRead(kb, "/d/scan.pdf", FileStamp(1, 1, "scan"))
    catalog.files.record(read, FileStatus.NEEDS_OCR, "Pictures.")
    catalog.recognized.put("scan", 1, "picture", f"the {SECRET} is shown here".encode())
    assert bytes_hold(home, SECRET), "the search by bytes would find it"
    if content == "text":
        put(catalog, kb, "/d/scan.pdf", document("harmless"))
    elif content:
        changed = FileRead(kb, "/d/scan.pdf", FileStamp(1, 1, content))
        catalog.files.record(changed, FileStatus.NEEDS_OCR, "Pictures.")
    else:
        catalog.files.remove(kb, ["/d/scan.pdf"])
    assert bytes_hold(home, SECRET) == []


def test_a_deleted_knowledge_base_leaves_no_trace(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path, secret: None
) -> None:
    catalog.kbs.delete("default")
    indexes.drop(kb)
    assert bytes_hold(home, SECRET) == []
    assert not list((home / "indexes").glob("*/"))


def test_a_deleted_conversation_leaves_no_trace(catalog: Catalog, home: Path) -> None:
    chat = catalog.chats.create(SECRET, ())
    asked = catalog.chats.append(chat, "user", f"Where is the {SECRET}?")
    answer = catalog.chats.append(chat, "assistant", "")
    for text in (f"The {SECRET} is", f"The {SECRET} is here."):
        catalog.chats.revise(answer, text, f'{{"notices": ["{SECRET}"]}}')
    catalog.chats.append(chat, "user", f"Where is that {SECRET}?", parent=0)
    catalog.chats.select(chat, asked)
    catalog.drafts.keep(chat, f"And the other {SECRET}")
    catalog.chats.put_away([chat])
    catalog.chats.bury()
    assert bytes_hold(home, SECRET) == []


def test_of_a_large_base_the_words_go_at_purge_or_at_the_next_start(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path
) -> None:
    put(catalog, kb, "/d/large", many("ordinary", 2500))
    put(catalog, kb, "/d/secret", document(f"the {SECRET} is hidden here"))
    indexes.of(kb).sync()
    catalog.files.remove(kb, ["/d/secret"])
    indexes.of(kb).sync()
    assert all("lexical" in name for name in bytes_hold(home, SECRET))
    indexes.of(kb).purge()
    assert bytes_hold(home, SECRET) == []
    assert indexes.of(kb).check() is None


def test_the_copy_made_before_a_migration_goes_with_the_first_removal(tmp_path: Path) -> None:
    home = tmp_path / "home"
    old = Catalog.open(home)
    kb = old.kbs.ensure("default").id
    put(old, kb, "/d/a", document(f"the {SECRET} is hidden here"))
    old.close()
    steps = tmp_path / "steps"
    shutil.copytree(Path(database.__file__).parent / "migrations", steps)
    (steps / "0099_later.sql").write_text("CREATE TABLE later (a TEXT);")
    db = database.Database(home / "catalog.sqlite", steps)
    assert len(bytes_hold(home, SECRET)) == 2
    with db.write() as tx:
        tx.execute("DELETE FROM files")
        tx.execute("DELETE FROM documents")
    db.forget()
    assert bytes_hold(home, SECRET) == []
    db.close()
