from __future__ import annotations

import time
from pathlib import Path

from desktop_rag.ipc import ownership
from desktop_rag.mcp_server.open_folder import OpenFolder


def _is_owned(home: Path) -> bool:
    lock = ownership.FolderLock(home)
    if not lock.acquire():
        return True
    lock.release()
    return False


def _wait_until_left(folder: OpenFolder) -> None:
    give_up = time.monotonic() + 60
    while folder.is_kept:
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_a_folder_is_kept_while_it_is_used_and_left_when_it_rests(tmp_path: Path) -> None:
    folder = OpenFolder(tmp_path / "home", {}, rest_seconds=1.0)
    with folder.in_use():
        time.sleep(2.5)  # longer than it may rest
        assert folder.is_kept
    assert folder.is_kept
    _wait_until_left(folder)
    assert not _is_owned(tmp_path / "home")
    with folder.in_use():
        assert _is_owned(tmp_path / "home")
    folder.close()


def test_a_closed_one_leaves_the_folder_at_once(tmp_path: Path) -> None:
    folder = OpenFolder(tmp_path / "home", {})
    with folder.in_use():
        pass
    assert _is_owned(tmp_path / "home")
    folder.close()
    assert not _is_owned(tmp_path / "home")


def test_a_folder_that_cannot_be_opened_is_no_end(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    folder = OpenFolder(tmp_path / "home", {})
    with folder.in_use():
        pass
    _wait_until_left(folder)
    folder.close()
