"""Preparing documents for each way without a language model, beside indexing them.

The commands run as they are typed, each in a process of its own. Then the questions of the
documents' `manifest.jsonl`, where there is one, are searched in each way, beside a single pass in
the same base. `search` does this alone, in a data folder that was prepared before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import questions_on_documents
from benchmarks.memory_sampler import MemorySampler
from benchmarks.questions_on_documents import SINGLE_PASS, Way, grouped
from benchmarks.result_table import Measurement
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.language import language
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.preparation.registry import PREPARERS
from desktop_rag.strategies import registry
from desktop_rag.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
_NOBODY = "http://127.0.0.1:9"  # nothing listens on the discard port
_KB = "default"


@dataclass(frozen=True, slots=True)
class _Command:
    """What a command took: seconds, and the most MiB of it and its children."""

    seconds: float
    peak: float


def measure(documents: Path, folder: Path) -> list[Measurement]:
    """Index `documents` into an empty data folder, prepare it for all ways; return the rows."""
    excluded = [word for name in questions_on_documents.SEPARATE for word in ("--exclude", name)]
    indexing = _typed(folder, "index", str(documents.resolve()), *excluded)
    rows = [
        Measurement("index the documents", indexing.seconds, "s"),
        Measurement("memory, indexing", indexing.peak, "MiB"),
    ]
    for kind in PREPARERS:
        made = _typed(folder, "prepare", kind.name, "--without-model")
        rows += [
            Measurement(
                f"prepare {kind.name}", made.seconds, "s", indexing.seconds, "indexing", "ratio ≤ 1"
            ),
            Measurement(f"memory, {kind.name}", made.peak, "MiB", gate="≤ 1536 MiB"),
        ]
    return [*rows, *search(documents, folder)]


def search(documents: Path, folder: Path) -> list[Measurement]:
    """Return what a prepared data folder holds, and what a search in each way takes there."""
    workspace = open_workspace(folder, Settings(ollama=Ollama(host=_NOBODY)))
    try:
        return [*_contents(workspace), *_searches(workspace, documents)]
    finally:
        workspace.close()


def _typed(data_dir: Path, *words: str) -> _Command:
    """Run a command to its end."""
    command = [sys.executable, "-m", "desktop_rag", "--data-dir", str(data_dir), *words]
    begun = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"OLLAMA_HOST": _NOBODY, "PYTHONUTF8": "1"},
    )
    memory = MemorySampler(process.pid)
    status = process.wait()
    took = time.perf_counter() - begun
    memory.stop()
    if status:
        raise RuntimeError(f"{' '.join(words)} ended with {status}")
    return _Command(took, memory.take_peak())


def _contents(workspace: Workspace) -> list[Measurement]:
    pages, chunks = (
        workspace.catalog.database.read()
        .execute("SELECT coalesce(sum(pages), 0), sum(chunk_count) FROM documents")
        .fetchone()
    )
    return [
        Measurement("pages of documents that have such", float(pages), "pages"),
        Measurement("chunks", float(chunks), "chunks"),
    ]


def _searches(workspace: Workspace, documents: Path) -> list[Measurement]:
    """Search the questions in a single pass and in each way that a base can be prepared for.

    The ways take turns, so that what else the machine does meets all of them, each at another
    question, so that none finds what another has in memory: a vector is made for one question only.
    By language: the built-in reranker does not read all.
    """
    manifest = documents / "manifest.jsonl"
    if not manifest.is_file():
        return []
    questions = questions_on_documents.read(manifest)
    known = {kind.name for kind in registry.STRATEGIES}
    names = [SINGLE_PASS, *(kind.name for kind in PREPARERS if kind.name in known)]
    ways = {name: Way(workspace, name) for name in names}
    for way in ways.values():
        way.passages(_KB, questions[0].text)  # loading is no question's time
    rows = []
    for spoken, some in grouped(questions, lambda each: language(each.text)).items():
        taken: dict[str, list[float]] = {name: [] for name in names}
        apart = len(some) // len(names)
        for turn in range(len(some)):
            for at, name in enumerate(names):
                text = some[(turn + at * apart) % len(some)].text
                taken[name].append(_milliseconds(ways[name], text))
        rows += list(_rows(spoken, taken))
    return rows


def _rows(spoken: str, taken: Mapping[str, Sequence[float]]) -> Iterator[Measurement]:
    """Yield what half of the searches take at most, and 95 in 100."""
    for share, gate in ((50, ""), (95, "ratio ≤ 1.3")):
        floor = float(np.percentile(taken[SINGLE_PASS], share))
        for name, each in taken.items():
            asked = f"{len(each)} questions, {spoken}"
            found = float(np.percentile(each, share))
            told = f"search, {name}, p{share} of {asked}"
            yield Measurement(told, found, "ms", floor, "single pass", gate)


def _milliseconds(way: Way, text: str) -> float:
    begun = time.perf_counter()
    way.passages(_KB, text)
    return 1000 * (time.perf_counter() - begun)
