from __future__ import annotations

import pytest

from desktop_rag.catalog import files
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import FileStatus, KbId
from testing.narrowing import present
from tests.catalog.stored_documents import document, put

STAMP = FileStamp(5, 7, "hash")


def test_a_file_that_cannot_be_read_is_kept_with_its_reason(catalog: Catalog, kb: KbId) -> None:
    catalog.files.record(
        FileRead(kb, "/d/a.pdf", STAMP, 1.5), FileStatus.ENCRYPTED, "It has a password."
    )
    found = present(catalog.files.get(kb, "/d/a.pdf"))
    assert (found.status, found.reason) == (FileStatus.ENCRYPTED, "It has a password.")
    assert (found.stamp, found.seconds, found.chunks, found.document_id) == (STAMP, 1.5, 0, None)


def test_a_file_that_was_never_looked_at_has_no_stamp(catalog: Catalog, kb: KbId) -> None:
    catalog.files.record(FileRead(kb, "/d/a", None), FileStatus.DENIED, "No.")
    assert present(catalog.files.get(kb, "/d/a")).stamp is None


def test_a_failure_drops_the_document_of_before(catalog: Catalog, kb: KbId) -> None:
    document_id = put(catalog, kb, "/d/a", document("one", "two"))
    catalog.files.record(FileRead(kb, "/d/a", STAMP), FileStatus.CORRUPT, "Broken.")
    assert catalog.documents.chunks(document_id) == []
    assert [entry.action for entry in catalog.outbox.pending(kb, Reader.WORDS)] == [
        "add",
        "add",
        "delete",
        "delete",
    ]


@pytest.mark.parametrize(
    ("folder", "seen"),
    [
        ("/docs", ["/docs/a", "/docs/b/c", "/docs/b_d"]),
        ("/docs/b", ["/docs/b/c"]),
        ("/docs/b/c", ["/docs/b/c"]),
        ("/doc", []),
        ("/DOCS", []),
        ("/", ["/docs/a", "/docs/b/c", "/docs/b_d", "/docs%", "/docsx/e"]),
        (None, ["/docs/a", "/docs/b/c", "/docs/b_d", "/docs%", "/docsx/e"]),
    ],
)
def test_a_folder_holds_what_lies_below_it_by_whole_names(
    catalog: Catalog, kb: KbId, folder: str | None, seen: list[str]
) -> None:
    paths = ["/docs/a", "/docs/b/c", "/docs/b_d", "/docs%", "/docsx/e"]
    catalog.files.enqueue(kb, paths)
    assert sorted(row.path for row in catalog.files.under(kb, folder)) == sorted(seen)


@pytest.mark.parametrize(
    "path",
    ["/a/with\nnewline", "/a/üñî", "/a/😀 smile", "/a/per%cent_[x]*", "/a/not\udce9utf8\udcff"],
)
def test_any_name_that_a_file_can_have_comes_back_as_it_was(
    catalog: Catalog, kb: KbId, path: str
) -> None:
    put(catalog, kb, path, document("text"))
    row = present(catalog.files.get(kb, path))
    assert row.path == path
    assert [each.path for each in catalog.files.under(kb, "/a")] == [path]
    assert catalog.documents.paths([present(row.document_id)], [kb]) == {row.document_id: (path,)}


def test_a_moved_file_keeps_its_document(catalog: Catalog, kb: KbId) -> None:
    document_id = put(catalog, kb, "/d/a", document("one"))
    catalog.outbox.done(kb, Reader.WORDS, catalog.outbox.last(kb))
    catalog.files.move(kb, "/d/a", "/e/b", STAMP)
    assert catalog.files.get(kb, "/d/a") is None
    moved = present(catalog.files.get(kb, "/e/b"))
    assert (moved.document_id, moved.status, moved.stamp) == (document_id, FileStatus.READY, STAMP)
    assert [each.action for each in catalog.outbox.pending(kb, Reader.WORDS)] == ["update"]


def test_a_file_moved_onto_another_takes_its_place(catalog: Catalog, kb: KbId) -> None:
    kept = put(catalog, kb, "/d/a", document("one"))
    lost = put(catalog, kb, "/d/b", document("two"))
    catalog.files.move(kb, "/d/a", "/d/b", STAMP)
    assert present(catalog.files.get(kb, "/d/b")).document_id == kept
    assert catalog.documents.chunks(lost) == []


def test_the_queue_is_kept_in_order_and_a_queued_file_keeps_its_document(
    catalog: Catalog, kb: KbId
) -> None:
    document_id = put(catalog, kb, "/d/ready", document("one"))
    catalog.files.enqueue(kb, ["/d/z", "/d/a"])
    catalog.files.enqueue(kb, ["/d/ready", "/d/z"])
    assert catalog.files.queued(kb) == ["/d/z", "/d/a", "/d/ready"]
    row = present(catalog.files.get(kb, "/d/ready"))
    assert (row.status, row.document_id) == (FileStatus.QUEUED, document_id)
    assert catalog.files.counts(kb) == {FileStatus.QUEUED: 3}
    assert len(catalog.documents.chunks(document_id)) == 1


def test_an_unchanged_file_leaves_the_queue_with_its_new_stamp(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", document("one"))
    catalog.files.enqueue(kb, ["/d/a"])
    catalog.files.touch(kb, "/d/a", STAMP)
    row = present(catalog.files.get(kb, "/d/a"))
    assert (row.status, row.stamp) == (FileStatus.READY, STAMP)


def test_removing_says_how_many_files_were_known(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", document("one"))
    assert catalog.files.remove(kb, ["/d/a", "/d/unknown"]) == 1
    assert catalog.files.under(kb) == []


def test_files_are_counted_by_state(catalog: Catalog, kb: KbId) -> None:
    new = document("one")
    put(catalog, kb, "/d/a", new)
    put(catalog, kb, "/d/b", new)
    catalog.files.record(FileRead(kb, "/d/c", STAMP), FileStatus.EMPTY, "")
    assert catalog.files.counts(kb) == {FileStatus.READY: 2, FileStatus.EMPTY: 1}


def test_the_list_of_files_is_read_without_their_documents_texts(catalog: Catalog) -> None:
    """At 20,000 files that takes 8 seconds after a cold start."""
    reader = catalog.files._database.read()
    plan = reader.execute(f"EXPLAIN QUERY PLAN {files._SELECT} WHERE files.kb = 1")
    assert any("COVERING INDEX documents_details" in row[3] for row in plan)


def test_unread_files_are_those_without_text(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/old", document("one"))
    catalog.files.record(FileRead(kb, "/d/locked", STAMP), FileStatus.ENCRYPTED, "No.")
    catalog.files.enqueue(kb, ["/d/old", "/d/new"])  # the old text of a changed file is found
    assert catalog.files.unread(kb) == [
        ("/d/locked", FileStatus.ENCRYPTED),
        ("/d/new", FileStatus.QUEUED),
    ]
