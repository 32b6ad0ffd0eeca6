"""Which knowledge bases a question goes to: a row of chips to tick, or one chip with a menu."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QIcon, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QMenu, QSizePolicy, QToolButton, QWidget

from desktop_rag.gui.display_text import join_list, shown_name
from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.tooltips import tip

_LONGEST = 24
_LONGEST_ALONE = 14
_GAP = 6
_AROUND = 12
_SIGN = 14


class KbChips(QWidget):
    """One chip a knowledge base; at least one is always ticked. `changed` says that one turned.

    Before a conversation has begun the one that is shown is ticked; then what it asks stays so.

    Where they do not fit beside each other, `more` stands for them all: one chip with a menu.

    With `offers_choice`, `by_question` takes the place of all that is ticked: the question chooses.
    New conversations begin so as well, until one is ticked again.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, *, offers_choice: bool = False
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._offers_choice = offers_choice
        self._begins_with_choice = False
        self._chips: dict[str, QToolButton] = {}
        self._current = ""
        self._asked: tuple[str, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_GAP)
        self._row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.more = _chip("")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.menu().aboutToShow.connect(self._list)
        self.more.menu().triggered.connect(self._turn)
        self.by_question = self._choice_chip()
        self._row.addWidget(self.by_question)
        self._row.addWidget(self.more)
        self._row.addStretch(1)
        room = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        room.setRetainSizeWhenHidden(True)
        self.setSizePolicy(room)
        self.setFixedHeight(self.fontMetrics().height() + _AROUND)
        self.setAccessibleName(self.tr("Knowledge bases that are asked"))
        theme.changed.connect(self._dress)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Show the row or the one chip, whichever fits."""
        super().resizeEvent(event)
        self._fit()

    def offer(self, names: tuple[str, ...], current: str) -> None:
        """Show a chip for each; `current` is ticked alone when it is new and none has begun.

        One that was just made is shown before it is among the names: it has a chip at once.
        """
        if names and current not in names:
            names = (*names, current)
        if tuple(self._chips) != names:
            self._make(names)
        is_new, self._current = current != self._current and current in self._chips, current
        if is_new and not self._asked:
            self.choose((current,))
        else:
            self._tick_one()
            self._fit()

    def keep(self, names: tuple[str, ...]) -> None:
        """Tick what a conversation asks; of none, the knowledge base that is shown."""
        self._asked = names
        if not names and self._begins_with_choice:
            self.choose_by_question()
        else:
            self.choose(names or (self._current,))

    @property
    def chooses(self) -> bool:
        """Whether the question is to choose."""
        return self.by_question.isChecked()

    def choose_by_question(self) -> None:
        """Let the question choose, where there is something to choose among."""
        if self._offers_choice and len(self._chips) > 1:
            self._tick((), by_question=True)

    def chosen(self) -> tuple[str, ...]:
        """Return the names that are ticked; none where the question chooses."""
        return tuple(name for name, chip in self._chips.items() if chip.isChecked())

    def choose(self, names: tuple[str, ...]) -> None:
        """Tick these, of those that are offered."""
        self._tick(names, by_question=False)

    def _tick(self, names: tuple[str, ...], *, by_question: bool) -> None:
        self.by_question.setChecked(by_question)
        for name, chip in self._chips.items():
            chip.setChecked(name in names)
        self._tick_one()
        self._fit()

    def chip(self, name: str) -> QToolButton:
        """Return a knowledge base's chip."""
        return self._chips[name]

    def _make(self, names: tuple[str, ...]) -> None:
        ticked = set(self.chosen() or self._asked)
        for chip in self._chips.values():
            self._row.removeWidget(chip)
            chip.deleteLater()
        self._chips = {name: self._new_chip(name, ticked=name in ticked) for name in names}
        for place, chip in enumerate(self._chips.values()):
            self._row.insertWidget(place, chip)

    def _new_chip(self, name: str, *, ticked: bool) -> QToolButton:
        chip = _chip(_short(shown_name(name), _LONGEST))
        chip.setParent(self)
        chip.setCheckable(True)
        chip.setChecked(ticked)
        said = self.tr("Ask the knowledge base “%1”").replace("%1", shown_name(name))
        chip.setToolTip(tip(said))
        chip.setAccessibleName(said)
        chip.setIcon(self._sign())
        chip.clicked.connect(self._turned)
        return chip

    def _choice_chip(self) -> QToolButton:
        chip = _chip(self.tr("By question"))
        chip.setParent(self)
        chip.setCheckable(True)
        said = self.tr("Choose the knowledge base by the question")
        chip.setToolTip(tip(said))
        chip.setAccessibleName(said)
        chip.clicked.connect(self._turn_choice)
        return chip

    def _sign(self) -> QIcon:
        """Return the sign of a knowledge base, in the colour of what is ticked or not."""
        colors = self._theme.colors
        made = icon("library", colors.muted)
        ticked = icon("library", colors.accent_text)
        for size in ticked.availableSizes():
            made.addPixmap(ticked.pixmap(size), QIcon.Mode.Normal, QIcon.State.On)
        return made

    @Slot()
    def _dress(self) -> None:
        for chip in self._chips.values():
            chip.setIcon(self._sign())

    def _fit(self) -> None:
        self._say_which()
        chips = [*self._chips.values()]
        if self._offers_choice and len(chips) > 1:
            chips.append(self.by_question)
        else:
            self.by_question.hide()
        wanted = sum(chip.sizeHint().width() + _GAP for chip in chips) - _GAP
        alone = self.more.sizeHint().width()
        self.setMinimumWidth(max(0, min(wanted, alone)))
        fits = wanted <= max(self.width(), self.minimumWidth())
        for chip in chips:
            chip.setVisible(fits)
        self.more.setVisible(not fits)

    def _say_which(self) -> None:
        if self.chooses:
            self.more.setText(self.by_question.text() + " ▾")
            self.more.setToolTip(self.by_question.toolTip())
            self.more.setAccessibleName(self.by_question.accessibleName())
            return
        names = [shown_name(name) for name in self.chosen()]
        many = self.tr("%n knowledge bases").replace("%n", str(len(names)))
        self.more.setText((_short(names[0], _LONGEST_ALONE) if len(names) == 1 else many) + " ▾")
        said = self.tr("Asked: %1").replace("%1", join_list(names))
        self.more.setToolTip(tip(said))
        self.more.setAccessibleName(said)

    @Slot()
    def _list(self) -> None:
        menu = self.more.menu()
        menu.clear()
        for name, chip in self._chips.items():
            action = menu.addAction(shown_name(name).replace("&", "&&"))
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(chip.isChecked())
        if self._offers_choice and len(self._chips) > 1:
            menu.addSeparator()
            action = menu.addAction(self.tr("Choose by question"))
            action.setCheckable(True)
            action.setChecked(self.chooses)

    @Slot(QAction)
    def _turn(self, action: QAction) -> None:
        self._chips.get(action.data(), self.by_question).click()

    @Slot()
    def _turn_choice(self) -> None:
        """Let the question choose from now on, or the knowledge base that is shown be asked."""
        self._begins_with_choice = self.chooses
        self._tick((), by_question=self.chooses)
        self.changed.emit()

    def _tick_one(self) -> None:
        if self._chips and not self.chosen() and not self.chooses:
            first = self._chips.get(self._current) or next(iter(self._chips.values()))
            first.setChecked(True)

    @Slot()
    def _turned(self) -> None:
        self._begins_with_choice = False
        self.by_question.setChecked(False)
        self._tick_one()
        self._fit()
        self.changed.emit()


def _chip(text: str) -> QToolButton:
    chip = QToolButton()
    chip.setObjectName("chip")
    chip.setText(text)
    chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    chip.setIconSize(QSize(_SIGN + 4, _SIGN))  # some air before the name
    chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return chip


def _short(name: str, longest: int) -> str:
    """Cut a name for a button, where a single & would be taken for its key."""
    return (name if len(name) <= longest else name[: longest - 1] + "…").replace("&", "&&")
