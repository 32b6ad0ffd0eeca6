"""A process that indexes is killed ten times; nothing may be lost, doubled or found otherwise."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus, Locator
from desktop_rag.workspace import Workspace
from tests.conftest import REPOSITORY
from tests.indexing.indexed_folder import prose

KB = "default"
FILES = 60
KILLS = 3


def write(folder: Path, number: int, edition: int = 0) -> None:
    """Write one small file of one of several formats; a later edition says something else."""
    topic = f"subject{number:02}x{edition}"
    text = prose(topic, 20 + number % 25)
    page = f"<html><body><h1>{topic}</h1><p>{text}</p></body></html>"
    table = "\n".join(["name,year,note", *(f"{topic},{2000 + i},row {i}" for i in range(30))])
    suffix, content = [
        ("md", f"# On {topic}\n\n{text}\n\n## More\n\n{prose(topic + 'b', 15)}"),
        ("txt", text),
        ("html", page),
        ("csv", table),
    ][number % 4]
    (folder / f"{number:02}.{suffix}").write_text(content, encoding="utf-8")


def start(home: Path, docs: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "desktop_rag", "--data-dir", str(home), "--json", "index"]
    return subprocess.Popen(
        [*command, str(docs)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def kill_at_random(home: Path, docs: Path, dice: random.Random) -> int:
    """Start indexing and kill it after some files and a moment; return how many were reported."""
    seen = 0
    wanted = dice.randint(0, 9)
    with start(home, docs) as running:
        assert running.stdout is not None
        if wanted == 0:
            time.sleep(dice.uniform(0.0, 4.0))
        for line in running.stdout if wanted else ():
            seen += '"ready"' in line
            if seen >= wanted:
                time.sleep(dice.uniform(0.0, 0.3))
                break
        running.send_signal(signal.SIGKILL)
    return seen


@contextmanager
def opened(home: Path) -> Iterator[Workspace]:
    workspace = open_workspace(home, Settings())
    try:
        yield workspace
    finally:
        workspace.close()


def finish(workspace: Workspace, docs: Path) -> None:
    list(index_files.run(workspace, IndexRequest(KB, (str(docs),)), CancelToken()))


def contents(workspace: Workspace) -> dict[str, list[tuple[str, str, Locator]]]:
    """Return every file's chunks, as the catalog has them."""
    kb = workspace.catalog.kbs.get(KB).id
    made = {}
    for row in workspace.catalog.files.under(kb):
        assert row.status is FileStatus.READY, row
        assert row.document_id is not None
        chunks = workspace.catalog.documents.chunks(row.document_id)
        made[row.path] = [(chunk.text, chunk.context, chunk.locator) for chunk in chunks]
    return made


def dense(workspace: Workspace, query: str) -> list[tuple[str, float]]:
    kb = workspace.catalog.kbs.get(KB).id
    hits = workspace.indexes.of(kb).dense(workspace.models.embedder.embed_query(query), 10).hits
    chunks = workspace.catalog.documents.get_chunks([chunk for chunk, _ in hits])
    assert len(chunks) == len(hits) == 10
    return [(chunks[chunk].text, score) for chunk, score in hits]


def lexical(workspace: Workspace, query: str) -> list[str]:
    kb = workspace.catalog.kbs.get(KB).id
    hits = workspace.indexes.of(kb).lexical(query, 50)
    chunks = workspace.catalog.documents.get_chunks([chunk for chunk, _ in hits])
    assert len(chunks) == len(hits)
    return sorted(chunk.text for chunk in chunks.values())


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_some_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    dice = random.Random(2026)
    docs, home = tmp_path / "docs", tmp_path / "home"
    docs.mkdir()
    for number in range(FILES):
        write(docs, number)
    reported = []
    for kill in range(KILLS):
        reported.append(kill_at_random(home, docs, dice))
        write(docs, kill * 5, edition=kill + 1)  # so that there is always something to do
    with opened(home) as survivor, opened(tmp_path / "fresh") as fresh:
        finish(survivor, docs)
        finish(fresh, docs)
        kb = survivor.catalog.kbs.get(KB).id
        assert survivor.indexes.of(kb).check() is None
        assert contents(survivor) == contents(fresh)
        assert len(contents(fresh)) == FILES
        for number in range(0, FILES, 3):
            topic = f"subject{number:02}x0"
            assert lexical(survivor, topic) == lexical(fresh, topic)
            one, other = dense(survivor, f"What of {topic}?"), dense(fresh, f"What of {topic}?")
            assert np.allclose([s for _, s in one], [s for _, s in other], atol=1e-4)
            # texts that are equally near may change places
            assert {t for t, s in one if s > one[-1][1]} <= {t for t, _ in other} | {other[-1][0]}
    assert sum(reported) > 0
    assert 0 in reported or min(reported) < FILES
