"""The menu in which a narrow window folds the choices of how a question is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionToolButton, QToolButton, QWidget

from desktop_rag.gui.chat.strategy_combo import is_heading
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.flat_combo import FlatCombo
from desktop_rag.gui.widgets.tooltips import tip

_ARROW = " ▾"
_BESIDE_ICON = 4  # pixels between it and the text
CHANGED = "•"
"""Stands beside a way whose options are changed."""


class AnswerMenu(IconButton):
    """Stands for several choices at once: shows the last one's, offers all in a menu.

    A cloud says that what is asked leaves this computer. `options_wanted` is the first entry.
    """

    options_wanted = Signal()

    def __init__(
        self, theme: Theme, choices: tuple[FlatCombo, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, "settings", "", parent)
        self._choices = choices
        self._groups: list[QActionGroup] = []
        self._is_away = False
        self._changes: tuple[str, ...] | None = None
        self.setObjectName("chip")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self.menu().aboutToShow.connect(self._list)
        self.menu().triggered.connect(self._turn)

    def show_away(self, *, is_away: bool) -> None:
        """Show a cloud where the chosen model runs on another computer."""
        if is_away != self._is_away:  # an icon set anew asks for a new layout
            self._is_away = is_away
            self.paint_as("cloud" if is_away else "settings", "muted", self.toolTip())

    def show_changes(self, changes: tuple[str, ...] | None) -> None:
        """Mark a way of which options are changed; None where there is none to change."""
        self._changes = changes

    def fit(self, room: int) -> None:
        """Say what is chosen; in fewer pixels than that needs, be an icon."""
        offered = [choice for choice in self._choices if choice.count()]
        said = [f"{each.accessibleName()}: {each.currentText()}" for each in offered]
        said += self._changes or ()
        self.setToolTip(tip(*said))
        self.setAccessibleName(join_list(said))
        mark = f" {CHANGED}" if self._changes else ""
        self.setText((offered[-1].currentText() if offered else "") + mark + _ARROW)
        shape = Qt.ToolButtonStyle
        wide = shape.ToolButtonTextBesideIcon if self._is_away else shape.ToolButtonTextOnly
        has_room = self._wanted(wide) <= room
        self.setToolButtonStyle(wide if has_room else shape.ToolButtonIconOnly)

    def _wanted(self, shape: Qt.ToolButtonStyle) -> int:
        """Return how wide it is as text: asked of the style, for to try it asks to be fitted again.

        Tried and taken back each time, it would never come to rest.
        """
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.toolButtonStyle = shape
        size = option.fontMetrics.size(Qt.TextFlag.TextShowMnemonic, self.text())
        size.setWidth(size.width() + 2 * option.fontMetrics.horizontalAdvance(" "))
        if shape == Qt.ToolButtonStyle.ToolButtonTextBesideIcon:
            size.setWidth(size.width() + self.iconSize().width() + _BESIDE_ICON)
        kind = QStyle.ContentsType.CT_ToolButton
        return self.style().sizeFromContents(kind, option, size, self).width()

    @Slot()
    def _list(self) -> None:
        menu = self.menu()
        menu.clear()
        for group in self._groups:
            group.deleteLater()
        self._groups = []
        self._list_options()
        for choice in self._choices:
            if choice.count():
                self._list_choice(choice)

    def _list_options(self) -> None:
        """Put the way's options first: below all ways they would be out of sight."""
        if self._changes is None:
            return
        mark = f" {CHANGED}" if self._changes else ""
        options = self.menu().addAction(self.tr("Options of this way…") + mark)
        options.setToolTip(tip(*self._changes))
        options.triggered.connect(self.options_wanted)
        self.menu().addSeparator()

    def _list_choice(self, choice: FlatCombo) -> None:
        menu = self.menu()
        if self._groups:
            menu.addSeparator()
        menu.addAction(choice.accessibleName()).setEnabled(False)
        group = QActionGroup(menu)
        self._groups.append(group)
        for row in range(choice.count()):
            text = choice.itemText(row).replace("&", "&&")
            if is_heading(choice, row):
                menu.addSeparator()
                menu.addAction(text).setEnabled(False)
                continue
            action = group.addAction(text)
            action.setToolTip(choice.itemData(row, Qt.ItemDataRole.ToolTipRole) or text)
            action.setData((self._choices.index(choice), row))
            action.setCheckable(True)
            action.setChecked(row == choice.currentIndex())
            menu.addAction(action)

    @Slot(QAction)
    def _turn(self, action: QAction) -> None:
        if action.data() is None:
            return
        number, row = action.data()
        self._choices[number].setCurrentIndex(row)
