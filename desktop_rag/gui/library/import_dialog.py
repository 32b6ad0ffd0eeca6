"""The question before an import: which of its folders, on this computer too, are to be followed."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.library_previews import ImportPreview
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.widgets.check_delegate import CheckDelegate
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.paragraph import paragraph
from desktop_rag.gui.widgets.tooltips import tip

_WIDTH = 500
_FEWEST_ROWS, _MOST_ROWS = 2, 6  # as far as there are so many
_AROUND_ROWS = 8  # pixels


class ImportDialog(QDialog):
    """Asks; `agreed` carries the request. Nothing is followed that is not ticked."""

    agreed = Signal(object)

    def __init__(self, offer: ImportPreview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Import knowledge base"))
        self._offer = offer
        self.places = QListWidget()
        self.places.setObjectName("ticked")
        self.places.setItemDelegate(CheckDelegate(self.places))
        self.places.setAccessibleName(self.tr("Folders and files to follow"))
        self.places.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = self._buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setObjectName("primary")
        self.go.setDefault(True)
        self._lay_out()
        self._buttons.accepted.connect(self._agree)
        self._buttons.rejected.connect(self.reject)

    @Slot()
    def _agree(self) -> None:
        rows = (self.places.item(row) for row in range(self.places.count()))
        ticked = [row.checkState() is Qt.CheckState.Checked for row in rows]
        follow = tuple(p for p, wanted in zip(self._offer.places, ticked, strict=True) if wanted)
        self.accept()
        self.agreed.emit(self._offer.request(follow))

    def _list(self, place: str) -> None:
        item = QListWidgetItem(sanitize_name(place), self.places)
        flags = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable
        item.setFlags(flags | Qt.ItemFlag.ItemIsEnabled)
        item.setCheckState(Qt.CheckState.Unchecked)
        item.setToolTip(tip(place))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(10)
        column.addWidget(paragraph(self.tr("Follow folders of this knowledge base?"), "heading"))
        told = self.tr(
            "“%1” names folders and files that are on this computer, too. Those that you tick are "
            "read and kept up to date from now on. Tick them only if you trust whoever made it."
        )
        name = sanitize_name(PurePath(self._offer.file).name)
        column.addWidget(paragraph(fill(told, name), "muted"))
        column.addWidget(self.places)
        said = self.tr("Nothing is followed that is not ticked. You can add folders later.")
        column.addWidget(paragraph(said, "muted"))
        column.addSpacing(6)
        column.addWidget(self._buttons)
        self.places.ensurePolished()  # before there are rows: they keep their first height
        for place in self._offer.places:
            self._list(place)
        self.places.setCurrentRow(0)
        self.places.setSizeAdjustPolicy(QListWidget.SizeAdjustPolicy.AdjustToContents)
        self.places.setMinimumHeight(self._height(_FEWEST_ROWS))
        self.places.setMaximumHeight(self._height(_MOST_ROWS))
        self.setFixedWidth(_WIDTH)
        fit_height(self, _WIDTH)

    def _height(self, rows: int) -> int:
        shown = min(rows, self.places.count())
        return shown * self.places.sizeHintForRow(0) + _AROUND_ROWS
