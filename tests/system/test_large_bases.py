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


def test_a_knowledge_base_grows_over_the_limit_and_is_found_the_same_below_it(
    terminal: Terminal, documents: Path
) -> None:
    assert terminal.type("index", documents, *_LARGE).status == 0
    assert not chroma(terminal), "8 of 12"
    for number in range(8, 16):
        (documents / f"ferry {number}.txt").write_text(f"Ferry {number} sails at night.")
    assert terminal.type("index", documents, *_LARGE).status == 0
    (made,) = chroma(terminal)

    found = terminal.type("search", "Which ferry sails at 9 in the morning?", "--json", *_LARGE)
    assert "Ferry 3" in found.lines[0]["text"]
    assert terminal.type("doctor", "--json", *_LARGE).status == 0
    assert chroma(terminal) == [made]

    small = terminal.type("search", "Which ferry sails at 9 in the morning?", "--json")
    assert [line["text"] for line in small.lines] == [line["text"] for line in found.lines]
    assert chroma(terminal) == [made], "16 of 20,000: it stays until all is made anew"
    assert terminal.type("kb", "rebuild", "default").status == 0
    assert not chroma(terminal)


def test_a_run_says_that_it_makes_chromas_half_once_and_can_be_stopped_in_it(
    tmp_path: Path, documents: Path
) -> None:
    settings = replace(Settings(), retrieval=replace(Retrieval(), exact_upto=4))
    workspace = open_workspace(tmp_path / "home", settings)
    workspace.indexes.open_all()
    request = IndexRequest("default", (str(documents),))
    token = CancelToken()
    running = index_files.run(workspace, request, token)
    before = narrow(next(each for each in running if _is_growing(each)), IndexProgress)
    token.cancel()
    with pytest.raises(Cancelled):
        next(running)
    assert before.done == before.total == 8
    (kb,) = workspace.catalog.kbs.all()
    assert kb.chunks == 8
    token = CancelToken()
    assert not any(
        map(_is_growing, index_files.run(workspace, replace(request, only_look=True), token))
    )
    assert workspace.indexes.of(kb.id).is_outgrown(), "a run that only looks, as while paused"

    for stored in (True, False):
        events = list(index_files.run(workspace, request, CancelToken()))
        assert any(map(_is_growing, events)) is stored
        assert not workspace.indexes.of(kb.id).is_outgrown()
    workspace.close()


def _is_growing(event: Event) -> bool:
    return isinstance(event, IndexProgress) and event.stage == "store" and not event.current
