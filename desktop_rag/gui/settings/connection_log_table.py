"""The log of connections on the page about privacy, with copy and clear."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.privacy import ConnectionGroup, PrivacyController
from desktop_rag.gui.settings.log_model import ConnectionLogModel
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.cards import heading_label, text_label

_EVERY_MS = 1500
_MOST_ROWS = 8


class ConnectionLogTable(QWidget):
    """Reads the log again now and then while it is seen."""

    def __init__(self, theme: Theme, privacy: PrivacyController) -> None:
        super().__init__()
        self._privacy = privacy
        self.model = ConnectionLogModel(theme)
        self.table = QTableView()
        self.empty = QLabel(self.tr("No connection has been made yet."))
        self.empty.setObjectName("muted")
        self.copy_all = QPushButton(self.tr("Copy"))
        self.clear = QPushButton(self.tr("Clear"))
        self._again = QTimer(self)
        self._again.setInterval(_EVERY_MS)
        self._again.timeout.connect(privacy.read_log)
        self._lay_out()
        self.copy_all.clicked.connect(self._copy)
        self.clear.clicked.connect(privacy.clear_log)
        privacy.log_changed.connect(self._show)
        self._show(())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Begin to read."""
        super().showEvent(event)
        self._privacy.read_log()
        self._again.start()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Read no more."""
        self._again.stop()
        super().hideEvent(event)

    @Slot(object)
    def _show(self, rows: tuple[ConnectionGroup, ...]) -> None:
        self.model.show_rows(rows)
        self.table.setVisible(bool(rows))
        self._fit(min(len(rows), _MOST_ROWS))
        self.empty.setVisible(not rows)
        self.copy_all.setEnabled(bool(rows))
        self.clear.setEnabled(bool(rows))

    def _fit(self, rows: int) -> None:
        """Make the table as high as its rows, as far as it need not scroll."""
        header = self.table.horizontalHeader().sizeHint().height()
        height = self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header + rows * height + 6)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.model.as_text())

    def _lay_out(self) -> None:
        self._set_up_table()
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.copy_all)
        buttons.addWidget(self.clear)
        about = self.tr(
            "Every connection that this program makes: when, to where, what for, and whether it "
            "was let through. It is kept in the data folder and holds no text of your documents "
            "or questions."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (
            heading_label(self.tr("Connections")),
            text_label(about, "muted"),
            self.table,
            self.empty,
        ):
            column.addWidget(widget)
        column.addLayout(buttons)

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setObjectName("list")
        table.setAccessibleName(self.tr("Connections"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(60)
