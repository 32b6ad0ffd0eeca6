"""The left pane's first page: the knowledge base, its folders and files, and what is being done."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.app.library import Activity, LibraryController
from desktop_rag.app.shelf import Shelf
from desktop_rag.ui.library import phrases
from desktop_rag.ui.library.delegate import PlaceDelegate
from desktop_rag.ui.library.empty import EmptyShelf
from desktop_rag.ui.library.filter import ProblemFilter
from desktop_rag.ui.library.model import LibraryModel, Role
from desktop_rag.ui.library.progress import ProgressCard
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.buttons import IconButton


class LibraryPane(QWidget):
    """Shows a `LibraryController`.

    `files_wanted`, `folder_wanted` and `samples_wanted` ask for something to add; `open_asked` and
    `folder_asked` carry the path of a row.
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    samples_wanted = Signal()
    open_asked = Signal(object)
    folder_asked = Signal(object)

    def __init__(
        self, theme: Theme, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self.model = LibraryModel(self)
        self._filter: ProblemFilter | None = None
        self.tree = _tree(self.model, theme)
        self.tree.setAccessibleName(self.tr("Folders and files"))
        self.kbs = QComboBox()
        self.kbs.setAccessibleName(self.tr("Knowledge base"))
        self.more = IconButton(theme, "more", self.tr("Knowledge base: new, delete, look again"))
        self._summary = QLabel()
        self._summary.setObjectName("small")
        self._make_buttons(theme)
        self.progress = ProgressCard(theme)
        self.empty = EmptyShelf(theme)
        self._stack = QStackedWidget()
        self._make_actions()
        self._lay_out()
        self._connect()
        self._show_shelf(library.shelf)

    @Slot(object)
    def _show_shelf(self, shelf: Shelf) -> None:
        first_time = self.model.rowCount() == 0
        self.model.show_shelf(shelf)
        if first_time and len(shelf.branches) <= 3:
            self.tree.expandAll()
        self._show_kbs(shelf)
        self._summary.setText(phrases.summary(shelf))
        self.problems.setText(phrases.tr("%1 with problems", shelf.problems))
        self.problems.setVisible(bool(shelf.problems))
        self.retry.setVisible(bool(shelf.problems))
        if not shelf.problems:
            self.problems.setChecked(False)
        self._show_activity(self._library.activity)
        filled = bool(shelf.branches)
        self._stack.setCurrentIndex(int(filled))
        for widget in (self._summary, self.add_files, self.add_folder):
            widget.setVisible(filled)

    def _show_kbs(self, shelf: Shelf) -> None:
        names = [kb.name for kb in shelf.kbs] or [shelf.current]
        if shelf.current not in names:
            names.append(shelf.current)
        if [self.kbs.itemText(i) for i in range(self.kbs.count())] != names:
            self.kbs.blockSignals(True)
            self.kbs.clear()
            self.kbs.addItems(names)
            self.kbs.blockSignals(False)
        self.kbs.setCurrentText(shelf.current)

    @Slot(object)
    def _show_activity(self, activity: Activity) -> None:
        self.progress.show_state(activity, self._library.shelf.waiting)

    @Slot(int)
    def _switch(self, row: int) -> None:
        self._library.switch(self.kbs.itemText(row))

    @Slot(bool)
    def _only_problems(self, only: bool) -> None:  # noqa: FBT001 - a signal's value
        """The filter stands before the model only while it is wanted: it costs time."""
        if self._filter is not None:
            self.tree.setModel(self.model)
            self._filter.deleteLater()
            self._filter = None
        if only:
            self._filter = ProblemFilter(self)
            self._filter.setSourceModel(self.model)
            self.tree.setModel(self._filter)
        self.tree.expandAll()

    @Slot()
    def ask_for_name(self) -> None:
        """Ask for the name of a new knowledge base."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("New knowledge base"))
        dialog.setLabelText(self.tr("Name:"))
        dialog.textValueSelected.connect(self._create)
        dialog.open()

    @Slot(str)
    def _create(self, name: str) -> None:
        if name.strip():
            self._library.create(name.strip())

    @Slot()
    def ask_before_deleting(self) -> None:
        """Ask whether the current knowledge base shall go."""
        name = self._library.shelf.current
        question = self.tr(
            "Delete the knowledge base “%1” with everything that was read into it? "
            "The files themselves stay where they are."
        ).replace("%1", name)
        box = QMessageBox(
            QMessageBox.Icon.Question,
            self.tr("Delete knowledge base"),
            question,
            QMessageBox.StandardButton.Cancel,
            self,
        )
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        delete.clicked.connect(self._delete_current)
        box.open()

    @Slot()
    def _delete_current(self) -> None:
        self._library.delete(self._library.shelf.current)

    def _chosen(self) -> tuple[str, ...]:
        rows = self.tree.selectionModel().selectedIndexes()
        return tuple(str(index.data(Role.PATH)) for index in rows)

    @Slot()
    def _remove(self) -> None:
        self._library.remove(self._chosen())

    @Slot()
    def _open(self) -> None:
        for path in self._chosen()[:1]:
            self.open_asked.emit(path)

    @Slot()
    def _in_folder(self) -> None:
        for path in self._chosen()[:1]:
            self.folder_asked.emit(path)

    @Slot()
    def _retry(self) -> None:
        self._library.retry()

    @Slot()
    def _look_again(self) -> None:
        self._library.update_all()

    @Slot()
    def _stop(self) -> None:
        self._library.stop()

    @Slot(QModelIndex)
    def _activate(self, index: QModelIndex) -> None:
        if index.data(Role.PLACE).row is not None:
            self.open_asked.emit(str(index.data(Role.PATH)))

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if not self.tree.indexAt(at).isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._row_actions)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def _make_buttons(self, theme: Theme) -> None:
        self.problems = QPushButton()
        self.problems.setObjectName("quiet")
        self.problems.setCheckable(True)
        self.retry = QPushButton(self.tr("Retry"))
        self.retry.setObjectName("quiet")
        add_files, add_folder = (
            self.tr("Add files (Ctrl+O)"),
            self.tr("Add a folder (Ctrl+Shift+O)"),
        )
        self.add_files = IconButton(theme, "add-file", add_files).with_text(self.tr("Files"))
        self.add_folder = IconButton(theme, "add-folder", add_folder).with_text(self.tr("Folder"))

    def _make_actions(self) -> None:
        opening = QAction(self.tr("Open"), self)
        opening.triggered.connect(self._open)
        showing = QAction(self.tr("Show in folder"), self)
        showing.triggered.connect(self._in_folder)
        removing = QAction(self.tr("Remove from the knowledge base"), self)
        removing.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        removing.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        removing.triggered.connect(self._remove)
        self._row_actions = [opening, showing, removing]
        self.tree.addAction(removing)
        menu = QMenu(self)
        menu.addAction(self.tr("New knowledge base …"), self.ask_for_name)
        menu.addAction(self.tr("Look for changes now"), self._look_again)
        menu.addSeparator()
        menu.addAction(self.tr("Delete this knowledge base …"), self.ask_before_deleting)
        self.more.setMenu(menu)
        self.more.setPopupMode(self.more.ToolButtonPopupMode.InstantPopup)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.kbs, 1)
        top.addWidget(self.more)
        line = QHBoxLayout()
        line.setContentsMargins(4, 0, 0, 0)
        line.addWidget(self._summary, 1)
        line.addWidget(self.add_files)
        line.addWidget(self.add_folder)
        trouble = QHBoxLayout()
        trouble.addWidget(self.problems)
        trouble.addStretch(1)
        trouble.addWidget(self.retry)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.tree)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 4, 8, 10)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(line)
        column.addLayout(trouble)
        column.addWidget(self._stack, 1)
        column.addWidget(self.progress)

    def _connect(self) -> None:
        self._library.shelf_changed.connect(self._show_shelf)
        self._library.activity_changed.connect(self._show_activity)
        self.kbs.activated.connect(self._switch)
        self.retry.setToolTip(self.tr("Read every file with a problem again"))
        self.problems.toggled.connect(self._only_problems)
        self.retry.clicked.connect(self._retry)
        self.progress.stopped.connect(self._stop)
        self.progress.resumed.connect(self._look_again)
        self.tree.activated.connect(self._activate)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.add_files.clicked.connect(self.files_wanted)
        self.add_folder.clicked.connect(self.folder_wanted)
        self.empty.files_wanted.connect(self.files_wanted)
        self.empty.folder_wanted.connect(self.folder_wanted)
        self.empty.samples_wanted.connect(self.samples_wanted)


def _tree(model: LibraryModel, theme: Theme) -> QTreeView:
    tree = QTreeView()
    tree.setModel(model)
    tree.setItemDelegate(PlaceDelegate(theme, tree))
    tree.setHeaderHidden(True)
    tree.setUniformRowHeights(True)
    tree.setIndentation(16)
    tree.setMouseTracking(True)
    tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
    tree.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    return tree
