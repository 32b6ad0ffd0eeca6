from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.provenance import recognized
from desktop_rag.catalog.recognized_pages import UnreadPages
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import FileStatus, KbId
from tests.catalog.stored_documents import document, put

SCAN = FileStamp(5, 7, "scan")


def scanned(catalog: Catalog, kb: KbId, path: str = "/d/scan.pdf", content: str = "scan") -> None:
    read = FileRead(kb, path, replace(SCAN, content_hash=content))
    catalog.files.record(read, FileStatus.NEEDS_OCR, "Pictures.")


def counts(catalog: Catalog) -> tuple[int, int]:
    asked = "SELECT (SELECT count(*) FROM unread_pages), (SELECT count(*) FROM recognized_pages)"
    unread, found = catalog.database.read().execute(asked).fetchone()
    return unread, found


def test_a_file_waits_until_its_pages_were_tried(catalog: Catalog, kb: KbId) -> None:
    scanned(catalog, kb)
    assert catalog.recognized.waiting(kb) == []
    catalog.recognized.note_unread("scan", (1, 3))
    assert catalog.recognized.waiting(kb) == [UnreadPages("/d/scan.pdf", "scan", (1, 3))]
    assert [row.is_unread for row in catalog.files.under(kb)] == [True]
    before = catalog.files.marks(kb)
    assert catalog.recognized.waiting(catalog.kbs.ensure("other").id) == []
    catalog.recognized.note_tried("scan")
    assert catalog.recognized.waiting(kb) == []
    assert [row.is_unread for row in catalog.files.under(kb)] == [False]
    assert catalog.files.marks(kb) != before, "what shows the files is to look again"


def test_what_failed_is_tried_again_when_the_file_is_read_again(catalog: Catalog, kb: KbId) -> None:
    scanned(catalog, kb)
    catalog.recognized.note_unread("scan", (1, 2))
    catalog.recognized.put("scan", 1, "a", b"found")
    catalog.recognized.put("scan", 2, "", None)
    catalog.recognized.note_tried("scan")
    assert catalog.recognized.of("scan") == {1: b"found", 2: None}
    catalog.recognized.note_unread("scan", (1, 2))
    assert catalog.recognized.of("scan") == {1: b"found"}
    assert [each.pages for each in catalog.recognized.waiting(kb)] == [(1, 2)]


def test_a_page_is_known_by_its_picture(catalog: Catalog, kb: KbId) -> None:
    scanned(catalog, kb)
    catalog.recognized.put("scan", 1, "a", b"found")
    catalog.recognized.put("scan", 2, "b", None)
    assert catalog.recognized.of_picture("a") == b"found"
    assert catalog.recognized.of_picture("b") is None


def test_a_document_with_recognised_pages_waits_no_more_and_is_found_first(
    catalog: Catalog, kb: KbId
) -> None:
    plain = put(catalog, kb, "/d/a.pdf", replace(document("one"), content_hash="mixed"))
    catalog.recognized.note_unread("mixed", (2,))
    assert [each.path for each in catalog.recognized.waiting(kb)] == ["/d/a.pdf"]
    recipe = document("one").recipe
    assert catalog.documents.find("mixed", recipe) == plain
    found = document("one", "two", recipe=recognized(recipe))
    whole = replace(found, content_hash="mixed")
    better = put(catalog, kb, "/d/a.pdf", whole)
    assert catalog.recognized.waiting(kb) == []
    assert catalog.documents.find("mixed", recipe) == better
    read = FileRead(kb, "/d/a.pdf", FileStamp(5, 7, "mixed"))
    assert catalog.documents.is_reading(better, read, recipe)


@pytest.mark.parametrize("end", ["removed", "changed", "base deleted"])
def test_nothing_stays_of_a_content_that_no_file_has(catalog: Catalog, kb: KbId, end: str) -> None:
    other = catalog.kbs.ensure("other").id
    scanned(catalog, kb)
    scanned(catalog, other)
    catalog.recognized.note_unread("scan", (1,))
    catalog.recognized.put("scan", 1, "a", b"found")
    catalog.files.remove(other, ["/d/scan.pdf"])
    assert counts(catalog) == (1, 1), "the other file has it still"
    if end == "removed":
        catalog.files.remove(kb, ["/d/scan.pdf"])
    elif end == "changed":
        scanned(catalog, kb, content="another")
    else:
        catalog.kbs.delete("default" if catalog.kbs.names().get("default") == kb else "docs")
    assert counts(catalog) == (0, 0)
    assert catalog.recognized.of_picture("a") is None


def test_what_comes_too_late_is_not_kept(catalog: Catalog, kb: KbId) -> None:
    catalog.recognized.note_unread("gone", (1,))
    catalog.recognized.put("gone", 1, "a", b"found")
    assert counts(catalog) == (0, 0)
