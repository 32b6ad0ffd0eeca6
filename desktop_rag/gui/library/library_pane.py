"""The left pane's first page: the knowledge base, its folders and files, and what is being done.

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
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.folder_survey import FolderSurvey
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_commands import RunningCommand
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_ready
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.add_folder_dialog import AddFolderDialog
from desktop_rag.gui.library.empty_library import EmptyLibrary
from desktop_rag.gui.library.file_menu import FileActions, FileTarget
from desktop_rag.gui.library.file_tree import FileTree
from desktop_rag.gui.library.file_tree_model import TreeRole, TreeRow
from desktop_rag.gui.library.kb_menu import KbMenu
from desktop_rag.gui.library.password_dialog import PasswordDialog
from desktop_rag.gui.library.progress_cards import CommandCard, ProgressCard
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.clicks import is_plain_click
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea

_STOPPABLE = ("export", "import", "rebuild", "share", "join")


class LibraryPane(QWidget):
    """Shows a `LibraryController`.

    `files_wanted`, `folder_wanted` and `samples_wanted` ask for something to add, `group_wanted`
    for the table of files with one `FileGroup` of them, `health_wanted` for what they lack;
    `open_asked`, `folder_asked`, `read_asked` and `passages_asked` carry the path of a row,
    `documents_asked` a `DocumentScope`.
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    samples_wanted = Signal()
    group_wanted = Signal(object)
    health_wanted = Signal()
    open_asked = Signal(object)
    folder_asked = Signal(object)
    read_asked = Signal(object)
    passages_asked = Signal(object)
    documents_asked = Signal(object)

    def __init__(
        self, theme: Theme, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self.tree = FileTree(theme)
        self.model = self.tree.places
        self.tree.setAccessibleName(self.tr("Folders and files"))
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
        """Return the chosen rows, at most so many, as what actions are about.

        Instead of what stands over the files that are not followed, its files are.
        """
        chosen = self.tree.selectionModel().selectedIndexes()[:most]
        places = [index.data(TreeRole.PLACE) for index in chosen]
        targets = {each.path: each for place in places for each in self._targets(place)}
        return tuple(targets.values())[:most]

    def _targets(self, place: TreeRow) -> list[FileTarget]:
        if place.path:
            return [FileTarget(place.path, place.row)]
        branches = self._library.snapshot.branches
        only = self.problems.isChecked()
        return [
            FileTarget(row.path, row)
            for branch in branches
            if branch.source is None and branch.is_shared == place.is_shared
            for row in (branch.troubled if only else branch.files)
        ]

    @Slot(object)
    def _show_shelf(self, snapshot: LibrarySnapshot) -> None:
        self.tree.show_shelf(snapshot)
        self._show_kbs(snapshot)
        self._summary.setText(library_text.summary(snapshot))
        self.problems.setText(library_text.tr("%1 with problems", f"{snapshot.problems:,}"))
        self.problems.setVisible(bool(snapshot.problems))
        self.retry.setVisible(any(each.problems for each in snapshot.branches if each.source))
        self.not_read.setText(library_text.not_read(snapshot.passed_over))
        self.not_read.setVisible(bool(snapshot.passed_over))
        self._show_whether_whole(snapshot)
        if not snapshot.problems:
            self.problems.setChecked(False)
        self._show_activity()
        filled = bool(snapshot.branches)
        self._stack.setCurrentIndex(int(filled))
        self._summary.setVisible(filled)

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

    @Slot(bool)
    def _only_problems(self, only: bool) -> None:  # noqa: FBT001 - a signal's value
        self.tree.show_only_problems(only=only)

    @Slot(object)
    def weigh(self, paths: tuple[str, ...]) -> None:
        """Take files and folders out, after a question where that is much."""
        self.bases.weigh(paths)

    @Slot()
    def _retry(self) -> None:
        self._library.retry()

    @Slot()
    def _show_not_read(self) -> None:
        self.group_wanted.emit(FileGroup.NOT_READ)

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
        row = index.data(TreeRole.PLACE).row
        if row is not None and row.status is FileStatus.ENCRYPTED:
            self.file_actions.password.trigger()
        elif row is not None:
            self.open_asked.emit(str(index.data(TreeRole.PATH)))

    @Slot(QModelIndex)
    def _read(self, index: QModelIndex) -> None:
        """Show a file that was clicked; where keys choose several, they are only chosen."""
        row = index.data(TreeRole.PLACE).row
        if row is not None and is_ready(row) and is_plain_click():
            self.read_asked.emit(str(index.data(TreeRole.PATH)))

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if self.tree.indexAt(at).isValid():
            self.file_actions.popup(self.tree.viewport().mapToGlobal(at))

    def _make_buttons(self, theme: Theme) -> None:
        self.problems = QPushButton()
        self.problems.setObjectName("quiet")
        self.problems.setProperty("grave", True)
        self.problems.setCheckable(True)
        self.retry = QPushButton(self.tr("Retry"))
        self.retry.setObjectName("quiet")
        self.retry.setToolTip(self.tr("Read every file with a problem again"))
        self.not_read = QPushButton()
        self.not_read.setObjectName("quiet")
        self.not_read.setToolTip(
            self.tr("Show the files there is nothing to read in: empty ones, and other kinds")
        )
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
        line.setContentsMargins(4, 0, 0, 0)
        line.setSpacing(2)
        line.addWidget(self._summary, 1)
        trouble = QHBoxLayout()
        trouble.addWidget(self.problems)
        trouble.addWidget(self.not_read)
        trouble.addStretch(1)
        trouble.addWidget(self.retry)
        self._stack.addWidget(PageScrollArea(self.empty))
        self._stack.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 4, 8, 10)
        column.setSpacing(6)
        for layout in (top, line, trouble):
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
        self.problems.toggled.connect(self._only_problems)
        self.retry.clicked.connect(self._retry)
        self.not_read.clicked.connect(self._show_not_read)
        self.progress.paused.connect(self._pause)
        self.progress.stopped.connect(self._stop)
        self.progress.resumed.connect(self._resume)
        self.deed.stopped.connect(self._stop_deed)
        self.tree.activated.connect(self._activate)
        self.tree.clicked.connect(self._read)
        self.tree.customContextMenuRequested.connect(self._menu)
        actions.open_asked.connect(self.open_asked)
        actions.folder_asked.connect(self.folder_asked)
        actions.read_asked.connect(self.read_asked)
        actions.passages_asked.connect(self.passages_asked)
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
