"""What is being indexed, how far it has come, Pause and Stop; or that it rests, and Resume."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from desktop_rag.gui.controllers.ingest_queue import Pause
from desktop_rag.gui.controllers.library import Activity, Indexing
from desktop_rag.gui.library import library_text
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel


class ProgressCard(QFrame):
    """Hidden while there is nothing to do. `paused`, `stopped` and `resumed` are its buttons."""

    paused = Signal()
    stopped = Signal()
    resumed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.stage = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.stage.setObjectName("heading")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of indexing"))
        self._current = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self._current.setObjectName("small")
        self._pace = QLabel()
        self._pace.setObjectName("small")
        self.pause = IconButton(
            theme, "pause", self.tr("Pause: files wait until you resume, also after a restart")
        )
        self.stop = IconButton(
            theme, "stop", self.tr("Stop: what waits is read at the next look for changes")
        )
        self.resume = QPushButton(self.tr("Resume"))
        self.resume.setObjectName("quiet")
        self._lay_out()
        self.pause.clicked.connect(self.paused)
        self.stop.clicked.connect(self.stopped)
        self.resume.clicked.connect(self.resumed)
        self.hide()

    @Slot()
    def show_state(self, activity: Activity, pause: Pause, waiting: int) -> None:
        """Show what is being done, or why nothing is and how many files wait."""
        is_working = isinstance(activity, Indexing) and not pause
        said = library_text.stage(activity) if is_working else library_text.paused(pause, waiting)
        self.setVisible(bool(said))
        self.stage.set_text(said)
        self.pause.setVisible(is_working)
        self.stop.setVisible(is_working)
        self.resume.setVisible(not is_working)
        battery = pause is Pause.BATTERY
        self.resume.setText(self.tr("Read anyway") if battery else self.tr("Resume"))
        self._show_progress(activity if is_working else None)

    def _show_progress(self, activity: Activity | None) -> None:
        progress = activity.progress if isinstance(activity, Indexing) else None
        self._bar.setVisible(activity is not None)
        self._bar.setRange(0, progress.total if progress is not None else 0)
        self._bar.setValue(progress.done if progress is not None else 0)
        self._current.set_text(library_text.current(activity) if activity is not None else "")
        self._pace.setText(library_text.rate_text(activity) if activity is not None else "")
        self._pace.setVisible(bool(self._pace.text()))
        self._current.setVisible(bool(self._current.whole))

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(2)
        top.addWidget(self.stage, 1)
        for widget in (self.pause, self.stop, self.resume):
            top.addWidget(widget)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 8, 8, 10)
        grid.setVerticalSpacing(4)
        grid.addLayout(top, 0, 0)
        grid.addWidget(self._bar, 1, 0)
        grid.addWidget(self._current, 2, 0)
        grid.addWidget(self._pace, 3, 0)


class CommandCard(QFrame):
    """What the user decided and is being carried out, with a stop where that leaves no harm."""

    stopped = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.stage = ElidedLabel(Qt.TextElideMode.ElideRight)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self.stop = IconButton(theme, "stop", self.tr("Cancel"))
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 6, 8, 8)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.stage, 0, 0)
        grid.addWidget(self.stop, 0, 1)
        grid.addWidget(self._bar, 1, 0, 1, 2)
        self.stop.clicked.connect(self.stopped)
        self.hide()

    def show_state(self, said: str, done: int, total: int, *, may_stop: bool) -> None:
        """Show what is being done; nothing where nothing is."""
        self.setVisible(bool(said))
        self.stage.set_text(said)
        self.stop.setVisible(may_stop)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
