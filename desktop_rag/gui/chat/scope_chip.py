"""One of the things that a question is asked of, above the question, with a cross."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.document_scope import ScopeItem, ScopeKind
from desktop_rag.gui.controllers.scope_names import name_of
from desktop_rag.gui.display_text import fill, join_details, shown_name
from desktop_rag.gui.icons import picture
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.tooltips import tip

ICONS = {ScopeKind.FILE: "file", ScopeKind.FOLDER: "folder", ScopeKind.BASE: "library"}
_LONGEST = 260  # pixels
_AROUND = 8  # pixels above and below the name together
_SIGN, _CROSS, _GAP, _LEFT, _RIGHT = 14, 12, 5, 9, 3  # pixels


def item_name(item: ScopeItem) -> str:
    """Return what a file, a folder or a knowledge base is called."""
    if item.kind is ScopeKind.BASE:
        return sanitize_name(shown_name(item.kb))
    return sanitize_name(name_of(item.path))


def kind_text(kind: ScopeKind) -> str:
    """Return what a part of a scope is, in a word or two."""
    if kind is ScopeKind.BASE:
        return QCoreApplication.translate("ScopeChip", "Knowledge base")
    if kind is ScopeKind.FOLDER:
        return QCoreApplication.translate("ScopeChip", "Folder")
    return QCoreApplication.translate("ScopeChip", "File")


class ScopeChip(QFrame):
    """A name with the sign of its kind; `left` carries the `ScopeItem` when the cross is clicked.

    One that `is_missing` says so.
    """

    left = Signal(object)

    def __init__(
        self, theme: Theme, item: ScopeItem, parent: QWidget, *, is_missing: bool = False
    ) -> None:
        super().__init__(parent)
        self.item = item
        self.is_missing = is_missing
        self._theme = theme
        self.setObjectName("missingScope" if is_missing else "scope")
        self._sign = QLabel()
        self._sign.setFixedSize(_SIGN, _SIGN)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.cross = IconButton(theme, "close", self._leave_text())
        self.cross.setToolTip(tip(self._leave_text()))
        self.cross.setObjectName("cross")
        self.cross.setIconSize(QSize(_CROSS, _CROSS))
        row = QHBoxLayout(self)
        row.setContentsMargins(_LEFT, 0, _RIGHT, 0)
        row.setSpacing(_GAP)
        for widget in (self._sign, self.words, self.cross):
            row.addWidget(widget)
        self.setAccessibleName(self._said())
        self.setToolTip(self._tip())
        self.cross.clicked.connect(self._leave)
        theme.changed.connect(self._dress)
        self._dress()

    @property
    def wanted_height(self) -> int:
        """How high a chip is, in pixels."""
        return self.fontMetrics().height() + _AROUND

    def fit(self, width: int) -> QSize:
        """Cut the name for a width; return the size that the chip takes."""
        metrics, name = self.words.fontMetrics(), item_name(self.item)
        behind = self.tr(" (not there any more)") if self.is_missing else ""
        around = _LEFT + _SIGN + 2 * _GAP + self.cross.sizeHint().width() + _RIGHT + 2
        beside = metrics.horizontalAdvance(behind)
        room = min(_LONGEST + beside, width) - around - beside
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, max(room, 3 * _SIGN))
        self.words.setText(shown + behind)
        return QSize(around + metrics.horizontalAdvance(shown + behind), self.wanted_height)

    def _said(self) -> str:
        gone = self.tr("not there any more") if self.is_missing else ""
        return join_details(f"{kind_text(self.item.kind)} “{item_name(self.item)}”", gone)

    def _tip(self) -> str:
        where = self.item.path or shown_name(self.item.kb)
        lines = [f"{kind_text(self.item.kind)}: {where}"]
        if self.item.path and self.item.kb:
            base = self.tr("in the knowledge base “%1”")
            lines.append(fill(base, shown_name(self.item.kb)))
        if self.is_missing:
            lines.append(self.tr("It is not in the library any more. Take it away with the cross."))
        return tip(*lines)

    def _leave_text(self) -> str:
        kind, name = kind_text(self.item.kind), item_name(self.item)
        return fill(self.tr("Do not ask this: %1 “%2”"), kind, name)

    @Slot()
    def _leave(self) -> None:
        self.left.emit(self.item)

    @Slot()
    def _dress(self) -> None:
        colors = self._theme.colors
        role = colors.warn if self.is_missing else colors.accent_text
        name = "warning" if self.is_missing else ICONS[self.item.kind]
        ratio = self.devicePixelRatioF()
        drawn = picture(name, role, round(_SIGN * ratio))
        drawn.setDevicePixelRatio(ratio)
        self._sign.setPixmap(QPixmap.fromImage(drawn))
