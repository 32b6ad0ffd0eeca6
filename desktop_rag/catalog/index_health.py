"""Counts what a knowledge base's index lacks: a few questions, none of them a file's own.

Only what the catalog knows is told. Whether a file changed on disk since it was read is known once
somebody looked: then it waits, with the document of before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_rag.catalog.column_values import text_list
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.provenance import IS_OWN, opened, recognized
from desktop_rag.catalog.recognized_pages import NEEDS_RECOGNITION, WAITING_FILES, WAITING_VALUES
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.index_health import (
    FAILED_STATES,
    HealthFile,
    HealthFinding,
    HealthKind,
    IndexHealth,
    ReasonCount,
)
from desktop_rag.core.page_notes import GARBLED_PAGES, HARD_PAGE, HARD_PAGES, PICTURE_PAGES
from desktop_rag.core.phrases import Phrase, load, parts_of
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.core.unicode import shown_path

FIRST = 5
"""How many files of a kind are named."""

_KIND_OF_NOTE = {
    PICTURE_PAGES: HealthKind.PICTURES,
    GARBLED_PAGES: HealthKind.GARBLED,
    HARD_PAGES: HealthKind.HARD_TO_READ,
    HARD_PAGE: HealthKind.HARD_TO_READ,
}
_KIND_OF_STATUS = {
    **dict.fromkeys(FAILED_STATES, HealthKind.FAILED),
    FileStatus.ENCRYPTED: HealthKind.PROTECTED,
    FileStatus.QUEUED: HealthKind.WAITING,
    FileStatus.EMPTY: HealthKind.EMPTY,
    FileStatus.UNSUPPORTED: HealthKind.UNSUPPORTED,
}
_MOST_REASONS = 1000  # that are told apart; more would be one a file
_IN_ORDER = {kind: number for number, kind in enumerate(HealthKind)}


@dataclass(slots=True)
class _Tally:
    """What is counted of one kind, bit by bit."""

    files: int = 0
    pages: int = 0
    first: list[HealthFile] = field(default_factory=list)
    reasons: dict[str, int] = field(default_factory=dict)

    def add(self, files: int, pages: int = 0, first: list[HealthFile] | None = None) -> None:
        self.files += files
        self.pages += pages
        self.first += first or []

    def finding(self, kind: HealthKind) -> HealthFinding:
        is_grouped = kind is HealthKind.DUPLICATE  # then those of one content stand together
        first = self.first if is_grouped else sorted(self.first, key=lambda each: each.path)
        named = dict.fromkeys(first)
        reasons = sorted(self.reasons.items(), key=lambda each: -each[1])
        told = tuple(ReasonCount(*each) for each in reasons)
        return HealthFinding(kind, self.files, self.pages, tuple(named)[:FIRST], told)


class IndexHealthQueries:
    """What the catalog knows of the health of its knowledge bases."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, kb: KnowledgeBase, recipe: str, *, recognizes: bool) -> IndexHealth:
        """Return a knowledge base's; `recipe` is how files are read now.

        `recognizes` says whether the text of its scans is recognised.
        """
        tallies = {kind: _Tally() for kind in HealthKind}
        self._count_states(kb.id, tallies)
        self._count_unread(
            kb.id, tallies[HealthKind.TO_RECOGNIZE if recognizes else HealthKind.PICTURES]
        )
        self._count_given_up(kb.id, tallies[HealthKind.PICTURES])
        self._count_notes(kb.id, tallies, recognizes=recognizes)
        self._count_stale(kb.id, recipe, tallies[HealthKind.STALE])
        self._count_duplicates(kb.id, tallies[HealthKind.DUPLICATE])
        self._count_excluded(kb.id, tallies[HealthKind.EXCLUDED])
        found = [tally.finding(kind) for kind, tally in tallies.items() if tally.files]
        found.sort(key=lambda each: _IN_ORDER[each.kind])
        return IndexHealth(kb.name, kb.files, recognizes, tuple(found))

    def _rows(self, query: str, *values: object) -> Iterator[tuple[str, ...]]:
        yield from self._database.read().execute(query, values)

    def _named(self, query: str, *values: object) -> list[HealthFile]:
        rows = self._rows(f"{query} LIMIT {FIRST}", *values)
        return [HealthFile(shown_path(path), load(reason)) for path, reason in rows]

    def _count_states(self, kb: KbId, tallies: dict[HealthKind, _Tally]) -> None:
        counts = "SELECT status, count(*) FROM files WHERE kb = ? GROUP BY status"
        for status, count in self._database.read().execute(counts, (kb,)).fetchall():
            kind = _KIND_OF_STATUS.get(FileStatus(status))
            if kind is None:
                continue
            named = self._named(
                "SELECT path, reason FROM files WHERE kb = ? AND status = ? ORDER BY path",
                kb,
                status,
            )
            tallies[kind].add(count, first=named)
            if kind is HealthKind.FAILED:
                self._count_reasons(kb, status, tallies[kind])

    def _count_reasons(self, kb: KbId, status: str, tally: _Tally) -> None:
        rows = self._database.read().execute(
            "SELECT reason, count(*) FROM files WHERE kb = ? AND status = ? "
            "GROUP BY reason LIMIT ?",
            (kb, status, _MOST_REASONS),
        )
        for reason, count in rows:
            what = parts_of(load(reason))[0]
            tally.reasons[what] = tally.reasons.get(what, 0) + count

    def _count_unread(self, kb: KbId, tally: _Tally) -> None:
        """Count the files whose unread pages were not all tried."""
        counts = self._database.read().execute(
            "SELECT count(*), coalesce(sum(json_array_length(unread_pages.pages)), 0) "
            f"{WAITING_FILES}",
            (kb, *WAITING_VALUES),
        )
        files, pages = counts.fetchone()
        named = f"SELECT files.path, files.reason {WAITING_FILES} ORDER BY files.path"
        tally.add(files, pages, self._named(named, kb, *WAITING_VALUES) if files else [])

    def _count_given_up(self, kb: KbId, tally: _Tally) -> None:
        """Count the files of pictures alone that nobody is going to recognise."""
        where = (
            "FROM files LEFT JOIN unread_pages USING (content_hash) WHERE kb = ? "
            "AND status = 'needs_ocr' AND is_tried IS NOT 0"
        )
        ((count,),) = self._database.read().execute(f"SELECT count(*) {where}", (kb,))
        named = f"SELECT path, reason {where} ORDER BY path"
        tally.add(count, first=self._named(named, kb) if count else [])

    def _count_notes(
        self, kb: KbId, tallies: dict[HealthKind, _Tally], *, recognizes: bool
    ) -> None:
        """Count the pages that documents' notes tell of.

        Those that wait to be recognised are counted as that. The documents come from a copy of
        their notes in an index, and only those that have such a note lead to their files.
        """
        told = " OR ".join("instr(notes, ?) > 0" for _ in _KIND_OF_NOTE)
        rows = self._database.read().execute(
            "SELECT files.path, documents.notes, "  # noqa: S608 - ours
            f"is_tried IS 0 AND {NEEDS_RECOGNITION} "
            "FROM documents INDEXED BY documents_details "
            "CROSS JOIN files INDEXED BY files_by_document "
            "LEFT JOIN unread_pages ON unread_pages.content_hash = files.content_hash "
            f"WHERE notes <> '[]' AND ({told}) "
            "AND files.document_id = documents.id AND files.kb = ? ORDER BY files.path",
            (WAITING_VALUES[-1], *_KIND_OF_NOTE, kb),
        )
        for path, notes, waits in rows:
            for note in map(load, text_list(notes)):
                kind = _KIND_OF_NOTE.get(note.template) if isinstance(note, Phrase) else None
                is_counted = waits and (kind is HealthKind.PICTURES or recognizes)
                if kind is None or (is_counted and kind is not HealthKind.HARD_TO_READ):
                    continue
                tally = tallies[kind]
                named = [HealthFile(shown_path(path), note)] if len(tally.first) < FIRST else []
                tally.add(1, _pages(note), named)

    def _count_stale(self, kb: KbId, recipe: str, tally: _Tally) -> None:
        """Count the files that were read as they are not read any more, or changed since."""
        older = (
            "FROM documents CROSS JOIN files INDEXED BY files_by_document "
            f"WHERE recipe NOT IN (?, ?, ?) AND {IS_OWN} "
            "AND files.document_id = documents.id AND files.kb = ? AND files.status = 'ready'"
        )
        changed = "FROM files WHERE kb = ? AND status = 'queued' AND document_id IS NOT NULL"
        read_now = (recipe, recognized(recipe), opened(recipe))
        for where, values in ((older, (*read_now, kb)), (changed, (kb,))):
            ((count,),) = self._database.read().execute(f"SELECT count(*) {where}", values)
            named = f"SELECT files.path, '' {where} ORDER BY files.path"
            tally.add(count, first=self._named(named, *values) if count else [])

    def _count_duplicates(self, kb: KbId, tally: _Tally) -> None:
        """Count the files that have their content in common with others, and name some."""
        several = (
            "SELECT document_id, count(*) AS files FROM files INDEXED BY files_by_document "
            "WHERE kb = ?1 AND document_id IS NOT NULL GROUP BY document_id HAVING count(*) > 1"
        )
        counts = self._database.read().execute(
            f"SELECT coalesce(sum(files), 0) FROM ({several})",  # noqa: S608 - ours
            (kb,),
        )
        (count,) = counts.fetchone()
        named = (
            "SELECT path, '' FROM files WHERE kb = ?1 AND document_id IN "  # noqa: S608 - ours
            f"(SELECT document_id FROM ({several}) LIMIT {FIRST}) ORDER BY document_id, path"
        )
        tally.add(count, first=self._named(named, kb) if count else [])

    def _count_excluded(self, kb: KbId, tally: _Tally) -> None:
        where = "FROM exclusions WHERE kb = ?"
        ((count,),) = self._database.read().execute(f"SELECT count(*) {where}", (kb,))
        tally.add(count, first=self._named(f"SELECT path, '' {where} ORDER BY path", kb))


def _pages(note: str) -> int:
    """Return how many pages a note is about."""
    if not isinstance(note, Phrase) or note.template == HARD_PAGE:
        return 1
    return note.arguments[0] if isinstance(note.arguments[0], int) else 1
