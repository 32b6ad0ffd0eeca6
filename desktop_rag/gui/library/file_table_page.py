"""All files of a knowledge base in a table: filtered, sorted, and acted on many at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QModelIndex, QPoint, QSettings, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.file_query import FileColumn, FileGroup, FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, FileTableController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_ready
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_details import FileDetails
from desktop_rag.gui.library.file_menu import FileActions, FileTarget
from desktop_rag.gui.library.file_table_view import FileTableModel, FileTableView
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.clicks import is_plain_click
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.throttle import Throttle
from desktop_rag.gui.widgets.tooltips import tip

_TYPING_MS = 120
_KEPT = "files table"


class FileTablePage(QWidget):
    """Follows the library while it is shown.

    `files_wanted` and `folder_wanted` ask for something to add.
    """

    files_wanted = Signal()
    folder_wanted = Signal()

    def __init__(
        self,
        theme: Theme,
        library: LibraryController,
        listing: FileTableController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._library = library
        self._listing = listing
        self._kb = ""
        self.model = FileTableModel(theme, self)
        self.view = FileTableView(self.model)
        self.actions_of_files = FileActions(library, self, self.view)
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._title.setObjectName("heading")
        self.add_files = IconButton(theme, "add-file", self.tr("Add files (Ctrl+O)"))
        self.add_folder = IconButton(theme, "add-folder", self.tr("Add a folder (Ctrl+Shift+O)"))
        self.add_files.with_text(self.tr("Files"))
        self.add_folder.with_text(self.tr("Folder"))
        self.details = FileDetails(self.actions_of_files)
        self.count = QLabel()
        self.count.setObjectName("small")
        self.filter = QLineEdit()
        self.group = QComboBox()
        self.folder = QComboBox()
        self.retry_failed = QPushButton(self.tr("Retry failed"))
        self.nothing = QLabel()
        self._typing = Throttle(_TYPING_MS, self)
        self._dress()
        self._lay_out()
        self._connect()
        theme.changed.connect(self._show_figures)
        self._show_figures()

    def restore(self, data_dir: Path) -> None:
        """Bring columns and order to where they were."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat).value(_KEPT)
        header = self.view.horizontalHeader()
        if isinstance(kept, QByteArray) and header.restoreState(kept):
            self._sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self._show_figures()

    @Slot()
    def _show_figures(self) -> None:
        self.view.show_figures(shown=self._theme.is_expert)

    def keep(self, data_dir: Path) -> None:
        """Keep columns and order."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat)
        kept.setValue(_KEPT, self.view.horizontalHeader().saveState())
        kept.sync()

    @Slot()
    def find_files(self) -> None:
        """Go to the filter."""
        self.filter.setFocus()
        self.filter.selectAll()

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return the chosen files; none while those of a knowledge base just left are shown."""
        return self.view.chosen(most) if self._library.snapshot.current == self._kb else ()

    def show_only(self, group: FileGroup, folder: str = "") -> None:
        """Show one kind of files, of one folder where it is named."""
        self.filter.clear()
        self.group.setCurrentIndex(self.group.findData(group))
        if folder and self.folder.findData(folder) < 0:
            self.folder.addItem(folder, folder)
        self.folder.setCurrentIndex(max(0, self.folder.findData(folder)))
        self._ask()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Follow the library from now on."""
        super().showEvent(event)
        self._listing.watch(is_watched=True)
        self.view.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Follow it no longer."""
        super().hideEvent(event)
        self._listing.watch(is_watched=False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Go down from the filter into the table."""
        if event.key() == Qt.Key.Key_Down and self.filter.hasFocus():
            self.view.setFocus()
            return
        super().keyPressEvent(event)

    @Slot(object)
    def _show(self, listing: FileListing) -> None:
        self._kb = listing.kb
        self.view.show_listing(listing)
        self._show_folders(listing)
        self._title.set_text(self.tr("Files of “%1”").replace("%1", shown_name(listing.kb)))
        shown, total = len(listing.rows), listing.total
        said = (
            library_text.files(total) if shown == total else library_text.some_files(shown, total)
        )
        self.count.setText(said)
        self.nothing.setVisible(not shown)
        self.view.setVisible(bool(shown))
        self.nothing.setText(
            self.tr("No file is like that.") if total else self.tr("There are no files yet.")
        )
        self.retry_failed.setVisible(bool(self._library.snapshot.problems))
        self._show_details()

    def _show_folders(self, listing: FileListing) -> None:
        known = [self.folder.itemData(row) for row in range(1, self.folder.count())]
        if known == list(listing.folders):
            return
        chosen = self.folder.currentData()
        self.folder.blockSignals(True)
        while self.folder.count() > 1:
            self.folder.removeItem(1)
        for path in listing.folders:
            self.folder.addItem(library_text.last_name(path), path)
            self.folder.setItemData(self.folder.count() - 1, tip(path), Qt.ItemDataRole.ToolTipRole)
        self.folder.setCurrentIndex(max(0, self.folder.findData(chosen)))
        self.folder.blockSignals(False)
        self.folder.setVisible(len(listing.folders) > 1)
        if (self.folder.currentData() or "") != listing.query.folder:
            self._ask()

    @Slot()
    def _ask(self) -> None:
        header = self.view.horizontalHeader()
        self._listing.ask(
            FileQuery(
                text=self.filter.text().strip(),
                group=FileGroup(self.group.currentData()),
                folder=self.folder.currentData() or "",
                column=FileColumn(header.sortIndicatorSection()),
                descending=header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder,
            )
        )

    @Slot(str)
    def _type(self, text: str) -> None:
        del text
        self._typing.ask()

    @Slot(int)
    def _pick(self, row: int) -> None:
        del row
        self._ask()

    @Slot(int, Qt.SortOrder)
    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        del column, order
        self._ask()

    @Slot()
    def _retry(self) -> None:
        self._library.retry()

    @Slot()
    def _enter(self) -> None:
        actions = self.actions_of_files
        actions.refresh()
        telling = [each for each in (actions.password, actions.read) if each.isVisible()]
        next(iter(telling), actions.open).trigger()

    @Slot(QModelIndex)
    def _read(self, index: QModelIndex) -> None:
        """Show a file that was clicked; where keys choose several, they are only chosen."""
        if is_plain_click() and is_ready(self.model.rows[index.row()]):
            self.actions_of_files.read_asked.emit(self.model.rows[index.row()].path)

    @Slot()
    def _show_details(self) -> None:
        self.details.show_chosen(self.chosen(2))

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if self.view.indexAt(at).isValid():
            self.actions_of_files.popup(self.view.viewport().mapToGlobal(at))

    def _dress(self) -> None:
        self.filter.setPlaceholderText(self.tr("Filter by name, folder, state or reason"))
        self.filter.setAccessibleName(self.tr("Filter"))
        self.filter.setClearButtonEnabled(True)
        for button in self.filter.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the filter"))
            button.setToolTip(self.tr("Clear the filter"))
        self.group.setAccessibleName(self.tr("State"))
        for group, text in (
            (FileGroup.ALL, self.tr("All states")),
            (FileGroup.READY, self.tr("Ready")),
            (FileGroup.PROBLEMS, self.tr("Problems")),
            (FileGroup.WAITING, self.tr("Waiting")),
            (FileGroup.NO_PASSAGES, self.tr("0 passages")),
            (FileGroup.NOT_READ, self.tr("Not read")),
            (FileGroup.EXCLUDED, self.tr("Excluded")),
            (FileGroup.FAILED, self.tr("Could not be read")),
            (FileGroup.PROTECTED, self.tr("Protected")),
            (FileGroup.PICTURES, self.tr("Pictures")),
            (FileGroup.GARBLED, self.tr("Garbled")),
            (FileGroup.HARD_TO_READ, self.tr("Hard to read")),
            (FileGroup.EMPTY, self.tr("Without text")),
            (FileGroup.UNSUPPORTED, self.tr("Other kinds")),
            (FileGroup.COPIES, self.tr("Copies")),
        ):
            self.group.addItem(text, group)
        self.folder.setAccessibleName(self.tr("Folder"))
        self.folder.addItem(self.tr("All folders"), "")
        self.folder.setMaximumWidth(190)
        self.folder.hide()
        self.retry_failed.setToolTip(self.tr("Read every file with a problem again"))
        self.nothing.setObjectName("muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(20, 0, 12, 0)
        self._title.setMinimumHeight(HEAD)
        top.addWidget(self._title, 1)
        top.addWidget(self.count)
        for button in (self.add_files, self.add_folder):
            top.addWidget(button)
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 6)
        line.addWidget(self.filter, 1)
        for widget in (self.group, self.folder, self.retry_failed):
            line.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(line)
        column.addWidget(self.view, 1)
        column.addWidget(self.nothing, 1)
        below = QVBoxLayout()
        below.setContentsMargins(12, 0, 12, 10)
        below.addWidget(self.details)
        column.addLayout(below)

    @Slot(object)
    def _follow(self, snapshot: LibrarySnapshot) -> None:
        """Have a snapshot listed; connected itself, the listing would outlive this page in it."""
        self._listing.show_shelf(snapshot)

    def _connect(self) -> None:
        self._listing.wording = library_text.filter_text
        self._listing.listing_changed.connect(self._show)
        self._library.snapshot_changed.connect(self._follow)
        self.filter.textChanged.connect(self._type)
        self._typing.due.connect(self._ask)
        self.group.activated.connect(self._pick)
        self.folder.activated.connect(self._pick)
        self.retry_failed.clicked.connect(self._retry)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._sort)
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.entered_row.connect(self._enter)
        self.view.clicked.connect(self._read)
        self.view.selectionModel().selectionChanged.connect(self._show_details)
        self.add_files.clicked.connect(self.files_wanted)
        self.add_folder.clicked.connect(self.folder_wanted)
        self.view.doubleClicked.connect(self._enter)
