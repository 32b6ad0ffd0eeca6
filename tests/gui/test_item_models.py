"""Every model, through Qt's own tester, while it changes."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import (
    REMOVED_TITLE,
    Conversation,
    FileRow,
    FileStamp,
    FollowedPath,
    KnowledgeBase,
)
from desktop_rag.core.events import PassagesFound, Token
from desktop_rag.core.types import (
    ChatId,
    ChunkId,
    DocumentId,
    FileId,
    FileStatus,
    KbId,
    Locator,
    LocatorKind,
)
from desktop_rag.gui import language
from desktop_rag.gui.chat.conversation_model import ConversationsModel
from desktop_rag.gui.controllers.conversation_groups import GroupHeading, Period
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot
from desktop_rag.gui.controllers.transcript import Transcript, fold, fold_all
from desktop_rag.gui.library.folder_tree_model import FolderTreeModel, TreeRole
from desktop_rag.gui.viewer.source_list_model import (
    SourceListModel,
    heading,
    source_location,
    source_rows,
)
from testing.sample_answers import answer, passage

KB = KbId(1)
FOLDER = FollowedPath(1, KB, "/d/notes", is_folder=True)
SINGLE = FollowedPath(2, KB, "/d/one.pdf", is_folder=False)


def row(path: str, status: FileStatus = FileStatus.READY, chunks: int = 3) -> FileRow:
    reason = "" if status is FileStatus.READY else "It is so."
    stamp = FileStamp(10_000, 1, "x")
    return FileRow(
        FileId(1), KB, path, stamp, status, reason, DocumentId(1), chunks, None, 0.1, 0.0
    )


def snapshot(
    *rows: FileRow, sources: tuple[FollowedPath, ...] = (FOLDER, SINGLE)
) -> LibrarySnapshot:
    return make_snapshot((KnowledgeBase(KB, "default", 0.0, 1, 1),), "default", sources, rows)


def shown(model: FolderTreeModel) -> list[tuple[str, list[str]]]:
    return [
        (
            model.index(top, 0).data(),
            [
                model.index(below, 0, model.index(top, 0)).data()
                for below in range(model.rowCount(model.index(top, 0)))
            ],
        )
        for top in range(model.rowCount())
    ]


def counted(model: FolderTreeModel, *rows: int) -> tuple[int, int]:
    """Return how many files, and problems, a folder says that it holds."""
    index = QModelIndex()
    for number in rows:
        index = model.index(number, 0, index)
    folder = index.data(TreeRole.FOLDER)
    return folder.files, folder.problems


def test_the_folders_follow_what_changes(qtmodeltester: ModelTester) -> None:
    model = FolderTreeModel()
    qtmodeltester.check(model)
    model.show_shelf(snapshot(row("/d/notes/b.md"), row("/d/notes/y/d.md"), row("/d/one.pdf")))
    assert shown(model) == [("notes", ["y"]), ("Single files", [])]
    assert [counted(model, 0), counted(model, 0, 0)] == [(2, 0), (1, 0)]
    model.show_shelf(snapshot(*(row(f"/d/notes/{name}/f.md") for name in "xyz")))
    assert shown(model) == [("notes", ["x", "y", "z"])]
    model.show_shelf(snapshot(row("/d/notes/y/sub/z.md"), row("/d/notes/Ähre/e.md")))
    assert shown(model) == [("notes", ["y", "Ähre"])]
    assert counted(model, 0, 0, 0) == (1, 0)
    model.show_shelf(snapshot())
    assert shown(model) == [("notes", [])]
    model.show_shelf(LibrarySnapshot((), "other"))
    assert shown(model) == []


def test_folders_that_come_and_go_leave_the_others_where_they_are(
    qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    model = FolderTreeModel()
    qtmodeltester.check(model)
    rows = [row(f"/{n}/in/x.md") for n in range(6)]
    sources = [FollowedPath(n, KB, f"/{n}", is_folder=True) for n in range(6)]
    model.show_shelf(snapshot(rows[2], rows[4], sources=(sources[2], sources[4])))
    held = QPersistentModelIndex(model.index(0, 0, model.index(1, 0)))
    with qtbot.assertNotEmitted(model.modelReset):
        for kept in ((1, 3, 4, 5), (0, 4), (4, 5), (2, 3, 4)):
            some = [rows[n] for n in kept]
            model.show_shelf(snapshot(*some, sources=tuple(sources[n] for n in kept)))
            assert shown(model) == [(str(n), ["in"]) for n in kept]
            assert held.data(TreeRole.PATH) == "/4/in"
            assert held.parent().data() == "4"
    singles = tuple(FollowedPath(n, KB, f"/{n}/in/x.md", is_folder=False) for n in range(6))
    model.show_shelf(snapshot(*rows, sources=singles))
    assert shown(model) == [("Single files", [])]
    assert counted(model, 0) == (6, 0)


def test_only_changed_folders_are_told(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    model = FolderTreeModel()
    qtmodeltester.check(model)
    model.show_shelf(snapshot(*(row(f"/d/notes/{n}/f.md") for n in "abc")))
    assert shown(model) == [("notes", ["a", "b", "c"])]
    told: list[str] = []
    model.dataChanged.connect(lambda first, _last: told.append(first.data()))
    broken = row("/d/notes/b/f.md", FileStatus.CORRUPT, 0)
    with qtbot.assertNotEmitted(model.modelReset), qtbot.assertNotEmitted(model.rowsRemoved):
        model.show_shelf(snapshot(row("/d/notes/a/f.md"), broken, row("/d/notes/c/f.md")))
    assert told == ["notes", "b"]
    changed = model.index(1, 0, model.index(0, 0))
    assert "1 with problems" in changed.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_followed_folder_in_another_one_stands_there_once() -> None:
    inner = FollowedPath(3, KB, "/d/notes/inner", is_folder=True)
    neighbour = FollowedPath(4, KB, "/d/not", is_folder=True)
    model = FolderTreeModel()
    rows = (row("/d/notes/a.md"), row("/d/notes/inner/b.md"))
    model.show_shelf(snapshot(*rows, sources=(FOLDER, inner, neighbour)))
    assert dict(shown(model)) == {"notes": ["inner"], "not": []}
    assert [counted(model, 1), counted(model, 1, 0)] == [(2, 0), (1, 0)]


def test_no_text_found_is_a_problem_and_waiting_is_none(qtmodeltester: ModelTester) -> None:
    model = FolderTreeModel()
    qtmodeltester.check(model)
    rows = (
        row("/d/notes/a.md"),
        row("/d/notes/b.md", FileStatus.EMPTY, 0),
        row("/d/notes/c.md", FileStatus.QUEUED, 0),
        row("/d/notes/d.md", FileStatus.READY, 0),
    )
    model.show_shelf(snapshot(*rows))
    assert counted(model, 0) == (4, 2)


def test_cited_sources_come_first_and_the_rest_is_folded(qtmodeltester: ModelTester) -> None:
    model = SourceListModel()
    qtmodeltester.check(model)
    found = PassagesFound("q", tuple(passage(n) for n in range(1, 6)), frozenset({ChunkId(1)}))
    turn = fold_all(Transcript().begun("Why?", ""), [found, answer("B [2], A [1].", 2, 1)]).turns[0]
    model.show_turn(turn)
    assert [model.entry(n).number for n in range(model.rowCount())] == [2, 1, None]
    assert model.entry(2).folded == 3
    model.toggle()
    assert [model.entry(n).number for n in range(model.rowCount())] == [2, 1, None, 3, None, None]
    assert model.entry(0).quote == "quote 2"
    model.show_turn(None)
    assert model.rowCount() == 0


def test_an_answer_that_grows_keeps_its_rows() -> None:
    model = SourceListModel()
    found = PassagesFound("q", tuple(passage(n) for n in range(1, 6)), frozenset({ChunkId(1)}))
    before = fold(Transcript().begun("Why?", ""), found)
    model.show_turn(before.turns[0])
    rows = [model.entry(n) for n in range(model.rowCount())]
    grown = fold(before, Token("So [1]."))
    model.show_turn(grown.turns[0])
    assert all(model.entry(n) is row for n, row in enumerate(rows))
    model.show_turn(fold(grown, answer("So [1].", 1)).turns[0])
    assert model.entry(0).cited


def test_a_refusal_shows_no_source_as_if_it_were_one() -> None:
    model = SourceListModel()
    turn = fold(Transcript().begun("Why?", ""), answer("Not found.", mode="refused")).turns[0]
    model.show_turn(turn)
    (head, *below) = (model.entry(n) for n in range(model.rowCount()))
    assert (heading(head), [each.number for each in below]) == ("Also retrieved (3)", [1, 2, 3])
    model.toggle()
    assert model.rowCount() == 1
    model.show_turn(fold(Transcript().begun("Why?", ""), answer("A [1].", 1)).turns[0])
    assert model.rowCount() == 2  # what was also retrieved of an answer is folded still


def test_what_was_read_and_is_not_cited_has_a_heading() -> None:
    found = PassagesFound("q", tuple(passage(n) for n in range(1, 6)), frozenset({ChunkId(1)}))
    turn = fold_all(Transcript().begun("Why?", ""), [found, answer("So.")]).turns[0]
    model = SourceListModel()
    model.show_turn(turn)
    rows = [model.entry(n) for n in range(model.rowCount())]
    assert [each.number for each in rows] == [None, 1, 2, 3, None]
    assert [heading(rows[n]) for n in (0, 4)] == ["Read, none cited (3)", "Also retrieved (2)"]


def test_conversations_are_listed(qtmodeltester: ModelTester) -> None:
    model = ConversationsModel()
    qtmodeltester.check(model)
    fuel = Conversation(ChatId(7), "Fuel", ("default",), 0.0, 1.7e9)
    pier = Conversation(ChatId(8), "Pier", ("default",), 0.0, 1.6e9, pinned=True)
    model.show_rows((GroupHeading(Period.TODAY), fuel))
    assert [model.index(n).data() for n in range(2)] == ["Today", "Fuel"]
    assert (model.row_of(7), model.row_of(8)) == (1, -1)
    kept = QPersistentModelIndex(model.index(1))
    model.show_rows((GroupHeading(Period.PINNED), pier, GroupHeading(Period.TODAY), fuel))
    assert (model.row_of(8), kept.row()) == (1, 3)
    model.show_rows(())
    assert model.rowCount() == 0


def test_what_stands_in_place_of_a_removed_source_is_said_in_the_window_s_language(
    qapp: QApplication,
) -> None:
    language.speak(qapp, "zh")
    left = "This document was taken out, and its quotes were removed from this conversation."
    gone = replace(passage(1), title=REMOVED_TITLE, text=left)
    turn = replace(Transcript().begun("?", "single_pass").turns[0], sources=(gone,))
    _, entry = source_rows(turn, unfolded=True)
    assert entry.passage is not None
    assert entry.passage.title == "来源已移除"
    assert "文档" in entry.passage.text


def test_a_removed_source_stands_nowhere(qapp: QApplication) -> None:
    nowhere = Locator(LocatorKind.PART, "")
    gone = replace(passage(1), title=REMOVED_TITLE, path="", section="", locator=nowhere)
    turn = replace(Transcript().begun("?", "single_pass").turns[0], sources=(gone,))
    model = SourceListModel()
    model.show_turn(turn)
    spoken = model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "[1] Source removed"
    assert source_location(gone, None) == ""


def test_files_that_are_not_followed_stand_in_a_group_of_their_own(
    qapp: QApplication, qtmodeltester: ModelTester
) -> None:
    model = FolderTreeModel()
    qtmodeltester.check(model)
    files = (row("/e/x/b.md"), row("/d/notes/a.md"), row("/e/y/c.md"), row("/d/one.pdf"))
    model.show_shelf(snapshot(*files))
    assert shown(model) == [("notes", []), ("Not followed", []), ("Single files", [])]
    assert counted(model, 1) == (2, 0)
    told = model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "No folder that is followed holds these files." in told
    model.show_shelf(snapshot(row("/d/notes/a.md")))
    assert shown(model) == [("notes", [])]


def test_files_that_others_share_stand_apart_from_those_that_are_not_followed(
    qapp: QApplication, qtmodeltester: ModelTester
) -> None:
    came = replace(row("/e/x/b.md"), author="anna@office")
    model = FolderTreeModel()
    qtmodeltester.check(model)
    model.show_shelf(snapshot(row("/e/y/c.md"), row("/d/notes/a.md")))
    model.show_shelf(snapshot(came, row("/e/y/c.md"), row("/d/notes/a.md")))
    assert shown(model)[1:] == [("Shared by others", []), ("Not followed", [])]
    model.show_shelf(snapshot(came, row("/d/notes/a.md")))
    assert shown(model)[1:] == [("Shared by others", [])]
    assert "Others shared" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
