"""From process start to a painted window, and the memory that the window takes when all is open."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.result_table import Measurement

_TRIES = 5
_BARE = """
import sys, time
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1]); window = QMainWindow(); window.show()
while not window.windowHandle().isExposed(): app.processEvents()
window.grab()
print(time.time() - float(sys.argv[1]))
"""
# The first argument is the moment before the process was started.
_OURS = """
import json, sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.launch import make_window
app = QApplication(sys.argv[:1])
window, desk = make_window(app, Path(sys.argv[2]), OpenRequest(), {})
window.show()
while not window.windowHandle().isExposed(): app.processEvents()
window.grab()
shown = time.time() - float(sys.argv[1])
import psutil
desk.begin()
QTimer.singleShot(int(sys.argv[3]), window.close)
QTimer.singleShot(int(sys.argv[3]) + 4000, app.quit)
memory = []
QTimer.singleShot(int(sys.argv[3]) - 200, lambda: memory.append(psutil.Process().memory_info().rss))
app.exec()
print(json.dumps([shown, memory[0] / 2**20]))
"""


def measure(folder: Path) -> list[Measurement]:
    """Open the window some times on an empty data folder; return medians."""
    folder.mkdir(parents=True, exist_ok=True)
    bare = statistics.median(float(_run(_BARE)) for _ in range(_TRIES))
    ours = [json.loads(_run(_OURS, str(folder), "2500")) for _ in range(_TRIES)]
    shown = statistics.median(each[0] for each in ours)
    memory = statistics.median(each[1] for each in ours)
    return [
        Measurement("start to shown window", shown, "s", bare, "an empty QMainWindow", "≤ 0.5 s"),
        Measurement("window process, idle, empty base", memory, "MiB"),
    ]


def _run(code: str, *arguments: str) -> str:
    """Run code in a fresh Python; return the last line that it printed."""
    environment = dict(os.environ)
    if not environment.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    done = subprocess.run(
        [sys.executable, "-c", code, str(time.time()), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    return done.stdout.strip().splitlines()[-1]
