"""Which knowledge bases a question goes to: a row of chips to tick."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QToolButton, QWidget

_LONGEST = 24
_AROUND = 12


class Chips(QScrollArea):
    """One chip a knowledge base; at least one is always ticked. `changed` says that one turned.

    Where there are more than fit, the wheel and the Tab key bring the others into sight.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chips: dict[str, QToolButton] = {}
        self._current = ""
        inside = QWidget()
        inside.setObjectName("clear")
        self._row = QHBoxLayout(inside)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addStretch(1)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(self.fontMetrics().height() + _AROUND)
        self.setAccessibleName(self.tr("Knowledge bases that are asked"))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's
        """Scroll sideways: there is nothing above or below."""
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() - event.angleDelta().y() // 2)

    def offer(self, names: tuple[str, ...], current: str) -> None:
        """Show a chip for each; a newly shown current knowledge base is ticked alone."""
        if tuple(self._chips) != names:
            self._make(names)
        if current != self._current and current in self._chips:
            self._current = current
            for name, chip in self._chips.items():
                chip.setChecked(name == current)
        self._tick_one()

    def chosen(self) -> tuple[str, ...]:
        """Return the names that are ticked."""
        return tuple(name for name, chip in self._chips.items() if chip.isChecked())

    def chip(self, name: str) -> QToolButton:
        """Return a knowledge base's chip."""
        return self._chips[name]

    def _make(self, names: tuple[str, ...]) -> None:
        ticked = set(self.chosen())
        for chip in self._chips.values():
            self._row.removeWidget(chip)
            chip.deleteLater()
        self._chips = {name: self._new_chip(name, ticked=name in ticked) for name in names}
        for place, chip in enumerate(self._chips.values()):
            self._row.insertWidget(place, chip)

    def _new_chip(self, name: str, *, ticked: bool) -> QToolButton:
        chip = QToolButton()
        chip.setObjectName("chip")
        chip.setText(name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…")
        chip.setCheckable(True)
        chip.setChecked(ticked)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setToolTip(self.tr("Ask the knowledge base “%1”").replace("%1", name))
        chip.setAccessibleName(chip.toolTip())
        chip.clicked.connect(self._turned)
        return chip

    def _tick_one(self) -> None:
        if self._chips and not self.chosen():
            first = self._chips.get(self._current) or next(iter(self._chips.values()))
            first.setChecked(True)

    @Slot()
    def _turned(self) -> None:
        self._tick_one()
        self.changed.emit()
