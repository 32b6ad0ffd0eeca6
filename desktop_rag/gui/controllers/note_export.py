"""Notes as files: Markdown, Word or PDF, each note with the sources that it cites behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.note_records import NoteId
from desktop_rag.gui.controllers.conversation_export import write_atomically
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.export_labels import ExportLabels
from desktop_rag.gui.controllers.note_jobs import load_note
from desktop_rag.gui.controllers.transcript import Transcript

NOTE_FORMS: Mapping[str, str] = {"markdown": ".md", "docx": ".docx", "pdf": ".pdf"}
"""The forms, and how their files' names end."""


@dataclass(frozen=True, slots=True)
class NoteExport:
    """What is to be written: notes, to one file, in one of `NOTE_FORMS`."""

    note_ids: tuple[NoteId, ...]
    path: Path
    form: str
    words: ExportLabels = field(default_factory=ExportLabels)


def write(folder: DataFolder, export: NoteExport, token: CancelToken) -> Path:
    """Write notes to a file, and return its path."""
    workspace = folder.get(token)
    shown: list[Transcript] = []
    for each in export.note_ids:
        token.check()
        shown.append(load_note(workspace.catalog, each).transcript)
    content = written(shown, export.form, export.words)
    token.check()
    write_atomically(export.path, content, workspace.data_dir)
    return export.path


def written(shown: list[Transcript], form: str, words: ExportLabels) -> str | bytes:
    """Return notes, or answers, in one of `NOTE_FORMS`."""
    if form == "docx":
        from desktop_rag.gui.controllers.export_docx import word_file

        return word_file(shown, words)
    if form == "pdf":
        from desktop_rag.gui.controllers.export_pdf import pdf_file

        return pdf_file(shown, words)
    from desktop_rag.gui.controllers.export_markdown import markdown

    return markdown(shown, words)
