"""Names in texts: titles, file names, headings and defined terms, and the chunks that bear them.

A passage that mentions one leads to the chunk that is called so. The names of all documents are
read from the catalog when first asked for, and those of new ones when asked again; a chunk that is
gone keeps its name here until the program ends, and leads nowhere.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.catalog.document_queries import TitledChunk, TitledChunks
from desktop_rag.core.types import ChunkId, DocumentId

_WORDS = re.compile(r"\w+|[^\w\s]")
_ASIDE = re.compile(r"\s*\([^()]*\)$")
_DEFINED = re.compile(
    r"[\"“]([A-Z][^\"“”\n]{1,60})[\"”]\s+(?:means?|refers? to|shall mean|is defined as)\b"
    r"|\((?:the|each,? an?|collectively,? the)\s+[\"“]([A-Z][^\"“”\n]{1,60})[\"”]\)"
)
_LONGEST = 8  # words of a name that is looked for
_LEAST = 4  # letters of a name of one word
_MOST_ALIKE = 4  # chunks of one name: what more are called tells nothing

_Name = tuple[str, ...]
_Word = tuple[str, int, int]  # with its place


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text: where it stands, and the chunks that bear it, with their documents."""

    start: int
    end: int
    bearers: dict[ChunkId, DocumentId]


class MentionDetector:
    """Finds names in texts. Safe to use from several threads."""

    def __init__(self, named: TitledChunks) -> None:
        self._named = named
        self._reading = threading.Lock()
        self._last = ChunkId(0)
        self._section: tuple[int, str] = (0, "")
        self._bearers: dict[_Name, dict[ChunkId, DocumentId]] = {}

    def mentioned(self, text: str) -> tuple[Mention, ...]:
        """Return the longest names in a text, from left to right.

        A name of one word counts where it is no part of a longer one, and begins no sentence.
        """
        self._catch_up()
        return tuple(self._found(text))

    def _catch_up(self) -> None:
        with self._reading:
            for chunk in self._named.since(self._last):
                for name in self._names_of(chunk):
                    self._learn(name, chunk)
                self._last = chunk.chunk_id

    def _names_of(self, chunk: TitledChunk) -> Iterator[str]:
        """Yield what a chunk is called: a document's or a section's first chunk bears its name."""
        if chunk.is_first:
            yield _ASIDE.sub("", chunk.title)
            yield re.sub(r"[_\W]+", " ", PurePath(chunk.path).stem)
        section = (int(chunk.document_id), chunk.section)
        if section != self._section:
            yield chunk.section.rpartition(" > ")[2]
            self._section = section
        for said in _DEFINED.finditer(chunk.text):
            yield said[1] or said[2]

    def _learn(self, name: str, chunk: TitledChunk) -> None:
        words = tuple(_WORDS.findall(name))
        if 1 < len(words) <= _LONGEST or (words and len(words[0]) >= _LEAST):
            bearers = self._bearers.setdefault(words, {})
            if len(bearers) <= _MOST_ALIKE:  # one more tells that it is too many
                bearers[chunk.chunk_id] = chunk.document_id

    def _found(self, text: str) -> Iterator[Mention]:
        words = [(m.group(), m.start(), m.end()) for m in _WORDS.finditer(text)]
        at = 0
        while at < len(words):
            count = self._longest(words, at)
            if count > 1 or (count and _stands_alone(words, at)):
                bearers = self._bearers[_key(words, at, count)]
                yield Mention(words[at][1], words[at + count - 1][2], bearers)
            at += max(1, count)

    def _longest(self, words: list[_Word], at: int) -> int:
        if not words[at][0][0].isupper() and not words[at][0][0].isdigit():
            return 0
        for count in range(min(_LONGEST, len(words) - at), 0, -1):
            if 0 < len(self._bearers.get(_key(words, at, count), ())) <= _MOST_ALIKE:
                return count
        return 0


def _key(words: list[_Word], at: int, count: int) -> _Name:
    return tuple(word for word, _, _ in words[at : at + count])


def _stands_alone(words: list[_Word], at: int) -> bool:
    before = words[at - 1][0] if at else "."
    after = words[at + 1][0] if at + 1 < len(words) else "."
    return not (before[0].isupper() or after[0].isupper() or after[0].isdigit() or before in ".!?")
