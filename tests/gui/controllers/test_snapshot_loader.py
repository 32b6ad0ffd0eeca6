"""The shelf, read again and again by what changed."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.snapshot_loader import SnapshotLoader
from desktop_rag.gui.library import library_text
from testing.narrowing import present
from tests.gui.controllers.folder_owner import OwnedFolder
from tests.gui.controllers.test_library import home

__all__ = ["home"]
NOWHERE: frozenset[str] = frozenset()


def filled(home: OwnedFolder) -> KbId:
    kb = home.workspace.catalog.kbs.create("default").id
    home.workspace.catalog.kbs.add_source(kb, "/d", is_folder=True)
    home.workspace.catalog.files.enqueue(kb, [f"/d/{n:02}.txt" for n in range(30)])
    return kb


def by_name(snapshot: LibrarySnapshot) -> dict[str, FileStatus]:
    return {row.path: row.status for row in snapshot.files}


def test_only_what_changed_is_read_again(home: OwnedFolder, qapp: QApplication) -> None:
    kb = filled(home)
    stock = SnapshotLoader()
    first = stock.read(home.workspace, "default", NOWHERE)
    assert (len(first.files), first.waiting) == (30, 30)
    assert stock.read(home.workspace, "default", NOWHERE).files is first.files
    read = FileRead(kb, "/d/07.txt", FileStamp(5, 7, "h"))
    home.workspace.catalog.files.record(read, FileStatus.ENCRYPTED, "It has a password.")
    home.workspace.catalog.files.remove(kb, ["/d/08.txt"])
    home.workspace.catalog.files.enqueue(kb, ["/d/005.txt"])
    later = stock.read(home.workspace, "default", NOWHERE)
    assert by_name(later)["/d/07.txt"] is FileStatus.ENCRYPTED
    assert "/d/08.txt" not in by_name(later)
    assert [row.path for row in later.files[:2]] == ["/d/00.txt", "/d/005.txt"]
    assert (later.problems, later.waiting) == (1, 29)
    kept = {id(row) for row in first.files} & {id(row) for row in later.files}
    assert len(kept) == 28


def test_another_stamp_of_the_same_file_is_seen(home: OwnedFolder, qapp: QApplication) -> None:
    kb = filled(home)
    stock = SnapshotLoader()
    stock.read(home.workspace, "default", NOWHERE)
    home.workspace.catalog.files.touch(kb, "/d/03.txt", FileStamp(77, 9, "h"))
    snapshot = stock.read(home.workspace, "default", NOWHERE)
    assert snapshot.files[3].stamp == FileStamp(77, 9, "h")


def test_sources_exclusions_and_what_is_away_are_seen(
    home: OwnedFolder, qapp: QApplication
) -> None:
    kb = filled(home)
    stock = SnapshotLoader()
    stock.read(home.workspace, "default", NOWHERE)
    home.workspace.catalog.kbs.add_source(kb, "/e", is_folder=True)
    home.workspace.catalog.choices.exclude(kb, ["/d/out.txt"])
    snapshot = stock.read(home.workspace, "default", frozenset({"/d", "/elsewhere"}))
    assert [present(branch.source).path for branch in snapshot.branches] == ["/d", "/e"]
    assert snapshot.away == ("/d",)
    assert [(row.path, row.status) for row in snapshot.excluded] == [
        ("/d/out.txt", FileStatus.EXCLUDED)
    ]
    assert stock.read(home.workspace, "default", NOWHERE).away == ()


def test_another_knowledge_base_is_read_whole_and_a_missing_one_is_empty(
    home: OwnedFolder, qapp: QApplication
) -> None:
    filled(home)
    other = home.workspace.catalog.kbs.create("other").id
    home.workspace.catalog.files.enqueue(other, ["/x/a.txt"])
    stock = SnapshotLoader()
    stock.read(home.workspace, "default", NOWHERE)
    assert [row.path for row in stock.read(home.workspace, "other", NOWHERE).files] == ["/x/a.txt"]
    gone = stock.read(home.workspace, "gone", NOWHERE)
    assert (gone.files, [kb.name for kb in gone.kbs]) == ((), ["default", "other"])
    assert len(stock.read(home.workspace, "default", NOWHERE).files) == 30


def test_a_scan_waits_only_where_its_text_is_recognised(
    home: OwnedFolder, qapp: QApplication
) -> None:
    catalog = home.workspace.catalog
    kb = filled(home)
    catalog.files.remove(kb, [f"/d/{n:02}.txt" for n in range(30)])
    read = FileRead(kb, "/d/scan.pdf", FileStamp(500, 7, "scan"))
    catalog.files.record(read, FileStatus.NEEDS_OCR, "Pictures.")
    catalog.recognized.note_unread("scan", (1,))
    stock, said = SnapshotLoader(), []
    for switch in (None, False, True):
        catalog.kbs.set_recognition("default", recognizes=switch)
        snapshot = stock.read(home.workspace, "default", NOWHERE)
        (row,) = snapshot.files
        counts = snapshot.waiting, snapshot.passed_over, snapshot.problems
        said.append((snapshot.recognizes_text, counts, library_text.state(row)))
    waits = (True, (1, 0, 0), "pictures, still to be read")
    left = (False, (0, 1, 0), "pictures, not read (text recognition is off)")
    assert said == [waits, left, waits]
