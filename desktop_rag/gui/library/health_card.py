"""One kind of files that an index lacks: how many, what it means, the first ones, what mends it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.core.index_health import (
    HealthFile,
    HealthFinding,
    HealthKind,
    IndexHealth,
    ReasonCount,
)
from desktop_rag.core.phrases import parts_of
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library import health_text, library_text
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.tooltips import tip

_LINES = 5
_MOST_REASONS = 3
_LONGEST_NAME = 44
_SIGN = QSize(18, 18)


class HealthFileLine(QWidget):
    """A file with why it is there; `opened` carries its path."""

    opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._path = ""
        self.name = QPushButton()
        self.name.setObjectName("quiet")
        self.reason = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.reason.setObjectName("small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.name)
        row.addWidget(self.reason, 1)
        self.name.clicked.connect(self._open)

    def show_file(self, file: HealthFile) -> None:
        """Show a file."""
        self._path = file.path
        name = library_text.last_name(file.path)
        self.name.setText(_shortened(name).replace("&", "&&"))
        self.name.setAccessibleName(name)
        self.name.setToolTip(tip(file.path))
        why = translate_message(parts_of(file.reason)[0])
        self.reason.set_text(why or file.path[: -len(name)])

    @Slot()
    def _open(self) -> None:
        self.opened.emit(self._path)


class HealthCard(QFrame):
    """Hidden while there is no such file.

    `mended` and `shown` carry the kind: its button was pressed, or its files are to be shown.
    `opened` carries a path.
    """

    mended = Signal(object)
    shown = Signal(object)
    opened = Signal(object)

    def __init__(self, theme: Theme, kind: HealthKind, *, lists_all: bool) -> None:
        super().__init__()
        self.setObjectName("card")
        self.kind = kind
        self._theme = theme
        self._lists_all = lists_all
        self._role = "muted"
        self._sign = QLabel()
        self.title = QLabel(health_text.title(kind))
        self.title.setObjectName("heading")
        self.count = QLabel()
        self.count.setObjectName("small")
        self.meaning = text_label("", "muted")
        self.reasons = text_label("", "small")
        self.lines = [HealthFileLine() for _ in range(_LINES)]
        self.mend = QPushButton()
        self.show_all = QPushButton()
        self.show_all.setObjectName("quiet")
        self._lay_out()
        self._connect()
        self.hide()

    def show_health(self, health: IndexHealth) -> None:
        """Show what was found of this kind."""
        finding = health.of(self.kind)
        self.setVisible(finding.files > 0)
        self._role = "warn" if finding.needs_mending else "muted"
        self._dress()
        recognizes = health.recognizes_text
        self.count.setText(health_text.counts(finding))
        self.meaning.setText(health_text.meaning(self.kind, recognizes_text=recognizes))
        is_listed = finding.files <= len(finding.first)  # each file has its reason beside it
        self._show_reasons(() if is_listed else finding.reasons)
        self._show_files(finding)
        said = health_text.mend(self.kind, recognizes_text=recognizes)
        self.mend.setText(said)
        self.mend.setAccessibleName(f"{said}: {self.title.text()}")
        self.mend.setVisible(bool(said))

    def _show_reasons(self, reasons: tuple[ReasonCount, ...]) -> None:
        told = [
            f"• {sanitize_name(translate_message(each.reason))} ({each.files:,})"
            for each in reasons[:_MOST_REASONS]
        ]
        self.reasons.setText("\n".join(told))
        self.reasons.setVisible(bool(reasons))

    def _show_files(self, finding: HealthFinding) -> None:
        for place, line in enumerate(self.lines):
            line.setVisible(place < len(finding.first))
            if place < len(finding.first):
                line.show_file(finding.first[place])
        self.show_all.setText(health_text.tr("Show in the table"))
        self.show_all.setAccessibleName(f"{self.show_all.text()}: {self.title.text()}")
        self.show_all.setVisible(self._lists_all)

    @Slot()
    def _dress(self) -> None:
        name = "info" if self._role == "muted" else "warning"
        drawn = icon(name, getattr(self._theme.colors, self._role))
        picture: QPixmap = drawn.pixmap(_SIGN, self.devicePixelRatio())
        self._sign.setPixmap(picture)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._sign)
        top.addWidget(self.title, 1)
        top.addWidget(self.count)
        buttons = QHBoxLayout()
        buttons.addWidget(self.mend)
        buttons.addWidget(self.show_all)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.meaning)
        column.addWidget(self.reasons)
        for line in self.lines:
            column.addWidget(line)
        column.addLayout(buttons)

    def _connect(self) -> None:
        self._theme.changed.connect(self._dress)
        self.mend.clicked.connect(self._mend)
        self.show_all.clicked.connect(self._show_all)
        for line in self.lines:
            line.opened.connect(self.opened)

    @Slot()
    def _mend(self) -> None:
        self.mended.emit(self.kind)

    @Slot()
    def _show_all(self) -> None:
        self.shown.emit(self.kind)


def _shortened(name: str) -> str:
    """Return a name without its middle, if it is long: its ending tells what it is."""
    if len(name) <= _LONGEST_NAME:
        return name
    half = _LONGEST_NAME // 2
    return f"{name[:half]}…{name[-half + 1 :]}"
