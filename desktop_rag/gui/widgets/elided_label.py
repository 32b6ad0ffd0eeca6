"""A label that ends in … where its text does not fit, instead of asking for more room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from desktop_rag.core.sanitize import sanitize_name


class ElidedLabel(QLabel):
    """One line of plain text, cut where `mode` says."""

    def __init__(self, mode: Qt.TextElideMode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self._given = self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        """Show a text."""
        if text == self._given:
            return
        self._given, self._whole = text, sanitize_name(text)
        self.setAccessibleName(text)
        self._fit()

    @property
    def whole(self) -> str:
        """The text before it was cut."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Cut anew."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's
        """Cut anew in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for no width."""
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, self._mode, self.width()))
