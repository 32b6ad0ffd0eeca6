"""A confined program is ended in time, with all that it started, and what it made is looked at."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.parsing.office.conversion import end, made_in, wait_for_end
from desktop_rag.parsing.sandbox.program_confinement import (
    ProgramLimits,
    can_confine,
    run_confined,
)

_BASH = shutil.which("bash")
confined = pytest.mark.skipif(
    not can_confine() or _BASH is None, reason="no kernel that confines programs, or no bash"
)
Starter = Callable[[str], BaseProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Start a script of bash, confined; wait until it says that it runs."""
    started: list[BaseProcess] = []

    def begin(script: str) -> BaseProcess:
        command = (str(_BASH), "-c", f"{script}")
        limits = ProgramLimits(str(tmp_path), (), 2000, 60)
        process = multiprocessing.get_context("spawn").Process(
            target=run_confined, args=(command, {"PATH": "/usr/bin:/bin"}, limits)
        )
        process.start()
        started.append(process)
        limit = time.monotonic() + 60
        while not (tmp_path / "runs").exists():
            assert time.monotonic() < limit
            time.sleep(0.05)
        return process

    yield begin
    for each in started:
        each.kill()


def is_gone(process: BaseProcess) -> bool:
    end(process)
    return process.exitcode is not None


@confined
def test_a_conversion_is_cancelled_midway(start: Starter) -> None:
    process, token = start("echo > runs; sleep 60"), CancelToken()
    threading.Timer(0.3, token.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        wait_for_end(process, began + 50, 50, token)
    assert is_gone(process)
    assert time.monotonic() - began < 40


@confined
def test_a_conversion_that_takes_too_long_is_ended(start: Starter) -> None:
    process, began = start("echo > runs; sleep 60"), time.monotonic()
    with pytest.raises(UserError, match="more than 7 seconds"):
        wait_for_end(process, began + 0.2, 7, CancelToken())
    assert is_gone(process)
    assert time.monotonic() - began < 40


@confined
def test_a_conversion_that_takes_too_much_memory_is_ended(start: Starter) -> None:
    script = "printf -v held '%150000000s' x; echo > runs; sleep 60; :"
    process, began = start(script), time.monotonic()
    with pytest.raises(UserError, match="too much memory"):
        wait_for_end(process, began + 50, 50, CancelToken(), megabytes=100)
    assert is_gone(process)


@confined
def test_what_it_started_ends_with_it(start: Starter) -> None:
    process = start("(setsid sleep 66 || sleep 66) & sleep 66 & echo > runs; wait")
    began, children = time.monotonic(), list[psutil.Process]()
    while len(children) < 2 and time.monotonic() - began < 30:
        children = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    assert len(children) >= 2
    assert is_gone(process)
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


def test_a_pdf_is_taken_from_where_it_was_made(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    made = tmp_path / "out" / "document.pdf"
    with pytest.raises(UserError):
        made_in(tmp_path)
    made.write_bytes(b"%PDF")
    assert made_in(tmp_path) == made


@pytest.mark.skipif(os.name == "nt", reason="making a link takes a right there")
@pytest.mark.parametrize("way", ["folder", "link", "second name"])
def test_a_link_to_a_pdf_of_the_user_is_not_taken(tmp_path: Path, way: str) -> None:
    own, scratch = tmp_path / "own", tmp_path / "scratch"
    own.mkdir()
    scratch.mkdir()
    (own / "document.pdf").write_bytes(b"%PDF")
    if way == "folder":
        (scratch / "out").symlink_to(own)
    else:
        (scratch / "out").mkdir()
        link = scratch / "out" / "document.pdf"
        if way == "link":
            link.symlink_to(own / "document.pdf")
        else:
            link.hardlink_to(own / "document.pdf")
    with pytest.raises(UserError):
        made_in(scratch)
    assert (own / "document.pdf").exists()
