"""What is said of a note: its title, what it was, when it was saved and of what."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop_rag.core.note_records import Note, NoteKind
from desktop_rag.gui.chat.conversation_model import when
from desktop_rag.gui.display_text import join_list, shown_name
from desktop_rag.gui.message_translation import translate_message


def tr(text: str) -> str:
    """Return a text of the notes in the window's language."""
    return QCoreApplication.translate("Notes", text)


def shown_title(note: Note) -> str:
    """Return a note's title; of one without, what stands for it."""
    return translate_message(note.title) or tr("Untitled")


def kind_name(kind: NoteKind) -> str:
    """Return what a note was when it was saved."""
    return {
        NoteKind.ANSWER: tr("Answer"),
        NoteKind.QUOTE: tr("Quote"),
        NoteKind.SELECTION: tr("Part of an answer"),
        NoteKind.OWN: tr("Own note"),
    }[kind]


def row_details(note: Note) -> str:
    """Return the second line of a note's row."""
    return f"{kind_name(note.kind)} · {when(note.created)}"


def details(note: Note) -> str:
    """Return what stands below a note's title: what it is, since when, and of which documents."""
    moment = QDateTime.fromSecsSinceEpoch(int(note.created))
    form = QCoreApplication.translate("Notes", "d MMMM yyyy", "a day")
    saved = QLocale().toString(moment.date(), form)
    names = join_list(shown_name(each) for each in note.kbs)
    return " · ".join(filter(None, (kind_name(note.kind), saved, names)))


def found_in(notes: Sequence[Note], words: str) -> tuple[Note, ...]:
    """Return the notes that hold every word, in their title or their text."""
    wanted = words.casefold().split()
    texts = ((each, f"{shown_title(each)}\n{each.text}".casefold()) for each in notes)
    return tuple(each for each, text in texts if all(word in text for word in wanted))
