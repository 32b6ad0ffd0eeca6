from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import Citation, Locator, LocatorKind
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.workspace import Workspace
from testing.fake_retriever import passage

Cite = Callable[[str, str, str], Locator]
SENTENCES = " ".join(f"The keeper of room {n} counts the lamps every evening." for n in range(14))
NOTES = f"""# Minutes

{SENTENCES}

Decided:

- The fence is painted green.
- The gate stays shut.
- The pump is sold.

## Money

{SENTENCES}

The fee is 45 euros
and is due in May.
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings())
    yield made
    made.close()


@pytest.fixture
def cite(workspace: Workspace, tmp_path: Path) -> Cite:
    """Return `cite(name, content, quote)`: where a quote of an indexed file is placed."""

    def make(name: str, content: str, quote: str) -> Locator:
        file = tmp_path / name
        file.write_text(content, "utf-8")
        list(index_files.run(workspace, IndexRequest("default", (str(file),)), CancelToken()))
        catalog = workspace.catalog
        row = catalog.files.get(catalog.kbs.get("default").id, str(file))
        assert row is not None
        assert row.document_id is not None
        text = catalog.documents.text(row.document_id)
        start = text.index(quote)
        whole = catalog.documents.locator_for(row.document_id, 0, len(text))
        source = replace(passage(text), document_id=row.document_id, locator=whole)
        place = whole.narrowed(start, start + len(quote))
        citation = Citation(1, source.chunk_id, str(file), place, quote, 0)
        return locate_citations([citation], [source], catalog.documents)[0].locator

    return make


@pytest.mark.parametrize("name", ["minutes.md", "minutes.txt"])
@pytest.mark.parametrize("quote", ["The gate stays", "The pump", "The fee is 45", "and is due in"])
def test_a_quote_has_the_line_that_it_stands_on_in_the_file(
    cite: Cite, name: str, quote: str
) -> None:
    (line,) = [n for n, text in enumerate(NOTES.splitlines(), 1) if quote in text]
    found = cite(name, NOTES, quote)
    assert (found.kind, found.value) == (LocatorKind.LINE, line)


@pytest.mark.parametrize("name", ["Room 0", "Room 7", "Room 59"])
def test_a_quote_of_a_table_has_its_own_row(cite: Cite, name: str) -> None:
    rows = ["name,keeper,lamps", *(f"Room {n},Keeper number {n},{n + 100}" for n in range(60))]
    found = cite("rooms.csv", "\n".join(rows), f"{name};")
    (row,) = [n for n, text in enumerate(rows, 1) if text.startswith(f"{name},")]
    assert (found.kind, found.value) == (LocatorKind.ROW, row)


def test_a_quote_of_a_document_that_is_gone_keeps_its_place(workspace: Workspace) -> None:
    source = passage("Tea is grown.")
    citation = Citation(1, source.chunk_id, source.path, source.locator, source.text, 0)
    assert locate_citations([citation], [source], workspace.catalog.documents) == (citation,)
