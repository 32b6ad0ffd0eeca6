"""The three panes beside each other; in a narrow window the middle one and one of the others."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rag.gui.side_pane import SidePane
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.sources_pane import SourcesPane
from desktop_rag.gui.widgets.buttons import IconButton

_SIZES = [290, 660, 370]
_NARROWEST = (276, 302, 216)  # with two handles they fit a window 800 pixels wide
_HANDLES = 4
_READING_SHARE = 0.42


@dataclass(frozen=True, slots=True)
class PaneWidths:
    """How wide the panes are, and were before a document took room for itself."""

    now: QByteArray
    before_reading: tuple[int, ...]


class PaneLayout(QWidget):
    """Shows the panes beside each other.

    Where they do not fit (a small screen, text of 200 %), a rail takes the place of the left one,
    and of both outer panes that one is shown which was asked for last.
    """

    def __init__(
        self,
        theme: Theme,
        side: SidePane,
        centre: QWidget,
        sources: SourcesPane,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.side, self._centre, self.sources = side, centre, sources
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.rail = Rail(theme, self.side, self.sources)
        self._is_narrow = False
        self._had_sources = True
        self._before_reading: list[int] = []
        self.splitter.setChildrenCollapsible(False)
        for pane, narrowest in zip((side, centre, sources), _NARROWEST, strict=True):
            pane.setMinimumWidth(narrowest)
            self.splitter.addWidget(pane)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(_SIZES)
        sources.setVisible(sources.is_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.splitter, 1)
        for pane in (self.side, self.sources):
            pane.installEventFilter(self)

    @property
    def is_narrow(self) -> bool:
        """Whether only one of the outer panes is shown at a time."""
        return self._is_narrow

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the room of two panes and the rail."""
        widest = max(_NARROWEST[0], _NARROWEST[2])
        width = self.rail.sizeHint().width() + _NARROWEST[1] + widest + _HANDLES
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Fold or unfold the panes."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < sum(_NARROWEST) + _HANDLES
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._fold() if is_narrow else self._unfold()
            self.rail.setVisible(is_narrow)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """In a narrow window, let the pane that comes take the place of the other one."""
        if event.type() == QEvent.Type.ShowToParent and self._is_narrow:
            (self.sources if watched is self.side else self.side).hide()
        return super().eventFilter(watched, event)

    @property
    def widths(self) -> PaneWidths:
        """How wide the panes are; a hidden one, as soon as it is shown again."""
        return PaneWidths(self.splitter.saveState(), tuple(self._before_reading))

    @widths.setter
    def widths(self, widths: PaneWidths) -> None:
        self.splitter.restoreState(widths.now)
        self._before_reading = list(widths.before_reading)

    @Slot(object)
    def make_room(self, reading: object) -> None:
        """Widen the right pane while a document is read, and give the room back after."""
        if self._is_narrow:
            self.sources.setVisible(bool(reading))
            self.splitter.setSizes([0, _NARROWEST[1], self.width()])
            return
        sizes = self.splitter.sizes()
        if not reading:
            if self._before_reading:
                self.splitter.setSizes(self._before_reading)
            self._before_reading = []
        elif not self._before_reading:
            self._before_reading = sizes
            wanted = max(sizes[2], int(sum(sizes) * _READING_SHARE))
            self.splitter.setSizes([sizes[0], sum(sizes) - sizes[0] - wanted, wanted])

    @Slot(bool)
    def show_sources(self, wanted: bool) -> None:  # noqa: FBT001 - a signal's value
        """Show the sources or not; in a narrow window they never come by themselves."""
        self._had_sources = wanted
        if not (wanted and self._is_narrow):
            self.sources.setVisible(wanted)

    def _fold(self) -> None:
        """Keep one of the outer panes: the document that is read, else the left one."""
        self._had_sources = not self.sources.isHidden()
        (self.side if self.sources.is_reading else self.sources).hide()

    def _unfold(self) -> None:
        self.side.show()
        had_any = self._had_sources and self.sources.is_wanted
        self.sources.setVisible(had_any or self.sources.is_reading)


class Rail(QWidget):
    """A narrow column of buttons that show the outer panes, and hide them again."""

    def __init__(
        self, theme: Theme, side: SidePane, sources: SourcesPane, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._side = side
        self._sources = sources
        self.side = IconButton(theme, "library", self.tr("Documents and conversations"))
        self.answer = IconButton(theme, "quote", self.tr("Sources of the answer"))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 8, 4, 8)
        for button, pane in ((self.side, side), (self.answer, sources)):
            button.setCheckable(True)
            column.addWidget(button)
            pane.installEventFilter(self)
        column.addStretch(1)
        self.side.clicked.connect(self._turn_side)
        self.answer.clicked.connect(self._turn_sources)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Show which pane is open."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            button = self.side if watched is self._side else self.answer
            button.setChecked(event.type() == QEvent.Type.ShowToParent)
        return super().eventFilter(watched, event)

    @Slot()
    def _turn_side(self) -> None:
        self._side.setVisible(self._side.isHidden())

    @Slot()
    def _turn_sources(self) -> None:
        self._sources.setVisible(self._sources.isHidden())
