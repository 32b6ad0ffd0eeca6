"""The files of a knowledge base, or of a folder of it, in a table, and beside it what they are."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QModelIndex, QPoint, QSettings, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.file_query import FileColumn, FileGroup, FileQuery
from desktop_rag.gui.controllers.file_table import FileListing, FileTableController
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace, FolderKind
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_details import MOST_LOOKED_AT, FileDetails
from desktop_rag.gui.library.file_filter_bar import FileFilterBar
from desktop_rag.gui.library.file_menu import FileActions, FileTarget
from desktop_rag.gui.library.file_table_view import FileTableModel, FileTableView
from desktop_rag.gui.library.folder_tree_model import place_name
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.tooltips import tip

_COLUMNS, _OWN_WIDTHS, _DETAILS = "file columns", "file columns have own widths", "file details"
_ABREAST = 900  # pixels; a narrower page has the details below the table
_BESIDE, _BELOW = 300, 190  # pixels of the details, across and down
_LEAST_TABLE, _LEAST_DETAILS = 96, 88


class FileTablePage(QWidget):
    """Follows the library while it is shown.

    `files_wanted` and `folder_wanted` ask for something to add, `place_changed` carries the
    `FilePlace` whose files are shown.
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    place_changed = Signal(object)

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
        self._kb = library.snapshot.current
        self.place = EVERYWHERE
        self.model = FileTableModel(theme, self)
        self.view = FileTableView(self.model)
        self.actions_of_files = FileActions(library, self, self.view)
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._title.setObjectName("heading")
        self.all_files = QPushButton(self.tr("All files"))
        self.add_files = IconButton(theme, "add-file", self.tr("Add files (Ctrl+O)"))
        self.add_folder = IconButton(theme, "add-folder", self.tr("Add a folder (Ctrl+Shift+O)"))
        self.turn_details = IconButton(theme, "details", self.tr("Details (Space)"))
        self.add_files.with_text(self.tr("Files"))
        self.add_folder.with_text(self.tr("Folder"))
        self.details = FileDetails(theme, self.actions_of_files, library.derived_texts)
        self.count = QLabel()
        self.bar = FileFilterBar()
        self.filter, self.group, self.retry_failed = self.bar.words, self.bar.group, self.bar.retry
        self.nothing = QLabel()
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self._dress()
        self._lay_out()
        self._connect()
        theme.changed.connect(self._show_figures)
        self._show_figures()

    def restore(self, data_dir: Path) -> None:
        """Bring columns, order and details to where they were."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat)
        columns = kept.value(_COLUMNS)
        header = self.view.horizontalHeader()
        is_own = str(kept.value(_OWN_WIDTHS)).lower() == "true"
        if isinstance(columns, QByteArray) and self.view.restore_columns(columns, is_own=is_own):
            self._sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self.show_details(shown=str(kept.value(_DETAILS)) != "closed")
        self._show_figures()

    @Slot()
    def _show_figures(self) -> None:
        self.view.show_figures(shown=self._theme.is_expert)

    def keep(self, data_dir: Path) -> None:
        """Keep columns, order, and whether the details are shown."""
        kept = QSettings(str(data_dir / "window.ini"), QSettings.Format.IniFormat)
        kept.setValue(_DETAILS, "closed" if self.details.isHidden() else "open")
        kept.setValue(_COLUMNS, self.view.horizontalHeader().saveState())
        kept.setValue(_OWN_WIDTHS, self.view.has_own_widths)
        kept.sync()

    @Slot()
    def find_files(self) -> None:
        """Go to the filter."""
        self.filter.setFocus()
        self.filter.selectAll()

    def chosen(self, most: int | None = None) -> tuple[FileTarget, ...]:
        """Return the chosen files; none while those of a knowledge base just left are shown."""
        return self.view.chosen(most) if self._library.snapshot.current == self._kb else ()

    def show_only(self, group: FileGroup, place: FilePlace = EVERYWHERE) -> None:
        """Show one kind of files, of one folder where it is named."""
        self.filter.clear()
        self.bar.choose(group)
        self.show_place(place)
        self._ask()

    @Slot(object)
    def show_place(self, place: FilePlace) -> None:
        """Show the files of a folder, or all."""
        if place != self.place:
            self.place = place
            self.place_changed.emit(place)
            self._ask()

    def show_details(self, *, shown: bool) -> None:
        """Show what is chosen beside the table, or the table alone."""
        self.details.setVisible(shown)
        self.turn_details.setChecked(shown)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Follow the library from now on."""
        super().showEvent(event)
        self._listing.watch(is_watched=True)
        self.view.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Follow it no longer."""
        super().hideEvent(event)
        self._listing.watch(is_watched=False)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Have the details beside the table, or below it."""
        super().resizeEvent(event)
        self._arrange()

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
        self._show_title()
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
        self.retry_failed.setVisible(listing.problems > 0 and self._may_retry)
        self.bar.show_listing(listing)
        self._show_details()

    @property
    def _may_retry(self) -> bool:
        """Whether anything would be read again: what lies in no followed folder would not."""
        branches = self._library.snapshot.branches
        return self.place.kind is FolderKind.FOLDER and any(
            each.problems for each in branches if each.source is not None
        )

    def _show_title(self) -> None:
        base = shown_name(self._kb)
        self.all_files.setVisible(not self.place.is_everywhere)
        if self.place.is_everywhere:
            self._title.set_text(self.tr("Files of “%1”").replace("%1", base))
            self._title.setToolTip("")
        else:
            self._title.set_text(fill(self.tr("%1 in “%2”"), place_name(self.place), base))
            self._title.setToolTip(tip(self.place.path))

    @Slot()
    def _ask(self) -> None:
        header = self.view.horizontalHeader()
        self._listing.ask(
            FileQuery(
                text=self.filter.text().strip(),
                group=self.bar.chosen,
                place=self.place,
                column=FileColumn(header.sortIndicatorSection()),
                descending=header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder,
            )
        )

    @Slot(int, Qt.SortOrder)
    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        del column, order
        self._ask()

    @Slot()
    def _retry(self) -> None:
        self._library.retry((self.place.path,) if self.place.path else ())

    @Slot()
    def _enter(self) -> None:
        actions = self.actions_of_files
        actions.refresh()
        telling = [each for each in (actions.password, actions.read) if each.isVisible()]
        next(iter(telling), actions.open).trigger()

    @Slot(QModelIndex)
    def _open(self, index: QModelIndex) -> None:
        del index
        self._enter()

    @Slot()
    def _turn_details(self) -> None:
        self.show_details(shown=self.details.isHidden())
        self.view.setFocus()

    @Slot()
    def _show_everywhere(self) -> None:
        self.show_place(EVERYWHERE)
        self.view.setFocus()

    @Slot()
    def _show_details(self) -> None:
        targets = self.chosen(MOST_LOOKED_AT + 1)
        rows = tuple(each.row for each in targets if each.row is not None)
        self.details.show_chosen(rows, self._library.snapshot)

    @Slot(QPoint)
    def _menu(self, at: QPoint) -> None:
        if self.view.indexAt(at).isValid():
            self.actions_of_files.popup(self.view.viewport().mapToGlobal(at))

    def _arrange(self) -> None:
        """Give the details their room at the right of a wide page, at the foot of a narrow one."""
        is_abreast = self.width() >= _ABREAST
        way = Qt.Orientation.Horizontal if is_abreast else Qt.Orientation.Vertical
        if self.parts.orientation() is not way or not self.parts.sizes()[1]:
            self.parts.setOrientation(way)
            size = _BESIDE if is_abreast else _BELOW
            room = self.parts.width() if is_abreast else self.parts.height()
            self.parts.setSizes([max(_LEAST_TABLE, room - size), size])

    def _dress(self) -> None:
        self.count.setObjectName("small")
        self.all_files.setObjectName("quiet")
        self.all_files.setToolTip(self.tr("Show the files of all folders in one list"))
        self.all_files.hide()
        self.turn_details.setCheckable(True)
        self.turn_details.setChecked(True)
        self.nothing.setObjectName("muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(20, 0, 12, 0)
        self._title.setMinimumHeight(HEAD)
        top.addWidget(self._title, 1)
        for widget in (self.count, self.all_files, self.add_files, self.add_folder):
            top.addWidget(widget)
        top.addWidget(self.turn_details)
        table = QWidget()
        table.setObjectName("clear")
        within = QVBoxLayout(table)
        within.setContentsMargins(0, 0, 0, 0)
        within.addWidget(self.view, 1)
        within.addWidget(self.nothing, 1)
        table.setMinimumSize(_LEAST_TABLE, _LEAST_TABLE)
        self.details.setMinimumSize(_LEAST_DETAILS, _LEAST_DETAILS)
        self.parts.setChildrenCollapsible(False)
        self.parts.addWidget(table)
        self.parts.addWidget(self.details)
        self.parts.setStretchFactor(0, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.bar)
        column.addWidget(self.parts, 1)

    @Slot(object)
    def _follow(self, snapshot: LibrarySnapshot) -> None:
        """Have a snapshot listed; connected itself, the listing would outlive this page in it."""
        self._listing.show_shelf(snapshot)
        self._show_details()  # of another knowledge base, nothing is chosen

    def _connect(self) -> None:
        self._listing.wording = library_text.filter_text
        self._listing.listing_changed.connect(self._show)
        self._library.snapshot_changed.connect(self._follow)
        self.bar.changed.connect(self._ask)
        self.bar.retry_wanted.connect(self._retry)
        self.view.horizontalHeader().sortIndicatorChanged.connect(self._sort)
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.entered_row.connect(self._enter)
        self.view.space_pressed.connect(self._turn_details)
        self.view.doubleClicked.connect(self._open)
        self.view.selectionModel().selectionChanged.connect(self._show_details)
        self.details.closed.connect(self._turn_details)
        self.turn_details.clicked.connect(self._turn_details)
        self.all_files.clicked.connect(self._show_everywhere)
        self.add_files.clicked.connect(self.files_wanted)
        self.add_folder.clicked.connect(self.folder_wanted)
