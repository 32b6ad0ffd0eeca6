"""Every row that a damaged catalog still gives, and which rows it had besides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from desktop_rag.catalog.recovery.btree import (
    INNER_INDEX,
    LEAF_INDEX,
    LEAF_TABLE,
    BrokenPageError,
    BtreeCell,
    BtreeReader,
    SqlValue,
    values,
)
from desktop_rag.catalog.schema import CatalogTable, KeyOf, StoredRow, TableIndex, is_sound
from desktop_rag.catalog.sqlite_pages import DatabasePages

SEQUENCE = "sqlite_sequence"
_MASTER_COLUMNS = 5
_REPLACED: dict[str, dict[str, SqlValue]] = {
    "messages": {"payload": "{}"},
    "documents": {"notes": "[]"},
    "chats": {"kbs": "[]"},
    "notes": {"payload": "{}", "kbs": "[]"},
    "sources": {"exclude": "[]"},
}
"""What a value becomes that can't be read while the rest of its row can."""


@dataclass(frozen=True, slots=True)
class SalvagedRow:
    """A row of a table; `is_mended` where a value of it was replaced."""

    table: str
    rowid: int
    row: StoredRow
    is_mended: bool = False


@dataclass(slots=True)
class IndexedRows:
    """Which rows a table had: what its indexes name, and whether one of them is whole.

    `parts` are the values of a row by its columns' places, as far as indexes hold them.
    """

    is_whole: bool = False
    parts: dict[int, dict[int, SqlValue]] = field(default_factory=dict)

    @property
    def evidence(self) -> Collection[int] | None:
        """Every row that there was; None where nothing says it."""
        return self.parts if self.is_whole else None


class Salvage:
    """Reads tables from an image: their trees, then their indexes, then what no tree reaches."""

    def __init__(
        self, image: DatabasePages, tables: Mapping[str, CatalogTable], key_of: KeyOf | None
    ) -> None:
        self._image = image
        self._tables = tables
        self._key_of = key_of
        self._trees = BtreeReader(image)
        self.stated = self._stated()
        self.roots = self._roots()
        self.broken: set[str] = set()

    def rows(self, table: str) -> Iterator[SalvagedRow]:
        """Yield a table's rows in the order of its tree; what can't be read makes it `broken`."""
        root = self.roots.get(table)
        if root is None:
            self.broken.add(table)
            return
        for number in self._trees.walk(root, LEAF_TABLE):
            if number is None:
                self.broken.add(table)
                continue
            for cell in self._trees.cells(number):
                found = self._found(table, cell)
                if found is None:
                    self.broken.add(table)
                else:
                    yield found

    def known(self, table: str, held: Collection[int]) -> IndexedRows:
        """Return what a table's indexes say of its rows, those in `held` left without values."""
        made = IndexedRows()
        for index in sorted(self._tables[table].indexes, key=lambda each: not each.is_unique):
            root = self.roots.get(index.name)
            if root is None:
                continue
            found, is_whole = self._entries(root, index)
            if index.is_unique:
                made.is_whole = made.is_whole or is_whole
                for rowid in found:
                    made.parts.setdefault(rowid, {})
            for rowid, part in found.items():
                if rowid in made.parts and rowid not in held:
                    made.parts[rowid] |= part
        return made

    def orphans(
        self, candidates: Collection[str], choose: Callable[[list[SalvagedRow]], bool]
    ) -> Iterator[SalvagedRow]:
        """Yield the rows of leaves that no tree reaches, as those of one of the candidates.

        Where several could have them, the one whose tree begins there in a new catalog has, else
        the first that `choose` agrees to, else the first.
        """
        for number in self._trees.orphans():
            cells = list(self._trees.cells(number))
            fitting = [rows for name in candidates if (rows := self._all(name, cells))]
            if not fitting:
                continue
            at_home = [rows for rows in fitting if self._tables[rows[0].table].root == number]
            chosen = at_home or [rows for rows in fitting if choose(rows)] or fitting
            yield from chosen[0]

    def _all(self, table: str, cells: list[BtreeCell | None]) -> list[SalvagedRow]:
        """Return the cells as rows of a table, none where most of them are not."""
        found = [row for cell in cells if (row := self._found(table, cell))]
        return found if len(found) * 2 > len(cells) else []

    def _found(self, table: str, cell: BtreeCell | None) -> SalvagedRow | None:
        if cell is None:
            return None
        try:
            row = self._tables[table].row(cell.rowid, values(cell.payload))
        except BrokenPageError:
            return None
        if row is None:
            return None
        names = [each.name for each in self._tables[table].columns]
        named = dict(zip(names, row, strict=True))
        if is_sound(table, named, self._key_of):
            return SalvagedRow(table, cell.rowid, row)
        replaced = named | _REPLACED.get(table, {})
        if replaced != named and is_sound(table, replaced, self._key_of):
            return SalvagedRow(table, cell.rowid, tuple(replaced.values()), is_mended=True)
        return None

    def _stated(self) -> dict[str, int]:
        """Return where trees begin, as the schema says."""
        stated: dict[str, int] = {}
        for number in self._trees.walk(1, LEAF_TABLE):
            for cell in self._trees.cells(number) if number is not None else ():
                row = _values_of(cell)
                if len(row) != _MASTER_COLUMNS:
                    continue
                _, name, _, root, _ = row
                if isinstance(name, str) and isinstance(root, int) and root > 0:
                    stated[name] = root
        return stated

    def _roots(self) -> dict[str, int]:
        """Return where trees begin: as the schema says, else as in a new catalog if that fits."""
        new = {each.name: (each.root, LEAF_TABLE) for each in self._tables.values()}
        new |= {i.name: (i.root, LEAF_INDEX) for t in self._tables.values() for i in t.indexes}
        made = {name: root for name, root in self.stated.items() if name in new}
        taken = set(made.values())
        for name, (root, kind) in new.items():
            if name not in made and root not in taken and self._is_tree(root, kind):
                made[name] = root
        return made

    def _is_tree(self, number: int, leaf: int) -> bool:
        """Say whether a page can be the first of a tree."""
        kinds = (LEAF_TABLE, 0x05) if leaf == LEAF_TABLE else (LEAF_INDEX, INNER_INDEX)
        return number <= self._image.pages and self._image.page(number)[0] in kinds

    def _entries(self, root: int, index: TableIndex) -> tuple[dict[int, dict[int, SqlValue]], bool]:
        """Return the rows that an index names, with the values it has, and whether it is whole."""
        found: dict[int, dict[int, SqlValue]] = {}
        is_whole = True
        for number in self._trees.walk(root, LEAF_INDEX):
            for cell in self._trees.cells(number) if number is not None else (None,):
                *key, rowid = _values_of(cell) or (None,)
                if not isinstance(rowid, int) or len(key) != len(index.columns) or rowid in found:
                    is_whole = False
                    continue
                found[rowid] = dict(zip(index.columns, key, strict=True))
        return found, is_whole


def _values_of(cell: BtreeCell | None) -> list[SqlValue]:
    if cell is None:
        return []
    try:
        return values(cell.payload)
    except BrokenPageError:
        return []
