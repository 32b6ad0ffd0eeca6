"""What a knowledge base's index lacks, by kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.index_health import FIRST
from desktop_rag.catalog.provenance import imported, recognized
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewDocument
from desktop_rag.core.index_health import HealthFinding, HealthKind, IndexHealth, ReasonCount
from desktop_rag.core.page_notes import GARBLED_PAGES, HARD_PAGE, HARD_PAGES, PICTURE_PAGES
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.parsing import file_problems
from tests.catalog.stored_documents import document, put

RECIPE = "r1"


def health(catalog: Catalog, *, recognizes: bool = True, recipe: str = RECIPE) -> IndexHealth:
    return catalog.health.of(catalog.kbs.get("default"), recipe, recognizes=recognizes)


def counts(found: IndexHealth) -> dict[str, tuple[int, int]]:
    return {each.kind.value: (each.files, each.pages) for each in found.findings}


def names(finding: HealthFinding) -> list[str]:
    return [each.path for each in finding.first]


def record(catalog: Catalog, kb: KbId, path: str, status: FileStatus, reason: str = "") -> None:
    catalog.files.record(FileRead(kb, path, FileStamp(900, 7, path)), status, reason)


def noted(text: str, *notes: str) -> NewDocument:
    return replace(document(text), notes=notes)


def test_a_base_that_is_read_lacks_nothing(catalog: Catalog, kb: KbId) -> None:
    assert health(catalog).is_whole, "nor does an empty one"
    put(catalog, kb, "/d/a.md", document("one"))
    put(catalog, kb, "/d/b.md", noted("two", "Some rows are hidden.", Phrase("{0} rows.", 3)))
    found = health(catalog)
    assert (found.findings, found.is_whole, found.files) == ((), True, 2)


def test_states_are_counted_with_reasons_and_the_first_files(catalog: Catalog, kb: KbId) -> None:
    for number in range(FIRST + 3):
        problem = file_problems.crashed(f"signal {number % 2}")
        record(catalog, kb, f"/d/{9 - number}.doc", FileStatus.FAILED, problem.sentence)
    record(catalog, kb, "/d/z.pdf", FileStatus.CORRUPT, file_problems.corrupt().sentence)
    record(catalog, kb, "/d/locked.pdf", FileStatus.ENCRYPTED, file_problems.encrypted().sentence)
    record(catalog, kb, "/d/none.txt", FileStatus.EMPTY)
    record(catalog, kb, "/d/film.mkv", FileStatus.UNSUPPORTED)
    catalog.files.enqueue(kb, ["/d/new.md"])
    catalog.choices.exclude(kb, ["/d/private"])
    record(catalog, catalog.kbs.ensure("other").id, "/d/other.doc", FileStatus.FAILED)
    found = health(catalog)
    assert counts(found) == {
        "failed": (FIRST + 4, 0),
        "protected": (1, 0),
        "waiting": (1, 0),
        "empty": (1, 0),
        "unsupported": (1, 0),
        "excluded": (1, 0),
    }
    failed = found.of(HealthKind.FAILED)
    assert names(failed) == [f"/d/{number}.doc" for number in range(2, 2 + FIRST)]
    assert failed.first[0].reason.startswith("Reading the file broke off (signal 1).")
    assert failed.reasons == (
        ReasonCount("Reading the file broke off (signal 0).", 4),
        ReasonCount("Reading the file broke off (signal 1).", 4),
        ReasonCount("The file is damaged.", 1),
    )
    assert names(found.of(HealthKind.EXCLUDED)) == ["/d/private"]
    assert not found.is_whole


@pytest.mark.parametrize(
    ("recognizes", "kind"), [(True, HealthKind.TO_RECOGNIZE), (False, HealthKind.PICTURES)]
)
def test_unread_pages_wait_only_where_they_are_recognised(
    catalog: Catalog, kb: KbId, recognizes: bool, kind: HealthKind
) -> None:
    record(catalog, kb, "/d/scan.pdf", FileStatus.NEEDS_OCR, "Pictures.")
    catalog.recognized.note_unread("/d/scan.pdf", (1, 2, 3))
    mixed = replace(noted("mixed", Phrase(PICTURE_PAGES, 1, 9)), content_hash="mixed")
    put(catalog, kb, "/d/mixed.pdf", mixed)
    catalog.recognized.note_unread("mixed", (4,))
    found = health(catalog, recognizes=recognizes)
    assert counts(found) == {kind.value: (2, 4)}
    assert names(found.of(kind)) == ["/d/mixed.pdf", "/d/scan.pdf"]


def test_pages_that_were_given_up_are_told_apart_from_those_that_wait(
    catalog: Catalog, kb: KbId
) -> None:
    record(catalog, kb, "/d/scan.pdf", FileStatus.NEEDS_OCR, "Pictures.")
    catalog.recognized.note_unread("/d/scan.pdf", (1,))
    catalog.recognized.note_tried("/d/scan.pdf")
    again = replace(noted("mixed", Phrase(PICTURE_PAGES, 2, 9)), content_hash="mixed")
    put(catalog, kb, "/d/mixed.pdf", replace(again, recipe=recognized(RECIPE)))
    catalog.recognized.note_unread("mixed", (4, 5))
    assert counts(health(catalog)) == {"pictures": (2, 2)}


def test_garbled_pages_and_those_hard_to_read_are_counted_from_notes(
    catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a.pdf", noted("a", Phrase(GARBLED_PAGES, 3, 9)))
    hard = (Phrase(HARD_PAGES, 2, 5), "Something else.")
    put(catalog, kb, "/d/b.pdf", noted("b", *hard))
    put(catalog, kb, "/d/c.pdf", noted("c", Phrase(HARD_PAGE, 17)))
    found = health(catalog)
    assert counts(found) == {"garbled": (1, 3), "hard_to_read": (2, 3)}
    assert found.of(HealthKind.HARD_TO_READ).first[1].reason == "Page 17 was hard to read."


def test_a_note_is_known_by_its_template_not_by_what_fills_it(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a.eml", noted("a", Phrase("{0} was not read.", GARBLED_PAGES)))
    put(catalog, kb, "/d/b.eml", noted("b", GARBLED_PAGES))
    assert health(catalog).is_whole


def test_what_was_read_otherwise_or_changed_since_is_stale(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/old.md", document("old", recipe="r0"))
    put(catalog, kb, "/d/scan.pdf", document("scan", recipe=recognized(RECIPE)))
    put(catalog, kb, "/d/came.md", document("came", recipe=imported("r0", kb)))
    put(catalog, kb, "/d/changed.md", document("changed"))
    catalog.files.enqueue(kb, ["/d/changed.md", "/d/new.md"])
    found = health(catalog)
    assert counts(found) == {"stale": (2, 0), "waiting": (2, 0)}
    assert names(found.of(HealthKind.STALE)) == ["/d/changed.md", "/d/old.md"]


def test_files_of_one_content_stand_together(catalog: Catalog, kb: KbId) -> None:
    for path in ("/d/a.md", "/e/a copy.md"):
        put(catalog, kb, path, document("first"))
    for path in ("/d/b.md", "/c/b.md", "/b/b.md"):
        put(catalog, kb, path, document("second"))
    put(catalog, kb, "/d/single.md", document("third"))
    put(catalog, catalog.kbs.ensure("other").id, "/d/single.md", document("third"))
    found = health(catalog)
    assert counts(found) == {"duplicate": (5, 0)}
    together = ["/d/a.md", "/e/a copy.md", "/b/b.md", "/c/b.md", "/d/b.md"]
    assert names(found.of(HealthKind.DUPLICATE)) == together
    assert found.is_whole, "a copy is no fault"


def test_no_question_is_asked_of_every_text(catalog: Catalog, kb: KbId) -> None:
    """All documents are looked through in an index alone: their texts lie between their rows."""
    plans: list[str] = []
    connection = catalog.database.read()
    asked: list[str] = []
    connection.set_trace_callback(asked.append)
    put_many(catalog, kb, range(20))
    asked.clear()
    health(catalog)
    connection.set_trace_callback(None)
    for question in asked:
        plans += [str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {question}")]
    scans = [plan for plan in plans if plan.startswith("SCAN documents")]
    assert scans
    assert all(" USING " in plan for plan in scans), plans


def put_many(catalog: Catalog, kb: KbId, numbers: Iterable[int]) -> None:
    for number in numbers:
        put(catalog, kb, f"/d/{number}.md", noted(f"text {number}", Phrase(HARD_PAGES, 1, 2)))
