"""What is said of a file that is not as it was read, and what leads to it as it is now."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.controllers.open_document import FileState


def file_state_text(standing: FileState) -> str:
    """Return what to say; nothing where the file is as it was read."""
    tr = QCoreApplication.translate
    sentences = {
        FileState.MISSING: tr(
            "Standing", "The file is no longer there. This is its text as it was last read."
        ),
        FileState.CHANGED: tr(
            "Standing", "The file has changed since it was read. This is the text as it was read."
        ),
        FileState.FOUND_AGAIN: tr(
            "Standing", "The document has changed since. The quote was found again: %1."
        ),
        FileState.SIMILAR: tr(
            "Standing", "The document has changed since. This is much like the quote: %1."
        ),
        FileState.REWRITTEN: tr(
            "Standing",
            "The document has changed since, and the quote is not in it any more. "
            "This is the passage as the conversation kept it.",
        ),
        FileState.GONE: tr(
            "Standing",
            "The document is not here any more. This is the passage as the conversation kept it.",
        ),
        FileState.FORGOTTEN: tr(
            "Standing",
            "The index no longer holds this document: the file was changed or taken out. "
            "This is the passage as the conversation kept it.",
        ),
        FileState.FOREIGN: tr("Standing", "The index holds no text of this file."),
    }
    return sentences.get(standing, "")


def file_state_action(standing: FileState) -> str:
    """Return the button beside the sentence: the way to the file as it is now."""
    if standing in (FileState.CHANGED, FileState.FORGOTTEN, FileState.REWRITTEN):
        return QCoreApplication.translate("Standing", "Open the file as it is now")
    return ""
