"""The settings dialog: the list of its pages, the pages by section, and a search over all of them.

What is changed is kept at once.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.settings import declared
from desktop_rag.gui.icons import icon
from desktop_rag.gui.settings.page_factory import make_pages
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.settings.settings_page import SettingsPage
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

_FOR_EXPERTS = ("retrieval", "chunking")
_SIGNS = {
    "window": "window",
    "answering": "chat",
    "retrieval": "search",
    "models": "model",
    "ollama": "server",
    "ingest": "file",
    "chunking": "pieces",
    "privacy": "locked",
}
_SIGN = 17
_AROUND = 15
_SIZE, _SMALLEST = (900, 660), (620, 420)
_NAVIGATION = 168
_FRAME = 6
_PAUSE_MS = 30


class PageList(QListWidget):
    """One row a page, by its section."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("navigation")
        self.setAccessibleName(self.tr("Pages"))
        self.setIconSize(QSize(_SIGN, _SIGN))
        theme.changed.connect(self.dress)

    @property
    def row_height(self) -> int:
        """How high a row is."""
        return self.fontMetrics().height() + _AROUND

    def add_page(self, section: str, title: str) -> None:
        """Add a page's row."""
        item = QListWidgetItem(title, self)
        item.setData(Qt.ItemDataRole.UserRole, section)
        item.setSizeHint(QSize(0, self.row_height))  # Qt 6.11 leaves the sheet's padding out of it
        self._dress(item)

    @Slot()
    def dress(self) -> None:
        """Draw the signs in the theme's colours."""
        for row in range(self.count()):
            self._dress(self.item(row))

    def _dress(self, item: QListWidgetItem) -> None:
        sign = _SIGNS.get(item.data(Qt.ItemDataRole.UserRole))
        if sign is not None:
            item.setIcon(icon(sign, self._theme.colors.muted))


class SettingsDialog(QDialog):
    """Shows every setting of an `AppContext`; open it with `open()`."""

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Settings"))
        self.setMinimumSize(*_SMALLEST)
        self._fit_to(parent)
        self.field = self._search_field()
        self.navigation = PageList(theme)
        self.pages = make_pages(theme, context)
        self._chosen = 0
        self.nothing = QLabel(self.tr("No setting has these words."))
        self.nothing.setObjectName("muted")
        self._scroll = ColumnScrollArea()
        self._lay_out()
        self.field.textChanged.connect(self.search)
        self.navigation.currentRowChanged.connect(self._turn_to)
        QShortcut(QKeySequence.StandardKey.Find, self).activated.connect(self.field.setFocus)
        self.navigation.setCurrentRow(0)
        self.navigation.setFocus()
        self._theme = theme
        self._context = context
        theme.changed.connect(self._show_pages)
        self._show_pages()
        self._filling = QTimer(self)
        self._filling.setInterval(_PAUSE_MS)
        self._filling.timeout.connect(self._fill_next)
        self._filling.start()
        context.ollama.look()

    def hand_over(self, other: SettingsDialog) -> None:
        """Let another dialog show what this one does, where it does."""
        other.setGeometry(self.geometry())
        other.navigation.setCurrentRow(self._chosen)
        other.field.setText(self.field.text())
        row = next((row for page in self.pages for row in page.rows if row.has_focus), None)
        if row is not None:
            other.row(row.setting.key).control.setFocus()

    def row(self, key: str) -> SettingRow:
        """Return the row of a setting."""
        page = self.page(key.partition(".")[0])
        page.fill()
        return next(row for row in page.rows if row.setting.key == key)

    def show_page(self, section: str) -> None:
        """Turn to the page of a section."""
        names = [page.heading.section for page in self.pages]
        self.navigation.setCurrentRow(names.index(section))

    @Slot()
    def _show_pages(self) -> None:
        """List the pages for experts where they are wanted, or something there is changed.

        What is in force is never hidden, and a search finds what is on every page.
        """
        settings = self._context.settings
        changed = {key.partition(".")[0] for key in declared if settings.is_changed(key)}
        for number, page in enumerate(self.pages):
            section = page.heading.section
            is_hidden = section in _FOR_EXPERTS and section not in changed
            self.navigation.setRowHidden(number, is_hidden and not self._theme.is_expert)

    def page(self, section: str) -> SettingsPage:
        """Return the page of a section."""
        return next(page for page in self.pages if page.heading.section == section)

    @Slot()
    def _fill_next(self) -> None:
        """Fill one more page ahead of its turn; all at once would take the window's breath."""
        waiting = [page for page in self.pages if not page.is_filled]
        if waiting:
            waiting[0].fill()
        else:
            self._filling.stop()
            self._context.privacy.refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Let Enter end the editing of a field, not the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)

    @Slot(str)
    def search(self, text: str) -> None:
        """Show what has the words of a text, from every page; the chosen page when it is empty."""
        is_searching = bool(text.strip())
        found = [page.search(text) for page in self.pages]
        if not is_searching:
            self.pages[self._chosen].fill()
            found = [page is self.pages[self._chosen] for page in self.pages]
        for page, is_shown in zip(self.pages, found, strict=True):
            page.setVisible(is_shown)
        self.nothing.setVisible(not any(found))
        before = self.navigation.blockSignals(True)
        self.navigation.setCurrentRow(-1 if is_searching else self._chosen)
        self.navigation.blockSignals(before)
        self._scroll.verticalScrollBar().setValue(0)

    @Slot(int)
    def _turn_to(self, number: int) -> None:
        self._chosen = max(0, number)
        if self.field.text():
            self.field.clear()
        else:
            self.search("")

    def _search_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(self.tr("Search settings"))
        field.setAccessibleName(self.tr("Search settings"))
        field.setClearButtonEnabled(True)
        for button in field.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the search"))
            button.setToolTip(self.tr("Clear the search"))
        return field

    def _fit_to(self, parent: QWidget | None) -> None:
        """Be no larger than the window."""
        width, height = _SIZE
        if parent is not None:
            room = parent.window().size()
            width, height = min(width, room.width() - 40), min(height, room.height() - 40)
        self.resize(max(width, _SMALLEST[0]), max(height, _SMALLEST[1]))

    def _lay_out(self) -> None:
        height = self.navigation.row_height
        for page in self.pages:
            self.navigation.add_page(page.heading.section, page.heading.title)
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.field)
        left.addWidget(self.navigation, 1)
        left.addStretch(0)
        self.navigation.setMaximumHeight(len(self.pages) * height + _FRAME)
        self.navigation.setMinimumHeight(2 * height)  # a small screen scrolls it
        column = self._scroll.column
        self._scroll.setObjectName("sheet")
        column.setContentsMargins(22, 14, 18, 14)
        for page in self.pages:
            column.addWidget(page)
        column.addWidget(self.nothing)
        column.addStretch(1)
        for widget in (self.field, self.navigation):
            widget.setFixedWidth(_NAVIGATION)
        both = QHBoxLayout()
        both.addLayout(left)
        both.addWidget(self._scroll, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 10)
        whole.addLayout(both, 1)
        whole.addLayout(self._bottom())

    def _bottom(self) -> QHBoxLayout:
        said = QLabel(self.tr("Changes are saved immediately."))
        said.setObjectName("muted")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        row.setContentsMargins(2, 6, 2, 0)
        row.addWidget(said, 1)
        row.addWidget(buttons)
        return row
