"""What a big folder holds, before it is added: how much, of what, and what to leave out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.controllers.add_sources import AddSourcesController
from desktop_rag.gui.controllers.folder_survey import FolderCount, FolderSurvey
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.library import library_text
from desktop_rag.gui.widgets.throttle import Throttle
from desktop_rag.gui.widgets.tooltips import tip

_SIZE = (560, 520)
_TYPING_MS = 500
_MOST_FORMATS = 5
_PART = Qt.ItemDataRole.UserRole


class AddFolderDialog(QDialog):
    """Shows an `AddSourcesController`'s survey while it counts. Show it with `open()`."""

    settled = Signal()

    def __init__(
        self, adding: AddSourcesController, survey: FolderSurvey, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Add a large folder"))
        self._adding = adding
        self._survey = survey
        self._out: set[str] = set()
        self.total = _label("heading")
        self.formats = _label("muted")
        self.warning = _label("muted")
        self.parts = QTreeWidget()
        self.globs = QLineEdit()
        self._typing = Throttle(_TYPING_MS, self)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add = self.buttons.addButton(self.tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setObjectName("primary")
        self._lay_out()
        self._connect()
        self._show(survey)

    def left_out(self) -> tuple[FolderCount, ...]:
        """Return the folders whose box is not ticked."""
        return tuple(part for part in self._survey.parts if part.path in self._out)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's
        """Add nothing when the dialog is closed."""
        self.reject()
        event.accept()

    @Slot()
    def accept(self) -> None:
        """Add what is ticked."""
        without = self.left_out()
        super().accept()
        self._adding.confirm(without)

    @Slot()
    def reject(self) -> None:
        """Add nothing."""
        super().reject()
        self._adding.dismiss()

    @Slot(object)
    def _show(self, survey: FolderSurvey) -> None:
        self._survey = survey
        self.total.setText(self._said())
        self.formats.setText(self._formats())
        self.warning.setText(self._warning())
        self.warning.setVisible(bool(self.warning.text()))
        self.add.setEnabled(survey.is_complete)
        if survey.is_complete:
            self._show_parts()

    def _said(self) -> str:
        files, size, seconds = self._rest()
        said = self.tr("%1, %2").replace("%2", library_text.size(size))
        said = said.replace("%1", library_text.files(files))
        if not self._survey.is_complete:
            return self.tr("Counting… %1 so far").replace("%1", said)
        if seconds is None:
            return said
        return " · ".join((said, library_text.duration(seconds)))

    def _rest(self) -> tuple[int, int, float | None]:
        """Return files, bytes and seconds without what is left out."""
        survey, out = self._survey, self.left_out()
        size = survey.size - sum(part.size for part in out)
        files = survey.count - sum(part.files for part in out)
        if survey.seconds is None or not survey.size:
            return files, size, None
        return files, size, survey.seconds * size / survey.size

    def _formats(self) -> str:
        formats = [f"{count:,} {ending[1:].upper()}" for ending, count in self._survey.formats]
        rest = len(formats) - _MOST_FORMATS
        said = join_list(formats[:_MOST_FORMATS])
        return (
            self.tr("%1 and %2 more formats").replace("%2", str(rest)).replace("%1", said)
            if (rest > 0)
            else said
        )

    def _warning(self) -> str:
        survey, said = self._survey, []
        if survey.unsupported:
            said.append(
                self.tr("%1 of a format that cannot be read").replace(
                    "%1", library_text.files(survey.unsupported)
                )
            )
        if survey.closed:
            text = (
                self.tr("1 folder may not be read")
                if len(survey.closed) == 1
                else self.tr("%1 folders may not be read")
            )
            said.append(text.replace("%1", f"{len(survey.closed):,}"))
        return " · ".join(said)

    def _show_parts(self) -> None:
        self.parts.blockSignals(True)
        self.parts.clear()
        several = len(self._survey.folders) > 1
        for part in self._survey.parts:
            name = library_text.last_name(part.path)
            shown = f"{library_text.last_name(part.root)}/{name}" if several else name
            item = QTreeWidgetItem([shown, f"{part.files:,}", library_text.size(part.size)])
            item.setData(0, _PART, part.path)
            ticked = part.path not in self._out
            item.setCheckState(0, Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            item.setToolTip(0, tip(part.path))
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
            self.parts.addTopLevelItem(item)
        self.parts.blockSignals(False)
        self.parts.setVisible(bool(self._survey.parts))

    @Slot(QTreeWidgetItem, int)
    def _tick(self, item: QTreeWidgetItem, column: int) -> None:
        del column
        path = str(item.data(0, _PART))
        is_out = item.checkState(0) is Qt.CheckState.Unchecked
        (self._out.add if is_out else self._out.discard)(path)
        self.total.setText(self._said())

    @Slot(str)
    def _type(self, text: str) -> None:
        del text
        self.add.setEnabled(False)
        self._typing.ask()

    @Slot()
    def _count_again(self) -> None:
        globs = tuple(each.strip() for each in self.globs.text().split(",") if each.strip())
        self._adding.count_again(globs)

    def _lay_out(self) -> None:
        self.parts.setHeaderLabels([self.tr("Folder"), self.tr("Files"), self.tr("Size")])
        self.parts.setObjectName("parts")
        self.parts.setRootIsDecorated(False)
        self.parts.setUniformRowHeights(True)
        self.parts.setAccessibleName(self.tr("Folders to add"))
        header = self.parts.header()
        for number in (1, 2):
            self.parts.headerItem().setTextAlignment(number, Qt.AlignmentFlag.AlignRight)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.globs.setPlaceholderText(self.tr("for example: drafts, *.bak, old/*"))
        self.globs.setAccessibleName(self.tr("Leave out"))
        caption = QLabel(self.tr("Leave out names or paths:"))
        caption.setBuddy(self.globs)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(8)
        where = _label("muted")
        where.setText("\n".join(self._survey.folders))
        column.addWidget(where)
        for widget in (self.total, self.formats, self.warning):
            column.addWidget(widget)
        column.addWidget(self.parts, 1)
        column.addWidget(caption)
        column.addWidget(self.globs)
        column.addSpacing(6)
        column.addWidget(self.buttons)
        self.resize(*_SIZE)

    def _connect(self) -> None:
        self._adding.counted.connect(self._show)
        self.parts.itemChanged.connect(self._tick)
        self.globs.textChanged.connect(self._type)
        self._typing.due.connect(self._count_again)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
