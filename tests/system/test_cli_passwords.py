"""Passwords at the command line: typed, or on standard input, and never a word of the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.parsing.locked_files import locked_pdf

pytestmark = pytest.mark.slow

PASSWORD = "harbour 4711"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return locked_pdf(tmp_path / "a.pdf", PASSWORD)


def typed(home: Path, given: str, *words: str | Path) -> tuple[int, list[dict[str, Any]], str]:
    done = subprocess.run(
        [sys.executable, "-m", "desktop_rag", "--data-dir", home, *words, "--json"],
        check=False,
        input=given,
        capture_output=True,
        text=True,
        timeout=90,
        env=os.environ | {"OLLAMA_HOST": "http://127.0.0.1:9"},
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_a_password_on_standard_input_opens_a_file_and_is_written_nowhere(
    tmp_path: Path, path: Path
) -> None:
    home = tmp_path / "home"
    status, lines, said = typed(home, "", "index", path)
    assert (status, lines[0]["status"]) == (0, "encrypted")
    status, lines, said = typed(home, "wrong\n", "index", path, "--password-stdin")
    assert lines[0]["reason"].startswith("The password does not open the file.")
    words = ("index", path, "--password-stdin", "--keep-password", "--verbose")
    status, lines, said = typed(home, f"{PASSWORD}\n", *words)
    assert (status, lines[0]["status"]) == (0, "ready")
    assert [each["event"] for each in lines] == ["file", "notice", "done"]
    assert "no key ring" in lines[1]["text"]
    written = [each.read_bytes() for each in home.rglob("*") if each.is_file()]
    assert PASSWORD not in said + json.dumps(lines)
    assert not any(PASSWORD.encode() in each for each in written)
    assert typed(home, "", "passwords") == (0, [], "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--password",), "There is no terminal to type the password on."),
        (("--password-stdin",), "The password is empty."),
        (("--keep-password",), "There is no password to keep."),
        (("--password", "--password-stdin"), "not allowed with"),
    ],
)
def test_what_gives_no_password_is_wrong_usage(
    tmp_path: Path, path: Path, words: tuple[str, ...], told: str
) -> None:
    status, lines, said = typed(tmp_path / "home", "", "index", path, *words)
    assert (status, lines) == (2, [])
    assert told in said
