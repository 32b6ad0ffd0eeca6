"""What the files of a knowledge base lack, on one page: a card a kind, with what mends it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_rag.core.index_health import HealthKind, IndexHealth
from desktop_rag.core.requests import KbRequest
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.index_health import IndexHealthController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.library.file_menu import FileTarget
from desktop_rag.gui.library.health_card import HealthCard
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

_GROUPS = {
    HealthKind.FAILED: FileGroup.FAILED,
    HealthKind.PROTECTED: FileGroup.PROTECTED,
    HealthKind.PICTURES: FileGroup.PICTURES,
    HealthKind.GARBLED: FileGroup.GARBLED,
    HealthKind.HARD_TO_READ: FileGroup.HARD_TO_READ,
    HealthKind.WAITING: FileGroup.WAITING,
    HealthKind.TO_RECOGNIZE: FileGroup.PICTURES,
    HealthKind.EMPTY: FileGroup.EMPTY,
    HealthKind.DUPLICATE: FileGroup.COPIES,
    HealthKind.UNSUPPORTED: FileGroup.UNSUPPORTED,
    HealthKind.EXCLUDED: FileGroup.EXCLUDED,
}
"""What the table of files shows of a kind; it does not know which files are out of date."""


class HealthPage(QWidget):
    """Follows an `IndexHealthController` while it is shown.

    `left` asks for the table of files again, `group_wanted` for the table with one `FileGroup`,
    `open_asked` carries the path of a file, `passwords_wanted` the files whose password is to be
    asked for.
    """

    left = Signal()
    group_wanted = Signal(object)
    open_asked = Signal(object)
    passwords_wanted = Signal(object)

    def __init__(
        self,
        theme: Theme,
        library: LibraryController,
        watch: IndexHealthController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._library = library
        self._watch = watch
        self.back = IconButton(theme, "back", self.tr("Back to the files (Esc)"))
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._title.setObjectName("heading")
        self.whole = QLabel()
        self.whole.hide()
        self.whole.setObjectName("muted")
        self.whole.setWordWrap(True)
        self.whole.setContentsMargins(4, 6, 4, 6)
        self.cards = {
            kind: HealthCard(theme, kind, lists_all=kind in _GROUPS) for kind in HealthKind
        }
        self._area = ColumnScrollArea()
        self._lay_out()
        self._connect()
        self._name()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Follow from now on."""
        super().showEvent(event)
        self._watch.watch(self._library.snapshot.current, is_watched=True)
        if self._watch.health is not None:
            self._show(self._watch.health)
        self.back.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Follow no longer."""
        super().hideEvent(event)
        self._watch.watch(self._library.snapshot.current, is_watched=False)

    @Slot(object)
    def _show(self, health: IndexHealth) -> None:
        if health.kb != self._library.snapshot.current:
            self._show_nothing()
            return
        for card in self.cards.values():
            card.show_health(health)
        self.whole.setVisible(health.is_whole)
        self.whole.setText(
            self.tr("Everything is read.") if health.files else self.tr("There are no files yet.")
        )

    @Slot(object)
    def _follow(self, snapshot: LibrarySnapshot) -> None:
        self._name()
        self._watch.look(snapshot.current)
        if self._watch.health is None:
            self._show_nothing()

    def _show_nothing(self) -> None:
        """Show nothing of a knowledge base just left."""
        self.whole.hide()
        for card in self.cards.values():
            card.hide()

    def _name(self) -> None:
        name = shown_name(self._library.snapshot.current)
        self._title.set_text(self.tr("Health of “%1”").replace("%1", name))

    @Slot(object)
    def _mend(self, kind: HealthKind) -> None:
        library = self._library
        if kind is HealthKind.PROTECTED:
            self.passwords_wanted.emit(self._protected())
        elif kind is HealthKind.TO_RECOGNIZE:
            library.recognize()
        elif kind is HealthKind.WAITING and library.pause:
            library.resume()
        elif kind in (HealthKind.WAITING, HealthKind.STALE):
            library.update_all()
        elif kind is HealthKind.FAILED or library.snapshot.recognizes_text:
            library.retry()
        else:
            library.change_base(KbRequest("recognize", library.snapshot.current, switch="on"))

    def _protected(self) -> tuple[FileTarget, ...]:
        """Return the files that have a password."""
        files = self._library.snapshot.files
        return tuple(
            FileTarget(each.path, each) for each in files if each.status is FileStatus.ENCRYPTED
        )

    @Slot(object)
    def _show_files(self, kind: HealthKind) -> None:
        self.group_wanted.emit(_GROUPS[kind])

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(12, 10, 12, 4)
        top.addWidget(self.back)
        top.addWidget(self._title, 1)
        inside = self._area.column
        inside.setContentsMargins(16, 4, 16, 16)
        inside.setSpacing(10)
        inside.addWidget(self.whole)
        for card in self.cards.values():
            inside.addWidget(card)
        inside.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._area, 1)

    def _connect(self) -> None:
        self._watch.health_changed.connect(self._show)
        self._library.snapshot_changed.connect(self._follow)
        self.back.clicked.connect(self.left)
        for card in self.cards.values():
            card.mended.connect(self._mend)
            card.shown.connect(self._show_files)
            card.opened.connect(self.open_asked)
