"""The choice of a way to answer: presets, each with a line on it; for experts every strategy, too,
and recipes from elsewhere.
"""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.gui.chat import strategy_tips
from desktop_rag.gui.controllers.strategy_choices import PresetChoice, StrategyChoices
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.flat_combo import FlatCombo
from desktop_rag.gui.widgets.tooltips import tip

_EFFECT = Qt.ItemDataRole.UserRole + 1
_HEADING = Qt.ItemDataRole.UserRole + 2
_INSET, _BELOW = 10, 6  # pixels beside a row's lines, and below the second one
_ABOVE = 12  # pixels above a heading

_Index = QModelIndex | QPersistentModelIndex


def is_heading(choice: QComboBox, row: int) -> bool:
    """Say whether a row names those below it, and can't be chosen."""
    return bool(choice.itemData(row, _HEADING))


class StrategyCombo(FlatCombo):
    """Offers ways by their names; `currentData` is the chosen one's."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.setAccessibleName(self.tr("Way to answer"))
        self.setToolTip(self.tr("How the question is researched"))
        self.setItemDelegate(_WayDelegate(theme, self))
        self._theme = theme
        self._offers: StrategyChoices | None = None
        self._shows_all = theme.is_expert
        theme.changed.connect(self._offer_again)

    def offer(self, offers: StrategyChoices, chosen: str) -> None:
        """Offer what there is; `chosen` is, or the first where it is not there."""
        self._offers, self._shows_all = offers, self._theme.is_expert
        self.clear()
        for preset in offers.presets:
            if not preset.paper:
                self._add_preset(preset)
        if self._shows_all or not offers.presets:
            self._offer_all(offers)
        else:
            self._offer_usual(offers)
        self.choose(chosen)

    def _offer_all(self, offers: StrategyChoices) -> None:
        recipes = [each for each in offers.presets if each.paper]
        if offers.presets:
            self._add_heading(self.tr("Choose the way yourself"))
        for name, title in offers.strategies:
            self._add_strategy(name, title)
        if recipes:
            self._add_heading(self.tr("Recipes of a study"))
        for recipe in recipes:
            self._add_recipe(recipe)

    def _offer_usual(self, offers: StrategyChoices) -> None:
        """Offer the way that the settings name as well, where that is no preset: it is in force."""
        for name, title in offers.strategies:
            if name == offers.usual:
                self._add_strategy(name, title)
        for recipe in offers.presets:
            if recipe.paper and recipe.name == offers.usual:
                self._add_recipe(recipe)

    @Slot()
    def _offer_again(self) -> None:
        """Offer more or fewer, where that changed."""
        if self._offers is not None and self._shows_all != self._theme.is_expert:
            chosen = self.currentData() or ""
            self.offer(self._offers, chosen)
            if self.findData(chosen) < 0:
                self.choose(self._offers.usual)

    def choose(self, name: str) -> None:
        """Choose a way by its name; the first one, where it is not offered."""
        self.setCurrentIndex(max(0, self.findData(name)))

    def width_of(self, row: int) -> int:
        """Return how wide a row is, with what is said of a preset."""
        said = self.fontMetrics().horizontalAdvance(self.itemData(row, _EFFECT) or "")
        return max(super().width_of(row), said)

    def _add_preset(self, preset: PresetChoice) -> None:
        self.addItem(translate_message(preset.title), preset.name)
        row, effect = self.count() - 1, translate_message(preset.effect)
        self.setItemData(row, effect, _EFFECT)
        self.setItemData(row, tip(effect), Qt.ItemDataRole.ToolTipRole)
        said = f"{translate_message(preset.title)}. {effect}"
        self.setItemData(row, said, Qt.ItemDataRole.AccessibleTextRole)

    def _add_recipe(self, recipe: PresetChoice) -> None:
        """Add a preset as one line: what it does, and where it is from, stands in its tooltip."""
        self.addItem(translate_message(recipe.title), recipe.name)
        row, effect = self.count() - 1, translate_message(recipe.effect)
        self.setItemData(row, tip(effect, recipe.paper), Qt.ItemDataRole.ToolTipRole)
        self.setItemData(row, effect, Qt.ItemDataRole.AccessibleDescriptionRole)

    def _add_strategy(self, name: str, title: str) -> None:
        self.addItem(translate_message(title), name)
        if told := strategy_tips.of_strategy(name):
            row = self.count() - 1
            self.setItemData(row, told, Qt.ItemDataRole.ToolTipRole)
            spoken_of = " ".join(told.split("\n"))
            self.setItemData(row, spoken_of, Qt.ItemDataRole.AccessibleDescriptionRole)

    def _add_heading(self, text: str) -> None:
        self.addItem(text)
        row = self.count() - 1
        self.setItemData(row, True, _HEADING)
        model = self.model()
        if isinstance(model, QStandardItemModel):
            model.item(row).setEnabled(False)


class _WayDelegate(QStyledItemDelegate):
    """Paints a second, quieter line under a way of which something is said, and headings."""

    def __init__(self, theme: Theme, choice: QComboBox) -> None:
        super().__init__(choice)
        self._theme = theme
        self._metrics = choice.fontMetrics

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's
        """Leave room for the second line."""
        size = super().sizeHint(option, index)
        if index.data(_EFFECT):
            return QSize(size.width(), size.height() + self._metrics().lineSpacing())
        return QSize(size.width(), size.height() + (_ABOVE if index.data(_HEADING) else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint the title above, what is said of it below; of a heading a line and a quiet text."""
        if index.data(_HEADING):
            self._paint_heading(painter, option.rect, str(index.data()))
            return
        effect = str(index.data(_EFFECT) or "")
        above = QStyleOptionViewItem(option)
        if effect:
            above.displayAlignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        super().paint(painter, above, index)
        self._paint_quietly(painter, option.rect.adjusted(0, 0, 0, -_BELOW), effect)

    def _paint_heading(self, painter: QPainter, box: QRect, text: str) -> None:
        painter.setPen(self._theme.colors.of("border"))
        line = box.top() + _ABOVE // 2
        painter.drawLine(box.left() + _INSET, line, box.right() - _INSET, line)
        self._paint_quietly(painter, box.adjusted(0, 0, 0, -_BELOW), text)

    def _paint_quietly(self, painter: QPainter, box: QRect, text: str) -> None:
        """Paint a line at the lower edge of a box."""
        painter.save()
        painter.setFont(scaled(painter.font(), SMALL))
        painter.setPen(self._theme.colors.of("muted"))
        metrics = painter.fontMetrics()
        inside = box.adjusted(_INSET, 0, -_INSET, 0)
        said = metrics.elidedText(text, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, said)
        painter.restore()
