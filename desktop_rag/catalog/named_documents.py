"""What documents of a knowledge base are called: the words of a question among their names.

Names are those of files and of the two folders around each, and of authors and recipients. All of
it is read by SQL; what it finds is compared word by word, as the word index has words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath

from desktop_rag.catalog.database import Database
from desktop_rag.core.types import KbId
from desktop_rag.core.unicode import shown_path, stored_path

_MOST_COMPARED = 50  # names that a word's letters are in, of which one must have it as a word
_FOLDERS = 2  # those above say where a person keeps all documents

Terms = Callable[[str], Iterable[str]]
"""Cuts a text into words, as the word index does."""


class NamedDocuments:
    """Asks the catalog which words are names in a knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def in_paths(self, kb: KbId, words: Sequence[str], terms: Terms) -> tuple[str, ...]:
        """Return those of the words that files that were read, or their folders, are named by."""
        found = []
        for word in words:
            rows = self._database.read().execute(
                "SELECT path FROM files WHERE kb = ? AND document_id IS NOT NULL "
                "AND path LIKE ? ESCAPE '\\' LIMIT ?",
                (kb, _containing(stored_path(word)), _MOST_COMPARED),
            )
            if any(word in terms(_name(shown_path(path))) for (path,) in rows):
                found.append(word)
        return tuple(found)

    def in_people(self, kb: KbId, words: Sequence[str], terms: Terms) -> tuple[str, ...]:
        """Return those of the words that authors or recipients are named by."""
        found = []
        for word in words:
            rows = self._database.read().execute(
                "SELECT DISTINCT authors, recipients FROM document_metadata "
                "JOIN files ON files.document_id = document_metadata.document_id "
                "WHERE kb = ?1 AND (authors LIKE ?2 ESCAPE '\\' OR recipients LIKE ?2 ESCAPE '\\') "
                "LIMIT ?3",
                (kb, _containing(word), _MOST_COMPARED),
            )
            people = (name for row in rows for cell in row for name in json.loads(cell))
            if any(word in terms(str(name)) for name in people):
                found.append(word)
        return tuple(found)

    def share_of_years(self, kb: KbId, years: Sequence[int]) -> float:
        """Return the share of the documents that tell a year which were written in one of these."""
        return self._share(
            kb,
            "CAST(strftime('%Y', coalesce(created, modified), 'unixepoch') AS INTEGER)",
            list(years),
        )

    def share_of_languages(self, kb: KbId, languages: Sequence[str]) -> float:
        """Return the share of the documents that tell a language which are in one of these."""
        return self._share(kb, "nullif(substr(language, 1, 2), '')", list(languages))

    def _share(self, kb: KbId, told: str, wanted: list[int] | list[str]) -> float:
        """Return the share, in [0, 1], of the documents that tell something which tell this."""
        if not wanted:
            return 0.0
        row = self._database.read().execute(
            f"SELECT count({told}), "  # noqa: S608 - one of the expressions above
            f"count(CASE WHEN {told} IN (SELECT value FROM json_each(?2)) THEN 1 END) "
            "FROM document_metadata WHERE document_id IN "
            "(SELECT document_id FROM files WHERE kb = ?1 AND document_id IS NOT NULL)",
            (kb, json.dumps(wanted)),
        )
        telling, matching = row.fetchone()
        return matching / telling if telling else 0.0


def _containing(word: str) -> str:
    escaped = word.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{escaped}%"


def _name(path: str) -> str:
    """Return a file's name without its ending, and those of the folders around it."""
    pure = PurePath(path)
    return " ".join((*pure.parent.parts[-_FOLDERS:], pure.stem))
