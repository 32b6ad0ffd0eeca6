"""The two rows above a document: what it is, where one is in it, how large it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QIntValidator, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.display_text import ask_about_text
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.viewer.pdf_view import PdfView
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.separator import separator
from desktop_rag.gui.widgets.tooltips import tip

_NARROW = 340  # pixels
_TIGHT = 300
_ROOMY = 460  # for the choice of shapes beside what belongs to pages
_TABLE, _TEXT = 0, 1


class ViewerToolbar(QWidget):
    """Buttons and fields. `external_asked`, `folder_asked` and `only_asked` carry the path of
    the document.

    `as_table_asked` carries whether it is to be shown as a table.
    """

    external_asked = Signal(object)
    folder_asked = Signal(object)
    only_asked = Signal(object)
    as_table_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = ""
        self._pages: PdfView | None = None
        self._is_paged = True
        self._has_marks = False
        self._has_tables = False
        self._has_outline = False
        self.title = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.title.setObjectName("heading")
        self.page = QLineEdit()
        self.page.setAccessibleName(self.tr("Page"))
        self.page.setToolTip(self.tr("Type a page and press Enter"))
        self.page.setValidator(QIntValidator(1, 999_999, self.page))
        self.page.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.page.setFixedWidth(self.fontMetrics().horizontalAdvance("00000") + 20)
        self.where = QLabel()
        self.where.setObjectName("muted")
        self.marks = QLabel()
        self.marks.setObjectName("muted")
        self._make_buttons(theme)
        self._make_menu()
        self._lay_out()
        self.page.returnPressed.connect(self._go)
        self.shapes.idClicked.connect(self._ask_for_shape)
        self.only.clicked.connect(self._ask_for_only)
        self.outside.clicked.connect(self.ask_outside)
        self.in_folder.clicked.connect(self._ask_for_folder)

    def serve(self, pages: PdfView) -> None:
        """Let the buttons and the field move these pages."""
        self._pages = pages
        self.zoom_in.clicked.connect(pages.zoom_in)
        self.zoom_out.clicked.connect(pages.zoom_out)
        self.fit_width.triggered.connect(pages.fit_width)
        self.fit_page.triggered.connect(pages.fit_page)
        self.natural.triggered.connect(pages.natural)

    def show_title(self, title: str, path: str, said: Sequence[str] = ()) -> None:
        """Name the document; `said` are lines of what it says of itself."""
        self._path = path
        self.title.set_text(title or path)
        self.title.setToolTip(tip(path, *said))

    def show_page(self, page: int, pages: int) -> None:
        """Say which page of how many is looked at."""
        if not self.page.hasFocus() or not self.page.isModified():
            self.page.setText(str(page))
        self.where.setText(f"/ {pages}")

    def show_place(self, place: str) -> None:
        """Say where one is in a text."""
        self.where.setText(place)
        self._fit()

    def show_marks(self, index: int, total: int) -> None:
        """Say which mark of how many is the current one; one alone needs no telling."""
        self._has_marks = total > 1
        self.marks.setText(f"{index + 1} / {total}" if self._has_marks else "")
        spoken = self.tr("Mark %1 of %2").replace("%1", str(index + 1))
        self.marks.setAccessibleName(spoken.replace("%2", str(total)))
        self._fit()

    def show_shapes(self, *, has_tables: bool, is_table: bool, has_pages: bool) -> None:
        """Offer a table beside the text, or the pages, where the document has one."""
        self._has_tables = has_tables
        self.as_table.setChecked(is_table)
        self.as_text.setChecked(not is_table)
        self.as_text.setText(self.tr("Pages") if has_pages else self.tr("Text"))
        self._fit()

    @Slot(bool)
    def show_outline(self, has_outline: bool) -> None:  # noqa: FBT001 - a signal's value
        """Offer the outline where the document has one."""
        self._has_outline = has_outline
        self._fit()

    def show_zoom(self, percent: int) -> None:
        """Say how large the pages are shown."""
        self.zoom.setText(f"{percent}%")

    def set_paged(self, paged: bool) -> None:  # noqa: FBT001 - a state
        """Show what belongs to pages, or hide it."""
        self._is_paged = paged
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Leave the title some room where there is little."""
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW
        style = Qt.ToolButtonStyle
        self.back.setToolButtonStyle(
            style.ToolButtonIconOnly if narrow else style.ToolButtonTextBesideIcon
        )
        self.full_screen.setVisible(not narrow)
        self._fit()

    def _fit(self) -> None:
        """Show of the second row what there is to show, and has room."""
        is_tight = self.width() < _TIGHT
        for widget in (self.page, self.zoom):
            widget.setVisible(self._is_paged)
        for widget in (self.zoom_out, self.zoom_in):
            widget.setVisible(self._is_paged and not is_tight)
        for widget in (self.previous_mark, self.next_mark):
            widget.setVisible(self._has_marks)
        self.marks.setVisible(self._has_marks and not is_tight)
        has_room = not self._is_paged or self.width() >= _ROOMY
        for widget in (self.as_table, self.as_text):
            widget.setVisible(self._has_tables and has_room)
        is_said = bool(self.where.text()) or self._has_tables
        self.outline.setVisible(self._has_outline)
        self.second.setVisible(self._is_paged or self._has_marks or is_said)

    @Slot()
    def ask_outside(self) -> None:
        """Ask for the document in the system's program."""
        self.external_asked.emit(self._path)

    @Slot()
    def _ask_for_only(self) -> None:
        self.only_asked.emit(self._path)

    @Slot(int)
    def _ask_for_shape(self, shape: int) -> None:
        self.as_table_asked.emit(shape == _TABLE)

    @Slot()
    def _ask_for_folder(self) -> None:
        self.folder_asked.emit(self._path)

    @Slot()
    def _go(self) -> None:
        self.page.setModified(False)
        if self._pages is not None:
            self._pages.go(int(self.page.text()))
            self._pages.setFocus()

    def _make_buttons(self, theme: Theme) -> None:
        self.back = IconButton(theme, "back", self.tr("Close the document (Esc)"))
        self.back.with_text(self.tr("Close"))
        self.only = IconButton(theme, "chat", ask_about_text([False]))
        self.outline = IconButton(theme, "outline", self.tr("Outline of the document"))
        self.outline.setCheckable(True)
        self.previous_mark = IconButton(theme, "up", self.tr("Previous mark (Alt+Up)"))
        self.next_mark = IconButton(theme, "down", self.tr("Next mark (Alt+Down)"))
        self.zoom_out = IconButton(theme, "zoom-out", self.tr("Smaller (−)"))
        self.zoom_in = IconButton(theme, "zoom-in", self.tr("Larger (+)"))
        self.search = IconButton(theme, "search", self.tr("Find in this document (Ctrl+F)"))
        self.passages = IconButton(theme, "quote", self.tr("List the passages of the index"))
        self.passages.setCheckable(True)
        self.outside = IconButton(theme, "external", self.tr("Open in the system's program"))
        self.in_folder = IconButton(theme, "folder", self.tr("Show in folder"))
        self.full_screen = IconButton(theme, "full-screen", self.tr("Full screen (F11)"))
        self.full_screen.setCheckable(True)
        flat = (
            self.only,
            self.search,
            self.passages,
            self.outside,
            self.in_folder,
            self.zoom_in,
            self.outline,
            self.full_screen,
        )
        for button in flat:
            button.setIconSize(QSize(17, 17))
        self.as_table, self.as_text = QToolButton(), QToolButton()
        self.as_table.setText(self.tr("Table"))
        self.as_text.setText(self.tr("Text"))
        self.shapes = QButtonGroup(self)
        for shape, choice in ((_TABLE, self.as_table), (_TEXT, self.as_text)):
            choice.setObjectName("chip")
            choice.setCheckable(True)
            choice.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.shapes.addButton(choice, shape)

    def _make_menu(self) -> None:
        self.zoom = QToolButton()
        self.zoom.setAccessibleName(self.tr("Size of the pages"))
        self.zoom.setToolTip(self.tr("Size of the pages"))
        self.zoom.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.zoom.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.zoom)
        self.fit_width = QAction(self.tr("Fit the width (0)"), self)
        self.fit_page = QAction(self.tr("Fit the page"), self)
        self.natural = QAction(self.tr("Natural size (100%)"), self)
        menu.addActions([self.fit_width, self.fit_page, self.natural])
        self.zoom.setMenu(menu)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(8, 0, 8, 0)
        self.title.setMinimumHeight(HEAD)
        top.setSpacing(2)
        top.addWidget(self.back)
        top.addWidget(self.title, 1)
        first = (self.only, self.outline, self.search, self.passages)
        for button in (*first, self.outside, self.in_folder):
            top.addWidget(button)
        top.addWidget(self.full_screen)
        self.second = QWidget()
        bar = QHBoxLayout(self.second)
        bar.setContentsMargins(12, 0, 8, 6)
        bar.setSpacing(2)
        bar.addWidget(self.page)
        bar.addWidget(self.where)
        bar.addStretch(1)
        for widget in (self.previous_mark, self.marks, self.next_mark):
            bar.addWidget(widget)
        bar.addStretch(1)
        bar.addWidget(self.zoom_out)
        bar.addWidget(self.zoom)
        bar.addWidget(self.zoom_in)
        bar.addWidget(self.as_table)
        bar.addWidget(self.as_text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.second)
        column.addWidget(separator())
