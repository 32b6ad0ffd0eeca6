"""Knowledge bases that are large, by a low limit: as typed, and the same found as in small ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import Event, IndexProgress
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Retrieval, Settings
from desktop_rag.index import replica_feeder
from testing.narrowing import narrow
from tests.system.terminal import Terminal

_LARGE = ("--set", "exact_upto=12")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(8):
        text = f"Ferry {number} sails at {number + 6} in the morning."
        (folder / f"ferry {number}.txt").write_text(text)
    return folder


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


def chroma(terminal: Terminal) -> list[Path]:
    """Chroma's folders."""
    return list((terminal.home / "indexes").glob("*/dense-*/chroma.sqlite3"))


def test_a_knowledge_base_is_held_from_the_first_chunk_and_found_the_same_above_the_limit(
    terminal: Terminal, documents: Path
) -> None:
    assert terminal.type("index", documents, *_LARGE).status == 0
    (made,) = chroma(terminal)
    for number in range(8, 16):
        (documents / f"ferry {number}.txt").write_text(f"Ferry {number} sails late at night.")
    assert terminal.type("index", documents, *_LARGE).status == 0

    found = terminal.type("search", "Which ferry sails at 9 in the morning?", "--json", *_LARGE)
    assert "Ferry 3" in found.lines[0]["text"]
    assert terminal.type("doctor", "--json", *_LARGE).status == 0
    small = terminal.type("search", "Which ferry sails at 9 in the morning?", "--json")
    assert [line["text"] for line in small.lines] == [line["text"] for line in found.lines]
    assert chroma(terminal) == [made]

    (row,) = terminal.type("kb", "list", "--json").lines
    assert row["chroma"] == row["chroma"] | {"vectors": 16, "held": 16, "behind": 0, "recall": 1.0}
    assert terminal.type("kb", "rebuild", "default").status == 0
    (anew,) = chroma(terminal)
    assert anew != made


def test_a_run_says_that_chroma_is_told_once_and_can_be_stopped_in_it(
    tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_feeder, "_PAUSE_SECONDS", 3600.0)
    settings = replace(Settings(), retrieval=replace(Retrieval(), exact_upto=4))
    workspace = open_workspace(tmp_path / "home", settings)
    workspace.indexes.open_all()
    request = IndexRequest("default", (str(documents),))
    token = CancelToken()
    running = index_files.run(workspace, request, token)
    before = narrow(next(each for each in running if _is_fed(each)), IndexProgress)
    token.cancel()
    with pytest.raises(Cancelled):
        next(running)
    assert before.done == before.total == 8
    (kb,) = workspace.catalog.kbs.all()
    assert kb.chunks == 8
    token = CancelToken()
    assert not any(
        map(_is_fed, index_files.run(workspace, replace(request, only_look=True), token))
    )
    assert workspace.indexes.of(kb.id).replica.is_behind(), "a run that only looks, as while paused"

    for stored in (True, False):
        events = list(index_files.run(workspace, request, CancelToken()))
        assert any(map(_is_fed, events)) is stored
        assert not workspace.indexes.of(kb.id).replica.is_behind()
    workspace.close()


def _is_fed(event: Event) -> bool:
    return isinstance(event, IndexProgress) and event.stage == "store" and not event.current
