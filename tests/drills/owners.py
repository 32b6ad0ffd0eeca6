"""Two starts on one data folder, in all pairings of window and command line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.conftest import REPOSITORY
from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.program import PATIENCE, Program, until
from tests.drills.report import Score

_LEAVING_SECONDS = 20.0
Process = subprocess.Popen[bytes]


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Go through the pairings, each on a data folder of its own."""
    with score.timed():
        names = list(_pairings(_Two(score, root, seed)))
        for name in names[:kills] if kills < len(names) else names:
            with score.round(name):
                for left in root.iterdir():
                    shutil.rmtree(left)
                _pairings(_Two(score, root, seed))[name]()


class _Two:
    """A data folder that two processes want, and two folders of documents."""

    def __init__(self, score: Score, root: Path, seed: int) -> None:
        self._score, self._root = score, root
        self.program = Program(root / "home", score)
        self.program.let_chroma_hold()
        self.checks = Checks(root / "scratch")
        self._seed = seed

    def documents(self, name: str, files: int) -> Documents:
        """Write documents into a folder below the common one."""
        return Documents(self._root / "documents" / name, files, self._seed + len(name))

    def all(self) -> Documents:
        """Return what stands for every document of both folders."""
        made = Documents(self._root / "documents" / "more", 2, self._seed)
        made.folder = self._root / "documents"
        return made

    @contextmanager
    def window(self, *paths: Path) -> Iterator[Process]:
        """Open the real window, and close it at the end as its user would."""
        process = self.start_window(*paths)
        try:
            yield process
        finally:
            self._close(process)

    def start_window(self, *paths: Path) -> Process:
        """Start a window and wait until it owns the folder."""
        command = [sys.executable, "-m", "tests.drills.window", str(self.program.home)]
        process = subprocess.Popen(
            [*command, *map(str, paths)],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.program.variables(),
        )
        if not until(lambda: self.owner() == ("window", process.pid), 60):
            self._score.hangs.append("the window did not get the folder")
        return process

    def owner(self) -> tuple[str, int]:
        """Return who says that it owns the folder."""
        try:
            told = json.loads((self.program.home / "owner.json").read_text(encoding="utf-8"))
            return told["kind"], told["pid"]
        except (FileNotFoundError, ValueError):
            return "nobody", 0

    def ended(self, process: Process, *statuses: int) -> str:
        """Wait for a command and expect a status; return what it printed."""
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self._score.hangs.append(f"{process.args!r} hung")
            return ""
        told = f"{process.args!r} ended with {process.returncode}: {err.decode()[-600:]}"
        self._score.expect(process.returncode in (statuses or (0,)), told)
        self._score.expect(b"Traceback" not in err, told)
        return out.decode()

    def kbs(self) -> list[str]:
        """Return the knowledge bases' names."""
        return [line["name"] for line in self.program.must("kb", "list", "--json").lines]

    def expect(self, holds: object, fault: str) -> None:
        """Note a fault."""
        self._score.expect(holds, fault)

    def look(self) -> None:
        """Compare with a fresh index of all documents."""
        self.checks.look(self.program, self.all())

    def _close(self, process: Process) -> None:
        assert process.stdin is not None
        try:
            _, err = process.communicate(b"\n", timeout=_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self._score.hangs.append("the window did not close")
            return
        self.expect(process.returncode == 0, f"the window: {err.decode()[-600:]}")
        self.expect(b"Traceback" not in err, f"the window: {err.decode()[-600:]}")


def _pairings(two: _Two) -> dict[str, Callable[[], None]]:
    """Return the pairings by name."""
    return {
        "window + remove": lambda: _window_and_remove(two),
        "index + index": lambda: _index_and_index(two),
        "index + search": lambda: _index_and_search(two),
        "index + remove": lambda: _index_and_remove(two),
        "window + index": lambda: _window_and_index(two),
        "window + window": lambda: _window_and_window(two),
        "window takes over from index": lambda: _takes_over(two),
        "window takes over from import": lambda: _takes_over_an_import(two),
        "window takes over from a watch": lambda: _takes_over_a_watch(two),
        "owner killed, its client goes on": lambda: _owner_killed(two),
        "window killed, its client goes on": lambda: _window_killed(two),
        "owner killed under an answer": lambda: _owner_killed_under_an_answer(two),
    }


def _index_and_index(two: _Two) -> None:
    one, other = two.documents("one", 16), two.documents("other", 16)
    starts = [two.program.start("index", each.folder) for each in (one, other)]
    for each in starts:
        two.ended(each)
    two.look()


def _index_and_search(two: _Two) -> None:
    two.program.must("index", two.documents("one", 4).folder)
    other = two.documents("other", 20)
    indexing = two.program.start("index", other.folder)
    searches = [two.program.start("search", "--json", query) for query in other.queries()[:4]]
    for each in (*searches, indexing):
        two.ended(each)
    two.look()


def _index_and_remove(two: _Two) -> None:
    one, other = two.documents("one", 6), two.documents("other", 20)
    two.program.must("index", one.folder)
    indexing = two.program.start("index", other.folder)
    gone = one.any_file()
    removing = two.program.start("remove", gone)
    two.ended(removing)
    gone.unlink()
    two.ended(indexing)
    two.look()


def _window_and_index(two: _Two) -> None:
    one, other = two.documents("one", 10), two.documents("other", 10)
    with two.window(one.folder):
        two.ended(two.program.start("index", other.folder))
    two.look()


def _window_and_remove(two: _Two) -> None:
    one, other = two.documents("one", 6), two.documents("other", 12)
    two.program.must("index", one.folder)
    with two.window(other.folder):
        gone = one.any_file()
        two.ended(two.program.start("remove", gone))
        gone.unlink()
    two.look()


def _window_and_window(two: _Two) -> None:
    one, other = two.documents("one", 6), two.documents("other", 6)
    with two.window(one.folder) as first:
        second = two.program.start(other.folder)
        two.ended(second)
        two.expect(two.owner() == ("window", first.pid), "the first window lost the folder")
        wanted = len(one.files) + len(other.files)
        arrived = until(lambda: _files(two) >= wanted, 90)
        two.expect(arrived, "the second window's files did not arrive in the first")
    two.look()


def _takes_over(two: _Two) -> None:
    one = two.documents("one", 60)
    indexing = two.program.start("index", "--json", one.folder)
    assert indexing.stdout is not None
    indexing.stdout.readline()
    with two.window():
        two.ended(indexing)
    two.look()


def _takes_over_an_import(two: _Two) -> None:
    one = two.documents("one", 30)
    two.program.must("index", one.folder)
    target = two.program.home.with_name("taken.ragkb")
    two.program.must("kb", "export", "default", target)
    importing = two.program.start("kb", "import", "copied", target)
    time.sleep(0.9)
    with two.window():
        two.ended(importing)
    target.unlink()
    two.expect(sorted(two.kbs()) == ["copied", "default"], f"there are {two.kbs()}")
    two.checks.compare(two.program, one, "copied")
    two.program.must("kb", "delete", "copied")
    two.look()


def _takes_over_a_watch(two: _Two) -> None:
    one = two.documents("one", 6)
    watching = two.program.start("index", "--watch", "--json", one.folder)
    two.expect(until(lambda: _ready(two, one), 60), "the watch did not begin")
    with two.window():
        one.add(2)
        one.change(2)
        wanted = len(one.files)
        two.expect(until(lambda: _files(two) >= wanted, 60), "a change was not seen")
        time.sleep(3.0)
        watching.terminate()
        two.ended(watching, 130)
    two.look()


def _owner_killed(two: _Two) -> None:
    one, other = two.documents("one", 30), two.documents("other", 30)
    first = two.program.start("index", "--json", one.folder)
    assert first.stdout is not None
    first.stdout.readline()
    client = two.program.start("index", "--json", other.folder)
    assert client.stdout is not None
    client.stdout.readline()
    two.program.kill(first)
    two.ended(client)
    two.look()


def _window_killed(two: _Two) -> None:
    one, other = two.documents("one", 20), two.documents("other", 30)
    window = two.start_window(one.folder)
    client = two.program.start("index", "--json", other.folder)
    assert client.stdout is not None
    client.stdout.readline()
    two.program.kill(window)
    two.ended(client)
    two.look()


def _owner_killed_under_an_answer(two: _Two) -> None:
    """The answer's conversation holds the question once, whoever owned the folder."""
    one = two.documents("one", 6)
    two.program.must("index", one.folder)
    watching = two.program.start("index", "--watch", "--json", one.folder)
    two.expect(until(lambda: two.owner()[1] == watching.pid, 60), "the watch did not begin")
    asking = two.program.start("ask", one.queries()[0], "--chat", "new")
    time.sleep(0.9)
    two.program.kill(watching)
    two.ended(asking, 0, 1)
    asked = _count(two, "SELECT count(*) FROM messages WHERE role = 'user'")
    two.expect(asked <= 1, f"the question was kept {asked} times")
    two.look()


def _ready(two: _Two, documents: Documents) -> bool:
    return _files(two) >= len(documents.files)


def _files(two: _Two) -> int:
    return _count(two, "SELECT count(*) FROM files WHERE status = 'ready'")


def _count(two: _Two, query: str) -> int:
    """Count in the catalog of a running program, which nothing changes for it."""
    place = f"file:{two.program.home / 'catalog.sqlite'}?mode=ro"
    try:
        with closing(sqlite3.connect(place, uri=True)) as connection:
            return int(connection.execute(query).fetchone()[0])
    except sqlite3.OperationalError:
        return 0
