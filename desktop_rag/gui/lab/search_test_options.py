"""What a search is tried with: the settings of retrieval, made from their declarations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.settings import Retrieval
from desktop_rag.gui.controllers.settings import SettingsController, declared
from desktop_rag.gui.message_translation import translate_setting as setting_text
from desktop_rag.gui.settings.setting_controls import control_of
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.throttle import Throttle
from desktop_rag.gui.widgets.tooltips import tip

_SECTION = "retrieval."
_UNUSED = {"retrieval.rerank_with_question"}  # a search alone has no question beside its query
_USUAL_K, _MOST_K = 5, 50
_TYPING_MS = 600
_INSET = 6


class SearchTestOptions(QWidget):
    """Values to try; nothing is kept until it is wished. `changed` says that one is another now."""

    changed = Signal()

    def __init__(
        self, theme: Theme, settings: SettingsController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self.tried: dict[str, Any] = {}
        self.controls: dict[str, QWidget] = {}
        self._labels: dict[str, QLabel] = {}
        self.passages = QSpinBox()
        self.filter = QLineEdit()
        self.reset = QPushButton(self.tr("Reset"))
        self.keep = QPushButton(self.tr("Keep these as settings"))
        self._typing = Throttle(_TYPING_MS, self)
        self._lay_out(theme)
        self._connect()
        self._show()

    @property
    def rules(self) -> Retrieval:
        """The settings in force, with what is tried."""
        changes = {key.removeprefix(_SECTION): value for key, value in self.tried.items()}
        made: Retrieval = replace(self._settings.settings.retrieval, **changes)
        return made

    @property
    def k(self) -> int:
        """How many passages are used."""
        return self.passages.value()

    @property
    def where(self) -> str:
        """The filter of documents."""
        return self.filter.text().strip()

    def try_value(self, key: str, value: float) -> bool:
        """Try another value; False where it is not one of these options."""
        if key == "k":
            self.passages.setValue(int(value))
            return True
        if key not in self.controls:
            return False
        self._take(key, declared[key].kind(value))
        return True

    def _take(self, key: str, value: Any) -> None:
        if value == self._settings.value(key):
            self.tried.pop(key, None)
        else:
            self.tried[key] = value
        self._show()
        self.changed.emit()

    @Slot(object)
    def _edit(self, value: object) -> None:
        sender = self.sender()
        key = next(key for key, control in self.controls.items() if control is sender)
        self._take(key, value)

    @Slot()
    def reset_all(self) -> None:
        """Go back to the settings in force."""
        if self.tried:
            self.tried.clear()
            self._show()
            self.changed.emit()

    @Slot()
    def keep_all(self) -> None:
        """Make what is tried the settings in force."""
        for key, value in list(self.tried.items()):
            self._settings.change(key, value)
        self.tried.clear()
        self._show()

    @Slot()
    def _show(self) -> None:
        """Show every value, and which of them are tried."""
        for key, control in self.controls.items():
            control.put(self.tried.get(key, self._settings.value(key)))  # type: ignore[attr-defined]
            label = self._labels[key]
            label.setObjectName("changed" if key in self.tried else "")
            label.style().unpolish(label)
            label.style().polish(label)
        for button in (self.reset, self.keep):
            button.setEnabled(bool(self.tried))

    @Slot(object)
    def _follow(self, settings: object) -> None:
        """Let go of what became a setting by other hands."""
        del settings
        now = self._settings
        self.tried = {key: v for key, v in self.tried.items() if v != now.value(key)}
        self._show()

    @Slot()
    def _tell(self) -> None:
        self.changed.emit()

    @Slot(object)
    def _type(self, value: object) -> None:
        del value
        self._typing.ask()

    def _lay_out(self, theme: Theme) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(0, 1)
        self._add(grid, self._label(self.tr("Passages used")), self._number())
        self._add(grid, self._label(self.tr("Filter")), self._words())
        keys = [key for key in declared if key.startswith(_SECTION) and key not in _UNUSED]
        tried = [key for key in keys if not declared[key].restart]  # else nothing would change
        for key in sorted(tried, key=lambda each: declared[each].advanced):
            self._add_setting(grid, key, theme)
        buttons = QHBoxLayout()
        buttons.addWidget(self.reset)
        buttons.addWidget(self.keep, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(12)
        column.addLayout(grid)
        column.addLayout(buttons)
        column.addStretch(1)

    def _add_setting(self, grid: QGridLayout, key: str, theme: Theme) -> None:
        setting = declared[key]
        control = self.controls[key] = control_of(setting, theme)
        label = self._labels[key] = self._label(setting_text(setting.title))
        effect = setting_text(setting.effect)
        label.setToolTip(tip(effect))
        control.setToolTip(tip(effect))
        control.setAccessibleDescription(effect)
        control.edited.connect(self._edit)  # type: ignore[attr-defined]
        self._add(grid, label, control)

    def _add(self, grid: QGridLayout, label: QLabel, control: QWidget) -> None:
        row = grid.rowCount()
        label.setBuddy(control)
        grid.addWidget(label, row, 0)
        grid.addWidget(control, row, 1, Qt.AlignmentFlag.AlignRight)

    def _label(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        return label

    def _number(self) -> QSpinBox:
        self.passages.setRange(1, _MOST_K)
        self.passages.setValue(_USUAL_K)
        self.passages.setMinimumWidth(150)
        self.passages.lineEdit().setTextMargins(_INSET, 0, 0, 0)
        self.passages.setAccessibleName(self.tr("Passages used"))
        return self.passages

    def _words(self) -> QLineEdit:
        self.filter.setFixedWidth(150)
        self.filter.setPlaceholderText(self.tr("ext:pdf after:2024"))
        self.filter.setAccessibleName(self.tr("Filter"))
        text = self.tr("path:reports/* ext:pdf,docx title:report after:2023-01 before:2024-07")
        self.filter.setToolTip(tip(text))
        return self.filter

    def _connect(self) -> None:
        self.reset.clicked.connect(self.reset_all)
        self.keep.clicked.connect(self.keep_all)
        self.passages.valueChanged.connect(self._type)
        self.filter.textChanged.connect(self._type)
        self._typing.due.connect(self._tell)
        self._settings.settings_changed.connect(self._follow)
