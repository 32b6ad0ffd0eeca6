"""Save an answer, a quote or words of one's own as a note; edit, order, remove and list notes."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands import note_sources
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.note_records import Note, NoteId
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import NoteRequest
from desktop_rag.workspace import Workspace


def run(workspace: Workspace, request: NoteRequest, token: CancelToken) -> Iterator[Event]:
    """Do it; yield a row for the note that was added or edited, else for each that is left."""
    token.check()
    notes, number = workspace.catalog.notes, NoteId(request.note_id)
    match request.action:
        case "add":
            yield _row(add(workspace.catalog, request))
            return
        case "edit":
            yield _row(edit(workspace.catalog, request))
            return
        case "move":
            notes.move(number, request.place)
        case "remove":
            notes.delete(notes.get(number).id)
        case "list":
            pass
        case _:
            raise UsageError(Phrase("Notes can't be told to {0}.", f"{request.action!r}"))
    yield from map(_row, notes.all())


def add(catalog: Catalog, request: NoteRequest) -> Note:
    """Save a note, and return it as it is kept."""
    return catalog.notes.get(catalog.notes.add(note_sources.new_note(catalog, request)))


def edit(catalog: Catalog, request: NoteRequest) -> Note:
    """Change a note's title, its text or both, and return it as it is kept."""
    before = catalog.notes.get(NoteId(request.note_id))
    title = before.title if request.title is None else " ".join(request.title.split())
    text = before.text if request.text is None else request.text
    if (title, text) != (before.title, before.text):
        catalog.notes.revise(before.id, title, text)
    return catalog.notes.get(before.id)


def _row(note: Note) -> ListingRow:
    return ListingRow(
        {
            "id": int(note.id),
            "kind": str(note.kind),
            "title": note.title,
            "text": note.text,
            "knowledge_bases": list(note.kbs),
            "created": note.created,
            "changed": note.changed,
        }
    )
