"""How fast the store is at 100,000 chunks: `pytest tests/index/test_scale.py -m slow -s`."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewChunk, NewDocument
from desktop_rag.core.types import (
    BlockKind,
    Box,
    ChunkId,
    DocumentId,
    KbId,
    Locator,
    LocatorKind,
    ModelIdentity,
)
from desktop_rag.index import flat
from desktop_rag.index.indexes import EXACT_UPTO, IndexManager

DIMENSIONS = 384
PER_DOCUMENT = 500
MODEL = "model-384"


class Corpus:
    """Texts of a natural spread of words, and vectors that lie in clusters, as real ones do."""

    def __init__(self) -> None:
        self._chooser = random.Random(1)
        self._rng = np.random.default_rng(1)
        self._words = [f"w{n:x}ing" for n in range(40_000)]
        self._weights = list(np.cumsum([1 / (n + 5) for n in range(40_000)]))
        self._centres = self._rng.standard_normal((300, DIMENSIONS))

    def text(self, length: int) -> str:
        return " ".join(self._chooser.choices(self._words, cum_weights=self._weights, k=length))

    def vector(self) -> np.ndarray:
        centre = self._centres[self._chooser.randrange(300)]
        made = centre + 0.8 * self._rng.standard_normal(DIMENSIONS)
        return (made / np.linalg.norm(made)).astype(np.float32)

    def document(self, number: int) -> tuple[NewDocument, dict[str, np.ndarray]]:
        chunks, vectors = [], {}
        for n in range(PER_DOCUMENT):
            key, at = f"{number}-{n}", n * 900
            boxes = tuple(Box(72.0, 10.5 * i, 500.0, 10.5 * i + 9, at, at + 90) for i in range(10))
            place = Locator(LocatorKind.PAGE, n // 5 + 1, at, at + 899, boxes)
            text = self.text(150)
            chunks.append(
                NewChunk(
                    n, BlockKind.TEXT, text, f"Title {number}", "Section", place, (at, at), key
                )
            )
            vectors[key] = self.vector().astype(np.float16)
        body = "\n".join(chunk.text for chunk in chunks)
        new = NewDocument(str(number), "r", f"Title {number}", body, 100, (), tuple(chunks))
        return new, vectors


@contextmanager
def timed(what: str, per: int = 0) -> Iterator[None]:
    begun = time.perf_counter()
    yield
    seconds = time.perf_counter() - begun
    rate = f"  {per / seconds:8.0f} /s" if per else ""
    sys.stdout.write(f"{what:34} {seconds:8.2f} s{rate}\n")


def spread(what: str, act: Callable[[], object], times: int = 200) -> float:
    """Time an act many times; say how long, and return what half of them took in milliseconds.

    The slowest tell more of what else the computer does.
    """
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        taken.append(1000 * (time.perf_counter() - begun))
    p50, p95 = np.percentile(taken, (50, 95))
    sys.stdout.write(f"{what:34} p50 {p50:7.2f} ms  p95 {p95:7.2f} ms\n")
    return float(p50)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("count", [10_000, 20_000, 100_000])
def test_the_graph_of_a_large_collection_finds_what_a_comparison_finds(
    home: Path, catalog: Catalog, kb: KbId, count: int
) -> None:
    corpus = Corpus()
    made = [corpus.document(n) for n in range(count // PER_DOCUMENT)]
    sys.stdout.write(f"\n{count} chunks\n")
    with timed("catalog: store", count):
        for n, (new, vectors) in enumerate(made):
            read = FileRead(kb, f"/d/{n}.pdf", FileStamp(1, 1, str(n)))
            catalog.documents.store(read, new, vectors, MODEL)
    del made
    indexes = IndexManager(
        home, catalog, ModelIdentity(MODEL, DIMENSIONS), exact_upto=min(EXACT_UPTO, count)
    )
    index = indexes.of(kb)
    with timed("words: rebuild", count):
        index.rebuild()
    with timed("Chroma: feed", count):
        index.replica.feed()
    sys.stdout.write(f"{index.replica.state()}\n")
    with timed("check, every id compared"):
        assert index.check() is None
        assert index.replica.check() is None
    indexes.close()
    indexes = IndexManager(
        home, catalog, ModelIdentity(MODEL, DIMENSIONS), exact_upto=min(EXACT_UPTO, count)
    )
    with timed("open and compare after a clean end"):
        assert indexes.open_all() == {}
    question = corpus.vector()
    blocks = catalog.embeddings.blocks(kb, MODEL)
    with timed("dense: every vector compared"):
        best = {chunk_id for chunk_id, _ in flat.nearest_in_blocks(blocks, question, 50)}
    index = indexes.of(kb)
    found = {chunk_id for chunk_id, _ in index.replica.nearest(MODEL, question, 50) or ()}
    sys.stdout.write(f"{'Chroma: recall of the best 50':34} {len(best & found) / 50:8.2f}\n")
    spread("Chroma: 50", lambda: index.replica.nearest(MODEL, corpus.vector(), 50))
    with timed("dense: the first search"):
        indexes.of(kb).dense(question, 50)
    few = set(map(DocumentId, range(1, 21)))
    spread("dense: 50", lambda: indexes.of(kb).dense(corpus.vector(), 50).hits)
    spread("lexical: 50, of 10 words", lambda: indexes.of(kb).lexical(corpus.text(10), 50))
    spread(
        "dense: 50 of 20 documents", lambda: indexes.of(kb).dense(corpus.vector(), 50, few).hits, 50
    )
    spread(
        "lexical: 50 of 20 documents", lambda: indexes.of(kb).lexical(corpus.text(10), 50, few), 50
    )
    ids = list(map(ChunkId, random.Random(2).sample(range(1, count), 50)))
    spread("catalog: 50 chunks", lambda: catalog.documents.get_chunks(ids))
    with timed("one file removed, indexes told"):
        catalog.files.remove(kb, ["/d/3.pdf"])
        indexes.of(kb).sync()
    new, vectors = corpus.document(999_999)
    with timed("one file of 500 chunks added"):
        catalog.documents.store(FileRead(kb, "/d/n", FileStamp(1, 1, "n")), new, vectors, MODEL)
        indexes.of(kb).sync()
    with timed("its words purged"):
        indexes.of(kb).purge()
    size = sum(f.stat().st_size for f in home.rglob("*") if f.is_file())
    sys.stdout.write(f"{'on disk':34} {size / 1e6:8.0f} MB\n")
    indexes.close()
    assert len(best & found) >= 40


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_of_many_like_vectors_each_is_found_by_itself(
    home: Path, catalog: Catalog, kb: KbId
) -> None:
    """As of a long table, whose rows differ in a number or a name."""
    count, rng = 5_000, np.random.default_rng(3)
    like = rng.standard_normal(DIMENSIONS) + 0.05 * rng.standard_normal((count, DIMENSIONS))
    like /= np.linalg.norm(like, axis=1, keepdims=True)
    new, _ = Corpus().document(0)
    chunks = tuple(replace(new.chunks[0], ordinal=n, embed_key=f"row-{n}") for n in range(count))
    vectors = {f"row-{n}": row.astype(np.float16) for n, row in enumerate(like)}
    read = FileRead(kb, "/d/rows.csv", FileStamp(1, 1, "rows"))
    catalog.documents.store(read, replace(new, chunks=chunks), vectors, MODEL)
    indexes = IndexManager(home, catalog, ModelIdentity(MODEL, DIMENSIONS), exact_upto=count)
    sample = list(catalog.embeddings.of_chunks(kb, MODEL))[::10]
    for build in range(1, 3):
        indexes.of(kb).rebuild()
        indexes.of(kb).replica.discard()
        indexes.of(kb).replica.feed()
        missed = {"Chroma": 0, "compared": 0}
        for chunk_id, _, row in sample:
            asked = row.astype(np.float32)
            by_chroma = indexes.of(kb).replica.nearest(MODEL, asked, 50) or ()
            missed["Chroma"] += chunk_id not in {each for each, _ in by_chroma}
            missed["compared"] += indexes.of(kb).dense(asked, 1).hits[0][0] != chunk_id
        sys.stdout.write(f"build {build}, of {len(sample)} not found by themselves: {missed}\n")
        assert missed["compared"] == 0
    indexes.close()
