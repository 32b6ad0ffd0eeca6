"""What stands on the page of the search test, and where; it knows what to say of itself alone."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.lab.explain_panel import ExplainPanel
from desktop_rag.gui.lab.trial_options import TrialOptions
from desktop_rag.gui.lab.trial_result_list import TrialResultList
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.buttons import Tab
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea

_BESIDE = 640  # pixels from which the options stand beside what was found, not above it
_OPTIONS_WIDTH = 350
FOUND, WHY = 0, 1


class SearchTestView(QWidget):
    """The question, two pages below it (what was found; why something was not), the options."""

    def __init__(
        self, theme: Theme, settings: SettingsController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.question = QLineEdit()
        self.run = QPushButton(self.tr("Search"))
        self.stop = QPushButton(self.tr("Stop"))
        self.options_button = QPushButton(self.tr("Options"))
        self.tabs = QButtonGroup(self)
        self.info = QLabel()
        self.empty = QLabel()
        self.trouble = Banner(theme, "complaint")
        self.options = TrialOptions(theme, settings)
        self.list = TrialResultList(theme)
        self.why = ExplainPanel(theme)
        self._found = QStackedWidget()
        self._pages = QStackedWidget()
        self._split = QSplitter()
        self._side = PageScrollArea(self.options)
        self._dress()
        self._lay_out()
        self.options_button.toggled.connect(self._side.setVisible)
        self.options.changed.connect(self.count_options)
        self.tabs.idClicked.connect(self.show_page)

    @property
    def page(self) -> int:
        """Which page is shown."""
        return self._pages.currentIndex()

    @Slot(int)
    def show_page(self, number: int) -> None:
        """Show what was found, or why something was not."""
        self.tabs.button(number).setChecked(True)
        self._pages.setCurrentIndex(number)

    def show_found(self, *, is_any: bool) -> None:
        """Show the list, or what is said where there is nothing in it."""
        self._found.setCurrentWidget(self.list if is_any else self.empty)

    def show_busy(self, *, is_busy: bool) -> None:
        """Offer to stop what is on its way, or else to search."""
        had_focus = self.run.hasFocus() or self.stop.hasFocus()
        self.stop.setVisible(is_busy)
        self.run.setVisible(not is_busy)
        if had_focus:
            (self.stop if is_busy else self.run).setFocus()

    @Slot()
    def count_options(self) -> None:
        """Say how many options differ from the settings."""
        number = len(self.options.tried)
        text = self.tr("Options: %n changed", "", number) if number else self.tr("Options")
        self.options_button.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Put the options beside what was found where there is room."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        way = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._split.orientation() != way:
            self._split.setOrientation(way)
            self._split.insertWidget(1 if beside else 0, self._side)
        self._side.setMaximumWidth(_OPTIONS_WIDTH if beside else 1 << 20)

    def _dress(self) -> None:
        self.question.setAccessibleName(self.tr("Question to search for"))
        self.question.setClearButtonEnabled(True)
        self.run.setObjectName("primary")
        self.stop.hide()
        self.options_button.setObjectName("quiet")
        self.options_button.setCheckable(True)
        self.options_button.setToolTip(self.tr("Try other settings of retrieval"))
        self.info.setObjectName("muted")
        self.info.setFont(scaled(self.info.font(), SMALL))
        self.info.setTextFormat(Qt.TextFormat.PlainText)  # documents' titles come into it
        self.info.setWordWrap(True)
        self.info.setContentsMargins(16, 6, 16, 2)
        self.info.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.info.hide()
        self.empty.setObjectName("muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(40, 20, 40, 60)
        self._side.hide()
        self._side.setAccessibleName(self.tr("Options"))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top())
        column.addLayout(self._second())
        around = QVBoxLayout()
        around.setContentsMargins(12, 0, 12, 4)
        around.addWidget(self.trouble)
        column.addLayout(around)
        column.addWidget(self._body(), 1)

    def _top(self) -> QHBoxLayout:
        top = QHBoxLayout()
        top.setContentsMargins(12, 10, 12, 4)
        top.setSpacing(8)
        top.addWidget(self.question, 1)
        top.addWidget(self.run)
        top.addWidget(self.stop)
        return top

    def _second(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 4)
        row.setSpacing(4)
        for number, text in enumerate((self.tr("Passages"), self.tr("Why was this not found?"))):
            tab = Tab(text)
            self.tabs.addButton(tab, number)
            row.addWidget(tab)
        self.tabs.button(FOUND).setChecked(True)
        row.addStretch(1)
        row.addWidget(self.options_button)
        return row

    def _body(self) -> QSplitter:
        self._found.addWidget(self.empty)
        self._found.addWidget(self.list)
        found = QWidget()
        inside = QVBoxLayout(found)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.info)
        listed = QVBoxLayout()
        listed.setContentsMargins(8, 2, 8, 4)
        listed.addWidget(self._found)
        inside.addLayout(listed, 1)
        self._pages.addWidget(found)
        self._pages.addWidget(self.why)
        self._side.setFrameShape(QFrame.Shape.NoFrame)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._pages)
        self._split.addWidget(self._side)
        self._split.setStretchFactor(0, 1)
        return self._split
