"""All that the program writes into its data folder is its user's alone, whatever the umask says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.system.terminal import Terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def _open_to_others(folder: Path) -> dict[str, str]:
    return {
        str(each.relative_to(folder)): oct(each.lstat().st_mode & 0o777)
        for each in (folder, *folder.rglob("*"))
        if each.lstat().st_mode & 0o077
    }


@pytest.fixture
def lax() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("lax")
def test_nothing_in_the_data_folder_is_open_to_others(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home", is_forked=False)
    (tmp_path / "note.md").write_text("# The harbour\n\nIt was built in 1802.\n")
    assert terminal.type("index", str(tmp_path / "note.md")).status == 0
    assert terminal.type("search", "harbour").status == 0
    assert terminal.type("kb", "export", "default", str(tmp_path / "out.dragkb")).status == 0
    assert _open_to_others(terminal.home) == {}
    for each in terminal.home.rglob("*"):  # as an earlier version, or a copy, left them
        each.chmod(0o755 if each.is_dir() else 0o644)
    assert terminal.type("search", "harbour").status == 0
    assert _open_to_others(terminal.home) == {}


def test_a_program_that_is_started_for_the_user_has_the_user_s_mask(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, pathlib\n"
        "from desktop_rag.core.file_permissions import keep_private, usual_umask\n"
        "os.umask(0o022)\n"
        "keep_private()\n"
        "touch = lambda name: subprocess.run([sys.executable, '-c', f'open({name!r}, \"w\")'])\n"
        "touch('ours')\n"
        "with usual_umask():\n"
        "    touch('theirs')\n"
        "touch('ours-again')\n"
    )
    where = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=where)
    modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
    assert modes == {"ours": 0o600, "theirs": 0o644, "ours-again": 0o600}
