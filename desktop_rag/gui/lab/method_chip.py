"""What a way does to the question, and which model answers: one chip with a menu."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.display_text import join_list, model_label
from desktop_rag.gui.lab.compare_controller import AnswerMethod
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.tooltips import tip

_NO_USE = "condense"  # of a question that follows no other
_WIDEST = 130  # pixels of the text
_ARROW = " ▾"


class MethodChip(QToolButton):
    """`chosen` carries the `AnswerMethod` with other transforms or another model."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._way = AnswerMethod("")
        self._models: tuple[str, ...] = ()
        self._elsewhere: frozenset[str] = frozenset()
        self._transforms: tuple[tuple[str, str], ...] = ()
        self.setObjectName("chip")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMenu(QMenu(self))
        self._group = QActionGroup(self.menu())
        self.menu().aboutToShow.connect(self._list)
        self.menu().triggered.connect(self._turn)
        self._fit()

    def offer(self, offers: StrategyChoices) -> None:
        """Offer what can be done to a question that stands alone."""
        self._transforms = tuple(each for each in offers.transforms if each[0] != _NO_USE)
        self._fit()

    def offer_models(self, names: tuple[str, ...], elsewhere: frozenset[str]) -> None:
        """Offer language models, the usual one first; those `elsewhere` run in a cloud."""
        self._models, self._elsewhere = names, elsewhere
        self._fit()

    def show_way(self, way: AnswerMethod) -> None:
        """Show what a way is composed of."""
        self._way = way
        self._fit()

    @property
    def _model(self) -> str:
        """The model that will answer, empty where there is none."""
        return self._way.model or next(iter(self._models), "")

    def _fit(self) -> None:
        known = dict(self._transforms)
        changes = [translate_message(known.get(each, each)) for each in self._way.transforms]
        label = model_label(self._model, self._elsewhere)
        said = " + ".join(filter(None, (label, *changes))) or self.tr("No changes")
        cut = self.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, _WIDEST)
        self.setText(cut + _ARROW)
        model = self.tr("Language model: %1").replace("%1", label or self.tr("none"))
        done = self.tr("Changes to the question: %1").replace(
            "%1", join_list(changes) or self.tr("none")
        )
        self.setToolTip(tip(done, model))
        self.setAccessibleName(f"{done}. {model}")

    @Slot()
    def _list(self) -> None:
        menu = self.menu()
        menu.clear()
        menu.addAction(self.tr("Changes to the question")).setEnabled(False)
        for name, title in self._transforms:
            action = menu.addAction(translate_message(title).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name in self._way.transforms)
            action.setData(("transform", name))
        if self._models:
            menu.addSeparator()
            menu.addAction(self.tr("Language model")).setEnabled(False)
        self._group.deleteLater()  # what the menu forgets, a group of its actions does not
        self._group = QActionGroup(menu)
        for name in self._models:
            label = model_label(name, self._elsewhere)
            action = self._group.addAction(label.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name == self._model)
            action.setData(("model", name))
            menu.addAction(action)

    @Slot(QAction)
    def _turn(self, action: QAction) -> None:
        kind, name = action.data()
        way = self._way
        if kind == "model":
            self.chosen.emit(AnswerMethod(way.name, way.transforms, name))
        elif name in way.transforms:
            rest = tuple(each for each in way.transforms if each != name)
            self.chosen.emit(AnswerMethod(way.name, rest, way.model))
        else:
            self.chosen.emit(AnswerMethod(way.name, (*way.transforms, name), way.model))
