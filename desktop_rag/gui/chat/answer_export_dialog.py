"""Asks where one answer is written to, and in what form."""

from __future__ import annotations

from desktop_rag.gui.chat.export_dialog import ExportDialog
from desktop_rag.gui.controllers.answer_export import ANSWER_FORMS


class AnswerExportDialog(ExportDialog):
    """A file picker for an answer; a Word document is chosen first."""

    endings = ANSWER_FORMS

    def offered(self) -> dict[str, str]:
        """Return the forms by what they are called."""
        return {
            self.tr("Word document (*.docx)"): "docx",
            self.tr("PDF (*.pdf)"): "pdf",
            self.tr("Markdown (*.md)"): "markdown",
        }
