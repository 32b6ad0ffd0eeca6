"""The row below the question: who is asked and how; where it is narrow, the how is one menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from desktop_rag.gui.chat.kb_chips import KbChips
from desktop_rag.gui.chat.strategy_combo import StrategyCombo, is_heading
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.display_text import join_list, model_label
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.flat_combo import FlatCombo
from desktop_rag.gui.widgets.tooltips import tip

_GAP = 6
_LEAST = 112  # pixels of a choice that can still be read; with fewer it goes into the menu
_ARROW = " ▾"


class AnswerMenu(IconButton):
    """Stands for several choices at once: shows the last one's, offers all in a menu."""

    def __init__(
        self, theme: Theme, choices: tuple[FlatCombo, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, "settings", "", parent)
        self._choices = choices
        self._groups: list[QActionGroup] = []
        self.setObjectName("chip")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self.menu().aboutToShow.connect(self._list)
        self.menu().triggered.connect(self._turn)

    def fit(self, room: int) -> None:
        """Say what is chosen; in fewer pixels than that needs, be an icon."""
        offered = [choice for choice in self._choices if choice.count()]
        said = [f"{each.accessibleName()}: {each.currentText()}" for each in offered]
        self.setToolTip(tip(*said))
        self.setAccessibleName(join_list(said))
        self.setText((offered[-1].currentText() if offered else "") + _ARROW)
        shape = Qt.ToolButtonStyle
        has_room = self._wanted() <= room
        self.setToolButtonStyle(shape.ToolButtonTextOnly if has_room else shape.ToolButtonIconOnly)

    def _wanted(self) -> int:
        """Return how wide it is as text: asked of the style, for to try it asks to be fitted again.

        Tried and taken back each time, it would never come to rest.
        """
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.toolButtonStyle = Qt.ToolButtonStyle.ToolButtonTextOnly
        size = option.fontMetrics.size(Qt.TextFlag.TextShowMnemonic, self.text())
        size.setWidth(size.width() + 2 * option.fontMetrics.horizontalAdvance(" "))
        kind = QStyle.ContentsType.CT_ToolButton
        return self.style().sizeFromContents(kind, option, size, self).width()

    @Slot()
    def _list(self) -> None:
        menu = self.menu()
        menu.clear()
        for group in self._groups:
            group.deleteLater()
        self._groups = []
        for choice in self._choices:
            if choice.count():
                self._list_choice(choice)

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
        number, row = action.data()
        self._choices[number].setCurrentIndex(row)


class ComposerControls(QWidget):
    """Knowledge bases, language model, strategy, and the button that sends.

    Where both choices can't be read beside the rest, `how` takes their place.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clear")
        self.chips = KbChips(theme)
        self.models = FlatCombo(self.tr("Language model"), self.tr("The model that answers"))
        self.strategies = StrategyCombo(theme)
        self._usual = ""
        self.how = AnswerMenu(theme, (self.models, self.strategies))
        self.send = IconButton(theme, "send", self.tr("Send (Enter)"))
        self.send.setObjectName("send")
        self.send.setFixedSize(QSize(30, 30))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.chips, 1)
        for each in (self.models, self.strategies, self.how, self.send):
            row.addWidget(each)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for choice in (self.models, self.strategies):
            choice.currentTextChanged.connect(self._fit)
        self.strategies.currentIndexChanged.connect(self._tell_strategy)
        self._fit()

    def set_ways(self, offers: StrategyChoices) -> None:
        """Offer presets and strategies; the usual one is chosen."""
        self.strategies.offer(offers, offers.usual)
        self._fit()

    def set_models(
        self, names: tuple[str, ...], usual: str = "", elsewhere: frozenset[str] = frozenset()
    ) -> None:
        """Offer language models; without any there is nothing to choose.

        What is chosen stays so, unless the settings name another one as the `usual` from now on.
        """
        is_named = usual not in ("", self._usual)
        self._usual = usual or self._usual  # which is away for a while, it may be
        offered = [self.models.itemData(i) for i in range(self.models.count())]
        if offered == list(names) and not is_named:
            return
        kept = usual if is_named else self.models.currentData()
        self.models.clear()
        for name in names:
            self.models.addItem(model_label(name, elsewhere), name)
        self.models.setCurrentIndex(max(0, self.models.findData(kept)))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Show the choices or the menu, whichever fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit again when one of the parts needs more room, or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    @Slot()
    def _tell_strategy(self) -> None:
        """Tell of the strategy that is chosen where the mouse rests on the choice."""
        told = self.strategies.currentData(Qt.ItemDataRole.ToolTipRole)
        self.strategies.setToolTip(told or self.tr("How the question is researched"))

    @Slot()
    def _fit(self) -> None:
        offered = [choice for choice in (self.models, self.strategies) if choice.count()]
        room = self.width() - self.chips.minimumWidth() - self.send.width() - _GAP
        wanted = sum(min(choice.maximumWidth(), _LEAST) + _GAP for choice in offered)
        for choice in (self.models, self.strategies):
            choice.setVisible(choice in offered and wanted <= room)
        self.how.setVisible(bool(offered) and wanted > room)
        self.how.fit(room - _GAP)
