"""A drawing that is looked at through a window: only what is in sight is painted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.tooltips import tip

_STEP = 24  # pixels that a wheel's notch, or an arrow of the scroll bar, is worth
_MARGIN = 12


class DrawingArea(QAbstractScrollArea):
    """Scrolls a drawing of any size. Whoever derives from it paints, and says what lies where."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wide = self._high = 0.0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self.viewport().update)

    def draw(self, painter: QPainter, seen: QRectF) -> None:
        """Paint what lies in a part of the drawing, in its coordinates."""
        raise NotImplementedError

    def tip_at(self, at: QPointF) -> str:
        """Return what is told of what lies under a point."""
        raise NotImplementedError

    def can_click(self, at: QPointF) -> bool:
        """Tell whether something happens where a point is clicked on."""
        raise NotImplementedError

    def click(self, at: QPointF) -> None:
        """Do what belongs to a point."""
        raise NotImplementedError

    def seen(self) -> QRectF:
        """Return the part of the drawing that is in sight."""
        return QRectF(self._offset(), self.viewport().size())

    def set_extent(self, wide: float, high: float) -> None:
        """Say how large the drawing is, in pixels."""
        self._wide, self._high = wide, high
        room = self.viewport().size()
        for bar, whole, page in (
            (self.horizontalScrollBar(), wide, room.width()),
            (self.verticalScrollBar(), high, room.height()),
        ):
            bar.setRange(0, max(0, round(whole - page)))
            bar.setPageStep(page)
            bar.setSingleStep(_STEP)
        self.viewport().update()

    def reveal(self, box: QRectF) -> None:
        """Scroll until a part of the drawing is in sight."""
        seen = self.seen()
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        if box.left() < seen.left():
            across.setValue(round(box.left() - _MARGIN))
        elif box.right() > seen.right():
            across.setValue(round(min(box.left(), box.right() - seen.width()) + _MARGIN))
        if box.top() < seen.top():
            down.setValue(round(box.top() - _MARGIN))
        elif box.bottom() > seen.bottom():
            down.setValue(round(min(box.top(), box.bottom() - seen.height()) + _MARGIN))

    def tell(self, text: str) -> None:
        """Let screen readers know what is chosen."""
        self.setAccessibleDescription(text)
        event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint what is to be painted anew."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self._theme.colors.of("base"))
        offset = self._offset()
        painter.translate(-offset)
        self.draw(painter, QRectF(event.rect()).translated(offset))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Look through a window of another size."""
        super().resizeEvent(event)
        self.set_extent(self._wide, self._high)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Tell what lies under the mouse when it rests."""
        if isinstance(event, QHelpEvent):
            told = self.tip_at(self._place(event.pos()))
            QToolTip.showText(event.globalPos(), tip(*told.split("\n")) if told else "", self)
            return True
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Show a hand over what can be clicked."""
        is_live = self.can_click(self._place(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if is_live else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Do what belongs to a point."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.click(self._place(event.position().toPoint()))

    def _offset(self) -> QPointF:
        across, down = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        return QPointF(across, down)

    def _place(self, at: QPoint) -> QPointF:
        return QPointF(at) + self._offset()
