"""How a knowledge base's files are put together under what it follows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow, FollowedPath
from desktop_rag.core.types import FileId, FileStatus, KbId
from desktop_rag.gui.controllers.file_query import FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, make_listing
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot

KB = KbId(1)
FOLDER = FollowedPath(1, KB, "/d/notes", is_folder=True)
SINGLE = FollowedPath(2, KB, "/a/one.pdf", is_folder=False)


def snapshot(*paths: str, sources: tuple[FollowedPath, ...] = ()) -> LibrarySnapshot:
    rows = [
        FileRow(FileId(n), KB, path, None, FileStatus.CORRUPT, "", None, 0, None, 0.0, 0.0)
        for n, path in enumerate(paths, start=1)
    ]
    return make_snapshot((), "default", sources, rows)


def branches(shown: LibrarySnapshot) -> list[tuple[str, list[str]]]:
    return [(each.path, [row.path for row in each.files]) for each in shown.branches]


def test_files_of_no_source_stand_together_after_the_folders() -> None:
    """An import brings files whose folders are not followed."""
    paths = ("/a/one.pdf", "/d/notes/a.md", "/e/b.md", "/d/notes2/c.md")
    shown = snapshot(*paths, sources=(SINGLE, FOLDER))
    assert branches(shown) == [
        ("/d/notes", ["/d/notes/a.md"]),
        ("", ["/d/notes2/c.md", "/e/b.md"]),
        ("/a/one.pdf", ["/a/one.pdf"]),
    ]
    assert shown.sources == (FOLDER, SINGLE)
    assert shown.unfollowed == {"/d/notes2/c.md", "/e/b.md"}
    assert shown.problems == 4
    assert make_listing(
        shown, FileQuery(), FileListing(FileQuery(), ""), CancelToken()
    ).folders == ("/d/notes",)


def test_a_knowledge_base_without_files_has_no_branch_for_them() -> None:
    assert snapshot().branches == ()
    assert branches(snapshot(sources=(FOLDER,))) == [("/d/notes", [])]


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (("/d/notes/a.md", "/d/notes/sub/b.md"), "/d/notes/"),
        (("/d/notes/a.md", "/d/notebook/b.md", "/d/x.md"), "/d/"),
        (("/d/notes/a.md",), "/d/notes/"),
        ((r"C:\Papers\a.md", r"C:\Papers\sub\b.md"), "C:\\Papers\\"),
        ((r"C:\a.md", r"D:\b.md"), ""),
    ],
)
def test_files_of_no_source_are_named_from_the_folder_that_holds_them_all(
    paths: tuple[str, ...], root: str
) -> None:
    (branch,) = snapshot(*paths).branches
    assert branch.root == root


def test_a_scan_that_waits_is_no_problem_and_one_that_was_tried_is() -> None:
    shown = snapshot("/d/notes/a.pdf", "/d/notes/b.pdf", sources=(FOLDER,))
    rows = [
        replace(row, status=FileStatus.NEEDS_OCR, is_unread=number == 0)
        for number, row in enumerate(shown.files)
    ]
    shown = make_snapshot((), "default", (FOLDER,), rows)
    assert (shown.problems, shown.waiting) == (1, 1)
    assert [row.path for row in shown.branches[0].troubled] == ["/d/notes/b.pdf"]
