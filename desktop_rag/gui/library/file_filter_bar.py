"""What narrows the table of files: words, the files with problems, those not read, other states."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.file_query import FileGroup
from desktop_rag.gui.controllers.file_table import FileListing
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE
from desktop_rag.gui.library import library_text
from desktop_rag.gui.widgets.throttle import Throttle

_TYPING_MS = 120
_NARROW = 700  # pixels


class FileFilterBar(QWidget):
    """`changed` says that other files are asked for, `retry_wanted` that failed ones be read again.

    Two switches, `problems` and `not_read`, count the files of the place that is shown and show
    nothing but them. They, and the list of all states, say the same of what is shown.
    """

    changed = Signal()
    retry_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLineEdit()
        self.group = QComboBox()
        self.problems, self.not_read = QPushButton(), QPushButton()
        self.retry = QPushButton(self.tr("Retry failed"))
        self._line, self._second_line = QHBoxLayout(), QHBoxLayout()
        self._is_narrow = False
        self._shown = ("", EVERYWHERE)
        self._counted: dict[FileGroup, int] = {}
        self._typing = Throttle(_TYPING_MS, self)
        self._switches = {
            FileGroup.PROBLEMS: self.problems,
            FileGroup.NOT_READ: self.not_read,
        }
        self._dress()
        self._connect()

    @property
    def chosen(self) -> FileGroup:
        """Which files are asked for."""
        return FileGroup(self.group.currentData())

    def choose(self, group: FileGroup) -> None:
        """Ask for one kind of files, without saying so."""
        self.group.setCurrentIndex(self.group.findData(group))
        for each, switch in self._switches.items():
            switch.setChecked(each is group)

    def show_listing(self, listing: FileListing) -> None:
        """Count what the switches show; when the last of its files is mended, show all again."""
        is_same = (listing.kb, listing.query.place) == self._shown
        self._shown = listing.kb, listing.query.place
        counts = {
            FileGroup.PROBLEMS: (listing.problems, library_text.with_problems(listing.problems)),
            FileGroup.NOT_READ: (listing.passed_over, library_text.not_read(listing.passed_over)),
        }
        for group, (number, said) in counts.items():
            switch = self._switches[group]
            if self._counted.get(group) and not number and switch.isChecked() and is_same:
                self.choose(FileGroup.ALL)
                self.changed.emit()
            switch.setText(said)
            switch.setVisible(number > 0 or switch.isChecked())
            self._counted[group] = number

    def _dress(self) -> None:
        self.words.setPlaceholderText(self.tr("Filter by name, folder, state or reason"))
        self.words.setAccessibleName(self.tr("Filter"))
        self.words.setClearButtonEnabled(True)
        for button in self.words.findChildren(QToolButton):
            button.setAccessibleName(self.tr("Clear the filter"))
            button.setToolTip(self.tr("Clear the filter"))
        self.problems.setProperty("grave", True)
        self.problems.setToolTip(self.tr("Show only the files that need attention"))
        self.not_read.setToolTip(
            self.tr("Show the files there is nothing to read in: empty ones, and other kinds")
        )
        for switch in self._switches.values():
            switch.setObjectName("quiet")
            switch.setCheckable(True)
            switch.hide()
        self.retry.setToolTip(self.tr("Read every file with a problem again"))
        self.retry.hide()
        self._fill_groups()
        lines = QVBoxLayout(self)
        lines.setContentsMargins(12, 0, 12, 6)
        lines.setSpacing(4)
        lines.addLayout(self._line)
        lines.addLayout(self._second_line)
        self._line.addWidget(self.words, 1)
        self._fold(is_narrow=False)

    def _fold(self, *, is_narrow: bool) -> None:
        """Put the switches into a line of their own where the words would have no room else."""
        self._is_narrow = is_narrow
        line = self._second_line if is_narrow else self._line
        while self._second_line.count():
            self._second_line.takeAt(0)
        for widget in (self.problems, self.not_read):
            line.addWidget(widget)
        if is_narrow:
            line.addStretch(1)
        self._line.addWidget(self.group)
        line.addWidget(self.retry)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Fold or unfold the switches."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        if is_narrow != self._is_narrow:
            self._fold(is_narrow=is_narrow)

    def _fill_groups(self) -> None:
        self.group.setAccessibleName(self.tr("State"))
        for group, text in (
            (FileGroup.ALL, self.tr("All states")),
            (FileGroup.READY, self.tr("Ready")),
            (FileGroup.PROBLEMS, self.tr("Problems")),
            (FileGroup.WAITING, self.tr("Waiting")),
            (FileGroup.NO_PASSAGES, self.tr("0 passages")),
            (FileGroup.NOT_READ, self.tr("Not read")),
            (FileGroup.EXCLUDED, self.tr("Excluded")),
            (FileGroup.FAILED, self.tr("Could not be read")),
            (FileGroup.PROTECTED, self.tr("Protected")),
            (FileGroup.PICTURES, self.tr("Pictures")),
            (FileGroup.GARBLED, self.tr("Garbled")),
            (FileGroup.HARD_TO_READ, self.tr("Hard to read")),
            (FileGroup.EMPTY, self.tr("Without text")),
            (FileGroup.UNSUPPORTED, self.tr("Other kinds")),
            (FileGroup.COPIES, self.tr("Copies")),
        ):
            self.group.addItem(text, group)

    def _connect(self) -> None:
        self.words.textChanged.connect(self._type)
        self._typing.due.connect(self.changed)
        self.group.activated.connect(self._pick)
        self.problems.clicked.connect(self._turn_problems)
        self.not_read.clicked.connect(self._turn_not_read)
        self.retry.clicked.connect(self.retry_wanted)

    @Slot(str)
    def _type(self, text: str) -> None:
        del text
        self._typing.ask()

    @Slot(int)
    def _pick(self, row: int) -> None:
        self.choose(FileGroup(self.group.itemData(row)))
        self.changed.emit()

    @Slot()
    def _turn_problems(self) -> None:
        self._turn(FileGroup.PROBLEMS)

    @Slot()
    def _turn_not_read(self) -> None:
        self._turn(FileGroup.NOT_READ)

    def _turn(self, group: FileGroup) -> None:
        self.choose(FileGroup.ALL if self.chosen is group else group)
        self.changed.emit()
