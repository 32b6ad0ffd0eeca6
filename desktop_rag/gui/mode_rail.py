"""The rail at the left edge: what the window is used for now, its panes, and its settings."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.separator import separator

WIDTH = 48  # pixels
_BUTTON, _LOWEST, _ICON = 36, 26, 20


class Mode(StrEnum):
    """What the window is used for; a page in its middle belongs to one of them."""

    HOME = "home"
    ASK = "ask"
    LIBRARY = "library"
    NOTES = "notes"
    BENCH = "bench"


_ICONS = {
    Mode.HOME: "home",
    Mode.ASK: "chat",
    Mode.LIBRARY: "library",
    Mode.NOTES: "notes",
    Mode.BENCH: "bench",
}


class ModeRail(QWidget):
    """Buttons for the modes above, for panes, help and settings below.

    `picked` carries the `Mode` of a button. `side` and `answer` show and hide the panes at the
    left and at the right; whoever shows them ticks these buttons.
    """

    picked = Signal(object)
    help_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self._theme = theme
        tips = {
            Mode.HOME: self.tr("Home (Ctrl+1)"),
            Mode.ASK: self.tr("Ask (Ctrl+2)"),
            Mode.LIBRARY: self.tr("Library (Ctrl+3)"),
            Mode.NOTES: self.tr("Notes (Ctrl+4)"),
            Mode.BENCH: self.tr("Workbench: try and compare (Ctrl+5)"),
        }
        self.modes = {mode: IconButton(theme, _ICONS[mode], tip) for mode, tip in tips.items()}
        self.side = IconButton(theme, "side-pane", self.tr("Show or hide the list (Ctrl+B)"))
        self.answer = IconButton(theme, "quote", self.tr("Sources of the answer"))
        self._help = IconButton(theme, "keyboard", self.tr("Keyboard shortcuts (F1)"))
        self.settings = IconButton(theme, "settings", self.tr("Settings (Ctrl+,)"))
        self._lay_out()
        for button in self.modes.values():
            button.setCheckable(True)
            button.clicked.connect(self._pick)
        for button in (self.side, self.answer):
            button.setCheckable(True)
        self._help.clicked.connect(self.help_wanted)
        self.settings.clicked.connect(self.settings_wanted)
        theme.changed.connect(self._show_tools)
        self._show_tools()

    def show_mode(self, mode: Mode) -> None:
        """Say which mode the window is in."""
        for each, button in self.modes.items():
            button.setChecked(each is mode)
            role = "accent_text" if each is mode else "muted"
            button.paint_as(_ICONS[each], role, button.toolTip())

    @Slot()
    def _pick(self) -> None:
        """Tell which button it was; a click on the mode that is shown leaves it chosen."""
        sender = self.sender()
        for mode, button in self.modes.items():
            if button is sender:
                button.setChecked(True)
                self.picked.emit(mode)

    @Slot()
    def _show_tools(self) -> None:
        self.modes[Mode.BENCH].setVisible(self._theme.is_expert)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        margin = (WIDTH - _BUTTON) // 2
        column.setContentsMargins(margin, margin, margin, margin)
        column.setSpacing(4)
        below = (self.side, self.answer, self._help, self.settings)
        for button in (*self.modes.values(), *below):
            button.setFixedWidth(_BUTTON)
            button.setMinimumHeight(_LOWEST)  # on a very low screen
            button.setMaximumHeight(_BUTTON)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
            button.setIconSize(QSize(_ICON, _ICON))
        for button in self.modes.values():
            column.addWidget(button)
        column.addStretch(100)
        for button in (self.side, self.answer):
            column.addWidget(button)
        column.addWidget(separator())
        for button in (self._help, self.settings):
            column.addWidget(button)
