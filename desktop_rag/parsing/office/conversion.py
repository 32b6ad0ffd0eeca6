"""Make an office document into a PDF: LibreOffice in a confined process of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import stat
import threading
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing.office.profile import write_profile
from desktop_rag.parsing.office.program import OfficeProgram
from desktop_rag.parsing.sandbox.program_confinement import ProgramLimits, run_confined

LARGEST = 200 * 1024 * 1024
"""Bytes of a document that is converted."""
_MEGABYTES, _MAPPED = 1500, 4096  # of memory that is used, and of address space
_SECONDS, _SECONDS_A_MEGABYTE, _MOST_SECONDS = 60, 2, 180
_LOOK_SECONDS, _END_SECONDS = 0.1, 10.0
_START_AGAIN, _MOST_STARTS = 81, 3  # its exit code when a new profile was set up
_REMEDY = "Read it as text here, or open it in the system's program."


def convert(program: OfficeProgram, source: Path, scratch: Path, token: CancelToken) -> Path:
    """Return the PDF of a document, made in `scratch`, an empty folder that only it uses.

    Raises a `UserError` where none is made: too large, too slow, damaged, locked.
    """
    size = source.stat().st_size
    if size > LARGEST:
        raise UserError("The document is too large to be shown as pages.", _REMEDY)
    seconds = min(_MOST_SECONDS, _SECONDS + _SECONDS_A_MEGABYTE * (size >> 20))
    copy = scratch / f"document{source.suffix.lower()}"
    shutil.copyfile(source, copy)
    for name in ("out", "tmp"):
        (scratch / name).mkdir()
    write_profile(scratch / "profile")
    limits = ProgramLimits(str(scratch), _fonts(program), _MAPPED, seconds)
    command = _command(program, copy, scratch)
    ends = time.monotonic() + seconds
    for _ in range(_MOST_STARTS):
        process = multiprocessing.get_context("spawn").Process(
            target=run_confined, args=(command, _environment(scratch), limits), daemon=True
        )
        process.start()
        try:
            wait_for_end(process, ends, seconds, token)
        finally:
            end(process)
        if process.exitcode != _START_AGAIN:
            break
    return made_in(scratch)


def made_in(scratch: Path) -> Path:
    """Return the PDF that was made in a folder; a `UserError` where there is none.

    A link in its stead could lead to any PDF of the user's, which would be moved away.
    """
    made = scratch / "out" / "document.pdf"
    try:
        state = made.lstat()
        is_there = made.resolve() == scratch.resolve() / "out" / "document.pdf"
    except OSError:
        is_there = False
    if not (is_there and stat.S_ISREG(state.st_mode) and state.st_nlink == 1 and state.st_size):
        raise UserError("LibreOffice can't make pages of this document.", _REMEDY)
    return made


def _command(program: OfficeProgram, copy: Path, scratch: Path) -> tuple[str, ...]:
    return (
        str(program.executable),
        f"-env:UserInstallation={(scratch / 'profile').as_uri()}",
        "--headless", "--invisible", "--norestore", "--nolockcheck", "--nodefault",
        "--nofirststartwizard", "--nologo", "--convert-to", "pdf",
        "--outdir", str(scratch / "out"), str(copy),
    )  # fmt: skip


def _environment(scratch: Path) -> dict[str, str]:
    own = str(scratch / "tmp")
    return {
        "HOME": own, "TMPDIR": own, "TMP": own, "TEMP": own, "XDG_RUNTIME_DIR": own,
        "XDG_CACHE_HOME": own, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        "SAL_USE_VCLPLUGIN": "svp", "SAL_DISABLE_OPENCL": "1",
    }  # fmt: skip


def _fonts(program: OfficeProgram) -> tuple[str, ...]:
    """Return what it may read besides the system: itself, and the user's own fonts."""
    home = Path.home()
    return str(program.folder), str(home / ".fonts"), str(home / ".local/share/fonts")


def wait_for_end(
    process: BaseProcess,
    ends: float,
    seconds: int,
    token: CancelToken,
    megabytes: float = _MEGABYTES,
) -> None:
    """Wait until a confined process has ended; raise where it has to be ended.

    Not by `join`: that trusts a pipe which the process has closed, and then waits for ever.
    """
    never = threading.Event()
    while process.exitcode is None:
        never.wait(_LOOK_SECONDS)
        token.check()
        if time.monotonic() > ends:
            raise UserError(
                Phrase("Making pages of the document takes more than {0} seconds.", seconds),
                _REMEDY,
            )
        if _memory(process) > megabytes:
            raise UserError("Making pages of the document takes too much memory.", _REMEDY)


def _memory(process: BaseProcess) -> float:
    """Return the MiB that it and what it started use."""
    try:
        first = psutil.Process(process.pid)
        used = sum(each.memory_info().rss for each in (first, *first.children(recursive=True)))
    except psutil.Error:
        return 0.0
    return float(used) / 2**20


def end(process: BaseProcess) -> None:
    """End it with all that it started; it leads a session of its own, which none of them leaves.

    Raises a `UserError` where it does not end.
    """
    started: list[psutil.Process] = []
    with contextlib.suppress(psutil.Error):
        started = psutil.Process(process.pid).children(recursive=True)
    if process.pid is not None and os.name == "posix":
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    for each in started:
        with contextlib.suppress(psutil.Error):
            each.kill()
    ends, never = time.monotonic() + _END_SECONDS, threading.Event()
    while process.exitcode is None:
        if time.monotonic() > ends:
            raise UserError("LibreOffice does not end.", "End it in the system's own monitor.")
        never.wait(_LOOK_SECONDS / 5)
