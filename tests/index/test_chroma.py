from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.catalog.embeddings import VectorBlock, VectorRecord
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index import chroma as vectors
from desktop_rag.index import flat
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.chroma_server import ChromaServer, ServerAddress, is_local_server
from tests.catalog.stored_documents import bytes_hold, vector
from tests.index import chroma_server


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaIndex]:
    made = ChromaIndex.in_folder(tmp_path / "dense")
    yield made
    made.close()


def record(number: int, document: int = 1) -> VectorRecord:
    """A chunk of a page of a file."""
    document_id, half = DocumentId(document), vector(str(number)).astype(np.float16)
    metadata: dict[str, int | str] = {
        "document_id": document_id,
        "path": f"/d/{document}.pdf",
        "unit": "page",
        "place": str(number),
        "page": number,
    }
    return VectorRecord(ChunkId(number), document_id, half, f"passage {number}", metadata)


def rows(start: int, stop: int) -> list[VectorRecord]:
    return [record(n, n // 10) for n in range(start, stop)]


def own_vectors(start: int, stop: int, step: int) -> list[npt.NDArray[np.float32]]:
    return [vector(str(n)) for n in range(start, stop, step)]


def test_a_vector_is_found_by_its_like_with_its_cosine(store: ChromaIndex) -> None:
    store.add(rows(0, 200))
    hits = store.nearest(vector("7"), 5)
    assert hits[0][0] == 7
    assert hits[0][1] == pytest.approx(1.0, abs=1e-3)
    made = rows(0, 200)
    chunks, documents = tuple(e.chunk_id for e in made), tuple(e.document_id for e in made)
    block = VectorBlock(
        np.array(chunks), np.array(documents), np.stack([each.vector for each in made])
    )
    wanted = flat.nearest_in_blocks([block], vector("7"), 5)
    assert [n for n, _ in hits] == [n for n, _ in wanted]
    assert [s for _, s in hits] == pytest.approx([s for _, s in wanted], abs=1e-3)


def test_an_empty_store_finds_nothing(store: ChromaIndex) -> None:
    assert store.nearest(vector("7"), 5) == []
    assert store.count() == 0
    assert store.ids() == set()


def test_adding_and_deleting_again_changes_nothing(store: ChromaIndex) -> None:
    store.add(rows(0, 50))
    store.add(rows(25, 75))
    assert store.ids() == set(range(75))
    store.delete([ChunkId(1), ChunkId(2), ChunkId(999)])
    store.delete([ChunkId(1), ChunkId(2)])
    store.delete([])
    assert store.count() == 73
    assert 1 not in [n for n, _ in store.nearest(vector("1"), 73)]


def test_a_filter_keeps_to_some_documents(store: ChromaIndex) -> None:
    store.add(rows(0, 100))
    hits = store.nearest(vector("7"), 50, {DocumentId(0), DocumentId(3)})
    assert {n for n, _ in hits} == {*range(10), *range(30, 40)}
    assert store.nearest(vector("7"), 5, set()) == []


def test_more_rows_than_one_batch_are_all_there(store: ChromaIndex) -> None:
    assert store.add(iter(rows(0, 2345))) == 2345
    assert store.count() == 2345
    assert store.reach(own_vectors(0, 2345, 100)) == 1.0


def test_what_lies_in_the_folder_is_there_when_opened_again(
    store: ChromaIndex, tmp_path: Path
) -> None:
    store.add(rows(0, 30))
    store.close()
    again = ChromaIndex.in_folder(tmp_path / "dense")
    assert again.ids() == set(range(30))
    again.close()


def test_a_folder_holds_text_and_place_and_may_be_given_another(store: ChromaIndex) -> None:
    store.add(rows(0, 3))
    store.update({ChunkId(1): {"path": "/e/moved.pdf"}, ChunkId(99): {"path": "/nowhere"}})
    row = store._collection.get(ids=["1"], include=["metadatas", "documents"])
    assert row["documents"] == ["passage 1"]
    (metadata,) = row["metadatas"]
    assert metadata == {
        "document_id": 0,
        "path": "/e/moved.pdf",
        "unit": "page",
        "place": "1",
        "page": 1,
    }
    assert store.count() == 3


def test_what_was_deleted_is_erased_from_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "dense"
    store = ChromaIndex.in_folder(folder)
    store.add(rows(0, 300))
    store.delete([ChunkId(n) for n in range(100, 200)])
    assert bytes_hold(folder, "passage 150")
    store.erase_deleted()
    assert not bytes_hold(folder, "passage 150")
    assert bytes_hold(folder, "passage 250")
    again = ChromaIndex.in_folder(folder)
    assert again.ids() == {*range(100), *range(200, 300)}
    assert again.nearest(vector("250"), 1)[0][0] == 250
    again.close()


def test_a_broken_database_is_said_to_be_damaged(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "chroma.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreDamaged):
        ChromaIndex.in_folder(folder)


def test_a_panic_over_a_garbled_database_is_said_to_be_damage(tmp_path: Path) -> None:
    folder = tmp_path / "garbled"
    store = ChromaIndex.in_folder(folder)
    store.add([record(1)])
    store.close()
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database:
        database.execute("UPDATE migrations SET sql = CAST(x'ff' AS TEXT)")
        database.commit()
    with pytest.raises(StoreDamaged):
        ChromaIndex.in_folder(folder)


@pytest.mark.parametrize("place", ["vectors", "default vectors", "words", "a key of its own"])
def test_a_folder_whose_collection_names_a_function_is_damaged_and_nothing_is_built(
    store: ChromaIndex, tmp_path: Path, place: str
) -> None:
    folder = tmp_path / "dense"
    with chroma_server.spying() as built:
        chroma_server.use(store._collection)
        assert built == []
        store.close()
        chroma_server.forge(
            folder, chroma_server.forged_schemas(chroma_server.schema_of(folder))[place]
        )
        with pytest.raises(StoreDamaged, match="names an embedding function"):
            ChromaIndex.in_folder(folder)
        assert built == []
        with patch.object(vectors, "names_embedding_function", lambda *_: False):
            unchecked = ChromaIndex.in_folder(folder)
        with warnings.catch_warnings(action="ignore"):
            chroma_server.use(unchecked._collection)
        unchecked.close()
        assert built  # else this proves nothing: Chroma is mended


def test_a_silent_server_is_said_in_a_sentence() -> None:
    with pytest.raises(UserError, match="does not answer"):
        ChromaServer(ServerAddress("http://127.0.0.1:9")).made("desktop-rag-test")


@pytest.mark.parametrize(
    ("url", "is_this"),
    [
        ("", True),
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
        ("http://10.0.0.5:8000", False),
        ("http://localhost.example.org", False),
    ],
)
def test_another_computer_is_told_from_this_one(url: str, is_this: bool) -> None:
    assert is_local_server(url) is is_this
