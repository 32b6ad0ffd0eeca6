"""What happens to followed folders, as the program itself tells and finds it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.indexing.indexed_folder import prose
from tests.system.terminal import Terminal

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the watch is ended by a signal"),
    pytest.mark.timeout(180),
]


class Watch:
    """`index --watch --json` in a process of its own, and what it has printed so far."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def told(self) -> list[tuple[str, str]]:
        """Return name and state of every file that it told of."""
        files = [line for line in list(self.lines) if line.get("event") == "file"]
        return [(Path(line["path"]).name, line["status"]) for line in files]

    def wait(self, what: Callable[[], object], seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < until, self.told()
            assert self.process.poll() is None
            time.sleep(0.1)

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        self._reader.join()
        self.process.communicate()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "harbour.md").write_text(f"# Harbour\n\n{prose('harbour')}")
    (folder / "a" / "valley.md").write_text(f"# Valley\n\n{prose('valley')}")
    return folder


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home")


@pytest.fixture
def watch(terminal: Terminal, docs: Path) -> Iterator[Watch]:
    made = Watch(terminal.start("index", docs, "--watch", "--json"))
    try:
        made.wait(lambda: made.told().count(("harbour.md", "ready")) and len(made.told()) >= 2)
        yield made
    finally:
        made.end()


def found(terminal: Terminal, words: str) -> set[str]:
    """Return the paths of the first passage that is found, and of its copies."""
    lines = terminal.type("search", words, "--json").lines
    first = [line for line in lines if words in line["text"]][:1]
    return {path for line in first for path in (line["path"], *line.get("other_paths", ()))}


def test_saving_moving_copying_and_deleting_are_told_and_found_while_watched(
    terminal: Terminal, watch: Watch, docs: Path
) -> None:
    draft = docs / "a" / ".goutputstream-1"
    draft.write_text(f"# Harbour\n\n{prose('volcano')}")
    draft.replace(docs / "a" / "harbour.md")
    watch.wait(lambda: watch.told().count(("harbour.md", "ready")) == 2)
    assert found(terminal, "volcano") == {str(docs / "a" / "harbour.md")}
    assert found(terminal, "harbour") == set()

    (docs / "a").rename(docs / "b")
    watch.wait(lambda: {("harbour.md", "moved"), ("valley.md", "moved")} <= set(watch.told()))
    assert found(terminal, "volcano") == {str(docs / "b" / "harbour.md")}

    (docs / "copy.md").write_bytes((docs / "b" / "valley.md").read_bytes())
    watch.wait(lambda: any(name == "copy.md" for name, _ in watch.told()))
    both = {str(docs / "b" / "valley.md"), str(docs / "copy.md")}
    assert found(terminal, "valley") == both, "stored once, every place is named"
    (shown,) = terminal.type("kb", "list", "--json").lines
    assert (shown["files"], shown["chunks"]) == (3, 2)

    (docs / "b" / "harbour.md").unlink()
    watch.wait(lambda: ("harbour.md", "deleted") in watch.told())
    assert found(terminal, "volcano") == set()
    assert {state for _, state in watch.told()} <= {"ready", "moved", "deleted", "unchanged"}


def test_a_burst_of_files_is_read_whole_while_watched(
    terminal: Terminal, watch: Watch, docs: Path
) -> None:
    for number in range(300):
        folder = docs / f"unpacked {number % 7}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.md").write_text(f"# Topic\n\n{prose(f'topic{number % 5}')}")
    watch.wait(lambda: len({name for name, _ in watch.told()}) == 302)
    names = [name for name, state in watch.told() if state == "ready"]
    assert len(names) == len(set(names)), "none is read twice"
    assert len(found(terminal, "topic3")) == 60


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_files_that_are_unpacked_are_each_read_once_while_watched(
    terminal: Terminal, watch: Watch, docs: Path, tmp_path: Path
) -> None:
    many, archive = 10_000, tmp_path / "archive.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(many):
            said = f"# Boat {number}\n\nBoat {number} sails to harbour {number} every morning.\n"
            packed.writestr(f"unpacked {number % 70}/boat {number:05}.md", said)
    subprocess.run([sys.executable, "-m", "zipfile", "-e", archive, docs], check=True)
    watch.wait(lambda: len({name for name, _ in watch.told()}) == many + 2, seconds=1500)
    names = [name for name, state in watch.told() if state == "ready"]
    assert (len(names), len(set(names))) == (many + 2, many + 2), "none is read twice"
    assert {state for _, state in watch.told()} <= {"ready", "unchanged"}
    (listed,) = terminal.type("kb", "list", "--json").lines
    assert (listed["files"], listed["states"]) == (many + 2, {"ready": many + 2})
    for number in (0, 4321, many - 1):
        path = docs / f"unpacked {number % 70}" / f"boat {number:05}.md"
        assert found(terminal, f"harbour {number}") == {str(path)}


def test_changes_while_nothing_ran_are_found_at_the_next_look(
    terminal: Terminal, docs: Path
) -> None:
    assert terminal.type("index", docs).status == 0
    (docs / "a" / "valley.md").rename(docs / "valley moved.md")
    (docs / "a" / "harbour.md").write_text(f"# Harbour\n\n{prose('volcano')}")
    (docs / "new.md").write_text(f"# New\n\n{prose('island')}")
    looked = terminal.type("index", docs, "--json")
    files = [line for line in looked.lines if line["event"] == "file"]
    states = {Path(line["path"]).name: line["status"] for line in files}
    assert states == {"valley moved.md": "moved", "harbour.md": "ready", "new.md": "ready"}
    assert found(terminal, "valley") == {str(docs / "valley moved.md")}


def test_a_drive_that_is_away_is_no_deletion(terminal: Terminal, docs: Path) -> None:
    assert terminal.type("index", docs).status == 0
    away = docs.rename(docs.with_name("unplugged"))
    typed = terminal.type("index", docs, "--json")
    assert "deleted" not in typed.out
    assert found(terminal, "harbour") == {str(docs / "a" / "harbour.md")}
    away.rename(docs)
    assert terminal.type("index", docs, "--json").lines[-1]["files"] == {"unchanged": 2}


@pytest.mark.slow
def test_what_moves_to_the_folder_of_another_base_answers_there_alone(
    terminal: Terminal, docs: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert terminal.type("index", docs).status == 0
    assert terminal.type("index", other, "--kb", "second").status == 0
    (docs / "a" / "valley.md").rename(other / "valley.md")
    assert terminal.type("index", other, "--kb", "second").status == 0
    assert "deleted" in terminal.type("index", docs, "--json").out
    assert found(terminal, "valley") == set()
    second = terminal.type("search", "valley", "--kb", "second", "--json").lines
    assert [line["path"] for line in second] == [str(other / "valley.md")]
