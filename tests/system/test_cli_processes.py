"""Several starts on one data folder, stops at any moment, and how fast the program is there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from tests.system.terminal import Terminal
from tests.system.window_process import WINDOW

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home", is_forked=False)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(3):
        text = f"Note {number}: the harbour of town {number} was built in {1800 + number}.\n"
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def watching(terminal: Terminal, documents: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command that owns the folder: it has indexed the documents, and watches them."""
    process = terminal.start("index", documents, "--watch", "--json")
    try:
        _read_until(process, "done")
        yield process
    finally:
        process.kill()
        process.communicate()


def test_help_is_there_at_once_and_loads_nothing_heavy() -> None:
    code = (
        "import sys, contextlib\n"
        "from desktop_rag.__main__ import main\n"
        "sys.argv = ['desktop-rag', '--help']\n"
        "with contextlib.suppress(SystemExit): main()\n"
        "heavy = {'numpy', 'chromadb', 'onnxruntime', 'tantivy', 'PySide6', 'sqlite3', 'ollama'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert len(sys.modules) < 250, len(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_stop_that_comes_after_the_end_changes_nothing(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from desktop_rag.__main__ import main\n"
        "class Last:\n"
        "    def __del__(self, kill=os.kill, own=os.getpid(), number=signal.SIGINT):\n"
        "        kill(own, number)\n"
        f"sys.argv = ['desktop-rag', 'kb', 'list', '--data-dir', {str(tmp_path / 'home')!r}]\n"
        "status = main()\n"
        "os.kept = Last()\n"  # it goes when the modules do
        "sys.exit(status)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_commands_need_no_qt(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("raise ImportError('no Qt here')")
    without = {"PYTHONPATH": str(tmp_path)}
    assert terminal.type("kb", "list", env=without).status == 0


def test_a_command_beside_an_owner_is_served_by_it(
    terminal: Terminal, watching: subprocess.Popen[bytes], documents: Path
) -> None:
    found = terminal.type("search", "harbour of town 2", "--json")
    assert found.status == 0, found.err
    assert found.lines[0]["path"] == str(documents / "2.txt")
    wrong = terminal.type("search", "x", "--kb", "none")
    assert wrong.status == 1
    assert "no knowledge base" in wrong.err
    assert watching.poll() is None


def test_a_client_may_have_settings_of_its_own(
    terminal: Terminal, watching: subprocess.Popen[bytes]
) -> None:
    found = terminal.type("search", "harbour", "--json", "--set", "reranker=none")
    assert found.status == 0, found.err
    assert {line["rerank_score"] for line in found.lines} == {None}
    assert watching.poll() is None


def test_when_the_owner_is_killed_the_next_command_works(
    terminal: Terminal, watching: subprocess.Popen[bytes]
) -> None:
    watching.kill()
    watching.wait()
    assert (terminal.home / "owner.json").exists()
    found = terminal.type("search", "harbour", "--json")
    assert found.status == 0, found.err
    assert len(found.lines) == 3


def test_when_the_owner_is_killed_its_client_goes_on(
    terminal: Terminal, watching: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "a.txt").write_text("The lighthouse is forty metres high.", encoding="utf-8")
    client = terminal.start("index", more, "--watch", "--json")
    try:
        _read_until(client, "done")
        watching.kill()
        watching.wait()
        _wait_for_owner(terminal.home, client.pid)
        (more / "b.txt").write_text("The beacon is red and white.", encoding="utf-8")
        lines = _read_until(client, "done", "b.txt")
        assert any(Path(line["path"]).name == "b.txt" for line in lines if "path" in line)
    finally:
        client.kill()
        client.communicate()


def test_ctrl_c_in_a_client_stops_it_and_not_the_owner(
    terminal: Terminal, watching: subprocess.Popen[bytes], documents: Path
) -> None:
    client = terminal.start("index", documents, "--watch", "--json")
    _read_until(client, "done")
    _stop(client, signal.SIGINT)
    assert watching.poll() is None
    assert terminal.type("kb", "list").status == 0


def test_a_watch_tells_a_person_that_it_goes_on(terminal: Terminal, documents: Path) -> None:
    process = terminal.start("index", documents, "--watch")
    try:
        assert process.stderr is not None
        assert process.stderr.readline().decode().endswith("Ctrl+C ends it.\n")
        _stop(process, signal.SIGINT)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_owner_is_stopped_cleanly(
    terminal: Terminal, watching: subprocess.Popen[bytes], sign: signal.Signals
) -> None:
    _stop(watching, sign)
    assert not (terminal.home / "owner.json").exists()
    assert terminal.type("kb", "list").status == 0


def test_ctrl_c_in_an_owner_hands_its_clients_on(
    terminal: Terminal, watching: subprocess.Popen[bytes], documents: Path
) -> None:
    client = terminal.start("index", documents, "--watch", "--json")
    try:
        _read_until(client, "done")
        _stop(watching, signal.SIGINT)
        _wait_for_owner(terminal.home, client.pid)
    finally:
        client.kill()
        client.communicate()


def test_a_window_takes_the_folder_over_and_the_command_goes_on_as_its_client(
    terminal: Terminal, watching: subprocess.Popen[bytes], documents: Path
) -> None:
    window = subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(terminal.home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert window.stdout is not None
    assert window.stdout.readline() == "moved in\n"
    _wait_for_owner(terminal.home, window.pid)
    assert watching.poll() is None
    _read_until(watching, "done")
    (documents / "new.txt").write_text("The mole was lengthened in 1910.", encoding="utf-8")
    lines = _read_until(watching, "done", "new.txt")
    assert [Path(line["path"]).name for line in lines if "path" in line] == ["new.txt"]
    window.communicate("\n", timeout=60)
    assert window.returncode == 0
    _wait_for_owner(terminal.home, watching.pid)


def test_ctrl_c_stops_an_answer_in_the_middle_of_a_word(
    terminal: Terminal, documents: Path
) -> None:
    terminal.type("index", documents)
    with OllamaDouble() as double:
        double.say(Script("The harbour was built long ago, " * 200, pace=0.05))
        asking = Terminal(terminal.home, double.url, is_forked=False).start(
            "ask", "When was it built?", "--json"
        )
        _read_until(asking, "token")
        _stop(asking, signal.SIGINT)
        assert double.chats[0].abandoned


def test_a_reader_that_goes_away_is_no_error(terminal: Terminal, documents: Path) -> None:
    terminal.type("index", documents)
    process = terminal.start("show", documents, "--json")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait(60)


def _read_until(
    process: subprocess.Popen[bytes], event: str, name: str = ""
) -> list[dict[str, Any]]:
    """Read lines up to one of an event, and after one whose path ends in a name."""
    assert process.stdout is not None
    lines: list[dict[str, Any]] = []
    seen = not name
    while True:
        raw = process.stdout.readline()
        assert raw, process.stderr.read().decode() if process.stderr else ""
        lines.append(json.loads(raw))
        seen = seen or str(lines[-1].get("path", "")).endswith(name)
        if lines[-1]["event"] == event and seen:
            return lines


def _wait_for_owner(home: Path, pid: int, seconds: float = 60.0) -> None:
    """Wait until a process has written down that it owns the folder."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        try:
            if json.loads((home / "owner.json").read_text())["pid"] == pid:
                return
        except (FileNotFoundError, ValueError):
            pass  # nobody, for a moment
        time.sleep(0.05)
    message = f"process {pid} did not become the owner"
    raise AssertionError(message)


def _stop(process: subprocess.Popen[bytes], sign: signal.Signals) -> None:
    """Send a signal and wait until the process has ended as it should."""
    process.send_signal(sign)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err, err.decode()
