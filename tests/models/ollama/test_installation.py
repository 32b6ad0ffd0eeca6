"""Ollama found where it is installed, told how it is installed, and started."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.errors import UserError
from desktop_rag.models.ollama import installation
from desktop_rag.models.ollama.installation import find_installation, start_server

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the program is a script of the shell")
URL = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def started_is_ended() -> Iterator[None]:
    yield
    while installation._STARTED:
        process = installation._STARTED.pop()
        process.kill()
        process.wait()


def program(folder: Path, script: str = "exit 0") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "ollama"
    made.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    made.chmod(0o755)
    return made


@POSIX
def test_it_is_found_on_the_path_first(tmp_path: Path) -> None:
    program(tmp_path / "usr/bin")
    made = program(tmp_path / "bin")
    found = find_installation({"PATH": str(made.parent)}, "linux", tmp_path)
    assert found.program == str(made)
    assert found.service == ""


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", "usr/local/bin"),
        ("linux", "home/.local/bin"),
        ("darwin", "Applications/Ollama.app/Contents/Resources"),
        ("darwin", "opt/homebrew/bin"),
        ("win32", "local/Programs/Ollama"),
    ],
)
def test_it_is_found_where_each_system_puts_it(tmp_path: Path, system: str, place: str) -> None:
    environ = {
        "PATH": str(tmp_path / "nothing"),
        "HOME": str(tmp_path / "home"),
        "LOCALAPPDATA": str(tmp_path / "local"),
    }
    assert find_installation(environ, system, tmp_path).program == ""
    name = "ollama.exe" if system == "win32" else "ollama"
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / name).touch()
    assert Path(find_installation(environ, system, tmp_path).program) == tmp_path / place / name


def test_what_the_system_starts_by_itself_is_told(tmp_path: Path) -> None:
    program(tmp_path / "usr/local/bin")
    unit = tmp_path / "etc/systemd/system/ollama.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    found = find_installation({"PATH": ""}, "linux", tmp_path)
    assert found.service == "sudo systemctl start ollama"


@pytest.mark.parametrize(
    ("told", "begins"),
    [
        ('ID=ubuntu\nID_LIKE="debian"\n', "curl -fsSL https://ollama.com/install.sh"),
        ("ID=arch\n", "sudo pacman -S ollama"),
        ('ID=manjaro\nID_LIKE="arch"\n', "sudo pacman -S ollama"),
    ],
)
def test_the_command_is_that_of_the_distribution(tmp_path: Path, told: str, begins: str) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text(told, "utf-8")
    found = find_installation({"PATH": ""}, "linux", tmp_path)
    assert found.command.startswith(begins)
    assert found.effect.endswith(".")
    assert found.page.startswith("https://ollama.com")


@POSIX
def test_windows_and_macos_have_commands_of_their_own(tmp_path: Path) -> None:
    assert find_installation({"PATH": ""}, "win32", tmp_path).command.startswith("winget ")
    assert find_installation({"PATH": ""}, "darwin", tmp_path).command == ""
    program(tmp_path / "bin").rename(tmp_path / "bin/brew")
    environ = {"PATH": str(tmp_path / "bin")}
    assert find_installation(environ, "darwin", tmp_path).command == "brew install ollama"


@POSIX
def test_it_is_started_where_the_settings_say(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = f'echo "$1 $OLLAMA_HOST" > "{told}.new"; mv "{told}.new" "{told}"; exec sleep 60'
    made = program(tmp_path, script)
    started = start_server(str(made), URL)
    wait_until(told.exists)
    assert told.read_text("utf-8").split() == ["serve", URL]
    assert started.exit_status is None
    started.stop()
    wait_until(lambda: started.exit_status is not None)


@POSIX
def test_it_gets_no_library_of_a_frozen_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    script = f'echo "[$LD_LIBRARY_PATH]" > "{told}.new"; mv "{told}.new" "{told}"'
    made = program(tmp_path, script)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/frozen")
    for before in ("", "/opt/own"):
        if before:
            monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
        start_server(str(made), URL)
        wait_until(told.exists)
        assert told.read_text("utf-8").strip() == f"[{before}]"
        told.unlink()


@POSIX
def test_how_it_ended_is_known(tmp_path: Path) -> None:
    started = start_server(str(program(tmp_path, "exit 3")), URL)
    wait_until(lambda: started.exit_status is not None)
    assert started.exit_status == 3
    assert "status 3" in installation.ended_at_once(3).what


def test_what_is_no_program_or_another_computer_s_is_not_started(tmp_path: Path) -> None:
    nothing = tmp_path / "ollama"
    with pytest.raises(UserError, match="could not be started"):
        start_server(str(nothing), URL)
    with pytest.raises(UserError, match="another computer"):
        start_server(str(nothing), "http://203.0.113.7:11434")
    assert installation._STARTED == []


def wait_until(what: object, seconds: float = 20.0) -> None:
    assert callable(what)
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)
