"""Search in bases of a given size: the stages of two-stage retrieval, p50 and p95."""

from __future__ import annotations

import random
import resource
from functools import partial
from pathlib import Path

from benchmarks import synthetic_bases
from benchmarks.indexing import timed
from benchmarks.result_table import Measurement, quantiles
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.retrieval.query import Query
from desktop_rag.workspace import Workspace


def measure(base: synthetic_bases.Base, folder: Path) -> list[Measurement]:
    """Fill a knowledge base, ask it, and return its rows."""
    name = f"{base.chunks:,} chunks"
    workspace = open_workspace(folder, Settings())
    try:
        kb = workspace.catalog.kbs.ensure("bench").id
        material = synthetic_bases.material(workspace, base)
        filling, _ = timed(lambda: synthetic_bases.fill(workspace, kb, base.chunks, material))
        syncing, _ = timed(lambda: workspace.indexes.of(kb).sync())
        rows = [
            Measurement(f"{name}: into the catalog", filling, "s"),
            Measurement(f"{name}: into both indexes", syncing, "s"),
        ]
        return rows + ask(workspace, kb, base.queries, material, name)
    finally:
        workspace.close()


def ask(
    workspace: Workspace, kb: KbId, queries: int, material: synthetic_bases.Material, name: str
) -> list[Measurement]:
    """Ask the words of some sentences; return p50 and p95 of each stage and of the whole."""
    chance = random.Random(1)
    stages: dict[str, list[float]] = {}
    whole: list[float] = []
    for number in range(queries + 5):
        words = chance.choice(material.sentences).split()
        query = Query(" ".join(words[:12]), (kb,), 10)
        seconds, found = timed(partial(workspace.retriever.search, query))
        if number >= 5:
            whole.append(seconds)
            for stage, each in found.timings.items():
                stages.setdefault(stage, []).append(each)
    rows = [row for stage, each in stages.items() for row in quantiles(f"{name}: {stage}", each)]
    gate = "p95 ≤ 400 ms" if name.startswith("100,000") else ""
    rows += quantiles(f"{name}: whole search", whole, gate)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Measurement(f"{name}: peak memory of the process that filled it", peak, "MiB")]
