"""What Chroma's process spares whoever writes: how late other threads run meanwhile.

    .venv/bin/python -m benchmarks.chroma_process [--rows 4000]

writes made-up unit vectors of 384 numbers, with texts of 150 words, into a folder of Chroma's, in
this process (the rival) and in one of its own, and prints how late a thread comes that sleeps for
1 ms, how long the writing takes and how long a search of the rows afterwards.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.chroma_process import ChromaFolder, ChromaProcess

_DIMENSIONS = 384
_WORDS = 150  # of a chunk's text
_CALL = 100  # rows of one call, as `ChromaFolder` puts them in
_SLEEP = 0.001
_SEARCHES = 100


def main() -> None:
    """Measure both and print one table."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m benchmarks.chroma_process"
    )
    parser.add_argument("--rows", type=int, default=4000)
    rows = _rows(parser.parse_args().rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inside = ChromaIndex.in_folder(folder / "inside")
        here = _written(inside, rows)
        inside.close()
        process = ChromaProcess(folder / "chroma.lock")
        outside = process.open(folder / "outside")
        there = _written(outside, rows)
        outside.close()
        process.close()
    print("| what | its own process | this process | ratio |\n|---|---:|---:|---:|")
    names = ("1 ms late, p50", "1 ms late, p99", "1 ms late, max", "writing", "a search, p50")
    for what, ours, rival in zip(names, there, here, strict=True):
        print(f"| {what} | {ours * 1000:.2f} ms | {rival * 1000:.2f} ms | {ours / rival:.2f} |")


def _rows(count: int) -> list[VectorRecord]:
    chooser = random.Random(0)
    made = np.random.default_rng(0).standard_normal((count, _DIMENSIONS)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return [
        VectorRecord(
            ChunkId(n),
            DocumentId(n // 20),
            vector.astype(np.float16),
            " ".join(f"w{chooser.paretovariate(0.4):.0f}" for _ in range(_WORDS)),
            {"document_id": n // 20, "path": f"/documents/{n // 20}.pdf", "page": n % 20 + 1},
        )
        for n, vector in enumerate(made)
    ]


def _written(
    index: ChromaIndex | ChromaFolder,
    rows: list[VectorRecord],
) -> tuple[float, ...]:
    """Return how late other threads came (p50, p99, max), and the seconds of writing, searching."""
    late: list[float] = []
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.is_set():
            began = time.perf_counter()
            time.sleep(_SLEEP)
            late.append(time.perf_counter() - began - _SLEEP)

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.perf_counter()
    for start in range(0, len(rows), _CALL):
        index.add(rows[start : start + _CALL])
    writing = time.perf_counter() - began
    is_over.set()
    watcher.join()
    searching = []
    for each in rows[:_SEARCHES]:
        vector = each.vector.astype(np.float32)
        began = time.perf_counter()
        index.nearest(vector, 50)
        searching.append(time.perf_counter() - began)
    p50, p99 = np.percentile(late, (50, 99))
    return float(p50), float(p99), max(late), writing, float(np.median(searching))


if __name__ == "__main__":
    main()
