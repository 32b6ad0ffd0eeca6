from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.filesystem import FileInfo, Skipped, is_at_or_below, is_away
from desktop_rag.core.types import KbId
from desktop_rag.indexing.scan import IgnoreRules, Scope, scan


def tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def found(root: Path, *exclude: str, data_dir: Path = Path("/nowhere")) -> list[str]:
    seen = scan(str(root), IgnoreRules(str(root), exclude, data_dir), CancelToken())
    return [str(Path(each.path).relative_to(root)) for each in seen if isinstance(each, FileInfo)]


def source(path: Path, *exclude: str) -> FollowedPath:
    return FollowedPath(1, KbId(1), str(path), path.is_dir(), exclude)


def test_files_are_found_at_every_depth_in_a_fixed_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.txt", "a.txt", "deep/er/c.txt", "apart/d.txt")
    assert found(tmp_path) == ["a.txt", "b.txt", "apart/d.txt", "deep/er/c.txt"]


@pytest.mark.parametrize(
    "name",
    [
        ".git/config",
        ".hidden.txt",
        "node_modules/readme.md",
        "deep/__pycache__/x.txt",
        "~$report.docx",
        "draft.tmp",
        "film.part",
        "setup.crdownload",
        ".DS_Store",
        "Thumbs.db",
        "notes.txt~",
    ],
)
def test_what_no_person_wrote_is_ignored(tmp_path: Path, name: str) -> None:
    tree(tmp_path, "keep.txt", name)
    assert found(tmp_path) == ["keep.txt"]


def test_a_hidden_folder_that_was_named_is_read(tmp_path: Path) -> None:
    tree(tmp_path, ".notes/a.txt")
    assert found(tmp_path / ".notes") == ["a.txt"]


def test_the_users_globs_hold_for_names_and_for_paths_from_the_root(tmp_path: Path) -> None:
    tree(tmp_path, "a.log", "drafts/x.txt", "drafts/y.md", "sub/drafts/z.txt", "sub/b.txt")
    assert found(tmp_path, "*.log", "drafts/*.txt") == [
        "drafts/y.md",
        "sub/b.txt",
        "sub/drafts/z.txt",
    ]
    assert found(tmp_path, "/drafts") == ["a.log", "sub/b.txt", "sub/drafts/z.txt"]
    assert found(tmp_path, "drafts", "*.log") == ["sub/b.txt"]
    assert found(tmp_path, "drafts/", "sub/*") == ["a.log"]


def test_the_data_folder_is_not_read(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt", "home/catalog.txt")
    assert found(tmp_path, data_dir=tmp_path / "home") == ["a.txt"]


def test_links_to_files_count_and_links_to_folders_are_not_entered(tmp_path: Path) -> None:
    tree(tmp_path, "real/a.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "a.txt")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "up").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "broken").symlink_to(tmp_path / "nothing")
    assert found(tmp_path) == ["link.txt", "real/a.txt"]
    seen = scan(str(tmp_path), IgnoreRules(str(tmp_path), (), Path("/nowhere")), CancelToken())
    assert {each.path for each in seen if isinstance(each, Skipped)} == {
        str(tmp_path / "linked"),
        str(tmp_path / "real" / "up"),
    }


def test_a_link_to_a_folder_is_not_entered_when_it_is_all_that_is_looked_at(tmp_path: Path) -> None:
    tree(tmp_path, "docs/a.txt", "elsewhere/b.txt")
    link = tmp_path / "docs" / "link"
    link.symlink_to(tmp_path / "elsewhere")
    scope = Scope([source(tmp_path / "docs")], (), Path("/nowhere"))
    assert list(scope.scan(str(link), CancelToken())) == [Skipped(str(link), is_link=True)]


def test_a_look_at_a_folder_finds_the_sources_in_it(tmp_path: Path) -> None:
    tree(tmp_path, "a/named.txt", "a/other.txt", "a/below/c.txt")
    named, below = source(tmp_path / "a" / "named.txt"), source(tmp_path / "a" / "below")
    scope = Scope([named, below], (), Path("/nowhere"))
    seen = [each.path for each in scope.scan(str(tmp_path / "a"), CancelToken())]
    assert seen == [named.path, str(tmp_path / "a" / "below" / "c.txt")]


def test_only_regular_files_are_found(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    assert found(tmp_path) == ["a.txt"]


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(scan(str(tmp_path), IgnoreRules(str(tmp_path), (), Path("/nowhere")), token))


def test_a_path_counts_if_any_source_lets_it_pass(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.txt", "a/b/y.txt", "a/.z.txt")
    scope = Scope(
        [
            source(tmp_path / "a", "b"),
            source(tmp_path / "a" / "b"),
            source(tmp_path / "a" / ".z.txt"),
        ],
        ["*.md"],
        Path("/nowhere"),
    )
    assert scope.covers(str(tmp_path / "a" / "x.txt"))
    assert scope.covers(str(tmp_path / "a" / "b" / "y.txt"))
    assert scope.covers(str(tmp_path / "a" / ".z.txt"))
    assert not scope.covers(str(tmp_path / "a" / "new.md"))
    assert not scope.covers(str(tmp_path / "a" / ".other.txt"))
    assert not scope.covers(str(tmp_path / "x.txt"))


def test_below_means_by_whole_names() -> None:
    assert is_at_or_below("/a/b/c", "/a/b")
    assert is_at_or_below("/a/b", "/a/b")
    assert is_at_or_below("/a", "/")
    assert not is_at_or_below("/a/bc", "/a/b")


def test_a_missing_folder_is_away_but_a_missing_file_is_not(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.txt")
    file = source(tmp_path / "a" / "x.txt")
    folder = source(tmp_path / "a")
    (tmp_path / "a" / "x.txt").unlink()
    assert not is_away(file.path, is_folder=file.is_folder)
    assert not is_away(folder.path, is_folder=folder.is_folder)
    (tmp_path / "a").rmdir()
    assert is_away(file.path, is_folder=file.is_folder)
    assert is_away(folder.path, is_folder=folder.is_folder)


def test_two_knowledge_bases_that_follow_one_folder_keep_their_own_globs(tmp_path: Path) -> None:
    draft, table = str(tmp_path / "a.draft.md"), str(tmp_path / "b.csv")
    one = FollowedPath(1, KbId(1), str(tmp_path), is_folder=True, exclude=("*.draft.md",))
    other = FollowedPath(2, KbId(2), str(tmp_path), is_folder=True, exclude=("*.csv",))
    for sources in ((one, other), (other, one)):
        both = Scope(sources, (), tmp_path / "data")
        assert both.covers(draft)
        assert both.covers(table)
    assert not Scope((one,), (), tmp_path / "data").covers(draft)
