"""One file is changed among very many while they are watched: until a search finds what is new."""

from __future__ import annotations

import statistics
import threading
import time
from pathlib import Path
from typing import Self

from benchmarks import synthetic_folders
from benchmarks.indexing import timed
from benchmarks.result_table import Measurement
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing.format_registry import parse
from desktop_rag.retrieval.query import Query
from desktop_rag.workspace import Workspace

_TRIES = 5
_SECONDS = 60.0


def measure(files: int, folder: Path) -> list[Measurement]:
    """Watch a folder of known files, change some one after the other, and search for them."""
    documents, data_dir = folder / "documents", folder / "data"
    paths = synthetic_folders.write(documents, files)
    synthetic_folders.know(data_dir, documents, paths)
    workspace = open_workspace(data_dir, Settings())
    try:
        with _Watch(workspace) as watch:
            looked = watch.began()
            taken = [_change(workspace, paths[files // 2 + at], at) for at in range(_TRIES)]
        alone = statistics.median(_alone(workspace, paths[files // 2 + at]) for at in range(_TRIES))
    finally:
        workspace.close()
    name = f"one changed among {files:,} files"
    floor = "parse + embed it, no more"
    middle = statistics.median(taken)
    return [
        Measurement(
            f"{name}: written to found, median of {_TRIES}", middle, "s", alone, floor, "≤ 3 s"
        ),
        Measurement(f"{name}: the slowest", max(taken), "s", alone, floor, "≤ 3 s"),
        Measurement(f"{name}: the first look at all", looked, "s"),
    ]


class _Watch:
    """Indexing with `watch`, in a thread of its own."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._token = CancelToken()
        self._looked = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._start = time.perf_counter()

    def began(self) -> float:
        """Wait until everything was looked at once; return the seconds that took."""
        if not self._looked.wait(600):
            raise TimeoutError("the watch did not begin")
        return time.perf_counter() - self._start

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._token.cancel()
        self._thread.join()

    def _run(self) -> None:
        request = IndexRequest(synthetic_folders.KB, (), watch=True)
        try:
            for event in index_files.run(self._workspace, request, self._token):
                if isinstance(event, IndexProgress) and event.stage == "watch":
                    self._looked.set()
        except Cancelled:
            return


def _change(workspace: Workspace, path: Path, number: int) -> float:
    """Change a file; return the seconds until a search gives the new text."""
    word = f"zyxwort{number}"
    query = Query(
        f"Where is the {word} kept?", (workspace.catalog.kbs.get(synthetic_folders.KB).id,), 5
    )
    workspace.retriever.search(query)
    time.sleep(2.0)  # so that nothing of the change before is under way
    start = time.perf_counter()
    path.write_text(f"The {word} is kept below the stairs of the lighthouse.\n", encoding="utf-8")
    while time.perf_counter() - start < _SECONDS:
        found = workspace.retriever.search(query)
        if any(word in passage.text for passage in found.passages):
            return time.perf_counter() - start
        time.sleep(0.05)
    raise TimeoutError(f"{path} was not found within {_SECONDS:.0f} s")


def _alone(workspace: Workspace, path: Path) -> float:
    """Return the seconds that parsing, cutting and embedding a file takes by itself."""
    embedder = workspace.models.embedder

    def work() -> None:
        _, chunks = chunk_document(
            parse(path), path.stem, Settings().chunking, embedder.count_tokens
        )
        embedder.embed([f"{chunk.context}\n{chunk.text}" for chunk in chunks])

    seconds, _ = timed(work)
    return seconds
