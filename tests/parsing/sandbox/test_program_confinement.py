"""Another program under confinement reaches no network, no other file, and writes in its folder."""

from __future__ import annotations

import multiprocessing
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.parsing.office.conversion import wait_for_end
from desktop_rag.parsing.sandbox.program_confinement import (
    ProgramLimits,
    can_confine,
    run_confined,
)

_BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(
    not can_confine() or _BASH is None, reason="no kernel that confines programs, or no bash"
)


def _script(folder: Path, port: int, other: Path) -> str:
    return (
        f"cd {folder}; echo yes > writes; "
        f"(exec 3<>/dev/tcp/127.0.0.1/{port}) && echo yes > connects; "
        f"read -r line < {other} && echo yes > reads; "
        "read -r line < /etc/passwd && echo yes > passwd; "
        f"chmod 666 {other}; "
        f"echo yes > {other.parent / 'outside'}; true"
    )


def _done(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def test_it_can_write_in_its_folder_and_nothing_else(tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("private\n", encoding="utf-8")
    free, held = tmp_path / "free", tmp_path / "held"
    free.mkdir()
    held.mkdir()
    bash = str(_BASH)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        port = listening.getsockname()[1]
        subprocess.run([bash, "-c", _script(free, port, other)], check=False)
        listening.accept()[0].close()
        (tmp_path / "outside").unlink()
        assert other.stat().st_mode & 0o777 == 0o666
        other.chmod(0o600)
        command = (bash, "-c", _script(held, port, other))
        limits = ProgramLimits(str(held), (), 1000, 10)
        confined = multiprocessing.get_context("spawn").Process(
            target=run_confined, args=(command, {"PATH": "/usr/bin:/bin"}, limits)
        )
        confined.start()
        wait_for_end(confined, time.monotonic() + 60, 60, CancelToken())
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert confined.exitcode == 0
    assert _done(free) == {"writes", "connects", "reads", "passwd"}
    assert _done(held) == {"writes"}
    assert not (tmp_path / "outside").exists()
    assert other.stat().st_mode & 0o777 == 0o600
