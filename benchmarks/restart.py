"""Starting on a folder in which nothing changed: until it is known that there is nothing to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import synthetic_folders
from benchmarks.indexing import timed
from benchmarks.result_table import Measurement

ROOT = Path(__file__).resolve().parent.parent


def measure(files: int, folder: Path) -> list[Measurement]:
    """Make a folder of files that are known, and start the program on them in a fresh process."""
    documents, data_dir = folder / "documents", folder / "data"
    synthetic_folders.know(data_dir, documents, synthetic_folders.write(documents, files))
    walked, _ = timed(lambda: _walk(documents))
    taken, done = timed(lambda: _start(data_dir, documents))
    unchanged = done["files"].get("unchanged", 0)
    if unchanged != files:
        raise RuntimeError(f"{unchanged} of {files} files were taken for unchanged: {done}")
    name = f"{files:,} unchanged files"
    return [
        Measurement(
            f"{name}: process start to nothing to do", taken, "s", walked, "walk + stat", "≤ 15 s"
        ),
        Measurement(f"{name}: the look itself", float(done["seconds"]), "s", walked, "walk + stat"),
        Measurement(f"{name}: chunks embedded", float(done["chunks"]), "chunks", gate="0"),
    ]


def _walk(folder: Path) -> int:
    seen = 0
    for at, _, names in os.walk(folder):
        for name in names:
            seen += (Path(at) / name).stat().st_size
    return seen


def _start(data_dir: Path, documents: Path) -> dict[str, Any]:
    """Run `desktop-rag index` on the folder; return its last line."""
    words = ["--data-dir", str(data_dir), "--json", "index", str(documents)]
    done = subprocess.run(
        [sys.executable, "-m", "desktop_rag", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    last: dict[str, dict[str, int]] = json.loads(done.stdout.splitlines()[-1])
    return last
