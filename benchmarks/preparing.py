"""Preparing documents for each way without a language model, beside indexing them.

The commands run as they are typed, each in a process of its own. Then the questions of the
documents' `manifest.jsonl`, where there is one, are searched in each way, beside a single pass in
the same base.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks import questions_on_documents
from benchmarks.memory_sampler import MemorySampler
from benchmarks.questions_on_documents import SINGLE_PASS, Way
from benchmarks.result_table import Measurement
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings
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
    workspace = open_workspace(folder, Settings())
    try:
        return [*_contents(workspace), *rows, *_searches(workspace, documents)]
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
    """Search the questions in a single pass and in each way that a base can be prepared for."""
    manifest = documents / "manifest.jsonl"
    if not manifest.is_file():
        return []
    texts = [json.loads(line)["question"] for line in manifest.read_text("utf-8").splitlines()]
    known = {kind.name for kind in registry.STRATEGIES}
    ways = [SINGLE_PASS, *(kind.name for kind in PREPARERS if kind.name in known)]
    for name in ways:
        Way(workspace, name).passages(_KB, texts[0])  # loading is no question's time
    taken = {name: _percentiles(Way(workspace, name), texts) for name in ways}
    rows = []
    for at, told in enumerate(("p50", "p95")):
        floor = taken[SINGLE_PASS][at]
        rows += [
            Measurement(
                f"search, {name}, {told}",
                taken[name][at],
                "ms",
                floor,
                "single pass",
                "ratio ≤ 1.3" if told == "p95" else "",
            )
            for name in ways
        ]
    return rows


def _percentiles(way: Way, texts: Sequence[str]) -> tuple[float, float]:
    """Return how many milliseconds half of the searches take at most, and 95 in 100."""
    taken = []
    for text in texts:
        begun = time.perf_counter()
        way.passages(_KB, text)
        taken.append(1000 * (time.perf_counter() - begun))
    middle, high = np.percentile(taken, [50, 95])
    return float(middle), float(high)
