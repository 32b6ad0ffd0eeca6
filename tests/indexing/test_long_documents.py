"""A document too long to be held: in pieces, wholly or not at all, and read again in stretches."""

from __future__ import annotations

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import FileDone, IndexProgress
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing import chunker
from desktop_rag.parsing import format_registry
from desktop_rag.parsing.sandbox import document_stream
from tests.indexing.indexed_folder import KB, IndexedFolder, prose

TOPICS = ("harbour", "lighthouse", "bridge", "tram", "archive", "mill", "observatory")


def a_long_text(paragraphs: int = 600, unlike: int = 49) -> str:
    """Return so many paragraphs, of which so many are unlike: what repeats is embedded once."""
    texts = (prose(f"{TOPICS[n % 7]} of the year {n % unlike}") for n in range(paragraphs))
    return "\n\n".join(texts)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ten thousand characters be a long document: to embed a real one takes minutes."""
    monkeypatch.setattr(document_stream, "LONG_DOCUMENT_CHARACTERS", 10_000)


def count(library: IndexedFolder, rows: str) -> int:
    return library.workspace.catalog.database.read().execute(rows).fetchone()[0]


@pytest.mark.usefixtures("short")
def test_a_long_document_has_the_chunks_that_it_has_as_a_whole(library: IndexedFolder) -> None:
    file = library.docs / "long.txt"
    file.write_text(a_long_text())
    wanted, chunks = chunker.chunk_document(
        format_registry.parse(file), "long", Settings().chunking, library.embedder.count_tokens
    )
    (done,) = [e for e in library.run() if isinstance(e, FileDone)]
    assert (done.status, done.chunks) == (FileStatus.READY, len(chunks))
    stored = library.chunks(file)
    catalog = library.workspace.catalog
    assert [(c.text, c.context, c.locator, c.big) for c in stored] == [
        (c.text, c.context, c.locator, c.big) for c in chunks
    ]
    document_id = stored[0].document_id
    assert catalog.documents.text(document_id) == wanted
    assert catalog.document_queries.length(document_id) == len(wanted)
    assert count(library, "SELECT count(*) FROM segments") >= 1
    for start in (0, 99_000, 120_000, len(wanted) - 50):
        assert (
            catalog.documents.text(document_id, start, start + 2000) == wanted[start : start + 2000]
        )
    assert library.is_sound()


@pytest.mark.usefixtures("short")
def test_a_run_that_is_stopped_leaves_nothing_of_a_long_document(library: IndexedFolder) -> None:
    (library.docs / "long.txt").write_text(a_long_text(1200, unlike=1200))
    token = CancelToken()
    request = IndexRequest(KB, (str(library.docs),))
    events = index_files.run(library.workspace, request, token)
    steps = (each for each in events if isinstance(each, IndexProgress) and each.chunks > 256)
    next(steps)
    assert count(library, "SELECT count(*) FROM chunks") == 256
    token.cancel()
    with pytest.raises(Cancelled):
        next(steps)
    for table in ("documents", "chunks", "embeddings", "segments"):
        assert count(library, f"SELECT count(*) FROM {table}") == 0


def test_what_a_kill_leaves_of_a_long_document_is_gone_at_the_next_start(
    library: IndexedFolder,
) -> None:
    catalog = library.workspace.catalog
    left = catalog.long_texts.begin()
    catalog.long_texts.append(left, "text", (), {}, "model")
    catalog.long_texts.append(left, "more", (), {}, "model")
    assert count(library, "SELECT count(*) FROM segments") == 1
    library.workspace.close()
    again = open_workspace(library.home, Settings())
    for table in ("documents", "segments"):
        read = again.catalog.database.read()
        assert read.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0
    again.close()
