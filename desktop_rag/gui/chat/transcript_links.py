"""What a click in a conversation asks for, and the addresses of the links that ask for it.

A link's address says what the link does and to which turn; one that was not made here is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from desktop_rag.gui.chat.safe_markdown import CITE, STEPS

COPY, QUOTED = "copy:", "quoted:"
CODE, TABLE = "code:", "table:"
EDIT, RETRY, VERSION, WRITTEN = "edit:", "retry:", "version:", "written:"
HITS, FOUND, TEST, PART, WAIT = "hits:", "found:", "test:", "part:", "wait:"
MORE, ROWS = "more:", "rows:"
KEEP, EARLIER, ELSEWHERE = "keep:", "earlier:", "elsewhere:"
PREPARE, SOURCES, NOTE, EXPORT = "prepare:", "sources:", "note:", "export:"
_OF_PIECES = (COPY, QUOTED, CODE, TABLE)
_OF_BASES = (ELSEWHERE, PREPARE)
_KEPT = (KEEP, NOTE, EXPORT, SOURCES)
OF_TURNS = (EDIT, RETRY, WRITTEN, TEST, WAIT, MORE, ROWS, *_KEPT, *_OF_BASES)
"""What a pane does of a turn as a whole."""
KINDS = (*_OF_PIECES, *OF_TURNS, CITE, STEPS, VERSION, HITS, FOUND, PART, EARLIER)
_ADDRESS = re.compile(r"([a-z]+:)([0-9]{1,9})(?:\.([0-9]{1,6}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class CitationClick:
    """A citation that was clicked: source `n` of a turn."""

    turn: int
    n: int


@dataclass(frozen=True, slots=True)
class PassageClick:
    """A passage among a turn's steps that was clicked: `retrieved[place]` of the turn."""

    turn: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnAction:
    """What the user wants of a turn: its link's kind, and of `VERSION` the question to show, of
    `EARLIER` which of the earlier answers.
    """

    kind: str
    turn: int
    question_id: int = 0


@dataclass(frozen=True, slots=True)
class TurnPart:
    """A stretch of a turn's text, as it is shown."""

    turn: int
    text: str


class TranscriptLink(NamedTuple):
    """A link's kind and number: a turn's; of `CITE` a source's; of `VERSION` a question's.

    `second` counts the pieces of code or the tables of the turn, its steps (`HITS`), the passages
    that it retrieved (`FOUND`), the earlier answers that it tells of (`EARLIER`), or the parts of
    its answer (`PART`).
    """

    kind: str
    number: int
    second: int = 0


def parsed(address: str) -> TranscriptLink | None:
    """Read an address; None where it is none of ours, or forged."""
    found = _ADDRESS.fullmatch(address)
    if found is None or found[1] not in KINDS:
        return None
    return TranscriptLink(found[1], int(found[2]), int(found[3] or 0))
