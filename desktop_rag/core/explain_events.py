"""Why a passage was found, or where on its way it fell out: the stages, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from desktop_rag.core.events import Event
from desktop_rag.core.types import ChunkId, DocumentId, Locator, VectorSearch


class StageName(StrEnum):
    """The stages from a file to an answer, in their order."""

    INDEXED = "indexed"
    FILTER = "filter"
    MEANING = "meaning"
    WORDS = "words"
    JOINED = "joined"
    SECOND = "second"
    AGE = "age"
    DUPLICATES = "duplicates"
    VARIETY = "variety"
    PASSAGES = "passages"
    PROMPT = "prompt"
    ANSWER = "answer"


class StageState(StrEnum):
    """How a passage fared in a stage.

    `MISSED` is one of the two first searches, where the other one brings the passage; `OFF` a stage
    that the settings or the question leave out, `AFTER` one that the passage did not come to.
    """

    PASSED = "passed"
    MISSED = "missed"
    OUT = "out"
    OFF = "off"
    AFTER = "not_reached"


@dataclass(frozen=True, slots=True)
class Stage(Event):
    """One stage: the passage is number `rank` of `of` there, and the first `cut` go on.

    `vector_search` says, of the search by meaning, how its nearest vectors were found.
    """

    event = "stage"
    name: StageName
    state: StageState
    text: str = ""
    rank: int | None = None
    of: int | None = None
    cut: int | None = None
    score: float | None = None
    vector_search: VectorSearch | None = None


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting's other value that was tried; as `rank` the passage is found with it."""

    key: str
    value: float
    rank: int


@dataclass(frozen=True, slots=True)
class Remedy:
    """What to do, in a sentence: with a setting to `change`, or the question to `ask`, if any."""

    text: str
    change: SettingChange | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Verdict(Event):
    """The end: where the passage fell out, None where it is found; `what` says so in a sentence.

    `rank` is that of the passage which holds it, among those that are handed over. `tried` is what
    was found out to help: a setting, as `key=value`, or a question.
    """

    event = "verdict"
    found: bool
    fell_at: StageName | None
    what: str
    remedy: str
    tried: str = ""
    rank: int | None = None
    chunk_id: ChunkId | None = None
    document_id: DocumentId | None = None
    path: str = ""
    locator: Locator | None = None
    text: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the chunk's number as a search does, and not the document's."""
        made = super(Verdict, self).as_json()
        del made["document_id"]
        made["chunk_id"] = None if self.chunk_id is None else str(self.chunk_id)
        return made
