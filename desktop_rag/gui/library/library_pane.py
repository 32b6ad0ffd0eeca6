"""The left pane's first page: the knowledge base, its folders, and what is being done.

An empty knowledge base shows what to do instead.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.controllers.file_table import files_of
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace, FolderKind
from desktop_rag.gui.controllers.folder_survey import FolderSurvey
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_commands import RunningCommand
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.add_folder_dialog import AddFolderDialog
from desktop_rag.gui.library.empty_library import EmptyLibrary
from desktop_rag.gui.library.file_menu import FileActions, FileTarget
from desktop_rag.gui.library.folder_tree import FolderTree
from desktop_rag.gui.library.folder_tree_model import TreeRole, TreeRow
from desktop_rag.gui.library.kb_menu import KbMenu
from desktop_rag.gui.library.password_dialog import PasswordDialog
from desktop_rag.gui.library.progress_cards import CommandCard, ProgressCard
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea

_STOPPABLE = ("export", "import", "rebuild", "share", "join")


class LibraryPane(QWidget):
    """Shows a `LibraryController`.

    `files_wanted`, `folder_wanted` and `samples_wanted` ask for something to add, `health_wanted`
    for what files lack, `table_wanted` for the keyboard to go to the files of the chosen folder;
    `place_picked` carries its `FilePlace`, `open_asked` and `folder_asked` the path of a row,
    `documents_asked` a `DocumentScope`.
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    samples_wanted = Signal()
    health_wanted = Signal()
    table_wanted = Signal()
    place_picked = Signal(object)
    open_asked = Signal(object)
    folder_asked = Signal(object)
    documents_asked = Signal(object)

    def __init__(
        self, theme: Theme, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self.tree = FolderTree(theme)
        self.model = self.tree.folders
        self.tree.setAccessibleName(self.tr("Folders"))
        self.all_files = QPushButton(self.tr("All files"))
        self.kbs = QComboBox()
        self.kbs.setAccessibleName(self.tr("Knowledge base"))
        self.more = IconButton(
            theme, "more", self.tr("Knowledge base: new, rename, export, import, delete")
        )
        self.bases = KbMenu(library, self)
        self.file_actions = FileActions(library, self, self.tree)
        self._summary = QLabel()
        self._summary.setObjectName("small")
        self._make_buttons(theme)
        self.progress = ProgressCard(theme)
        self.deed = CommandCard(theme)
        self.empty = EmptyLibrary(theme)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._show_shelf(library.snapshot)
        self._show_deed()

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return the chosen folders, at most so many, as what actions are about.

        Instead of a group of files that lie in no folder, these are.
        """
        chosen = self.tree.selectionModel().selectedIndexes()[:most]
        rows: list[TreeRow] = [index.data(TreeRole.FOLDER) for index in chosen]
        targets = {each.path: each for row in rows for each in self._targets(row.place)}
        return tuple(targets.values())[:most]

    def _targets(self, place: FilePlace) -> list[FileTarget]:
        if place.kind is FolderKind.FOLDER:
            return [FileTarget(place.path, None)]
        return [FileTarget(row.path, row) for row in files_of(self._library.snapshot, place)]

    @Slot(object)
    def show_place(self, place: FilePlace) -> None:
        """Show which folder's files the table shows."""
        self.tree.choose(place)
        self.all_files.setChecked(place.is_everywhere)

    @Slot(object)
    def _show_shelf(self, snapshot: LibrarySnapshot) -> None:
        self.tree.show_shelf(snapshot)
        self._show_kbs(snapshot)
        self._summary.setText(library_text.summary(snapshot))
        self._show_whether_whole(snapshot)
        self._show_activity()
        filled = bool(snapshot.branches)
        self._stack.setCurrentIndex(int(filled))
        self._summary.setVisible(filled)
        self.all_files.setVisible(filled)

    def _show_whether_whole(self, snapshot: LibrarySnapshot) -> None:
        sign, role = ("warning", "warn") if snapshot.problems else ("info", "muted")
        self.health.paint_as(sign, role, self.health.toolTip())

    def _show_kbs(self, snapshot: LibrarySnapshot) -> None:
        names = [kb.name for kb in snapshot.kbs] or [snapshot.current]
        if snapshot.current not in names:
            names.append(snapshot.current)
        if [self.kbs.itemData(i) for i in range(self.kbs.count())] != names:
            self.kbs.blockSignals(True)
            self.kbs.clear()
            for name in names:
                self.kbs.addItem(shown_name(name), name)
            self.kbs.blockSignals(False)
        self.kbs.setCurrentIndex(names.index(snapshot.current))

    @Slot()
    def _show_activity(self) -> None:
        library = self._library
        self.progress.show_state(library.activity, library.pause, library.snapshot.waiting)

    @Slot()
    def _show_deed(self) -> None:
        deed = self._deed()
        if deed is None:
            self.deed.show_state("", 0, 0, may_stop=False)
            return
        progress = deed.progress
        done, total = (progress.done, progress.total) if progress is not None else (0, 0)
        self.deed.show_state(library_text.command_text(deed), done, total, may_stop=_may_stop(deed))

    def _deed(self) -> RunningCommand | None:
        return next(
            (each for each in self._library.commands.underway if library_text.command_text(each)),
            None,
        )

    @Slot()
    def _stop_deed(self) -> None:
        deed = self._deed()
        if deed is not None:
            self._library.commands.stop(deed.decision)

    @Slot(object)
    def _preview(self, survey: FolderSurvey) -> None:
        AddFolderDialog(self._library.adding, survey, self.window()).open()

    @Slot(object)
    def ask_for_password(self, targets: tuple[FileTarget, ...]) -> None:
        """Ask for the password of files that have one."""
        PasswordDialog(self._library.passwords, targets, self.window()).open()

    @Slot(int)
    def _switch(self, row: int) -> None:
        self._library.switch(self.kbs.itemData(row))

    @Slot(object)
    def weigh(self, paths: tuple[str, ...]) -> None:
        """Take files and folders out, after a question where that is much."""
        self.bases.weigh(paths)

    @Slot(object)
    def _pick(self, place: FilePlace) -> None:
        self.all_files.setChecked(place.is_everywhere)
        self.place_picked.emit(place)

    @Slot()
    def _pick_all(self) -> None:
        self.show_place(EVERYWHERE)
        self.place_picked.emit(EVERYWHERE)

    @Slot()
    def _stop(self) -> None:
        self._library.stop()

    @Slot()
    def _pause(self) -> None:
        self._library.pause_reading()

    @Slot()
    def _resume(self) -> None:
        self._library.resume()

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        del index
        self.table_wanted.emit()

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if self.tree.indexAt(at).isValid():
            self.file_actions.popup(self.tree.viewport().mapToGlobal(at))

    def _make_buttons(self, theme: Theme) -> None:
        self.all_files.setObjectName("quiet")
        self.all_files.setCheckable(True)
        self.all_files.setChecked(True)
        self.all_files.setToolTip(self.tr("Show the files of all folders in one list"))
        self.health = IconButton(theme, "info", self.tr("Health: what files lack, what mends it"))

    def _lay_out(self) -> None:
        self.more.setMenu(self.bases.menu)
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.kbs, 1)
        top.addWidget(self.health)
        top.addWidget(self.more)
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 4, 0)
        line.setSpacing(2)
        line.addWidget(self.all_files)
        line.addStretch(1)
        line.addWidget(self._summary)
        self._stack.addWidget(PageScrollArea(self.empty))
        self._stack.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 4, 8, 10)
        column.setSpacing(6)
        for layout in (top, line):
            column.addLayout(layout)
        column.addWidget(self._stack, 1)
        column.addWidget(self.deed)
        column.addWidget(self.progress)

    def _connect(self) -> None:
        library, actions = self._library, self.file_actions
        library.snapshot_changed.connect(self._show_shelf)
        library.activity_changed.connect(self._show_activity)
        library.pause_changed.connect(self._show_activity)
        library.commands.weighed.connect(self.bases.ask_about)
        library.commands.examined.connect(self.bases.ask_what_to_follow)
        library.commands.underway_changed.connect(self._show_deed)
        library.adding.asked.connect(self._preview)
        self.kbs.activated.connect(self._switch)
        self.all_files.clicked.connect(self._pick_all)
        self.progress.paused.connect(self._pause)
        self.progress.stopped.connect(self._stop)
        self.progress.resumed.connect(self._resume)
        self.deed.stopped.connect(self._stop_deed)
        self.tree.activated.connect(self._activate)
        self.tree.picked.connect(self._pick)
        self.tree.customContextMenuRequested.connect(self._menu)
        actions.open_asked.connect(self.open_asked)
        actions.folder_asked.connect(self.folder_asked)
        actions.documents_asked.connect(self.documents_asked)
        actions.removal_asked.connect(self.weigh)
        actions.patterns_asked.connect(self.bases.ask_for_patterns)
        actions.password_asked.connect(self.ask_for_password)
        self.health.clicked.connect(self.health_wanted)
        self.bases.health_wanted.connect(self.health_wanted)
        self.empty.files_wanted.connect(self.files_wanted)
        self.empty.folder_wanted.connect(self.folder_wanted)
        self.empty.samples_wanted.connect(self.samples_wanted)


def _may_stop(deed: RunningCommand) -> bool:
    decision = deed.decision
    return isinstance(decision, KbRequest) and decision.action in _STOPPABLE
