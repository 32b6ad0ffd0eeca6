"""A disk that fills: each command ends with a sentence, loses nothing, and goes on when it can."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.program import Program, Typed
from tests.drills.report import Score

_MEGABYTES = 80
_FEW = 2  # rounds below which the drill is a short one
_LITTLE = (0, 100_000, 600_000)  # bytes
_FOR_IMPORT = (*_LITTLE, 1_800_000, 2_500_000, 3_500_000)  # some are enough to begin with
_TALKS_OF_ROOM = ("full", "room", "free", "is not in")  # the last: it was removed before


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Fill a small disk while each command is at work, and before."""
    disk = root / "disk"
    disk.mkdir()
    try:
        with _mounted(disk), score.timed():
            _Full(score, root, disk, seed).run(max(1, kills // 5))
    except PermissionError as error:
        score.skipped = f"A small disk can't be made here: {error}."


class _Full:
    """A data folder on a small disk, and the documents on a big one."""

    def __init__(self, score: Score, root: Path, disk: Path, seed: int) -> None:
        self._score, self._disk = score, disk
        self._documents = Documents(root / "documents", 24, seed)
        self._program = Program(disk / "home", score)
        self._program.let_chroma_hold()
        self._checks = Checks(root)
        self._elsewhere = root

    def run(self, rounds: int) -> None:
        """Fill the disk in every way; look after each, when there is room again."""
        commands: dict[str, Callable[[], None]] = {
            "full at the first start": self._first_start,
            "nearly full": self._nearly_full,
            "search": self._search,
            "remove": self._remove,
            "kb rebuild": self._rebuild,
            "kb export": self._export,
            "kb import": self._import,
            "ask": self._ask,
        }
        if rounds < _FEW:
            commands = {"nearly full": self._nearly_full}
        commands |= {f"fills while indexing, {n}": self._fills for n in range(1, rounds + 1)}
        for name, deed in commands.items():
            with self._score.round(name):
                deed()
                self._make_room()
                self._checks.look(self._program, self._documents)

    def _first_start(self) -> None:
        self._fill()
        self._typed("index", self._documents.folder)

    def _nearly_full(self) -> None:
        """Stop in good time, before anything fails."""
        self._documents.add(4)
        self._program.must("kb", "list")
        self._fill(leaving=1_200_000)
        done = self._typed("index", self._documents.folder)
        self._score.expect("goes on where it stopped" in done.err, f"it said {done.err}")

    def _fills(self) -> None:
        """Fill the disk while files are read, as another program does."""
        self._documents.add(12)
        self._documents.change(6)
        process = self._program.start("index", "--json", self._documents.folder)
        assert process.stdout is not None
        process.stdout.readline()
        self._fill()
        _, err = process.communicate(timeout=180)
        self._score.expect(process.returncode in (0, 1), f"it ended with {process.returncode}")
        if process.returncode == 1:
            self._expect_sentence("index", err.decode())

    def _rebuild(self) -> None:
        self._refused_when_full("kb", "rebuild", "default")

    def _search(self) -> None:
        self._refused_when_full("search", self._documents.queries()[0])

    def _remove(self) -> None:
        path = self._documents.any_file()
        self._refused_when_full("remove", path)
        self._make_room()
        self._program.must("kb", "list")
        self._program.type("remove", path)
        path.unlink()

    def _export(self) -> None:
        """Write into a file beside the data folder: all of it, or none."""
        target = self._disk / "taken.ragkb"
        for leaving in _LITTLE:
            self._make_room()
            self._fill(leaving)
            if self._had_room("kb", "export", "default", target):
                target.unlink()  # it did fit
        left = [each.name for each in self._disk.iterdir() if "taken" in each.name]
        self._score.doubled += [f"{name} of an export that failed" for name in left]

    def _import(self) -> None:
        source = self._elsewhere / "taken.ragkb"
        self._program.must("kb", "export", "default", source)
        for leaving in _FOR_IMPORT:
            self._make_room()
            self._fill(leaving)
            if self._had_room("kb", "import", "copied", source):
                self._make_room()
                self._program.must("kb", "delete", "copied")  # it did fit
        self._make_room()
        names = {line["name"] for line in self._program.must("kb", "list", "--json").lines}
        self._score.expect(names == {"default"}, f"a failed import left {names}")
        self._program.must("kb", "import", "copied", source)
        self._checks.compare(self._program, self._documents, "copied")
        self._program.must("kb", "delete", "copied")
        source.unlink()

    def _ask(self) -> None:
        """A question that can't be kept is refused; what was kept stays."""
        query = self._documents.queries()[0]
        self._program.must("ask", query, "--chat", "new")
        self._refused_when_full("ask", query, "--chat", "1")
        self._make_room()
        self._program.must("ask", query, "--chat", "1")

    def _refused_when_full(self, *words: str | Path) -> None:
        """Run a command with no room at all, and with a little: other steps meet the end of it."""
        for leaving in _LITTLE:
            self._make_room()
            self._fill(leaving)
            self._typed(*words)

    def _had_room(self, *words: str | Path) -> bool:
        return self._typed(*words).status == 0

    def _typed(self, *words: str | Path) -> Typed:
        """Run a command that has no room: it may still succeed, or says so with status 1."""
        done = self._program.type(*words)
        command = " ".join(map(str, words[:2]))
        self._score.expect(done.status in (0, 1), f"{command} ended with {done.status}")
        if done.status == 1:
            self._expect_sentence(command, done.err)
        return done

    def _expect_sentence(self, command: str, said: str) -> None:
        """Expect a sentence and its remedy last; answers and imports have notices before."""
        lines = said.splitlines()
        is_told = any(word in line for word in _TALKS_OF_ROOM for line in lines[-2:])
        is_short = len(lines) == 2 or command in ("ask", "kb import") or command.startswith("ask ")
        self._score.expect(is_told and is_short, f"{command} said {said[-600:]}")

    def _fill(self, leaving: int = 0) -> None:
        """Write until nothing more goes, but for some bytes."""
        with (self._disk / "ballast").open("ab", buffering=0) as file:
            while (free := shutil.disk_usage(self._disk).free) > leaving:
                try:
                    file.write(bytes(min(1_000_000, free - leaving)))
                except OSError as error:
                    if error.errno == errno.ENOSPC:
                        return
                    raise

    def _make_room(self) -> None:
        (self._disk / "ballast").unlink(missing_ok=True)


@contextmanager
def _mounted(folder: Path) -> Iterator[None]:
    """Mount a small file system; `PermissionError` where that is not allowed."""
    if os.name != "posix" or shutil.which("mount") is None or os.geteuid() != 0:
        raise PermissionError("only root may mount one")
    command = ["mount", "-t", "tmpfs", "-o", f"size={_MEGABYTES}m", "tmpfs", str(folder)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise PermissionError(made.stderr.strip() or "mount failed")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
