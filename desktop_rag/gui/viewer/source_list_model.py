"""The sources of one answer as a list: cited first, then the other numbered, then the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop_rag.core.catalog_records import REMOVED_TITLE
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Citation, Locator, Passage
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details, locator_text
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex


_LONGEST_NAME = 40  # characters of a file's name in a line


class SourceRole(IntEnum):
    """What a row is: a `SourceRow`."""

    ENTRY = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One row: a passage, or a line above uncited ones (no passage), which can be folded.

    `pointed` says that a sentence of the answer that rests on it is pointed at.

    `number` is the source's n, None for a passage that the model was not given. `mark` is what
    to mark when it is opened: the quote if the answer cites it, else what matched. `read` says of a
    line that the answer was written from what stands below it; that is never folded.
    """

    passage: Passage | None
    number: int | None = None
    quote: str = ""
    mark: Locator | None = None
    cited: bool = False
    folded: int = 0
    open: bool = False
    read: bool = False
    pointed: bool = False


def source_rows(turn: Turn, *, unfolded: bool) -> tuple[SourceRow, ...]:
    """Return the rows for a turn."""
    cited = turn.cited()
    first = [_cited_entry(turn, n) for n in cited if 1 <= n <= len(turn.sources)]
    given = [
        SourceRow(localize_removed(passage), n, mark=matched_locator(passage))
        for n, passage in enumerate(turn.sources, start=1)
        if n not in cited
    ]
    rest = [
        SourceRow(localize_removed(passage), mark=matched_locator(passage))
        for passage in turn.also_retrieved()
    ]
    if given and not first and not turn.refused:
        first = [SourceRow(None, folded=len(given), open=True, read=True), *given]
        given = []
    below = [*given, *rest]
    if not below:
        return tuple(first)
    fold = SourceRow(None, folded=len(below), open=unfolded)
    return (*first, fold, *below) if unfolded else (*first, fold)


def heading(entry: SourceRow) -> str:
    """Return what a line above passages says."""
    if entry.read:
        text = QCoreApplication.translate("SourceListModel", "Read, none cited (%1)")
    else:
        text = QCoreApplication.translate("SourceListModel", "Also retrieved (%1)")
    return text.replace("%1", str(entry.folded))


def localize_removed(passage: Passage) -> Passage:
    """Return a passage; what stands in place of a removed one in the window's language."""
    if passage.title != REMOVED_TITLE:
        return passage
    title = QCoreApplication.translate("SourceListModel", "Source removed")
    return replace(passage, title=title, text=translate_message(passage.text))


def _are_same(before: Turn | None, turn: Turn | None) -> bool:
    """Say whether two states of a turn have the same rows, at a glance: tokens come very often."""
    return (
        before is not None
        and turn is not None
        and before.sources is turn.sources
        and before.retrieved is turn.retrieved
        and before.citations is turn.citations
        and before.refused == turn.refused
    )


def _cited_entry(turn: Turn, n: int) -> SourceRow:
    citation = next(c for c in turn.citations if c.n == n)
    return SourceRow(turn.sources[n - 1], n, citation.quote, citation.locator, cited=True)


def _pointed_at(entry: SourceRow, chosen: list[Citation]) -> SourceRow:
    """Return a row as it is while these citations are pointed at."""
    mine = [each for each in chosen if entry.cited and each.n == entry.number]
    if not mine:
        return entry
    return replace(entry, pointed=True, quote=mine[0].quote, mark=mine[0].locator)


def quote_with_source(entry: SourceRow, passage: Passage) -> str:
    """Return a source as text: its quote, then number, title and place, then the file."""
    number = f"[{entry.number}] " if entry.number is not None else ""
    said = " ".join((entry.quote or passage.matched).split())
    named = join_details(passage.title, source_location(passage, entry.mark))
    return f"“{said}”\n{number}{named}\n{passage.path}"


def matched_locator(passage: Passage) -> Locator:
    """Return the place of the small piece of a passage that matched."""
    return passage.place_of(*passage.match)


def source_name(passage: Passage, mark: Locator | None) -> str:
    """Return a passage's file and place in a few words: `report.pdf, page 3`.

    What stands in place of a removed one has a title alone.
    """
    if not passage.path:
        return localize_removed(passage).title
    name = sanitize_name(_file_of(passage))
    if len(name) > _LONGEST_NAME:
        name = f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 :]}"
    return join_details(name, locator_text(mark or passage.locator))


def source_location(passage: Passage, mark: Locator | None) -> str:
    """Return where a passage stands, for people: `report.pdf · page 3 · Revenue`.

    What stands in place of a removed one stands nowhere.
    """
    if not passage.path:
        return ""
    where = locator_text(mark or passage.locator)
    section = passage.section.split(" > ")[-1] if _is_of_match(passage, mark) else ""
    said = (passage.title, str((mark or passage.locator).value))
    section = "" if section in said else section.removeprefix(passage.title).strip()
    return " · ".join(
        part for part in map(sanitize_name, (_file_of(passage), where, section)) if part
    )


def _is_of_match(passage: Passage, mark: Locator | None) -> bool:
    """Say whether a place lies in what matched, whose section is known; the rest may be another."""
    if mark is None or mark.start is None or mark.end is None:
        return True
    return passage.is_in_match(mark.start, mark.end)


def _file_of(passage: Passage) -> str:
    return PurePath(passage.path).name


class SourceListModel(QAbstractListModel):
    """The rows of the turn that is looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._turn: Turn | None = None
        self._rows: tuple[SourceRow, ...] = ()
        self._unfolded = {False: False, True: True}  # of answers, and of refusals
        self._pointed: tuple[int, ...] = ()

    def show_turn(self, turn: Turn | None) -> None:
        """Show a turn's sources, or nothing; the same rows stay where they are."""
        before, self._turn = self._turn, turn
        if turn is not before:
            if not self._pointed and _are_same(before, turn):
                return  # only its text has grown
            self._pointed = ()
        rows = self._plain(turn) if turn is not None else ()
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def point_at(self, citations: tuple[int, ...]) -> None:
        """Mark the sources of these citations, each with the quote of the first of them."""
        if self._turn is None or citations == self._pointed:
            return
        self._pointed = citations
        chosen = [self._turn.citations[at] for at in citations if at < len(self._turn.citations)]
        rows = tuple(_pointed_at(entry, chosen) for entry in self._plain(self._turn))
        changed = [
            at for at, (old, new) in enumerate(zip(self._rows, rows, strict=True)) if old != new
        ]
        self._rows = rows
        for at in changed:
            self.dataChanged.emit(self.index(at), self.index(at))

    def pointed_rows(self) -> list[int]:
        """Return the rows of the sources that are marked."""
        return [row for row, each in enumerate(self._rows) if each.pointed]

    def toggle(self) -> None:
        """Unfold or fold what was also retrieved, for refusals apart: it is all that they have."""
        if self._turn is not None:
            self._unfolded[self._turn.refused] ^= True
        self.show_turn(self._turn)

    def entry(self, row: int) -> SourceRow:
        """Return a row."""
        return self._rows[row]

    def row_of(self, number: int) -> int:
        """Return the row of source n, -1 if it is not in sight."""
        return next((row for row, each in enumerate(self._rows) if each.number == number), -1)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return how many rows there are."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's text for those who can't see it, its tooltip, or the `SourceRow`."""
        if not index.isValid():
            return None
        entry = self._rows[index.row()]
        if role == SourceRole.ENTRY:
            return entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._spoken(entry)
        if role == Qt.ItemDataRole.ToolTipRole and entry.passage is not None:
            return tip(entry.passage.path, *entry.passage.other_paths)
        return None

    def _plain(self, turn: Turn) -> tuple[SourceRow, ...]:
        return source_rows(turn, unfolded=self._unfolded[turn.refused])

    def _spoken(self, entry: SourceRow) -> str:
        if entry.passage is None:
            return heading(entry)
        number = f"[{entry.number}] " if entry.number is not None else ""
        return number + join_details(
            sanitize_name(entry.passage.title), source_location(entry.passage, entry.mark)
        )
