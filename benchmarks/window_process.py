"""Runs a task in a window of its own process, on a screen or without one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOBODY = "http://127.0.0.1:9"  # nothing listens on the discard port


def in_window(task: str, given: dict[str, Any], *, on_screen: bool = False) -> dict[str, Any]:
    """Do a task of `benchmarks.window_tasks` and return what it measured.

    On a screen: the one that `DISPLAY` names, else Xvfb's; without: Qt paints offscreen.
    """
    words = [sys.executable, "-m", "benchmarks.window_tasks", task, json.dumps(given)]
    environment = dict(os.environ)
    if not on_screen:
        environment["QT_QPA_PLATFORM"] = "offscreen"
    elif not environment.get("DISPLAY"):
        words = ["xvfb-run", "-a", "-s", "-screen 0 1400x900x24", *words]
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode != 0:
        raise RuntimeError(f"{task} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    made: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return made


def screens() -> list[tuple[str, bool]]:
    """Return the ways to show a window here, by name."""
    found = [("offscreen", False)]
    if os.environ.get("DISPLAY") or shutil.which("xvfb-run"):
        found.append(("on a screen", True))
    return found


@contextmanager
def language_model(reply: str, pace: float) -> Iterator[str]:
    """Run the Ollama double, which answers everything with `reply`; yield its address."""
    words = ["--port", "0", "--reply", reply, "--pace", str(pace), "--wait", "0.2"]
    with subprocess.Popen(
        [sys.executable, "-m", "testing.ollama_double", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip().partition("=")[2]
        finally:
            process.terminate()
