"""`kill -9` between any two steps, or at any moment, loses nothing and doubles nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from tests.conftest import REPOSITORY
from tests.index.index_checks import assert_complete, opened


def run(home: Path, start: int, stop: str = "", seconds: float | None = None) -> list[int]:
    """Index in a child until it is killed; return the documents that it said were stored."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.index.killed_indexer", str(home), str(start), stop],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    if seconds is not None:
        first = child.stdout.readline()
        time.sleep(seconds)
        child.kill()
        said = first + child.stdout.read()
    else:
        said = child.stdout.read()
    assert child.wait(60) == -9
    child.stdout.close()
    return [int(line) for line in said.split()]


def assert_nothing_lost(home: Path, stored: list[int]) -> int:
    """Open what a killed process left; everything it said is there, once, and found."""
    catalog = Catalog.open(home)
    kb = catalog.kbs.get("default").id
    indexes = opened(home, catalog)
    indexes.open_all()
    paths = [row.path for row in catalog.files.under(kb)]
    assert len(set(paths)) == len(paths)
    assert set(paths) >= {f"/d/{n}" for n in stored}
    assert len(catalog.documents.chunk_ids(kb)) == 40 * len(paths)
    assert_complete(catalog, indexes, kb)
    indexes.close()
    catalog.close()
    return len(paths)


@pytest.mark.parametrize("stop", ["stored", "lexical", "opened", "dense"])
def test_a_kill_between_the_catalog_and_an_index_loses_nothing(tmp_path: Path, stop: str) -> None:
    stored = run(tmp_path / "home", 0, stop)
    assert stored == [0]
    assert assert_nothing_lost(tmp_path / "home", stored) == 1


@pytest.mark.slow
def test_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    chooser = random.Random()
    stored: list[int] = []
    count = 0
    round_ = 0
    while round_ < 10 or count <= 20:
        stored += run(tmp_path / "home", round_ * 10_000, seconds=chooser.uniform(0.0, 1.5))
        count = assert_nothing_lost(tmp_path / "home", stored)
        round_ += 1
