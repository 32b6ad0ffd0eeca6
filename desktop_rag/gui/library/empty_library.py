"""What is shown where there are no files: a field to drop them on, and buttons to choose them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.icons import picture
from desktop_rag.gui.theme import Theme


class EmptyLibrary(QWidget):
    """A dashed field: drop files here, or choose them, or take the samples."""

    files_wanted = Signal()
    folder_wanted = Signal()
    samples_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        theme.changed.connect(self._dress)
        self._dress()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the dashed border."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._theme.colors.of("scroll"), 1.5, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(self.rect().adjusted(2, 2, -3, -3), 10, 10)

    @Slot()
    def _dress(self) -> None:
        drawn = picture("add-folder", self._theme.colors.accent, 80)
        drawn.setDevicePixelRatio(2)
        self._sign.setPixmap(QPixmap.fromImage(drawn))

    def _lay_out(self) -> None:
        title = QLabel(self.tr("Drop files or folders here"))
        title.setObjectName("heading")
        text = QLabel(
            self.tr(
                "PDF, Word, PowerPoint, Excel, Markdown, HTML, text and mail. "
                "They are read on this computer, and nothing of them leaves it unless you allow "
                "that. Changes in folders are picked up automatically."
            )
        )
        text.setObjectName("muted")
        for label in (title, text):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 20)
        column.setSpacing(10)
        column.addStretch(2)
        for widget in (self._sign, title, text, *self._buttons()):
            column.addWidget(widget)
        column.addStretch(3)

    def _buttons(self) -> tuple[QPushButton, ...]:
        folder = QPushButton(self.tr("Add a folder…"))
        folder.setObjectName("primary")
        folder.clicked.connect(self.folder_wanted)
        files = QPushButton(self.tr("Add files…"))
        files.clicked.connect(self.files_wanted)
        samples = QPushButton(self.tr("Try the sample documents"))
        samples.setObjectName("quiet")
        samples.clicked.connect(self.samples_wanted)
        return folder, files, samples
