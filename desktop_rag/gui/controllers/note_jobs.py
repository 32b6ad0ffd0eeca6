"""Notes in the catalog: reading them with their sources, and saving, changing, ordering them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.note_records import Note, NoteId
from desktop_rag.core.requests import NoteRequest
from desktop_rag.core.types import Citation
from desktop_rag.gui.controllers.conversation_jobs import with_current_paths
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.transcript import Answered, Transcript, Turn

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.catalog.notes import UserNotes


@dataclass(frozen=True, slots=True)
class OpenNote:
    """A note that is looked at; `turn` is its text with what it rests on, as an answer is shown."""

    note: Note
    turn: Turn

    @property
    def transcript(self) -> Transcript:
        """The note as a conversation of one answer, under its own number."""
        return Transcript(int(self.note.id), self.note.title, (self.turn,))


def list_notes(folder: DataFolder, known: tuple[Note, ...], token: CancelToken) -> tuple[Note, ...]:
    """Read all notes in their order; `known` itself where they are the same."""
    notes = tuple(folder.get(token).catalog.notes.all())
    return known if notes == known else notes


def load(folder: DataFolder, note_id: NoteId, token: CancelToken) -> OpenNote:
    """Read a note with its sources, whose paths are those of today."""
    return load_note(folder.get(token).catalog, note_id)


def add(folder: DataFolder, request: NoteRequest, token: CancelToken) -> Note:
    """Save a note."""
    from desktop_rag.commands import notes

    return notes.add(folder.get(token).catalog, request)


def edit(folder: DataFolder, request: NoteRequest, token: CancelToken) -> OpenNote:
    """Change a note, and read it as it is then."""
    from desktop_rag.commands import notes

    catalog = folder.get(token).catalog
    return load_note(catalog, notes.edit(catalog, request).id)


def change(folder: DataFolder, how: Callable[[UserNotes], object], token: CancelToken) -> None:
    """Change notes in the catalog."""
    how(folder.get(token).catalog.notes)


def _cited(text: str, kept: StoredAnswer) -> Iterator[Citation]:
    """Yield what a note cites as it is now; a number without a quote stands for what matched."""
    from desktop_rag.generation.citation_markers import numbers_in

    numbers = numbers_in(text)
    yield from (each for each in kept.citations if each.n in numbers)
    quoted = {each.n for each in kept.citations}
    for number in numbers:
        if number not in quoted and 1 <= number <= len(kept.sources):
            source = kept.sources[number - 1]
            place = source.place_of(*source.match)
            if source.path:  # what stands in place of a removed one quotes nothing
                yield Citation(number, source.chunk_id, source.path, place, source.matched, -1)


def load_note(catalog: Catalog, note_id: NoteId) -> OpenNote:
    """Read a note as it is shown."""
    note = catalog.notes.get(note_id)
    kept = read_answer(catalog.notes.payload(note_id))
    turn = Turn(
        "",
        "",
        note.text,
        Answered(kept.mode or "generated", None, 0.0, 0, 0, 0),
        notices=kept.notices,
        sources=kept.sources,
        citations=tuple(_cited(note.text, kept)),
        from_model=kept.from_model,
    )
    (shown,) = with_current_paths(catalog, [turn])
    return OpenNote(note, shown)
