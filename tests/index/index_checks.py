"""Looks at a knowledge base's indexes: what they find, and whether that is all."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import psutil

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.index.chroma_process import ChromaFolder, ChromaProcess
from desktop_rag.index.indexes import IndexManager
from tests.catalog.stored_documents import DIMENSIONS, MODEL, vector


@cache
def chroma_process() -> ChromaProcess:
    """One process for all tests: its start takes over a second."""
    folder = tempfile.TemporaryDirectory()
    process = ChromaProcess(Path(folder.name, "chroma.lock"))
    atexit.register(folder.cleanup)
    atexit.register(process.close)
    return process


def end_process(process: ChromaProcess) -> None:
    """Kill the process that holds Chroma's folders, as a crash would."""
    child = process._process
    assert child is not None
    child.kill()
    child.join()


@contextmanager
def small_files(process: ChromaProcess, size: int) -> Iterator[None]:
    """Let no file of the process grow beyond some bytes, as on a full disk; on Linux only."""
    child = process._process
    assert child is not None
    soft, hard = psutil.Process(child.pid).rlimit(psutil.RLIMIT_FSIZE)
    psutil.Process(child.pid).rlimit(psutil.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        psutil.Process(child.pid).rlimit(psutil.RLIMIT_FSIZE, (soft, hard))


def opened(home: Path, catalog: Catalog, model: str = MODEL) -> IndexManager:
    """Indexes of which Chroma is asked, however small they are."""
    identity = ModelIdentity(model, DIMENSIONS)
    return IndexManager(home, catalog, identity, exact_upto=0, process=chroma_process())


def fed(indexes: IndexManager, kb: KbId) -> ChromaFolder:
    """The Chroma of a knowledge base, told of all."""
    index = indexes.of(kb)
    index.open()
    index.replica._opened_soon()  # what was not closed cleanly is looked at
    index.replica.feed()
    assert not index.replica.is_behind()
    handle = index.replica._opened_soon()
    assert handle is not None
    return handle


def half(home: Path, kb: KbId, name: str) -> Path:
    """The one folder in use of a half."""
    (found,) = (home / "indexes" / str(kb)).glob(f"{name}-*")
    return found


def first_text(catalog: Catalog, indexes: IndexManager, kb: KbId, query: str) -> str:
    hits = indexes.of(kb).lexical(query, 1)
    return catalog.documents.get_chunks([hits[0][0]])[hits[0][0]].text if hits else ""


def nearest_text(catalog: Catalog, indexes: IndexManager, kb: KbId, text: str) -> str:
    hits = indexes.of(kb).dense(vector(text), 1).hits
    return catalog.documents.get_chunks([hits[0][0]])[hits[0][0]].text if hits else ""


def assert_complete(catalog: Catalog, indexes: IndexManager, kb: KbId) -> None:
    """Every chunk is found by its own vector and by its own words, and nothing else is."""
    indexes.of(kb).open()
    indexes.of(kb).replica.warm_up()  # what is damaged is seen
    indexes.of(kb).open()
    indexes.of(kb).replica.warm_up()  # what is damaged is seen
    indexes.of(kb).replica.feed()
    ids = set(catalog.documents.chunk_ids(kb))
    assert {i for i, _ in indexes.of(kb).dense(vector("x"), len(ids) + 10).hits} == ids
    for chunk in catalog.documents.get_chunks(list(ids)[::17]).values():
        assert nearest_text(catalog, indexes, kb, chunk.text) == chunk.text
        assert first_text(catalog, indexes, kb, chunk.text) == chunk.text
    problem = indexes.of(kb).check()
    assert problem is None, problem
    assert indexes.of(kb).replica.check() is None
