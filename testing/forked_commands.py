"""Commands that run in a process that is forked with the program's modules loaded.

The tests type hundreds of commands, and each program that is started for one imports for a second,
its parser and its process of Chroma for as long again. Here the process is forked from the one that
`forked_processes` prepares. It has the environment, the arguments and the streams that it would
have been started with, and it ends in the same order: what Python itself does at its start and in
its last moments is all that is passed over.
"""

from __future__ import annotations

import atexit
import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path

from desktop_rag.__main__ import main
from testing.forked_processes import load_first, processes_are_forked


def run(
    words: Sequence[str], environment: Mapping[str, str], seconds: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end; `subprocess.TimeoutExpired` where that takes longer."""
    load_first()
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = multiprocessing.get_context("forkserver").Process(
            target=_carry_out, args=(list(words), dict(environment), str(out), str(err))
        )
        process.start()
        process.join(seconds)
        is_late = process.exitcode is None
        if is_late:
            process.kill()
            process.join()
        status, said = process.exitcode, (_content(out), _content(err))
        process.close()
    if is_late or status is None:
        raise subprocess.TimeoutExpired(list(words), seconds, *said)
    return subprocess.CompletedProcess(list(words), status, *said)


def _content(file: Path) -> bytes:
    """Return what was written; a process that was killed at once made no file."""
    return file.read_bytes() if file.exists() else b""


def _carry_out(words: list[str], environment: dict[str, str], out: str, err: str) -> None:
    """Run the program in this process, as one that was started for it, and end it."""
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["desktop_rag", *words]
    _open_streams(out, err)
    # Its own child processes come from where it came from, not from another one that it starts.
    forkserver._forkserver.ensure_running = _nothing  # type: ignore[method-assign]
    with processes_are_forked():
        try:
            status = main()
        finally:
            atexit._run_exitfuncs()
    sys.exit(status)


def _open_streams(out: str, err: str) -> None:
    """Let the standard streams be files, as Python opens them that are no terminal's."""
    for number, file in ((0, os.devnull), (1, out), (2, err)):
        opened = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    raw_in = io.BufferedReader(io.FileIO(0, closefd=False))
    sys.stdin = io.TextIOWrapper(raw_in, "utf-8", "surrogateescape")
    raw = io.BufferedWriter(io.FileIO(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(raw, "utf-8", "surrogateescape")
    raw = io.BufferedWriter(io.FileIO(2, "w", closefd=False))
    sys.stderr = io.TextIOWrapper(raw, "utf-8", "backslashreplace", line_buffering=True)


def _nothing() -> None:
    """Do nothing."""
