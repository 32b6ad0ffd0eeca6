"""What readers write in passing is gone when they are, whenever the program is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.sandbox.parser_pool import ParseOutcome, ParserPool
from testing import misbehaving_parser
from testing.timeouts import eventually
from tests.conftest import REPOSITORY
from tests.parsing.sandbox.pool_helpers import outcomes, status

KILLS = 25
PROGRAM = """
import os, signal, time
from pathlib import Path
from desktop_rag.core.cancel import CancelToken
from desktop_rag.parsing.sandbox import child_process as child
from desktop_rag.parsing.sandbox.parser_pool import ParserPool

def die(process):
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    pool = ParserPool(1, 60.0, 400)
    print("go", flush=True)
    list(pool.run([Path("/nowhere.txt")], CancelToken()))
    child._await_end = die  # what is called as soon as a reader has been killed
    pool.close()
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is about POSIX's signals")


class Scratch:
    """A temporary folder, and a program in it that reads one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "scratch"
        self.folder.mkdir()
        self._script = folder / "program.py"
        self._script.write_text(PROGRAM)

    def start(self) -> subprocess.Popen[bytes]:
        """Start the program; it says when it is about to start its reader."""
        return subprocess.Popen(
            [sys.executable, str(self._script)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "TMPDIR": str(self.folder)},
        )

    def left(self, seconds: float) -> list[Path]:
        """Return what is left once there is nothing, or after a while."""
        give_up = time.monotonic() + seconds
        while (left := list(self.folder.iterdir())) and time.monotonic() < give_up:
            time.sleep(0.1)
        return left


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    return Scratch(tmp_path)


def test_a_program_killed_while_it_ends_a_reader_leaves_no_folder(scratch: Scratch) -> None:
    with scratch.start() as program:
        assert program.wait(60) == -signal.SIGKILL
    assert not scratch.left(10)


def test_a_child_that_is_killed_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    pool = ParserPool(1, 1.0, 400, misbehaving_parser.answer)
    found: dict[str, ParseOutcome] = {}
    reading = threading.Thread(target=lambda: found.update(outcomes(pool, "litter")))
    reading.start()
    try:
        assert eventually(lambda: list(tmp_path.glob("desktop-rag-*/litter-*")))
        reading.join()
        assert status(found["litter"]) is FileStatus.TIMEOUT
    finally:
        pool.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_program_killed_while_it_starts_a_reader_leaves_no_folder(scratch: Scratch) -> None:
    dice = random.Random(1)
    for _ in range(KILLS):
        with scratch.start() as program:
            assert program.stdout is not None
            program.stdout.readline()
            time.sleep(dice.uniform(0.0, 0.12))  # while a reader is on its way
            program.kill()
    assert not scratch.left(30)
