"""One setting: its name, its control, what it does, its default, and the way back to that."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.gui.controllers.settings import SettingDeclaration
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.message_translation import translate_setting as setting_text
from desktop_rag.gui.settings import settings_text
from desktop_rag.gui.settings.search_words import words_of
from desktop_rag.gui.settings.setting_controls import ChoiceControl, control_of
from desktop_rag.gui.theme import Theme, scaled
from desktop_rag.gui.widgets.buttons import IconButton

_DOT = 0.75  # of the system's letters


class SettingHolder(Protocol):
    """Who keeps the settings that rows show: a `SettingsController`, or a way's `WayValues`."""

    @property
    def settings_changed(self) -> SignalInstance:
        """Tell that one of them has another value."""
        ...

    def value(self, key: str) -> Any:
        """Return a setting's value."""
        ...

    def is_changed(self, key: str) -> bool:
        """Say whether it differs from its default."""
        ...

    def waits(self, key: str) -> bool:
        """Say whether its value is in force only after a new start."""
        ...

    def change(self, key: str, value: Any) -> None:
        """Give it another value; a `UserError` where that is none."""
        ...

    def reset(self, *keys: str) -> None:
        """Give settings back their defaults."""
        ...

    def restart(self) -> None:
        """Start the program again."""
        ...


class SettingRow(QWidget):
    """Shows a setting of a `SettingHolder`; `changed_state` says that it was shown anew."""

    changed_state = Signal()

    def __init__(
        self,
        theme: Theme,
        controller: SettingHolder,
        setting: SettingDeclaration,
        control: QWidget,
    ) -> None:
        super().__init__()
        self.setting = setting
        self.control = control
        self._controller = controller
        self._dot = QLabel("●")
        self._dot.setObjectName("changed")
        self._dot.setFont(scaled(self._dot.font(), _DOT))
        self._dot.setToolTip(self.tr("Changed: not the default"))
        self._title = QLabel(setting_text(setting.title))
        self._title.setBuddy(control)
        self.back = IconButton(theme, "undo", self._way_back())
        self._effect = _line("muted")
        self._note = _line("note")
        self._note.setText(self.tr("Takes effect when the program starts again."))
        self.restart = self._restart_button()
        self._problem = _line("problem")
        self._lay_out()
        self._say_effect()
        control.edited.connect(self._take)  # type: ignore[attr-defined]
        self.back.clicked.connect(self._reset)
        self.restart.clicked.connect(controller.restart)
        controller.settings_changed.connect(self.show_value)
        if isinstance(control, ChoiceControl):
            control.offered.connect(self._say_effect)
        self._problem.hide()
        self.show_value()

    @property
    def texts(self) -> str:
        """Everything that a search looks at."""
        setting = self.setting
        shown = self._title.text(), self._said(), words_of(setting.key)
        return " ".join((setting.key, setting.title, setting.effect, *shown))

    @property
    def problem(self) -> str:
        """What is said to be wrong; empty when nothing."""
        return self._problem.text() if not self._problem.isHidden() else ""

    @property
    def is_changed(self) -> bool:
        """Whether the value is not the default."""
        return self._controller.is_changed(self.setting.key)

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is here."""
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    @Slot()
    def show_value(self) -> None:
        """Show the value in force, and what is to be said of it."""
        key = self.setting.key
        self.control.put(self._controller.value(key))  # type: ignore[attr-defined]
        self._dot.setVisible(self.is_changed)
        self.back.setVisible(self.is_changed)
        self._note.setVisible(self._controller.waits(key))
        self.restart.setVisible(self._controller.waits(key))
        self.changed_state.emit()

    def say(self, problem: str) -> None:
        """Say what is wrong with the value; nothing when it is empty."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))

    @Slot()
    def _say_effect(self) -> None:
        """Say what it does and its default, to the eye and the ear."""
        self._effect.setText(self._said())
        self.control.setAccessibleDescription(self._effect.text())

    @Slot(object)
    def _take(self, value: object) -> None:
        try:
            self._controller.change(self.setting.key, value)
        except UserError as error:
            self.say(join_sentences(translate_message(error.what), translate_message(error.remedy)))
        else:
            self.say("")

    @Slot()
    def _reset(self) -> None:
        self.say("")
        self._controller.reset(self.setting.key)
        self.control.setFocus()

    def _said(self) -> str:
        default = self._default()
        effect = setting_text(self.setting.effect)
        return join_sentences(
            effect, self.tr("Default: %1.").replace("%1", default) if default else ""
        )

    def _way_back(self) -> str:
        name = setting_text(self.setting.title)
        return self.tr("Back to the default: %1").replace("%1", name)

    def _restart_button(self) -> QPushButton:
        button = QPushButton(self.tr("Restart now"))
        button.setObjectName("quiet")
        button.setToolTip(
            self.tr(
                "Open the window again where it is now, with what is typed. Files go on being "
                "read then; an answer on its way is kept as far as it has come."
            )
        )
        return button

    def _default(self) -> str:
        key, default = self.setting.key, self.setting.default
        if isinstance(default, bool):
            return self.tr("on") if default else self.tr("off")
        if isinstance(self.control, ChoiceControl):
            return self.control.itemText(self.control.findData(default))
        if isinstance(default, str):
            return default or self.tr("empty")
        if default == self.setting.low and settings_text.minimum_text(key):
            return settings_text.minimum_text(key)
        return (
            f"{default:,}{settings_text.unit(key)}"
            if isinstance(default, int)
            else _plain(key, default)
        )

    def _lay_out(self) -> None:
        name = QHBoxLayout()
        name.setSpacing(6)
        name.addWidget(self._title)
        name.addWidget(self._dot)
        name.addStretch(1)
        name.addWidget(self.back)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 9, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        grid.addLayout(name, 0, 0)
        grid.addWidget(self.control, 0, 1, Qt.AlignmentFlag.AlignRight)
        for line, label in enumerate((self._effect, self._note, self._problem), start=1):
            grid.addWidget(label, line, 0, 1, 1 if label is self._note else 2)
        grid.addWidget(self.restart, 2, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowMinimumHeight(4, 9)
        rule = QFrame()
        rule.setObjectName("line")
        grid.addWidget(rule, 5, 0, 1, 2)


def row_of(theme: Theme, controller: SettingHolder, setting: SettingDeclaration) -> SettingRow:
    """Return the row of a setting with the control of its kind."""
    return SettingRow(theme, controller, setting, control_of(setting, theme))


def _line(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label


def _plain(key: str, number: float) -> str:
    return f"{number:g}{settings_text.unit(key)}"
