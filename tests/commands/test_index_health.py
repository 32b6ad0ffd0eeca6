"""What the files of knowledge bases lack, as `doctor` and `kb health` say it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_rag.commands.doctor_check import DoctorCheck
from desktop_rag.commands.index_files import run
from desktop_rag.commands.index_health import health_checks
from desktop_rag.commands.kb_actions import run as act
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import IndexRequest, KbRequest
from desktop_rag.core.types import FileStatus
from testing.narrowing import narrow
from tests.indexing.indexed_folder import KB, IndexedFolder, files, prose


def checked(library: IndexedFolder) -> list[DoctorCheck]:
    return list(health_checks(library.workspace))


def stamped(library: IndexedFolder, path: Path) -> FileRead:
    return FileRead(library.kb, str(path), FileStamp(5, 7, path.stem))


def rows(library: IndexedFolder, name: str = KB) -> dict[str, dict[str, Any]]:
    events = act(library.workspace, KbRequest("health", name), CancelToken())
    found = [narrow(each, ListingRow).values for each in events]
    return {str(each["kind"]): dict(each) for each in found}


def test_a_base_that_is_read_has_one_row_and_an_empty_one_none(library: IndexedFolder) -> None:
    assert checked(library) == []
    library.write("notes.md", prose("weather"))
    library.index()
    (row,) = checked(library)
    assert (row.name, row.status) == (f"files of {KB}", "ok")
    assert rows(library) == {}


def test_each_kind_has_a_row_with_the_command_that_mends_it(library: IndexedFolder) -> None:
    library.write("notes.md", prose("weather"))
    library.write("twin.md", prose("weather"))
    broken = library.write("broken.pdf", "%PDF-1.4 not really")
    library.write("none.txt", "")
    library.index()
    told = {each.detail.partition(" ")[2]: each for each in checked(library)}
    assert {each.status for each in told.values()} == {"ok", "warning"}
    (failed,) = [each for each in told.values() if each.status == "warning"]
    assert failed.detail.startswith("1 file could not be read: ")
    assert failed.detail.endswith(" (1)")
    assert failed.remedy == f"Run: desktop-rag kb update {KB} --retry"
    found = rows(library)
    assert {kind: row["files"] for kind, row in found.items()} == {
        "failed": 1,
        "empty": 1,
        "duplicate": 2,
    }
    assert [each["path"] for each in found["failed"]["first"]] == [str(broken)]
    assert list(found["failed"])[:4] == ["name", "status", "detail", "remedy"]


def test_the_remedy_of_failed_files_mends_them(library: IndexedFolder) -> None:
    path = library.write("broken.csv", "a,b\n")
    library.index()
    library.workspace.catalog.files.record(
        stamped(library, path), FileStatus.FAILED, "The disk was away."
    )
    assert "failed" in rows(library)
    path.write_text("name,town\n" + "Ada,London\n" * 9, "utf-8")
    events = list(run(library.workspace, IndexRequest(KB, retry=True), CancelToken()))
    assert [each.status for each in files(events)] == [FileStatus.READY]
    assert rows(library) == {}


def test_pictures_are_named_by_the_switch(library: IndexedFolder) -> None:
    path = library.write("scan.pdf", "x")
    catalog = library.workspace.catalog
    catalog.files.record(stamped(library, path), FileStatus.NEEDS_OCR, "Pictures.")
    catalog.recognized.note_unread("scan", (1, 2))
    waits = rows(library)["to_recognize"]
    assert (waits["files"], waits["pages"]) == (1, 2)
    assert waits["remedy"] == f"Run: desktop-rag kb update {KB}"
    list(act(library.workspace, KbRequest("recognize", KB, switch="off"), CancelToken()))
    assert f"kb recognize {KB} on" in rows(library)["pictures"]["remedy"]


def test_a_base_that_is_not_there_is_not_brought_up_to_date(library: IndexedFolder) -> None:
    with pytest.raises(UserError, match="no knowledge base named “nope”"):
        list(run(library.workspace, IndexRequest("nope"), CancelToken()))
    assert "nope" not in library.workspace.catalog.kbs.names()
