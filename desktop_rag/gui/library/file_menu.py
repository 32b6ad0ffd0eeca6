"""What can be done with files and folders: the same in the tree and in the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.requests import FilesRequest, KbRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.document_scope import (
    COMPARE,
    EACH,
    MOST_ITEMS,
    ONLY,
    SUMMARISE,
    DocumentScope,
    ScopeItem,
    folder_item,
)
from desktop_rag.gui.controllers.file_query import folder_of
from desktop_rag.gui.controllers.file_remedies import FileRemedy, RemedyChoice
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import is_problem, is_unopened_archive
from desktop_rag.gui.display_text import ask_about_text, shown_name

_LOOKED_AT = 1000  # of very many chosen files, to say what can be done with them


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file, or a folder (`row` is None)."""

    path: str
    row: FileRow | None


class FileSelection(Protocol):
    """A view of files in which some are chosen."""

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return what is chosen, at most so many."""
        ...


class FileActions(QObject):
    """The actions of one view.

    `open_asked`, `folder_asked`, `read_asked` and `passages_asked` carry a path, `removal_asked`
    and `patterns_asked` a tuple of paths and the path of a folder, `password_asked` a tuple of
    `FileTarget`s, `documents_asked` a `DocumentScope`.
    """

    open_asked = Signal(object)
    folder_asked = Signal(object)
    read_asked = Signal(object)
    passages_asked = Signal(object)
    removal_asked = Signal(object)
    patterns_asked = Signal(object)
    password_asked = Signal(object)
    documents_asked = Signal(object)

    def __init__(self, library: LibraryController, chooser: FileSelection, view: QWidget) -> None:
        super().__init__(view)
        self._library = library
        self._chooser = chooser
        self._view = view
        self._compared = ""
        self._make()
        self._connect()
        for action in (self.remove, self.copy, self.first, self.retry):
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)

    def popup(self, at: QPoint) -> QMenu:
        """Show what can be done with what is chosen, at a point of the screen."""
        self.refresh()
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([self.read, self.open, self.passages, self.show_in_folder, self.copy])
        menu.addSeparator()
        menu.addActions([self.summarise, self.compare, self.only, self.each])
        menu.addSeparator()
        menu.addActions(
            [self.password, self.forget, self.archives, self.first, self.retry, self.patterns]
        )
        moving = menu.addMenu(self.tr("Move to"))
        for name in self._others():
            moving.addAction(shown_name(name).replace("&", "&&")).setData(name)
        moving.setEnabled(bool(self._others()) and self._may_move())
        moving.triggered.connect(self._move)
        menu.addSeparator()
        menu.addActions([self.exclude, self.include, self.remove])
        menu.popup(at)
        return menu

    def refresh(self) -> None:
        """Let only what makes sense for the chosen ones be done."""
        chosen = self._chooser.chosen(_LOOKED_AT)
        rows = [target.row for target in chosen if target.row is not None]
        followed = self._followed(chosen)
        out = [row for row in rows if row.status is FileStatus.EXCLUDED]
        single = chosen[0] if len(chosen) == 1 else None
        folder = single is not None and single.row is None
        self.open.setEnabled(single is not None)
        self.show_in_folder.setEnabled(single is not None)
        for action in (self.read, self.passages):
            action.setVisible(len(rows) == 1 and rows[0].chunks > 0)
        self.copy.setEnabled(bool(chosen))
        snapshot, has_folder = self._library.snapshot, len(rows) < len(chosen)
        self.first.setEnabled((has_folder and snapshot.waiting > 0) or any(map(_waits, rows)))
        self.retry.setEnabled(
            (has_folder and snapshot.problems > 0) or any(map(_is_problem, followed))
        )
        self.password.setVisible(any(map(_is_locked, followed)))
        self.forget.setVisible(any(map(self._has_password, rows)))
        self.archives.setVisible(any(map(_is_unopened, followed)))
        self.patterns.setVisible(folder and self._is_followed(single))
        self._refresh_reading(chosen)
        self.exclude.setVisible(not folder and len(out) < len(followed))
        self.include.setVisible(bool(out))
        self.remove.setEnabled(bool(chosen))

    def apply_remedy(self, choice: RemedyChoice) -> None:
        """Do what helps some files."""
        library, kb = self._library, self._library.snapshot.current
        paths = tuple(row.path for row in choice.rows)
        if choice.remedy is FileRemedy.RETRY:
            library.retry(paths)
        elif choice.remedy is FileRemedy.PASSWORD:
            self.password_asked.emit(tuple(FileTarget(row.path, row) for row in choice.rows))
        elif choice.remedy is FileRemedy.SHOW_FOLDER:
            self.folder_asked.emit(folder_of(choice.rows[0]))
        elif choice.remedy in (FileRemedy.RECOGNIZE, FileRemedy.ARCHIVES):
            library.change_base(KbRequest(choice.remedy.value, kb, switch="on"))
        else:
            self._decide(choice.remedy.value, paths)

    def _refresh_reading(self, chosen: Sequence[FileTarget]) -> None:
        """Let documents be read as a whole where there are some."""
        readable = [each for each in chosen if each.row is None or each.row.chunks > 0]
        is_one = len(readable) == 1
        self.summarise.setVisible(bool(readable))
        self.only.setVisible(bool(readable))
        self.only.setText(ask_about_text(each.row is None for each in readable))
        self.each.setVisible(bool(readable) and not (is_one and readable[0].row is not None))
        self.compare.setVisible(bool(readable))
        is_alone = is_one and readable[0].row is not None
        self.compare.setText(self.tr("Compare with…") if is_alone else self.tr("Compare"))

    def _make(self) -> None:
        self.summarise = QAction(self.tr("Summarise"), self)
        self.compare = QAction(self.tr("Compare"), self)
        self.only = QAction(ask_about_text([False]), self)
        self.each = QAction(self.tr("Ask each…"), self)
        self.open = QAction(self.tr("Open"), self)
        self.read = QAction(self.tr("Read here"), self)
        self.passages = QAction(self.tr("Show its passages"), self)
        self.show_in_folder = QAction(self.tr("Show in folder"), self)
        self.copy = QAction(self.tr("Copy path"), self)
        self.copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.first = QAction(self.tr("Read this first"), self)
        self.first.setShortcut(QKeySequence("Ctrl+Shift+Up"))
        self.retry = QAction(self.tr("Retry"), self)
        self.retry.setShortcut(QKeySequence("F5"))
        self.password = QAction(self.tr("Enter password…"), self)
        self.forget = QAction(self.tr("Forget password"), self)
        self.archives = QAction(self.tr("Look into the archives of this knowledge base"), self)
        self.patterns = QAction(self.tr("Leave out of this folder…"), self)
        self.exclude = QAction(self.tr("Exclude"), self)
        self.include = QAction(self.tr("Include again"), self)
        self.remove = QAction(self.tr("Remove from the knowledge base"), self)
        self.remove.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))

    def _connect(self) -> None:
        self.summarise.triggered.connect(self._summarise)
        self.compare.triggered.connect(self._compare)
        self.only.triggered.connect(self._ask_only)
        self.each.triggered.connect(self._ask_each)
        self.open.triggered.connect(self._open)
        self.read.triggered.connect(self._read_here)
        self.passages.triggered.connect(self._show_passages)
        self.show_in_folder.triggered.connect(self._show_in_folder)
        self.copy.triggered.connect(self._copy)
        self.first.triggered.connect(self._first)
        self.retry.triggered.connect(self._retry)
        self.password.triggered.connect(self._password)
        self.forget.triggered.connect(self._forget)
        self.archives.triggered.connect(self._open_archives)
        self.patterns.triggered.connect(self._patterns)
        self.exclude.triggered.connect(self._exclude)
        self.include.triggered.connect(self._include)
        self.remove.triggered.connect(self._remove)

    def _paths(self) -> tuple[str, ...]:
        return tuple(target.path for target in self._chooser.chosen())

    def _is_followed(self, target: FileTarget | None) -> bool:
        """Say whether a folder is followed itself, not as part of another."""
        sources = self._library.snapshot.sources
        return target is not None and any(each.path == target.path for each in sources)

    def _followed(self, targets: Iterable[FileTarget]) -> list[FileTarget]:
        """Return those that can be read again: they, or folders around them, are followed."""
        unfollowed = self._library.snapshot.unfollowed
        return [target for target in targets if target.path not in unfollowed]

    def _followed_paths(self) -> tuple[str, ...]:
        return tuple(target.path for target in self._followed(self._chooser.chosen()))

    def _others(self) -> list[str]:
        snapshot = self._library.snapshot
        return [kb.name for kb in snapshot.kbs if kb.name != snapshot.current]

    def _may_move(self) -> bool:
        rows = [target.row for target in self._chooser.chosen(_LOOKED_AT)]
        return not any(row is not None and row.status is FileStatus.EXCLUDED for row in rows)

    def _decide(self, action: str, paths: tuple[str, ...], to: str = "") -> None:
        if paths:
            request = FilesRequest(action, self._library.snapshot.current, paths, to)
            self._library.commands.carry_out(request)

    @Slot()
    def _open(self) -> None:
        for target in self._chooser.chosen(1):
            self.open_asked.emit(target.path)

    @Slot()
    def _show_passages(self) -> None:
        for target in self._chooser.chosen(1):
            self.passages_asked.emit(target.path)

    @Slot()
    def _read_here(self) -> None:
        for target in self._chooser.chosen(1):
            self.read_asked.emit(target.path)

    @Slot()
    def _summarise(self) -> None:
        self._read(SUMMARISE, self._readable())

    @Slot()
    def _ask_only(self) -> None:
        self._read(ONLY, self._readable()[:MOST_ITEMS])

    @Slot()
    def _ask_each(self) -> None:
        self._read(EACH, self._readable())

    @Slot()
    def _compare(self) -> None:
        """Compare what is chosen; of one document, ask first with which."""
        items = self._readable()
        chosen = self._chooser.chosen(2)
        if len(items) != 1 or chosen[0].row is None:
            self._read(COMPARE, items)
            return
        from desktop_rag.gui.library.compare_dialog import CompareDialog  # no start needs it

        self._compared = items[0].path
        branches = self._library.snapshot.branches
        files = [row for each in branches for row in each.files if row.chunks > 0]
        others = [row.path for row in files if row.path != self._compared]
        dialog = CompareDialog(PurePath(self._compared).name, others, self._view.window())
        dialog.settled.connect(self._compare_with)
        dialog.open()

    @Slot(object)
    def _compare_with(self, paths: tuple[str, ...]) -> None:
        kb = self._library.snapshot.current
        self._read(COMPARE, tuple(ScopeItem(path, kb) for path in (self._compared, *paths)))

    def _readable(self) -> tuple[ScopeItem, ...]:
        """Return what is chosen and holds text."""
        kb = self._library.snapshot.current
        return tuple(
            folder_item(each.path, kb) if each.row is None else ScopeItem(each.path, kb)
            for each in self._chooser.chosen()
            if each.row is None or each.row.chunks > 0
        )

    def _read(self, kind: str, items: tuple[ScopeItem, ...]) -> None:
        if items:
            self.documents_asked.emit(DocumentScope(kind, items))

    @Slot()
    def _show_in_folder(self) -> None:
        for target in self._chooser.chosen(1):
            self.folder_asked.emit(target.path)

    @Slot()
    def _copy(self) -> None:
        if paths := self._paths():
            QGuiApplication.clipboard().setText("\n".join(paths))

    @Slot()
    def _first(self) -> None:
        self._decide("first", self._paths())

    @Slot()
    def _retry(self) -> None:
        if paths := self._followed_paths():
            self._library.retry(paths)

    @Slot()
    def _password(self) -> None:
        locked = tuple(filter(_is_locked, self._followed(self._chooser.chosen())))
        if locked:
            self.password_asked.emit(locked)

    @Slot()
    def _forget(self) -> None:
        rows = [each.row for each in self._chooser.chosen() if each.row is not None]
        self._decide("forget_passwords", tuple(r.path for r in rows if self._has_password(r)))

    def _has_password(self, row: FileRow) -> bool:
        known = self._library.snapshot.passwords
        return row.stamp is not None and row.stamp.content_hash in known

    @Slot()
    def _open_archives(self) -> None:
        kb = self._library.snapshot.current
        self._library.change_base(KbRequest("archives", kb, switch="on"))

    @Slot()
    def _patterns(self) -> None:
        for target in self._chooser.chosen(1):
            self.patterns_asked.emit(target.path)

    @Slot()
    def _exclude(self) -> None:
        self._decide("exclude", self._followed_paths())

    @Slot()
    def _include(self) -> None:
        targets = self._chooser.chosen()
        out = [each.row for each in targets if each.row is not None]
        paths = tuple(row.path for row in out if row.status is FileStatus.EXCLUDED)
        self._decide("include", paths)

    @Slot()
    def _remove(self) -> None:
        if paths := self._paths():
            self.removal_asked.emit(paths)

    @Slot(QAction)
    def _move(self, action: QAction) -> None:
        self._decide("move", self._paths(), str(action.data()))


def _is_problem(target: FileTarget) -> bool:
    return target.row is not None and is_problem(target.row)


def _is_locked(target: FileTarget) -> bool:
    return target.row is not None and target.row.status is FileStatus.ENCRYPTED


def _is_unopened(target: FileTarget) -> bool:
    return target.row is not None and is_unopened_archive(target.row)


def _waits(row: FileRow) -> bool:
    return row.status is FileStatus.QUEUED
