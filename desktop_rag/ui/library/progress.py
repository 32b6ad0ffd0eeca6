"""What is being indexed, how far it has come, and Stop."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QProgressBar, QWidget

from desktop_rag.app.library import Activity, Working
from desktop_rag.ui.library import phrases
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.buttons import IconButton
from desktop_rag.ui.widgets.elided import ElidedLabel


class ProgressCard(QFrame):
    """Hidden while there is nothing to do. `stopped` and `resumed` are its button."""

    stopped = Signal()
    resumed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._stage = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._stage.setObjectName("heading")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of indexing"))
        self._current = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._current.setObjectName("small")
        self._pace = QLabel()
        self._pace.setObjectName("small")
        self._working = False
        self.button = IconButton(theme, "stop", "")
        self.button.clicked.connect(self._press)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 8, 10)
        grid.setVerticalSpacing(4)
        grid.addWidget(self._stage, 0, 0)
        grid.addWidget(self.button, 0, 1)
        grid.addWidget(self._bar, 1, 0, 1, 2)
        grid.addWidget(self._current, 2, 0, 1, 2)
        grid.addWidget(self._pace, 3, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        self.hide()

    def show_state(self, activity: Activity, waiting: int) -> None:
        """Show what is being done, or how many files wait since it was stopped."""
        self._working = isinstance(activity, Working)
        stage = phrases.stage(activity) if self._working else phrases.paused(waiting)
        self.setVisible(bool(stage))
        self._stage.set_text(stage)
        if self._working:
            self.button.paint_as("stop", "muted", self.tr("Stop indexing; what is done stays"))
        else:
            self.button.paint_as("retry", "muted", self.tr("Go on reading the files that wait"))
        self._show_progress(activity)

    def _show_progress(self, activity: Activity) -> None:
        self._bar.setVisible(self._working)
        progress = activity.progress if isinstance(activity, Working) else None
        total = progress.total if progress is not None else 0
        self._bar.setRange(0, total)
        self._bar.setValue(progress.done if progress is not None else 0)
        self._current.set_text(phrases.current(activity))
        self._pace.setText(phrases.pace(activity))
        self._pace.setVisible(bool(self._pace.text()))
        self._current.setVisible(bool(self._current.whole))

    @Slot()
    def _press(self) -> None:
        if self._working:
            self.stopped.emit()
        else:
            self.resumed.emit()
