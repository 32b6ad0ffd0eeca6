"""Asks where notes are written to, and in what form."""

from __future__ import annotations

from desktop_rag.gui.chat.export_dialog import ExportDialog
from desktop_rag.gui.controllers.note_export import NOTE_FORMS


class NoteExportDialog(ExportDialog):
    """A file picker for notes."""

    endings = NOTE_FORMS

    def offered(self) -> dict[str, str]:
        """Return the forms by what they are called."""
        return {
            self.tr("Markdown (*.md)"): "markdown",
            self.tr("Word document (*.docx)"): "docx",
            self.tr("PDF (*.pdf)"): "pdf",
        }
