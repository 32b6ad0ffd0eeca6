"""One window a data folder: a second start of the program hands its files over and ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.main_window import MainWindow
from tests.scripted_program import Stage
from tests.system.terminal import Terminal

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


def wait_until(what: Callable[[], object], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, f"it did not come to pass within {seconds} s"
        time.sleep(0.1)


def test_a_second_start_gives_its_files_to_the_window_that_is_open(
    terminal: Terminal, window: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("The harbour opens at six in summer and at eight in winter.\n", "utf-8")
    second = terminal.start("open", note, env=OFFSCREEN)
    assert second.wait(60) == 0
    second.communicate()
    wait_until(lambda: "six in summer" in terminal.type("search", "harbour").out, 60)
    assert window.poll() is None, "the first window is still there"


def test_a_third_start_without_a_file_only_raises_the_window(tmp_path: Path) -> None:
    with Stage(tmp_path / "stage", come_to_the_front) as stage:
        window = stage.start(tmp_path / "home")
        told = stage.told(0)
        assert window.wait(60) == 0
    assert told == {"before": [True, False], "status": 0, "after": [False, True], "files": 0}


def come_to_the_front(window: MainWindow) -> Generator[Callable[[], object], None, Any]:
    """Be minimised under another window, and wait for a second start; tell of minimised, active."""
    other = QWidget()
    other.show()
    other.activateWindow()
    window.showMinimized()
    yield lambda: window.isMinimized() and other.isActiveWindow()
    told: dict[str, Any] = {"before": [window.isMinimized(), window.isActiveWindow()]}
    home = str(window.context.data_dir)
    second = subprocess.Popen([sys.executable, "-m", "desktop_rag", "--data-dir", home, "open"])
    yield lambda: second.poll() is not None
    yield window.isActiveWindow
    told["status"] = second.returncode
    told["after"] = [window.isMinimized(), window.isActiveWindow()]
    told["files"] = len(window.context.library.snapshot.files)
    other.close()
    window.close()
    return told


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
