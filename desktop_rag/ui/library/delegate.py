"""How a folder or a file is painted: state icon, name, and a second line."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_rag.app.shelf import is_problem
from desktop_rag.ui.icons import icon
from desktop_rag.ui.library import phrases
from desktop_rag.ui.library.model import Place, Role, detail
from desktop_rag.ui.theme import SMALL, Theme, scaled
from desktop_rag.ui.widgets.ground import paint_ground

_ICON = 17
_PAD = 5


class PlaceDelegate(QStyledItemDelegate):
    """Paints the rows of a `LibraryModel`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(  # noqa: N802 - Qt's
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """Return two lines' height."""
        del index
        lines = QFontMetrics(option.font).height() + QFontMetrics(_small(option.font)).height()
        return QSize(80, lines + 2 * _PAD)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint one row."""
        place: Place = index.data(Role.PLACE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, option, self._theme.colors)
        name, role = self._sign(place)
        box = option.rect.adjusted(6, _PAD, -8, -_PAD)
        color = getattr(self._theme.colors, role)
        top = box.top() + (box.height() - _ICON) // 2
        icon(name, color).paint(painter, QRect(box.left(), top, _ICON, _ICON))
        self._paint_text(painter, option, place, box.adjusted(_ICON + 7, 0, 0, 0))
        painter.restore()

    def _paint_text(
        self, painter: QPainter, option: QStyleOptionViewItem, place: Place, box: QRect
    ) -> None:
        colors = self._theme.colors
        metrics = QFontMetrics(option.font)
        painter.setFont(option.font)
        painter.setPen(colors.of("text"))
        name = metrics.elidedText(place.name, Qt.TextElideMode.ElideMiddle, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, name)
        small = _small(option.font)
        painter.setFont(small)
        problem = place.row is not None and is_problem(place.row) and not place.is_away
        painter.setPen(colors.of(self._sign(place)[1] if problem else "muted"))
        said = QFontMetrics(small).elidedText(
            detail(place), Qt.TextElideMode.ElideRight, box.width()
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, said)

    def _sign(self, place: Place) -> tuple[str, str]:
        if place.is_away:
            return "away", "muted"
        if place.row is None:
            return "folder", "muted"
        return phrases.sign(place.row)


def _small(font: QFont) -> QFont:
    return scaled(font, SMALL)
