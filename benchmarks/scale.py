"""What grows with a knowledge base: opening, searching, adding, removing, mending, memory, disk."""

from __future__ import annotations

import time
from pathlib import Path

import psutil

from benchmarks import searching, synthetic_bases
from benchmarks.indexing import timed
from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, in_window
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.index.flat import nearest_in_blocks
from desktop_rag.retrieval.query import Query
from desktop_rag.workspace import Workspace

_NEW = "The quokka harvester of Ballarat was calibrated at 43 decibels in spring."
_MEGABYTE = 2**20
_PER = 10_000  # chunks, for which growth is told


def measure(given: list[synthetic_bases.Base], folder: Path) -> list[Measurement]:
    """Make bases of these sizes, unless they are there, and return what each costs."""
    return [row for each in given for row in _one(each, folder / str(each.chunks))]


def _one(base: synthetic_bases.Base, data_dir: Path) -> list[Measurement]:
    name = f"{base.chunks:,} chunks"
    rows = _made(base, data_dir, name)
    rows += _disk(data_dir, base.chunks, name)
    opened = in_window("opening", {"host": NOBODY, "data_dir": str(data_dir), "begun": time.time()})
    rows += [
        Measurement(f"{name}: window usable", opened["usable"], "s", gate="≤ 1.5 s"),
        Measurement(f"{name}: its first answer", opened["answered"], "s"),
        Measurement(f"{name}: all processes after it", opened["all"], "MiB", gate="≤ 3072 MiB"),
        Measurement(f"{name}: the window of it", opened["window"], "MiB"),
    ]
    workspace = open_workspace(data_dir, Settings())
    try:
        kb = workspace.catalog.kbs.ensure("default").id
        opening, _ = timed(workspace.indexes.open_all)
        rows.append(Measurement(f"{name}: indexes opened", opening, "s"))
        material = synthetic_bases.material(workspace, base)
        rows += _searched(workspace, kb, base, material, name)
        rows += _changed(workspace, kb, data_dir, name)
    finally:
        workspace.close()
    return rows


def _made(base: synthetic_bases.Base, data_dir: Path, name: str) -> list[Measurement]:
    """Make a base step by step; of one that is there nothing is told."""
    if (data_dir / "catalog.sqlite").is_file():
        return []
    workspace = open_workspace(data_dir, Settings())
    try:
        kb = workspace.catalog.kbs.ensure("default").id
        material = synthetic_bases.material(workspace, base)
        index = workspace.indexes.of(kb)
        filling, _ = timed(lambda: synthetic_bases.fill(workspace, kb, base.chunks, material))
        telling, _ = timed(index.sync)
        feeding, _ = timed(index.feed)
    finally:
        workspace.close()
    parts = {
        "the catalog": filling,
        "the word index": telling,
        "Chroma and the vector file": feeding,
    }
    each = base.chunks / _PER
    return [
        Measurement(f"{name}: into {part}, per {_PER:,}", seconds / each, "s")
        for part, seconds in parts.items()
    ]


def _disk(data_dir: Path, chunks: int, name: str) -> list[Measurement]:
    """Return how large the files are, per 10,000 chunks."""
    sizes = {
        "catalog": data_dir.glob("catalog.sqlite*"),
        "word index": data_dir.glob("indexes/*/lexical-*/**/*"),
        "Chroma": data_dir.glob("indexes/*/dense-*/**/*"),
        "vector file": data_dir.glob("indexes/*/vectors-*/*"),
    }
    each = chunks / _PER * _MEGABYTE
    return [
        Measurement(
            f"{name}: {part} on disk, per {_PER:,}",
            sum(file.stat().st_size for file in files if file.is_file()) / each,
            "MiB",
        )
        for part, files in sizes.items()
    ]


def _searched(
    workspace: Workspace,
    kb: KbId,
    base: synthetic_bases.Base,
    material: synthetic_bases.Material,
    name: str,
) -> list[Measurement]:
    """Search; return the first search, each stage of the others, memory and Chroma's recall."""
    question = Query(material.sentences[0], (kb,), 10)
    first, _ = timed(lambda: workspace.retriever.search(question))
    rows = [Measurement(f"{name}: first search", first, "s")]
    rows += searching.ask(workspace, kb, base.queries, material, name)
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    held = sum(_pss(each) for each in processes)
    rows.append(Measurement(f"{name}: all processes while searching", held, "MiB"))
    vector = workspace.models.embedder.embed_query(question.text)
    replica = workspace.indexes.of(kb).replica
    compared, _ = timed(lambda: nearest_in_blocks(replica.vector_file.blocks(), vector, 50))
    rows.append(Measurement(f"{name}: every vector compared", compared, "s"))
    recall = replica.state().recall
    if recall is not None:
        rows.append(
            Measurement(f"{name}: Chroma's recall of the best 50", recall, "", gate="≥ 0.99")
        )
    return rows


def _changed(workspace: Workspace, kb: KbId, data_dir: Path, name: str) -> list[Measurement]:
    """Add a file until a search finds it; take it out again, with every trace of its text."""
    new = data_dir.with_name(f"added-{data_dir.name}.txt")
    new.write_text(f"{_NEW}\n" * 3, encoding="utf-8")

    def add() -> None:
        request = IndexRequest("default", (str(new),), in_background=True)
        for _ in index_files.run(workspace, request, CancelToken()):
            pass
        found = workspace.retriever.search(Query(_NEW, (kb,), 3))
        if _NEW not in found.passages[0].text:
            raise RuntimeError("The new file is not found.")

    adding, _ = timed(add)
    feeding, _ = timed(workspace.indexes.of(kb).replica.feed)

    def remove() -> None:
        workspace.catalog.files.remove(kb, [str(new)])
        workspace.indexes.of(kb).sync()

    removing, _ = timed(remove)
    erasing, _ = timed(workspace.indexes.of(kb).purge)
    new.unlink()
    return [
        Measurement(f"{name}: a file added, until it is found", adding, "s", gate="≤ 5 s"),
        Measurement(f"{name}: until Chroma has it, too", feeding, "s"),
        Measurement(f"{name}: a file removed, until no search finds it", removing, "s"),
        Measurement(f"{name}: until its text is in no file", erasing, "s"),
    ]


def _pss(process: psutil.Process) -> float:
    """Return the MiB of a process; what it shares is shared out, where the system can tell."""
    told = process.memory_full_info()
    return float(getattr(told, "pss", told.uss)) / _MEGABYTE
