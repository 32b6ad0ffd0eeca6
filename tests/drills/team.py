"""A team's Chroma server that is killed, cut off, slow and full: nobody loses or doubles anything.

One member writes, two ask, each on a computer of its own (a network namespace).
"""

from __future__ import annotations

import json
import multiprocessing
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
from tests.drills.networks import Computer, computers, slow_road
from tests.drills.program import Program
from tests.drills.report import Score

_PORT, _SLOW_PORT = 8000, 8001
_SHARED = "of the team"
_FILES_PER_KILL = 40
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
            with server.on_its_disk():
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

    @property
    def url(self) -> str:
        return f"http://{self.computer.address}:{_PORT}"

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
        self.writer = self._member("writer", self.server.url)
        self.readers = [self._member(name, self.server.url) for name in ("first", "second")]

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

    def _begin(self) -> None:
        self.writer.must("index", self.documents.folder)
        self._told("share", self.writer.must("kb", "share", "default", "--as", _SHARED, "--agree"))
        for reader in self.readers:
            self.writer.score.expect(
                reader.type("kb", "join", _SHARED).status == 0, "a reader could not join"
            )

    def _killed(self) -> None:
        """Kill the server again and again, while one writes and the others ask."""
        dice, over = random.Random(self.seed), threading.Event()
        asking = [threading.Thread(target=self._ask, args=(each, over)) for each in self.readers]
        writing = threading.Thread(target=self._write, args=(over,))
        for thread in (*asking, writing):
            thread.start()
        for _ in range(self.kills):
            time.sleep(dice.uniform(0.5, 5.0))
            self.server.kill()
            time.sleep(dice.uniform(0.0, 2.0))
            self.server.start()
        over.set()
        for thread in (*asking, writing):
            thread.join()

    def _ask(self, reader: Program, over: threading.Event) -> None:
        """Look for what is new, and search: the answer comes whatever the server does."""
        query = self.documents.queries()[0]
        while not over.is_set():
            reader.type("kb", "sync", _SHARED)
            found = reader.must("search", query, "--kb", _SHARED, "--json")
            if not any("text" in line for line in found.lines):
                self.score.wrong.append("nothing was found while the server was killed")

    def _write(self, over: threading.Event) -> None:
        while not over.is_set():
            self.documents.add(6)
            self.documents.change(6)
            self.documents.delete(3)
            self.writer.must("index", self.documents.folder)

    def _cut_off(self) -> None:
        """Pull the writer's cable out in the middle of its work, then a reader's."""
        self.documents.add(_FILES_PER_KILL)
        self.documents.delete(5)
        for program, name, words in (
            (self.writer, "writer", ("index", self.documents.folder)),
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
        target = (self.server.computer.address, _PORT)
        road = multiprocessing.get_context("spawn").Process(
            target=_road_in, args=(self.server.computer.name, target), daemon=True
        )
        road.start()
        time.sleep(2.0)
        far = self._member("second", f"http://{self.server.computer.address}:{_SLOW_PORT}", "far")
        began = time.monotonic()
        far.must("kb", "join", _SHARED)
        self._tell(f"joined over a slow road in {time.monotonic() - began:.1f} s")
        self.checks.compare(far, self.documents, _SHARED)
        road.kill()
        road.join()

    def _full(self) -> None:
        """Let the server's disk run full: the writer is told, and goes on when there is room."""
        self.server.resize(leaving=_LITTLE)
        self.documents.add(_FILES_PER_KILL)
        done = self.writer.must("index", self.documents.folder)
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
        self.writer.must("kb", "share", "default")

    def _look(self) -> None:
        """Bring all in step, and compare each with a fresh index of the writer's files."""
        self.writer.must("index", self.documents.folder)
        for reader in self.readers:
            self._told("sync", reader.must("kb", "sync", _SHARED))
            self.checks.compare(reader, self.documents, _SHARED)
        self.checks.compare(self.writer, self.documents)

    def _told(self, what: str, typed: object) -> None:
        out = getattr(typed, "out", "")
        self._tell(f"{what}: {' '.join(out.split())[:160]}")

    def _tell(self, text: str) -> None:
        if self.score.aloud:
            sys.stderr.write(f"  {text}\n")

    def _member(self, computer: str, url: str, home: str = "") -> Program:
        """Return a member's program, with settings that name the server."""
        program = Program(
            self.root / (home or computer), self.score, inside=self.network[computer].inside
        )
        program.home.mkdir()
        kept = {"version": VERSION, "privacy": {"chroma_url": url}}
        (program.home / "settings.json").write_text(json.dumps(kept), encoding="utf-8")
        return program


def _road_in(namespace: str, target: tuple[str, int]) -> None:
    """Run the slow road on another computer."""
    import os

    with Path(f"/run/netns/{namespace}").open("rb") as network:
        os.setns(network.fileno()) if hasattr(os, "setns") else _setns(network.fileno())
    slow_road(_SLOW_PORT, target, _SLOW_SECONDS)


def _setns(descriptor: int) -> None:
    import ctypes

    if ctypes.CDLL(None).setns(descriptor, 0):
        raise PermissionError
