"""What goes wrong on the command line: two sentences, a status, no traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.system.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("search", "rent", "--kb", "none"), 1, "no knowledge base named “none”"),
        (("show", "/nowhere/a.pdf"), 1, ""),
        (("search", "rent", "--set", "candidats=3"), 2, "candidats"),
        (("search", "rent", "--set", "candidates=3"), 2, "retrieval.candidates"),
        (("search", " "), 2, "empty"),
        (("ask", "why?", "--strategy", "guess"), 2, "guess"),
        (("fly",), 2, "fly"),
        (("search",), 2, "QUERY"),
    ],
)
def test_an_error_is_said_in_words_on_standard_error(
    terminal: Terminal, words: tuple[str, ...], status: int, said: str
) -> None:
    typed = terminal.type(*words, "--json")
    assert typed.status == status
    assert said in typed.err
    assert typed.out == ""
    assert "Traceback" not in typed.err


def test_an_error_has_a_remedy_in_a_line_of_its_own(terminal: Terminal) -> None:
    what, remedy = terminal.type("search", "rent", "--kb", "none").err.splitlines()
    assert what.endswith(".")
    assert "kb list" in remedy


def test_a_path_that_is_not_there_is_a_failed_file_and_no_failed_run(
    terminal: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "there.txt").write_text("There is something in this file.", encoding="utf-8")
    typed = terminal.type("index", tmp_path / "there.txt", tmp_path / "not.txt")
    assert typed.status == 0
    assert "not.txt" in typed.out
    assert "1 ready" in typed.out


def test_a_newer_catalog_is_refused_and_left_as_it_was(terminal: Terminal) -> None:
    assert terminal.type("kb", "create", "notes").status == 0
    catalog = terminal.home / "catalog.sqlite"
    connection = sqlite3.connect(catalog)
    connection.execute("ALTER TABLE chats ADD COLUMN later TEXT")
    connection.execute("PRAGMA user_version = 9999")
    connection.commit()
    connection.close()
    before = catalog.read_bytes()
    typed = terminal.type("kb", "list")
    assert typed.status == 1
    assert "newer version" in typed.err
    assert catalog.read_bytes() == before


def test_the_doctor_sees_a_catalog_that_cannot_be_opened(terminal: Terminal) -> None:
    terminal.home.mkdir(mode=0o700)
    (terminal.home / "catalog.sqlite").write_bytes(b"this is no database at all " * 100)
    typed = terminal.type("doctor", "--json")
    assert typed.status == 0
    states = {line["name"]: line for line in typed.lines}
    assert states["catalog"]["status"] == "error"
    assert states["catalog"]["remedy"]


def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    typed = Terminal(tmp_path / "file" / "home").type("kb", "list")
    assert typed.status == 1
    assert str(tmp_path / "file" / "home") in typed.err
    assert "--data-dir" in typed.err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere a display is there")
def test_a_window_without_a_display_is_an_error_in_words(terminal: Terminal) -> None:
    without = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    typed = terminal.type(env=without)
    assert typed.status == 1
    assert "no display" in typed.err


def test_a_window_that_cannot_be_loaded_is_an_error_in_words(
    terminal: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('no Qt here')")
    env = {"PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    typed = terminal.type(env=env)
    assert typed.status == 1
    assert "no Qt here" in typed.err


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_name_with_bytes_that_are_no_text_goes_in_and_comes_out(
    terminal: Terminal, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    name = os.fsencode(folder) + b"/caf\xe9 \n\xf0\x9f\x8d\x8e.txt"
    with open(name, "wb") as file:  # noqa: PTH123  (a name of bytes)
        file.write(b"An apple a day keeps the doctor away.")
    indexed = terminal.type("index", folder, "--json")
    assert indexed.lines[0]["status"] == "ready"
    assert os.fsencode(indexed.lines[0]["path"]) == name
    shown = terminal.type("show", name, "--json")
    assert shown.status == 0, shown.err
    assert os.fsencode(shown.lines[0]["path"]) == name
    assert terminal.type("search", "apple").status == 0


def test_everything_is_utf_8_in_a_locale_that_is_not(terminal: Terminal, tmp_path: Path) -> None:
    document = tmp_path / "差旅.md"
    document.write_text("# 差旅报销\n\n出差的住宿费每晚最高六百元，须附发票。\n", encoding="utf-8")
    plain = {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"}
    assert terminal.type("index", tmp_path / "差旅.md", env=plain).status == 0
    found = terminal.type("search", "住宿费", "--json", env=plain)
    assert found.status == 0, found.err
    assert found.lines[0]["path"] == str(document)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such streams there")
def test_closed_streams_are_no_trouble(tmp_path: Path) -> None:
    words = f"{sys.executable} -m desktop_rag --data-dir {tmp_path / 'home'}"
    out = subprocess.run(["sh", "-c", f"{words} kb list >&-"], capture_output=True, check=False)
    assert (out.returncode, out.stderr) == (0, b"")
    wrong = subprocess.run(
        ["sh", "-c", f"{words} search '' 2>&-"], capture_output=True, check=False
    )
    assert (wrong.returncode, wrong.stdout) == (2, b"")
