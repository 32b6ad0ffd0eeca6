"""What a drop will do, laid over the window while something is dragged."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.theme import Theme


class DropHint(QWidget):
    """Hidden until `show_over`; lets every event through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self, kb: str) -> None:
        """Cover the parent and say where the files will go."""
        self._text = self.tr("Drop to add to “%1”").replace("%1", shown_name(kb))
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint a veil, a frame and the sentence."""
        del event
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(colors.window)
        veil.setAlpha(220)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QPen(colors.of("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(self.rect().adjusted(14, 14, -14, -14), 14, 14)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 1.5)
        painter.setFont(font)
        painter.setPen(colors.of("accent_text"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)


def local_paths(event: QDropEvent) -> tuple[str, ...]:
    """Return the files and folders of this computer that are dragged or dropped."""
    urls = event.mimeData().urls()
    return tuple(url.toLocalFile() for url in urls if url.isLocalFile())
