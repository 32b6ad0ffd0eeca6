"""A data folder that has read the sample documents: made once a run, and copied.

Two processes have to load the parsers' libraries for it, which takes ten seconds of work. Where a
test is about the reading itself, the samples are read there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from desktop_rag.core.paths import resources

SAMPLES = resources() / "samples"
_READ = "read samples"


def read_by_the_program(folder: Path) -> Path:
    """Return a data folder below `folder` in which the samples are read; the first to ask reads.

    Tests that run at the same time name the same folder, and none changes what lies in it.
    """
    made, unfinished = folder / _READ, folder / f"{_READ}, unfinished"
    with FileLock(folder / f"{_READ}.lock"):
        if not made.is_dir():
            subprocess.run(
                [sys.executable, "-m", "desktop_rag", "index", str(SAMPLES)],
                env=os.environ
                | {"DESKTOP_RAG_HOME": str(unfinished), "OLLAMA_HOST": "http://127.0.0.1:9"},
                cwd=SAMPLES.parent.parent,
                check=True,
                capture_output=True,
            )
            unfinished.rename(made)
    return made


def copied(made: Path, home: Path) -> Path:
    """Make `home` a copy of a data folder that nobody has open, and return it."""
    shutil.copytree(made, home, ignore=shutil.ignore_patterns("owner.*"))
    return home
