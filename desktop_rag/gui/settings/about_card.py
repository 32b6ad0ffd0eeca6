"""Which version this is, where everything is kept, and under which licences."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Slot, qVersion
from PySide6.QtWidgets import QPushButton

from desktop_rag.core import version
from desktop_rag.gui import desktop_services
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.widgets.cards import TitledCard, text_label


class AboutCard(TitledCard):
    """Says what to tell who is asked for help; `folder` opens the data folder."""

    def __init__(self, data_dir: Path) -> None:
        super().__init__(self.tr("About Desktop RAG"))
        self._data_dir = data_dir
        told = fill(self.tr("Version %1, with Qt %2."), version.installed(), qVersion())
        self.version = text_label(told)
        kept = self.tr("Everything is kept in %1: settings, texts, conversations, logs.")
        self.place = text_label(fill(kept, str(data_dir)))
        self.folder = QPushButton(self.tr("Open the data folder"))
        licences = self.tr(
            "Under the Apache License 2.0. Qt is used under the GNU LGPL, version 3, and can be "
            "replaced by a version of your own."
        )
        for widget in (self.version, self.place, text_label(licences, "muted")):
            self.column.addWidget(widget)
        self.column.addWidget(self.folder, 0, Qt.AlignmentFlag.AlignLeft)
        self.folder.clicked.connect(self._open)

    @Slot()
    def _open(self) -> None:
        desktop_services.open_folder(self._data_dir)
