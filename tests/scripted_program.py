"""The program as it is started, with a test's play in its window.

A Python imports `sitecustomize` when it starts. The one that is put on its path here waits for the
window of `python -m desktop_rag … open` and lets a play act and look in it; of the program nothing
is replaced. A play is a generator that is given the window: it yields what it waits for, and
returns what it tells the test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import psutil

from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from tests.scripted_user import Play

_SECONDS = 90.0
_WOKEN = """
import pathlib, sys, threading, time

def wait():
    while not hasattr(sys.modules.get("desktop_rag.gui.launch"), "launch"):
        time.sleep(0.02)
    from tests.scripted_user import reach_in
    reach_in(pathlib.Path(__file__).parent)

if "desktop_rag" in sys.orig_argv and "open" in sys.orig_argv:
    threading.Thread(target=wait, daemon=True).start()
"""
_SCREEN = {"name": "wide", "x": 0, "y": 0, "width": 1920, "height": 1080}


class Stage:
    """Starts of the program: the first has the first play, and so on, whoever starts it."""

    def __init__(self, folder: Path, *plays: Play) -> None:
        self._folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_WOKEN, "utf-8")
        (folder / "screen.json").write_text(json.dumps({"screens": [_SCREEN]}), "utf-8")
        names = [(play.__module__, play.__name__) for play in plays]
        (folder / "plays.json").write_text(json.dumps(names), "utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End what is still there, also what the program started itself."""
        for process in self._started:
            process.kill()
            process.wait()
        for noted in self._folder.glob("*.pid"):
            try:
                other = psutil.Process(int(noted.read_text("ascii")))
                if str(self._folder) in other.environ().get("PYTHONPATH", ""):
                    other.kill()
            except psutil.Error:
                continue

    def start(
        self, home: Path, *settings: str, language: str = "en", **environment: str
    ) -> subprocess.Popen[bytes]:
        """Start the program on a data folder; without a language, in that of the system."""
        screen = f"offscreen:configfile={self._folder / 'screen.json'}"
        places = os.pathsep.join(map(str, (self._folder, REPOSITORY)))
        chosen = [f"window.language={language}"] if language else []
        wanted = ["ollama.host=http://127.0.0.1:9", *chosen, *settings]
        said = [word for each in wanted for word in ("--set", each)]
        started = subprocess.Popen(
            [sys.executable, "-m", "desktop_rag", "--data-dir", str(home), *said, "open"],
            env=os.environ | environment | {"QT_QPA_PLATFORM": screen, "PYTHONPATH": places},
            stdin=subprocess.DEVNULL,
            cwd=REPOSITORY,
        )
        self._started.append(started)
        return started

    def told(self, number: int) -> Any:
        """Return what a play told, once it is over."""
        file = self._folder / f"{number}.json"
        until = time.monotonic() + _SECONDS
        while not file.is_file():
            assert time.monotonic() < until, "the program did not start, or its play has no end"
            time.sleep(0.05)
        said = json.loads(file.read_text("utf-8"))
        assert "fault" not in said, said["fault"]
        return said["told"]
