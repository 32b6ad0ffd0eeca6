"""Starting again from the settings, for what takes effect only then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from desktop_rag.gui import launch
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the window is ended by a signal")

_HAND = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui import launch as program

made = program.make_window

def make(*what):
    window, desk = made(*what)
    def act():
        desk.settings.change("window.scale", 150)
        window.chat.composer.edit.setPlainText("half a question")
        desk.settings.restart()
    desk.offered.connect(lambda _: QTimer.singleShot(200, act))
    return window, desk

program.make_window = make
if __name__ == "__main__":
    sys.exit(program.launch(Path(sys.argv[1]), OpenRequest(), {"ollama.host": "http://127.0.0.1:9"}))
"""


def owner_of(folder: Path) -> int:
    """Return the process that has a data folder, 0 for nobody."""
    try:
        return int(json.loads((folder / "owner.json").read_text("utf-8"))["pid"])
    except (OSError, ValueError, KeyError):
        return 0


def test_the_program_starts_again_with_what_was_typed(tmp_path: Path) -> None:
    script = tmp_path / "hand.py"
    script.write_text(_HAND, "utf-8")
    folder = tmp_path / "data"
    first = subprocess.Popen(
        [sys.executable, str(script), str(folder)],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.DEVNULL,
    )
    assert first.wait(60) == 0
    second = 0
    try:
        until = time.monotonic() + 60
        while (second := owner_of(folder)) in (0, first.pid):
            assert time.monotonic() < until, "no second window came"
            time.sleep(0.1)
        kept = json.loads((folder / "settings.json").read_text("utf-8"))
        assert kept["window"] == {"scale": 150}
        words = Path(f"/proc/{second}/cmdline").read_text("utf-8").split("\0")
        assert "ollama.host=http://127.0.0.1:9" in words
    finally:
        if second not in (0, first.pid):
            os.kill(second, signal.SIGKILL)


def test_it_starts_as_it_was_started(tmp_path: Path) -> None:
    words = launch.restart_command(tmp_path, {"ollama.model": "one two"})
    assert words[:3] == [sys.executable, "-m", "desktop_rag"]
    assert words[3:] == ["--data-dir", str(tmp_path), "--set", "ollama.model=one two", "open"]
