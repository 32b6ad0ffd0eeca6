"""Reads the snapshot again and again, each time only what changed since.

Lives on the read lane. Of 100,000 files a full reading takes a second; what tells one row's state
from its last takes a tenth of that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop_rag.core.catalog_records import FileRow, KnowledgeBase
from desktop_rag.core.gc_freeze import freeze_after
from desktop_rag.core.types import FileId, FileStatus, KbId
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, make_snapshot

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.workspace import Workspace

_SLICE = 500  # rows read at once, that the GUI thread may come between
_MOST_SINGLE = 20_000  # changed rows beyond which all are read
_SUMMARIES = "summaries"  # the way that a knowledge base is prepared for, to have them
_COUNT_AGAIN = 5.0  # seconds between countings of all knowledge bases


class SnapshotLoader:
    """What was read of the knowledge base that is shown, to be brought up to date."""

    def __init__(self) -> None:
        self._kb: KbId | None = None
        self._marks: dict[FileId, str] = {}
        self._rows: dict[FileId, FileRow] = {}
        self._snapshot = LibrarySnapshot((), "")
        self._kbs: tuple[KnowledgeBase, ...] = ()
        self._counted = -_COUNT_AGAIN
        self._recognizes = True

    def read(self, workspace: Workspace, current: str, away: frozenset[str]) -> LibrarySnapshot:
        """Read sources and files; a knowledge base that is not there yet is empty."""
        catalog = workspace.catalog
        kb = catalog.kbs.names().get(current)
        default = workspace.settings.ingest.recognize_text
        recognizes = kb is None or catalog.kbs.recognizes_text(kb, default=default)
        is_other = (kb, recognizes) != (self._kb, self._recognizes)
        self._kb, self._recognizes = kb, recognizes
        if kb is None:
            self._marks, self._rows = {}, {}
            return LibrarySnapshot(self._counts(catalog, at_once=True), current)
        with self._uncollected(catalog, kb) if is_other else nullcontext():
            is_changed = self._catch_up(catalog, kb, is_other=is_other)
        sources, excluded = catalog.kbs.sources(kb), catalog.choices.excluded(kb)
        kbs = self._counts(catalog, at_once=is_other)
        snapshot = self._snapshot
        left_out = [row.path for row in snapshot.excluded]
        if is_changed or set(snapshot.sources) != set(sources) or left_out != excluded:
            snapshot = make_snapshot(kbs, current, sources, self._rows.values(), excluded)
        share = catalog.shares.get(kb)
        snapshot = replace(
            snapshot,
            kbs=kbs,
            current=current,
            share=share,
            recognizes_text=recognizes,
            opens_archives=catalog.kbs.opens_archives(kb),
            is_served=catalog.kbs.is_served(kb),
            has_summaries=catalog.preparations.find(kb, _SUMMARIES) is not None,
            passwords=frozenset(workspace.passwords.contents()),
        )
        self._snapshot = _with_away(snapshot, away)
        return self._snapshot

    def _catch_up(self, catalog: Catalog, kb: KbId, *, is_other: bool) -> bool:
        """Read the rows that changed; say whether any did."""
        known = {} if is_other else self._marks
        marks = catalog.files.marks(kb)
        stale = [number for number, mark in marks.items() if known.get(number) != mark]
        gone = known.keys() - marks.keys()
        self._marks = marks
        if is_other or len(stale) > _MOST_SINGLE:
            self._rows = {}
            self._take(catalog.files.under(kb))
            return True
        for number in gone:
            self._rows.pop(number, None)
        for start in range(0, len(stale), _SLICE):
            self._take(catalog.files.by_ids(stale[start : start + _SLICE]))
        return bool(stale or gone)

    @contextmanager
    def _uncollected(self, catalog: Catalog, kb: KbId) -> Iterator[None]:
        """Make very many lasting values without letting the collector look at all of them at once.

        It holds every thread up, the GUI's too: 180 ms for 100,000 rows. They form no cycles, and
        go as soon as nobody holds them.
        """
        if sum(catalog.files.counts(kb).values()) < _MOST_SINGLE:
            yield
            return
        with freeze_after():
            yield

    def _take(self, rows: Sequence[FileRow]) -> None:
        self._rows.update((row.id, self._switched(row)) for row in rows)

    def _switched(self, row: FileRow) -> FileRow:
        """Return a row that knows where its pages wait in vain."""
        is_off = row.is_unread and not self._recognizes
        return replace(row, is_recognition_off=True) if is_off else row

    def _counts(self, catalog: Catalog, *, at_once: bool) -> tuple[KnowledgeBase, ...]:
        """Return every knowledge base, counted anew now and then."""
        names = list(catalog.kbs.names())
        is_due = time.monotonic() - self._counted >= _COUNT_AGAIN
        if at_once or is_due or names != [kb.name for kb in self._kbs]:
            self._kbs = tuple(catalog.kbs.all())
            self._counted = time.monotonic()
        return self._kbs


def _with_away(snapshot: LibrarySnapshot, away: frozenset[str]) -> LibrarySnapshot:
    if set(snapshot.away) == away & {branch.path for branch in snapshot.branches}:
        return snapshot
    branches = tuple(replace(each, is_away=each.path in away) for each in snapshot.branches)
    waiting = sum(
        row.status is FileStatus.QUEUED
        for branch in branches
        for row in branch.files
        if not branch.is_away  # those wait for their drive
    )
    return replace(snapshot, branches=branches, waiting=waiting)
