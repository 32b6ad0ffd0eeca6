"""Commands that are forked end as those that are started from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from testing import forked_commands

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux alone")


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {"DESKTOP_RAG_HOME": str(home), "OLLAMA_HOST": "http://127.0.0.1:9"}


def test_output_errors_and_status_come_back(tmp_path: Path) -> None:
    done = forked_commands.run(["kb", "list"], _environment(tmp_path / "home"), 60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"There is no knowledge base")
    wrong = forked_commands.run(["fly"], _environment(tmp_path / "home"), 60)
    assert (wrong.returncode, wrong.stdout) == (2, b"")
    assert b"fly" in wrong.stderr


def test_the_environment_is_replaced_and_this_process_keeps_its_own(tmp_path: Path) -> None:
    before = dict(os.environ)
    forked_commands.run(["kb", "create", "notes"], _environment(tmp_path / "one"), 60)
    other = forked_commands.run(["kb", "list"], _environment(tmp_path / "two"), 60)
    assert b"notes" not in other.stdout
    assert (tmp_path / "one" / "catalog.sqlite").is_file()
    assert dict(os.environ) == before


def test_a_command_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("The harbour opens at six.")
    words = ["index", str(tmp_path / "note.txt"), "--watch"]
    environment = _environment(tmp_path / "home")
    forked_commands.run(["kb", "list"], environment, 60)  # from whose process they are forked
    before = psutil.Process().children(recursive=True)
    with pytest.raises(subprocess.TimeoutExpired):
        forked_commands.run(words, environment, 2.0)
    begun = [each for each in psutil.Process().children(recursive=True) if each not in before]
    assert psutil.wait_procs(begun, timeout=30)[1] == [], "nor do its own processes go on"
