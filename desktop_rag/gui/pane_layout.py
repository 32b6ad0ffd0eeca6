"""The rail and the panes beside each other; in a narrow window one of them at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from desktop_rag.gui.message_strip import MessageStrip
from desktop_rag.gui.mode_rail import WIDTH, Mode, ModeRail
from desktop_rag.gui.shortcuts import FULL_SCREEN
from desktop_rag.gui.side_pane import SidePane
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.sources_pane import SourcesPane
from desktop_rag.gui.widgets.separator import vertical_separator

_NARROW = 1000  # pixels; below, sources and documents take the place of what is in the middle
_NARROWEST = (276, 302, 216)  # with rail and handles two of them fit a window 640 pixels wide
_HANDLES = 4
_SIZES = {
    Mode.ASK: (276, 660, 340),
    Mode.LIBRARY: (300, 900, 0),
}
_USUAL = (0, 900, 0)
_READING_SHARE = 0.57


@dataclass(frozen=True, slots=True)
class PaneChoice:
    """What the user chose of the panes in one mode, while a document is read or not.

    `sizes` are pixels of the panes from left to right, where they were shown.
    """

    sizes: tuple[int, int, int]
    has_side: bool
    has_sources: bool | None = None
    """Whether the list of sources is shown beside an answer; None: for experts it is."""


PaneChoices = dict[str, PaneChoice]


class PaneLayout(QWidget):
    """Shows the panes that a mode has, beside each other and beside the rail.

    What the user makes of them (widths, hidden or not) is kept for each mode, and once more for it
    with a document open, which gets the larger half. A pane that holds nothing takes no room. In a
    narrow window the pane at the right covers the one in the middle; in full screen a document
    covers all.
    """

    def __init__(
        self,
        theme: Theme,
        side: SidePane,
        centre: QWidget,
        sources: SourcesPane,
        parent: QWidget | None = None,
        *,
        strip: MessageStrip,
    ) -> None:
        super().__init__(parent)
        self._theme, self._strip = theme, strip
        self.side, self._centre, self.sources = side, centre, sources
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.rail = ModeRail(theme)
        self.is_narrow = self.is_full = False
        self._mode = Mode.ASK
        self._choices: PaneChoices = {}
        self._narrow_side = self._narrow_sources = False
        self.splitter.setChildrenCollapsible(False)
        for pane, narrowest in zip((side, centre, sources), _NARROWEST, strict=True):
            pane.setMinimumWidth(narrowest)
            self.splitter.addWidget(pane)
        self.splitter.setStretchFactor(1, 1)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.splitter, 1)
        right.addWidget(strip)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        self._edge = vertical_separator()
        row.addWidget(self._edge)
        row.addLayout(right, 1)
        self._connect()
        self.arrange()

    def _connect(self) -> None:
        full = QShortcut(QKeySequence(FULL_SCREEN), self)
        full.activated.connect(self.turn_full_screen)
        self.sources.viewer.bar.full_screen.clicked.connect(self.turn_full_screen)
        self._theme.changed.connect(self.arrange)
        self.splitter.splitterMoved.connect(self._keep_sizes)
        self.rail.side.clicked.connect(self.turn_side)
        self.rail.answer.clicked.connect(self.turn_sources)
        self.side.filled.connect(self.arrange)
        self.sources.began.connect(self._begin_sources)
        self.sources.reading.connect(self._follow_reading)
        self.sources.dismissed.connect(self._dismiss_sources)

    @Slot()
    def turn_full_screen(self) -> None:
        """Show the document that is read on the whole screen, or beside what else there is."""
        if self.is_full or self.sources.is_reading:
            self._set_full(is_full=not self.is_full)

    def leave_full_screen(self) -> None:
        """Show the window as it was; harmless where no document is on the whole screen."""
        if self.is_full:
            self._set_full(is_full=False)

    def go_back(self) -> bool:
        """Leave the full screen, else close the document; False where there is neither."""
        if self.is_full:
            self.leave_full_screen()
        elif self.sources.is_reading:
            self.sources.close_document()
        else:
            return False
        return True

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Leave the full screen: the panes are made anew, in another language."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.leave_full_screen()

    def _set_full(self, *, is_full: bool) -> None:
        self.is_full = is_full
        self.sources.viewer.bar.full_screen.setChecked(is_full)
        state, full = self.window().windowState(), Qt.WindowState.WindowFullScreen
        self.window().setWindowState(state | full if is_full else state & ~full)
        self.arrange()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the room of the rail, the middle and the left pane."""
        width = WIDTH + _NARROWEST[0] + _NARROWEST[1] + _HANDLES
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Fold or unfold the panes."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        if is_narrow != self.is_narrow:
            self.is_narrow = is_narrow
            self._narrow_side = self._narrow_sources = False
        self.arrange()

    @Slot(object)
    def show_mode(self, mode: Mode) -> None:
        """Show the panes of a mode."""
        if mode is not self._mode:
            self._mode = mode
            self._narrow_side = self._narrow_sources = False
        self.rail.show_mode(mode)
        self.side.show_page_of(mode)
        self.arrange()

    @Slot()
    def uncover(self) -> None:
        """Let the page be seen that was asked for: close what covers it."""
        self.leave_full_screen()
        if self.is_narrow:
            self._narrow_sources = False
            self.sources.close_document()
            self.arrange()

    @property
    def choices(self) -> PaneChoices:
        """What the user chose, by mode."""
        return dict(self._choices)

    @choices.setter
    def choices(self, choices: PaneChoices) -> None:
        self._choices = dict(choices)
        self.arrange()

    @Slot()
    def turn_side(self) -> None:
        """Show the left pane where it is hidden, hide it where it is shown."""
        self._choose_side(shown=self.side.isHidden())

    @Slot()
    def open_side(self) -> None:
        """Show the left pane."""
        self._choose_side(shown=True)

    @Slot()
    def turn_sources(self) -> None:
        """Show the answer's sources where they are hidden, hide them where they are shown.

        A document that is open there is closed.
        """
        if self.sources.is_reading:
            self.sources.close_document()
        else:
            self._choose_sources(shown=self.sources.isHidden())

    def open_sources(self) -> None:
        """Show the answer's sources."""
        self._choose_sources(shown=True)

    @Slot()
    def leave_sources(self) -> None:
        """Hide the answer's sources where they cover the conversation."""
        if self.is_narrow and self._narrow_sources:
            self._choose_sources(shown=False)

    @Slot()
    def arrange(self) -> None:
        """Show what there is to show, as wide as the user left it."""
        has_sources, has_side = self._wants_sources(), self._wants_side()
        covers = (self.is_narrow or self.is_full) and has_sources
        self.side.setVisible(has_side and not covers)
        self._centre.setVisible(not covers)
        self.sources.setVisible(has_sources)
        self._strip.show_messages(shown=covers or self._mode is not Mode.ASK)
        self.splitter.setSizes(list(self._sizes()))
        rail = self.rail
        for edge in (rail, self._edge):
            edge.setHidden(self.is_full)
        rail.side.setVisible(self.side.has_content)
        rail.side.setChecked(not self.side.isHidden())
        rail.answer.setVisible(self._mode is Mode.ASK and self.sources.is_wanted)
        rail.answer.setChecked(has_sources)

    def _choose_side(self, *, shown: bool) -> None:
        if self.is_narrow:
            self._narrow_side = shown
            self._narrow_sources = False
            if shown:
                self.sources.close_document()
        else:
            self._choices[self._place()] = replace(self._choice(), has_side=shown)
        self.arrange()

    def _choose_sources(self, *, shown: bool) -> None:
        if self.is_narrow:
            self._narrow_sources = shown
        else:
            self._choices[self._place()] = replace(self._choice(), has_sources=shown)
        self.arrange()

    def _wants_side(self) -> bool:
        if not self.side.has_content:
            return False
        return self._narrow_side if self.is_narrow else self._choice().has_side

    def _wants_sources(self) -> bool:
        if self.sources.is_reading:
            return True
        if self._mode is not Mode.ASK or not self.sources.is_wanted:
            return False
        if self.is_narrow:
            return self._narrow_sources
        chosen = self._choice().has_sources
        return self._theme.is_expert if chosen is None else chosen

    def _place(self) -> str:
        return f"{self._mode} reading" if self.sources.is_reading else str(self._mode)

    def _choice(self) -> PaneChoice:
        """Return what the user chose, or what is usual: a document gets the larger half."""
        chosen = self._choices.get(self._place())
        if chosen is not None:
            return chosen
        if not self.sources.is_reading:
            return PaneChoice(_SIZES.get(self._mode, _USUAL), has_side=True)
        reader = int(self._room() * _READING_SHARE)
        return PaneChoice((_NARROWEST[0], _NARROWEST[1], reader), has_side=False)

    def _sizes(self) -> tuple[int, int, int]:
        """Return how wide the panes are to be; the middle takes what the shown ones leave."""
        side, _, sources = self._choice().sizes
        taken = side * (not self.side.isHidden()) + sources * (not self.sources.isHidden())
        return side, max(_NARROWEST[1], self._room() - taken), sources

    def _room(self) -> int:
        return self.width() - WIDTH - _HANDLES

    @Slot()
    def _keep_sizes(self) -> None:
        """Keep the widths that the user gave the panes; a hidden one keeps its own."""
        if self.is_narrow or self.is_full:
            return
        before = self._sizes()
        panes = (self.side, self._centre, self.sources)
        shown = zip(panes, self.splitter.sizes(), before, strict=True)
        side, centre, sources = (old if pane.isHidden() else now for pane, now, old in shown)
        self._choices[self._place()] = replace(self._choice(), sizes=(side, centre, sources))

    @Slot()
    def _begin_sources(self) -> None:
        self._narrow_sources = False
        self.arrange()

    @Slot()
    def _follow_reading(self) -> None:
        if not self.sources.is_reading:
            self.leave_full_screen()
        self.arrange()

    @Slot()
    def _dismiss_sources(self) -> None:
        self._choose_sources(shown=False)
