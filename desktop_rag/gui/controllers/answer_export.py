"""One answer as a file of its own: Word, PDF or Markdown, under its question, with its sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.controllers import note_export
from desktop_rag.gui.controllers.conversation_export import write_atomically
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.transcript import Transcript, Turn

ANSWER_FORMS: Mapping[str, str] = {"docx": ".docx", "pdf": ".pdf", "markdown": ".md"}
"""The forms, and how their files' names end."""


@dataclass(frozen=True, slots=True)
class AnswerExport:
    """What is to be written: a turn, headed by its question, to a file in one of `ANSWER_FORMS`."""

    turn: Turn
    path: Path
    form: str
    words: ExportLabels


def write(folder: DataFolder, export: AnswerExport, token: CancelToken) -> Path:
    """Write an answer to a file, and return its path; a UserError says why it could not be."""
    title = " ".join(export.turn.question.split())
    shown = Transcript(None, title, (replace(export.turn, question=""),))
    content = note_export.written([shown], export.form, export.words)
    data_dir = folder.get(token).data_dir
    token.check()
    write_atomically(export.path, content, data_dir)
    return export.path
