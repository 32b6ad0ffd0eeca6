"""The controls of a setting, one for each kind of value.

`edited` carries a value that the user gave; `put` shows one without saying so.
"""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QWidget

from desktop_rag.gui.controllers.settings import SettingDeclaration
from desktop_rag.gui.message_translation import translate_setting as setting_text
from desktop_rag.gui.settings import settings_text
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.switch import Switch

_WIDE, _NARROW = 260, 150
_SHARES_TO = 10  # a number up to this is set in hundredths
_SHARE_STEP = 0.05
_LONG_EXAMPLE = 8  # characters
_INSET = 6  # a style sheet's padding does not reach the text of a spin box


class SettingControl(Protocol):
    """What a row needs of its control."""

    @property
    def edited(self) -> SignalInstance:
        """Tell of a value that the user gave."""
        ...

    def put(self, value: Any) -> None:
        """Show a value."""
        ...


def control_of(setting: SettingDeclaration, theme: Theme) -> QWidget:
    """Return the control for a setting; it is a `SettingControl`."""
    if setting.kind is bool:
        return ToggleControl(setting, theme)
    if setting.choices:
        made = ChoiceControl(setting)
        made.offer(
            [(each, settings_text.choice_text(setting.key, each)) for each in setting.choices]
        )
        return made
    if setting.kind in (int, float):
        return NumberControl(setting)
    return TextControl(setting)


class ToggleControl(Switch):
    """On or off."""

    edited = Signal(object)

    def __init__(self, setting: SettingDeclaration, theme: Theme) -> None:
        super().__init__(theme, setting_text(setting.title))
        self.toggled.connect(self._tell)

    def put(self, value: Any) -> None:
        """Show a value."""
        before = self.blockSignals(True)
        self.setChecked(bool(value))
        self.blockSignals(before)
        self.update()

    @Slot(bool)
    def _tell(self, on: bool) -> None:  # noqa: FBT001 - Qt's
        self.edited.emit(on)


class NumberControl(QDoubleSpinBox):
    """A number within its bounds, whole where the setting is."""

    edited = Signal(object)

    def __init__(self, setting: SettingDeclaration) -> None:
        super().__init__()
        self._kind = setting.kind
        high = setting.high if setting.high is not None else 1e6
        is_share = setting.kind is float and high <= _SHARES_TO
        self.setRange(setting.low or 0, high)
        self.setDecimals(2 if is_share else 0)
        self.setSingleStep(_share_step(setting) if is_share else _step(setting))
        self.setSuffix(settings_text.unit(setting.key))
        self.setSpecialValueText(settings_text.minimum_text(setting.key))
        self.setGroupSeparatorShown(True)
        self.setMinimumWidth(_NARROW)
        self.lineEdit().setTextMargins(_INSET, 0, 0, 0)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(setting_text(setting.title))
        self.valueChanged.connect(self._tell)

    def put(self, value: Any) -> None:
        """Show a value."""
        before = self.blockSignals(True)
        self.setValue(value)
        self.blockSignals(before)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Let the page scroll: a wheel over it must not change a setting."""
        event.ignore()

    @Slot(float)
    def _tell(self, value: float) -> None:
        self.edited.emit(self._kind(value))


class ChoiceControl(QComboBox):
    """One of several; what is set and no longer offered is still shown.

    `offered` says that there is something else to choose from.
    """

    edited = Signal(object)
    offered = Signal()

    def __init__(self, setting: SettingDeclaration) -> None:
        super().__init__()
        self._key = setting.key
        self.setMinimumWidth(_NARROW)
        self.setMaximumWidth(_WIDE)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(setting_text(setting.title))
        self.activated.connect(self._tell)

    def offer(self, pairs: list[tuple[str, str]]) -> None:
        """Offer values with their names; the chosen one stays chosen."""
        chosen = self.currentData()
        self.clear()
        for value, name in pairs:
            self.addItem(name, value)
        if chosen is not None:
            self.put(chosen)
        self.offered.emit()

    def put(self, value: Any) -> None:
        """Show a value."""
        if self.findData(value) < 0:
            self.addItem(settings_text.choice_text(self._key, str(value)), value)
        self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Let the page scroll."""
        event.ignore()

    @Slot(int)
    def _tell(self, index: int) -> None:
        self.edited.emit(self.itemData(index))


class TextControl(QLineEdit):
    """A line of text, taken when Enter is pressed or the field is left."""

    edited = Signal(object)

    def __init__(self, setting: SettingDeclaration) -> None:
        super().__init__()
        self._shown = ""
        self.setMinimumWidth(_NARROW)
        self.setFixedWidth(_NARROW if 0 < len(setting.example) <= _LONG_EXAMPLE else _WIDE)
        self.setPlaceholderText(settings_text.placeholder(setting.key))
        self.setAccessibleName(setting_text(setting.title))
        self.editingFinished.connect(self._tell)

    def put(self, value: Any) -> None:
        """Show a value."""
        self._shown = str(value)
        if self.text() != self._shown:
            self.setText(self._shown)

    @Slot()
    def _tell(self) -> None:
        text = self.text().strip()
        if text != self._shown:
            self.edited.emit(text)


def _share_step(setting: SettingDeclaration) -> float:
    """Return how far an arrow goes where hundredths are set."""
    if 0 < setting.default < _SHARE_STEP:
        return 0.01
    return _SHARE_STEP if (setting.high or 0) <= 2 else 2 * _SHARE_STEP


def _step(setting: SettingDeclaration) -> int:
    """Return how far an arrow goes: what makes sense for a number of this size."""
    size = abs(int(setting.default))
    usual = 512 if size >= 512 else 25 if size >= 100 else 5 if size >= 50 else 1
    return usual if setting.kind is int else 10
