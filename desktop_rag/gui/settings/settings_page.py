"""A page of settings: its heading, its rows, and whatever else belongs to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.settings.advanced_section import AdvancedSection
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.settings.settings_text import PageHeading
from desktop_rag.gui.theme import scaled
from desktop_rag.gui.widgets.cards import TitledCard

_BEFORE_CARD = 12

Fill = Callable[["SettingsPage"], None]

_TITLE = 1.4  # of the system's letters


@dataclass(frozen=True, slots=True)
class _Part:
    """Something on a page beside its rows, and the words under which a search finds it."""

    widget: QWidget
    words: str


class SettingsPage(QWidget):
    """One page, filled when it is first wanted; `search` shows only what has the words."""

    def __init__(self, controller: SettingsController, heading: PageHeading, fill: Fill) -> None:
        super().__init__()
        self.heading = heading
        self.is_filled = False
        self._fill = fill
        self.rows: list[SettingRow] = []
        self.fold: AdvancedSection | None = None
        self._controller = controller
        self._parts: list[_Part] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 18)
        self._column.setSpacing(0)
        self.reset = QPushButton(self.tr("Reset this page"))
        self.reset.setObjectName("quiet")
        self.reset.clicked.connect(self._reset)
        self._column.addLayout(self._top())

    def fill(self) -> None:
        """Make what stands on the page, if nobody has."""
        if not self.is_filled:
            self.is_filled = True
            self._fill(self)

    def add_rows(self, rows: Sequence[SettingRow], fold: AdvancedSection) -> None:
        """Put rows at the end: those for everyday, and behind them the others in a fold."""
        for row in rows:
            self.rows.append(row)
            row.changed_state.connect(self._show_reset)
            if row.setting.advanced:
                fold.add(row)
            else:
                self._column.addWidget(row)
        if fold.rows:
            self.fold = fold
            self._column.addWidget(fold)
        self._show_reset()

    def add_part(self, widget: QWidget, words: str = "") -> None:
        """Put something else at the end, found in a search by these words."""
        self._parts.append(_Part(widget, words))
        if self.rows and isinstance(widget, TitledCard):
            self._column.addSpacing(_BEFORE_CARD)
        self._column.addWidget(widget)

    def search(self, text: str) -> bool:
        """Show what has all words of a text; say whether there is anything. Empty shows all."""
        wanted = text.casefold().split()
        if wanted:
            self.fill()
        found = False
        for row in self.rows:
            row.setVisible(_has(row.texts, wanted))
            found |= not row.isHidden()
        if self.fold is not None:
            self.fold.search(is_on=bool(wanted))
        for part in self._parts:
            part.widget.setVisible(_has(part.words, wanted))
            found |= not part.widget.isHidden()
        return found or _has(self.heading.title, wanted)

    @Slot()
    def _show_reset(self) -> None:
        self.reset.setVisible(any(row.is_changed for row in self.rows))

    @Slot()
    def _reset(self) -> None:
        for row in self.rows:
            row.say("")
        self._controller.reset(*(row.setting.key for row in self.rows))

    def _top(self) -> QHBoxLayout:
        title = QLabel(self.heading.title)
        title.setObjectName("page_title")
        title.setFont(scaled(title.font(), _TITLE))
        about = QLabel(self.heading.about)
        about.setWordWrap(True)
        about.setObjectName("muted")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(about)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 10)
        row.addLayout(words, 1)
        row.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        return row


def _has(text: str, wanted: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(each in folded for each in wanted)
