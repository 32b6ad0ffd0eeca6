"""One window a data folder: a second start of the program hands its files over and ends."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.typed import Terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the window is ended by a signal")

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


@pytest.fixture
def window(terminal: Terminal) -> Iterator[subprocess.Popen[bytes]]:
    """The program's window, without a screen, after it has taken its data folder."""
    process = terminal.start("open", env=OFFSCREEN)
    try:
        wait_until((terminal.home / "owner.json").is_file, 60)
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until(what, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, f"it did not come to pass within {seconds} s"
        time.sleep(0.1)


def test_a_second_start_gives_its_files_to_the_window_that_is_open(
    terminal: Terminal, window: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("The harbour opens at six in summer and at eight in winter.\n", "utf-8")
    began = time.monotonic()
    second = terminal.start("open", note, env=OFFSCREEN)
    assert second.wait(30) == 0
    assert time.monotonic() - began < 20
    second.communicate()
    wait_until(lambda: "six in summer" in terminal.type("search", "harbour").out, 60)
    assert window.poll() is None, "the first window is still there"


def test_a_third_start_without_a_file_only_raises_the_window(
    terminal: Terminal, window: subprocess.Popen[bytes]
) -> None:
    other = terminal.start("open", env=OFFSCREEN)
    assert other.wait(30) == 0
    other.communicate()
    assert window.poll() is None


def test_another_data_folder_has_a_window_of_its_own(
    terminal: Terminal, window: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    elsewhere = Terminal(tmp_path / "elsewhere")
    own = elsewhere.start("open", env=OFFSCREEN)
    try:
        wait_until((elsewhere.home / "owner.json").is_file, 60)
        assert own.poll() is None
        assert window.poll() is None
    finally:
        own.kill()
        own.communicate()
