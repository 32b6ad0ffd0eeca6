"""The row below the question: who is asked and how; where it is narrow, the how is one menu."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from desktop_rag.gui.chat import way_options_text
from desktop_rag.gui.chat.answer_menu import AnswerMenu
from desktop_rag.gui.chat.kb_chips import KbChips
from desktop_rag.gui.chat.strategy_combo import StrategyCombo
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.controllers.way_options import WayOptionsController
from desktop_rag.gui.display_text import join_list, model_label
from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.flat_combo import FlatCombo
from desktop_rag.gui.widgets.tooltips import tip

_GAP = 6
_LEAST = 112  # pixels of a choice that can still be read; with fewer it goes into the menu


class ComposerControls(QWidget):
    """Knowledge bases, language model, strategy with its options, and the button that sends.

    Where both choices can't be read beside the rest, `how` takes their place; so it does for all
    but experts: one choice, with the model in it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clear")
        self.chips = KbChips(theme, offers_choice=True)
        self.models = FlatCombo(self.tr("Language model"), self.tr("The model that answers"))
        self.strategies = StrategyCombo(theme)
        self.options = IconButton(theme, "options", self.tr("Options of this way"))
        self._theme = theme
        self._ways: WayOptionsController | None = None
        self._usual = ""
        self._elsewhere: frozenset[str] = frozenset()
        self.how = AnswerMenu(theme, (self.models, self.strategies))
        self.send = IconButton(theme, "send", self.tr("Send (Enter)"))
        self.send.setObjectName("send")
        self.send.setFixedSize(QSize(30, 30))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self.chips, 1)
        for each in (self.models, self.strategies, self.options, self.how, self.send):
            row.addWidget(each)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for choice in (self.models, self.strategies):
            choice.currentTextChanged.connect(self._fit)
        self.strategies.currentIndexChanged.connect(self._tell_strategy)
        self.options.clicked.connect(self.show_options)
        self.how.options_wanted.connect(self.show_options)
        theme.changed.connect(self._dress)
        theme.changed.connect(self._tell_options)
        self._fit()

    def follow(self, ways: WayOptionsController) -> None:
        """Offer the options of the chosen way, and mark a way of which some are changed."""
        self._ways = ways
        ways.options_changed.connect(self._tell_options)
        self._tell_options()

    @property
    def kept_options(self) -> str | None:
        """What is kept of the options of ways, None where that is not known here."""
        return None if self._ways is None else self._ways.kept

    @Slot()
    def show_options(self) -> None:
        """Show the options of the chosen way, to be changed."""
        values = self._ways.values(self._way) if self._ways is not None else None
        if values is not None:
            from desktop_rag.gui.chat.way_options_dialog import (
                WayOptionsDialog,  # no start needs it
            )

            WayOptionsDialog(self._theme, values, self).open()

    @property
    def _way(self) -> str:
        return self.strategies.currentData() or ""

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
        self._elsewhere = elsewhere
        offered = [self.models.itemData(i) for i in range(self.models.count())]
        if offered == list(names) and not is_named:
            return
        kept = usual if is_named else self.models.currentData()
        self.models.clear()
        for name in names:
            sign = self._cloud() if name in elsewhere else QIcon()
            self.models.addItem(sign, model_label(name, elsewhere), name)
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

    def _cloud(self) -> QIcon:
        return icon("cloud", self._theme.colors.muted)

    @Slot()
    def _dress(self) -> None:
        for row in range(self.models.count()):
            if self.models.itemData(row) in self._elsewhere:
                self.models.setItemIcon(row, self._cloud())

    @Slot()
    def _tell_strategy(self) -> None:
        """Tell of the strategy that is chosen where the mouse rests on the choice."""
        told = self.strategies.currentData(Qt.ItemDataRole.ToolTipRole)
        self.strategies.setToolTip(told or self.tr("How the question is researched"))
        self._tell_options()

    @Slot()
    def _tell_options(self) -> None:
        """Mark a way of which options are changed, and tell which."""
        is_known = self._ways is not None and self._ways.form(self._way) is not None
        changes = self._ways.changes(self._way) if self._ways is not None else ()
        said = tuple(way_options_text.change_line(self._way, each) for each in changes)
        self.how.show_changes(said if is_known and (said or self._theme.is_expert) else None)
        name = self.tr("Options of this way")
        self.options.paint_as("options", "accent" if said else "muted", tip(name, *said))
        self.options.setAccessibleName(join_list((name, *said)))
        self.options.setText(str(len(said)))
        shape = Qt.ToolButtonStyle
        beside = shape.ToolButtonTextBesideIcon if said else shape.ToolButtonIconOnly
        self.options.setToolButtonStyle(beside)
        self._fit()

    @Slot()
    def _fit(self) -> None:
        offered = [choice for choice in (self.models, self.strategies) if choice.count()]
        room = self.width() - self.chips.minimumWidth() - self.send.width() - _GAP
        wanted = sum(min(choice.maximumWidth(), _LEAST) + _GAP for choice in offered)
        can_set = self._ways is not None and self._ways.form(self._way) is not None
        wanted += self.options.sizeHint().width() + _GAP if can_set else 0
        is_folded = wanted > room or not self._theme.is_expert
        for choice in (self.models, self.strategies):
            choice.setVisible(choice in offered and not is_folded)
        self.options.setVisible(can_set and not is_folded)
        self.how.setVisible(bool(offered) and is_folded)
        self.how.show_away(is_away=self.models.currentData() in self._elsewhere)
        self.how.fit(room - _GAP)
