"""Real files, parsed and cut as the indexer does, in a catalog; and the tables made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import NewDocument
from desktop_rag.core.settings import Chunking
from desktop_rag.core.types import KbId
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing.formats import markdown
from desktop_rag.parsing.formats.csv_tsv import parse_csv
from desktop_rag.parsing.formats.xlsx import parse_xlsx
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.tables.stored_tables import StoredTable
from desktop_rag.tables.table_store import TableStore
from desktop_rag.tables.typed_table import TypedTable
from tests.catalog.stored_documents import put

_PARSERS: dict[str, Callable[[Path], ParsedDocument]] = {
    ".csv": parse_csv,
    ".md": markdown.parse,
    ".xlsx": parse_xlsx,
}
Rows = Sequence[Sequence[object]]


class Base:
    """A knowledge base of files with tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalog = Catalog.open(folder / "home")
        self.kb: KbId = self.catalog.kbs.create("default").id
        self.store = TableStore(self.catalog)

    def add_text(self, name: str, text: str) -> None:
        """Write a file, parse it, and store it."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        self.add(path)

    def add_book(self, name: str, sheets: dict[str, Rows]) -> None:
        """Write a workbook, parse it, and store it."""
        import openpyxl

        book = openpyxl.Workbook()
        del book[book.sheetnames[0]]
        for title, rows in sheets.items():
            sheet = book.create_sheet(title)
            for row in rows:
                sheet.append(list(row))
        path = self.folder / name
        book.save(path)
        self.add(path)

    def add(self, path: Path) -> None:
        """Parse a file and store it, in chunks of a few rows."""
        parsed = _PARSERS[path.suffix](path)
        sizes = Chunking(small_tokens=40, big_tokens=160)
        text, chunks = chunk_document(parsed, path.stem, sizes, _counts)
        content = hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
        new = NewDocument(content, "r1", parsed.title, text, None, (), chunks)
        put(self.catalog, self.kb, str(path), new)

    def groups(self, where: str = "") -> tuple[tuple[StoredTable, ...], ...]:
        """Return all tables, those with the same columns together."""
        return self.store.tables((self.kb,), where, (), CancelToken()).groups

    def typed(self, name: str = "t") -> TypedTable:
        """Return the only table."""
        (group,) = self.groups()
        return self.store.typed(group, name)


def _counts(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    made = Base(tmp_path)
    yield made
    made.catalog.close()
