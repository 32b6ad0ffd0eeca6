"""The tree of folders while folders come and go: what is chosen and open stays so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel
from pytestqt.qtbot import QtBot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FollowedPath
from desktop_rag.gui.controllers.file_query import FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, make_listing
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace, FolderNode
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot
from desktop_rag.gui.library.folder_tree import FolderTree
from desktop_rag.gui.library.folder_tree_model import TreeRole
from desktop_rag.gui.theme import Theme
from tests.gui.test_item_models import KB, row


def library(*folders: str, excluded: tuple[str, ...] = ()) -> LibrarySnapshot:
    """Return what follows these folders, each with a file in a folder below it."""
    sources = [FollowedPath(n, KB, path, is_folder=True) for n, path in enumerate(folders)]
    rows = [row(f"{path}/below/a.md") for path in folders]
    return make_snapshot((), "default", sources, rows, excluded)


@pytest.fixture
def tree(qtbot: QtBot, theme: Theme) -> FolderTree:
    made = FolderTree(theme)
    qtbot.addWidget(made)
    made.resize(300, 400)
    made.show()
    return made


def choose(tree: FolderTree, *paths: str) -> None:
    flag = QItemSelectionModel.SelectionFlag.Toggle
    for path in paths:
        tree.selectionModel().select(tree.folders.find(FilePlace(path=path)), flag)


def chosen(tree: FolderTree) -> list[str]:
    return sorted(each.data(TreeRole.PATH) for each in tree.selectionModel().selectedIndexes())


def opened(tree: FolderTree) -> list[str]:
    rows = [tree.folders.index(n, 0) for n in range(tree.folders.rowCount())]
    return [each.data(TreeRole.PATH) for each in rows if tree.isExpanded(each)]


MANY = tuple(f"/m{number}" for number in range(40))


def test_several_chosen_folders_stay_chosen_when_many_others_come(tree: FolderTree) -> None:
    tree.show_shelf(library("/a", "/b", "/c"))
    choose(tree, "/a", "/b", "/c")
    choose(tree, "/a")
    assert chosen(tree) == ["/b", "/c"]
    tree.show_shelf(library("/a", "/b", "/c", *MANY))
    assert chosen(tree) == ["/b", "/c"]


def test_of_several_chosen_folders_the_one_that_is_left_is_shown(tree: FolderTree) -> None:
    tree.show_shelf(library("/a", "/b"))
    choose(tree, "/a", "/b")
    picked: list[FilePlace] = []
    tree.picked.connect(picked.append)
    tree.show_shelf(library("/b", *MANY))
    assert chosen(tree) == ["/b"]
    assert picked == [FilePlace(path="/b")]


def test_the_one_chosen_folder_goes_and_all_files_are_shown(tree: FolderTree) -> None:
    tree.show_shelf(library("/a", "/b"))
    tree.choose(FilePlace(path="/a"))
    picked: list[FilePlace] = []
    tree.picked.connect(picked.append)
    tree.show_shelf(library("/b", *MANY))
    assert (chosen(tree), picked) == ([], [EVERYWHERE])


def test_the_first_folders_stay_open_when_a_fourth_comes(tree: FolderTree) -> None:
    tree.show_shelf(library("/a", "/b", "/c"))
    assert opened(tree) == ["/a", "/b", "/c"]
    tree.show_shelf(library("/a", "/b", "/c", "/d"))
    assert opened(tree) == ["/a", "/b", "/c"]
    tree.show_shelf(library("/a", "/b", "/c", "/d", *MANY))  # made anew
    assert opened(tree) == ["/a", "/b", "/c"]


def test_a_folder_that_was_closed_stays_closed(tree: FolderTree) -> None:
    tree.show_shelf(library("/a", "/b"))
    tree.collapse(tree.folders.find(FilePlace(path="/a")))
    tree.show_shelf(library("/a", "/b", "/c"))
    tree.show_shelf(library("/a", "/b", "/c", *MANY))
    assert opened(tree) == ["/b", "/c"]


def _every_node(nodes: tuple[FolderNode, ...]) -> list[FolderNode]:
    return [each for node in nodes for each in (node, *_every_node(node.children))]


def test_a_folder_counts_what_the_table_shows_of_it_with_what_is_left_out() -> None:
    out = ("/a/old/x.md", "/a/old/y.md", "/elsewhere/z.md")
    content = library("/a", "/b", excluded=out)
    nodes = _every_node(content.folders)
    assert FilePlace(path="/a/old") in [node.place for node in nodes]
    for node in nodes:
        before = FileListing(FileQuery(), "")
        listing = make_listing(content, FileQuery(place=node.place), before, CancelToken())
        assert node.files == listing.total, node.place


def test_cells_are_painted_anew_where_the_folder_that_they_are_told_from_changes() -> None:
    content = library("/a")
    before = FileListing(FileQuery(), "")
    everywhere = make_listing(content, FileQuery(), before, CancelToken())
    query = FileQuery(place=FilePlace(path="/a"))
    below = make_listing(content, query, everywhere, CancelToken())
    assert (below.is_same, below.changed) == (True, (0, 0))
    assert make_listing(content, query, below, CancelToken()).changed is None
