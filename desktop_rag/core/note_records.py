"""Notes of the user: answers, quotes and selections that were saved, and words of their own."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

NoteId = NewType("NoteId", int)


class NoteKind(StrEnum):
    """What a note was when it was saved; the words of the command line.

    `SELECTION` is what was selected in an answer, `QUOTE` what a document says, `OWN` what the user
    writes.
    """

    ANSWER = "answer"
    QUOTE = "quote"
    SELECTION = "selection"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note to be stored. `text` is Markdown, whose `[n]` are the sources in `payload`.

    `payload` is JSON, as it is kept beside an answer: mode, sources, citations. `kbs` are the
    knowledge bases that it comes from, by their names.
    """

    kind: NoteKind
    title: str
    text: str
    payload: str = "{}"
    kbs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A note as it lies in the catalog, without what it rests on; times are in Unix seconds."""

    id: NoteId
    kind: NoteKind
    title: str
    text: str
    kbs: tuple[str, ...]
    created: float
    changed: float
