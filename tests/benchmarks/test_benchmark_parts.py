"""The benchmarks' own parts: what they make is what they say, and they see what they look for."""

from __future__ import annotations

import time
from pathlib import Path

from pytestqt.qtbot import QtBot

from benchmarks import files, synthetic_folders
from benchmarks.__main__ import PARTS
from benchmarks.gui_stalls import Stalls
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import IndexDone
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from testing.qt_wait import pause
from tests.conftest import REPOSITORY


def test_every_part_is_explained() -> None:
    told = (REPOSITORY / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [name for name in PARTS if f"| `{name}` |" not in told] == []


def test_a_made_tree_is_one_that_was_read_already(tmp_path: Path) -> None:
    documents, data_dir = tmp_path / "documents", tmp_path / "data"
    paths = synthetic_folders.write(documents, 12)
    synthetic_folders.know(data_dir, documents, paths)
    paths[3].write_text("This note is about something else now.\n", encoding="utf-8")
    workspace = open_workspace(data_dir, Settings())
    try:
        request = IndexRequest(synthetic_folders.KB, (str(documents),))
        done = list(index_files.run(workspace, request, CancelToken()))[-1]
    finally:
        workspace.close()
    assert isinstance(done, IndexDone)
    assert done.files == {"unchanged": 11, "ready": 1}


def test_made_rows_of_many_files_are_taken_for_read_ones(tmp_path: Path) -> None:
    documents, data_dir = tmp_path / "documents", tmp_path / "data"
    files.know(data_dir, documents, files.write(documents, 121))
    workspace = open_workspace(data_dir, Settings())
    try:
        done = list(index_files.run(workspace, IndexRequest("default", ()), CancelToken()))[-1]
    finally:
        workspace.close()
    assert isinstance(done, IndexDone)
    assert done.files == {"unchanged": 118, "corrupt": 3}


def test_a_stall_is_seen_and_its_own_work_told_from_waiting(qtbot: QtBot) -> None:
    stalls = Stalls()
    stalls.start()
    pause(50)
    time.sleep(0.12)
    pause(20)
    waited = stalls.stop()
    assert waited["max"] >= 100
    assert waited["work"] < 100
    assert waited["served"] >= 100

    stalls.start()
    pause(20)
    until = time.thread_time() + 0.12
    while time.thread_time() < until:
        pass
    pause(20)
    assert stalls.stop()["work"] >= 100
