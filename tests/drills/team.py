"""A team's Chroma server that is killed, cut off, slow and full: nobody loses or doubles anything.

One member writes, two ask, each on a computer of its own (a network namespace). The second of these
reaches the server through a proxy that lets no request through which writes. Then two of them read
a folder as workers.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.core.settings import VERSION
from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.networks import Computer, computers, reading_road, road, slow_road
from tests.drills.program import Program
from tests.drills.report import Score

_PORT, _SLOW_PORT, _READING_PORT = 8000, 8001, 8002
_SHARED, _DIVIDED = "of the team", "read by two"
_FILES_PER_KILL = 40
_SECTIONS_PER_KILL = 225  # and as often again: ten kills meet 20,000 chunks
_LONG_FILES = 4  # that these are in
_PATIENCE = 1200.0  # seconds
_CUT_SECONDS = 60.0
_SLOW_SECONDS = 0.1  # in each direction
_START_SECONDS = 60.0
_LITTLE = 200_000  # bytes that a full disk has left
_PLENTY = "8G"


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Let three members share a knowledge base while its server dies a fifth as often."""
    chroma = Path(sys.executable).parent / "chroma"
    if not chroma.exists():
        score.skipped = "Chroma's own server program is not installed."
        return
    try:
        with computers("server", "writer", "first", "second") as network, score.timed():
            server = _Server(chroma, root / "disk", network["server"])
            target, refused = ("127.0.0.1", _PORT), root / "refused"
            with (
                server.on_its_disk(),
                road(server.computer, slow_road, _SLOW_PORT, target, _SLOW_SECONDS),
                road(server.computer, reading_road, _READING_PORT, target, refused),
            ):
                _Team(score, root, network, server, max(2, kills // 5), seed).run()
    except PermissionError as error:
        score.skipped = f"Networks can't be made here: {error}."


@dataclass(slots=True)
class _Server:
    """Chroma's server program, on a disk and a computer of its own."""

    program: Path
    disk: Path
    computer: Computer
    process: subprocess.Popen[bytes] | None = None

    def url(self, port: int = _PORT) -> str:
        return f"http://{self.computer.address}:{port}"

    @contextmanager
    def on_its_disk(self) -> Iterator[None]:
        """Mount the disk and run; both end with the block."""
        self.disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={_PLENTY}", "tmpfs", str(self.disk)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            raise PermissionError("no disk can be mounted")
        try:
            self.start()
            yield
        finally:
            self.kill()
            subprocess.run(["umount", "-l", str(self.disk)], check=False)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        where = ["--path", str(self.disk / "data"), "--host", "0.0.0.0", "--port", str(_PORT)]
        self.process = subprocess.Popen(
            [*self.computer.inside, str(self.program), "run", *where],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + _START_SECONDS
        look = f"import socket; socket.create_connection(('127.0.0.1', {_PORT}), 1)"
        asking = [*self.computer.inside, sys.executable, "-c", look]
        while subprocess.run(asking, capture_output=True, check=False).returncode:
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.1)

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def resize(self, *, leaving: int | None) -> None:
        """Leave so much room on the disk, or plenty."""
        size = _PLENTY if leaving is None else str(shutil.disk_usage(self.disk).used + leaving)
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.disk)], check=True)


@dataclass(slots=True)
class _Team:
    """The members, and what they go through."""

    score: Score
    root: Path
    network: dict[str, Computer]
    server: _Server
    kills: int
    seed: int
    writer: Program = field(init=False)
    readers: list[Program] = field(init=False)
    documents: Documents = field(init=False)
    checks: Checks = field(init=False)

    def __post_init__(self) -> None:
        files = self.kills * _FILES_PER_KILL
        self.documents = Documents(self.root / "documents", files, self.seed)
        self.checks = Checks(self.root)
        self.writer = self._member("writer")
        self.readers = [self._member("first"), self._member("second", _READING_PORT)]

    def run(self) -> None:
        """Go through everything; after each, all have what the writer's files say."""
        rounds: dict[str, Callable[[], None]] = {
            "shared and joined": self._begin,
            f"killed {self.kills} times": self._killed,
            "cut off": self._cut_off,
            "200 ms away": self._slow,
            "its disk full": self._full,
            "its data lost": self._lost,
        }
        for name, deed in rounds.items():
            with self.score.round(name):
                deed()
                self._look()
        with self.score.round("without the right to write"):
            self._read_only()
        with self.score.round("two workers"):
            self._divided()

    def _begin(self) -> None:
        self.writer.must("index", self._folder)
        self._told(self.writer, "kb", "share", "default", "--as", _SHARED, "--agree")
        for reader in self.readers:
            self._told(reader, "kb", "join", _SHARED)

    def _killed(self) -> None:
        """Kill the server in the middle of each of the writer's passes, while the others ask."""
        dice, over = random.Random(self.seed), threading.Event()
        asking = [threading.Thread(target=self._ask, args=(each, over)) for each in self.readers]
        for thread in asking:
            thread.start()
        took = 5.0
        for number in range(self.kills):
            self._change(number)
            writing = threading.Thread(target=self.writer.must, args=("index", self._folder))
            began = time.monotonic()
            writing.start()
            self._kill_within(took, dice)
            writing.join()
            took = time.monotonic() - began
        over.set()
        for thread in asking:
            thread.join()

    def _kill_within(self, seconds: float, dice: random.Random) -> None:
        time.sleep(dice.uniform(0.0, seconds))
        self.server.kill()
        time.sleep(dice.uniform(0.0, 2.0))
        self.server.start()

    def _ask(self, reader: Program, over: threading.Event) -> None:
        """Look for what is new, and search: the answer comes whatever the server does."""
        query = self.documents.queries()[0]
        while not over.is_set():
            reader.type("kb", "sync", _SHARED)
            found = reader.must("search", query, "--kb", _SHARED, "--json")
            if not any("text" in line for line in found.lines):
                self.score.wrong.append("nothing was found while the server was killed")

    def _change(self, number: int) -> None:
        """Write, change and delete files."""
        for part in range(_LONG_FILES):
            sections = _SECTIONS_PER_KILL * self.kills // _LONG_FILES
            self.documents.add_sections(sections, f"list{number}-{part}")
        self.documents.add(6)
        self.documents.change(6)
        self.documents.delete(3)

    def _cut_off(self) -> None:
        """Pull the writer's cable out in the middle of its work, then a reader's."""
        self.documents.add(_FILES_PER_KILL)
        self.documents.delete(5)
        for program, name, words in (
            (self.writer, "writer", ("index", self._folder)),
            (self.readers[0], "first", ("kb", "sync", _SHARED)),
        ):
            process = program.start(*words)
            time.sleep(2.5)
            self.network[name].plug(is_in=False)
            query = self.documents.queries()[0]
            self.readers[0].must("search", query, "--kb", _SHARED)
            time.sleep(min(_CUT_SECONDS, 6.0 * self.kills))
            self.network[name].plug(is_in=True)
            process.communicate(timeout=_CUT_SECONDS * 5)
            self.score.expect(process.returncode in (0, 1), f"{words} ended {process.returncode}")

    def _slow(self) -> None:
        """Join over a slow road."""
        far = self._member("second", _SLOW_PORT, "far")
        self._told(far, "kb", "join", _SHARED)
        self.checks.compare(far, self.documents, _SHARED)

    def _full(self) -> None:
        """Let the server's disk run full: the writer is told, and goes on when there is room."""
        self.server.resize(leaving=_LITTLE)
        self.documents.add(_FILES_PER_KILL)
        done = self.writer.must("index", self._folder)
        self.score.expect("server" in done.err + done.out, f"nobody was told: {done.err[-200:]}")
        self.readers[0].must("search", self.documents.queries()[0], "--kb", _SHARED)
        self.server.resize(leaving=None)
        self.server.kill()
        self.server.start()

    def _lost(self) -> None:
        """Take the server its data: the members keep theirs, and the writer puts it there again."""
        self.server.kill()
        shutil.rmtree(self.server.disk / "data")
        self.server.start()
        said = self.readers[0].type("kb", "sync", _SHARED)
        self.score.expect(said.status == 1, f"a base that is gone gave {said.status}")
        self.checks.compare(self.readers[0], self.documents, _SHARED)
        self._told(self.writer, "kb", "share", "default")

    def _read_only(self) -> None:
        """Look whether a reader ever asked to write; let one try: it is told that it may not."""
        refused = self.root / "refused"
        asked = refused.read_text(encoding="utf-8") if refused.exists() else ""
        self.score.expect(not asked, f"a reader wrote: {asked[:200]}")
        stranger = self._member("second", _READING_PORT, "stranger")
        stranger.must("index", self.documents.any_file())
        said = stranger.type("kb", "share", "default", "--as", "of a stranger", "--agree")
        told = "does not let you" in said.err + said.out
        self.score.expect(said.status == 1 and told, f"who may not write: {said.err[-200:]}")

    def _divided(self) -> None:
        """Let two members read a folder as workers: the server is killed, and then one of them."""
        folder = Documents(self.root / "divided", self.kills * _FILES_PER_KILL, self.seed + 1)
        workers, dice = (self.writer, self.readers[0]), random.Random(self.seed)
        workers[0].must("kb", "create", _DIVIDED)
        workers[0].must("kb", "share", _DIVIDED, "--agree")
        workers[1].must("kb", "join", _DIVIDED)
        workers[1].must("kb", "share", _DIVIDED, "--agree")
        words = ("index", folder.folder, "--worker", "--kb", _DIVIDED)
        running = [each.start(*words) for each in workers]
        for _ in range(self.kills):
            self._kill_within(3.0, dice)
        workers[0].kill(running[0])
        told = running[1].communicate(timeout=_PATIENCE)[1].decode()
        # The server may have been away for longer than a worker waits: then it says so, and ends.
        is_told = "server" in told and running[1].returncode == 1
        self.score.expect(
            is_told or running[1].returncode == 0, f"a worker ended so: {told[-300:]}"
        )
        for each in workers:
            each.must(*words)
        for each in workers:
            self.checks.compare(each, folder, _DIVIDED)

    def _look(self) -> None:
        """Bring all in step, and compare each with a fresh index of the writer's files."""
        self.writer.must("index", self._folder)
        for reader in self.readers:
            self._told(reader, "kb", "sync", _SHARED)
            self.checks.compare(reader, self.documents, _SHARED)
        self.checks.compare(self.writer, self.documents)

    def _told(self, program: Program, *words: str) -> None:
        """Let a command that has to succeed run; tell what it said and how long it took."""
        began = time.monotonic()
        said = " ".join(program.must(*words).out.split())[:160]
        if self.score.aloud:
            took = time.monotonic() - began
            sys.stderr.write(f"  {program.home.name}: {' '.join(words)}: {said} ({took:.1f} s)\n")

    @property
    def _folder(self) -> Path:
        return self.documents.folder

    def _member(self, computer: str, port: int = _PORT, home: str = "") -> Program:
        """Return a member's program, with settings that name the server, or a road to it."""
        inside = self.network[computer].inside
        where = self.root / (home or computer)
        program = Program(where, self.score, inside=inside, patience=_PATIENCE)
        program.home.mkdir()
        kept = {"version": VERSION, "privacy": {"chroma_url": self.server.url(port)}}
        (program.home / "settings.json").write_text(json.dumps(kept), encoding="utf-8")
        return program
