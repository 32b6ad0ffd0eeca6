"""A folder read by one worker and by two, each on one core and in a network of its own.

The Chroma server is on the same machine, in a third network, and there are two places for it. On
the first worker's core: then it is one computer of one core beside two such. Or on whatever core is
free: then one worker has a core and the server the other, while two workers share theirs with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.result_table import Measurement
from desktop_rag.core.settings import VERSION
from tests.drills.networks import Computer, computers

ROOT = Path(__file__).resolve().parent.parent
_PORT = 8000
_TEAM = "team"
_START_SECONDS = 60.0


def measure(documents: Path, folder: Path) -> list[Measurement]:
    """Let one worker, then two read `documents` onto a fresh server each; return the rows."""
    chroma = Path(sys.executable).parent / "chroma"
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if not chroma.exists() or len(cores) < 2:
        print("workers: this needs Linux, two cores, and Chroma's own server program.")
        return []
    rows = []
    try:
        with computers("server", "first", "second") as network:
            for place, served in (("first", cores[:1]), ("any", cores)):
                bench = _Bench(documents, folder / place, chroma, network, (cores, served))
                one, two = bench.run(("first",)), bench.run(("first", "second"))
                rows += _rows(f"server on {place} core", one, two)
    except PermissionError as error:
        print(f"workers: networks can't be made here: {error}.")
    return rows


def _rows(where: str, one: _Outcome, two: _Outcome) -> list[Measurement]:
    if one.whole != two.whole or not one.whole:
        raise RuntimeError(f"one worker read {one.whole} files, two {two.whole}")
    gate, ratio = "≥ 1.8 × as fast", one.seconds / two.seconds
    shares = " + ".join(str(each) for each in two.files)
    return [
        Measurement(f"{where}: two workers' speed", ratio, "× one's", gate=gate),
        Measurement(f"{where}: one worker, from start until all is whole", one.seconds, "s"),
        Measurement(f"{where}: two workers, the same", two.seconds, "s"),
        Measurement(f"{where}: files whole on the server ({shares} read)", one.whole, "files"),
        Measurement(f"{where}: one worker's processor time", one.worked, "s"),
        Measurement(f"{where}: two workers' processor time", two.worked, "s"),
        Measurement(f"{where}: the server's, beside one", one.served, "s"),
        Measurement(f"{where}: the server's, beside two", two.served, "s"),
        Measurement(f"{where}: load before", max(one.load, two.load), "processes"),
    ]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a run took in seconds, what came of it, and what else the machine did before."""

    seconds: float
    files: tuple[int, ...]
    whole: int
    worked: float
    served: float
    load: float


@dataclass(frozen=True, slots=True)
class _Bench:
    documents: Path
    folder: Path
    chroma: Path
    network: dict[str, Computer]
    cores: tuple[Sequence[int], Sequence[int]]
    """The workers', one each, and the server's."""

    @property
    def _url(self) -> str:
        return f"http://{self.network['server'].address}:{_PORT}"

    def run(self, names: Sequence[str]) -> _Outcome:
        """Let these workers read the documents onto an empty server."""
        at = self.folder / "+".join(names)
        with self._server(at) as server:
            for number, name in enumerate(names):
                self._member(at / name, name, is_first=number == 0)
            load, before = os.getloadavg()[0], _processor_time(server)
            began, worked = time.monotonic(), _children_time()
            running = [
                self._start(at / name, name, core)
                for name, core in zip(names, self.cores[0], strict=False)
            ]
            watches = [_Watch(each) for each in running]
            for watch in watches:
                watch.join()
            seconds = max(watch.last for watch in watches) - began
            served = _processor_time(server) - before
            worked = _children_time() - worked
            counts = tuple(watch.files for watch in watches)
            return _Outcome(seconds, counts, self._whole(), worked, served, load)

    @contextmanager
    def _server(self, at: Path) -> Iterator[subprocess.Popen[bytes]]:
        at.mkdir(parents=True)
        inside = self.network["server"].inside
        where = ["--path", str(at / "server"), "--host", "0.0.0.0", "--port", str(_PORT)]
        pinned = ["taskset", "-c", ",".join(map(str, self.cores[1]))]
        process = subprocess.Popen(
            [*inside, *pinned, str(self.chroma), "run", *where],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            look = f"import socket; socket.create_connection(('127.0.0.1', {_PORT}), 1)"
            until = time.monotonic() + _START_SECONDS
            asking = [*inside, sys.executable, "-c", look]
            while subprocess.run(asking, capture_output=True, check=False).returncode:
                if time.monotonic() > until:
                    raise TimeoutError
                time.sleep(0.1)
            yield process
        finally:
            process.kill()
            process.wait()

    def _member(self, home: Path, name: str, *, is_first: bool) -> None:
        """Make a data folder that shares the team's knowledge base."""
        home.mkdir()
        kept = {"version": VERSION, "privacy": {"chroma_url": self._url}}
        (home / "settings.json").write_text(json.dumps(kept), encoding="utf-8")
        self._do(home, name, "kb", "create" if is_first else "join", _TEAM)
        self._do(home, name, "kb", "share", _TEAM, "--agree")

    def _do(self, home: Path, name: str, *words: str) -> None:
        inside = self.network[name].inside
        command = [*inside, sys.executable, "-m", "desktop_rag", "--data-dir", str(home), *words]
        subprocess.run(command, check=True, cwd=ROOT, capture_output=True)

    def _start(self, home: Path, name: str, core: int) -> subprocess.Popen[str]:
        words = ["index", str(self.documents), "--worker", "--kb", _TEAM, "--json"]
        program = [sys.executable, "-m", "desktop_rag", "--data-dir", str(home), *words]
        return subprocess.Popen(
            [*self.network[name].inside, "taskset", "-c", str(core), *program],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def _whole(self) -> int:
        """Return how many files are whole on the server, asked from within its network."""
        look = "from benchmarks.workers import print_whole; import sys; print_whole(*sys.argv[1:])"
        command = [*self.network["first"].inside, sys.executable, "-c", look, self._url]
        done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
        return int(done.stdout)


class _Watch(threading.Thread):
    """Reads a worker's lines: how many files it read, and when the last was on the server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        super().__init__(daemon=True)
        self._process = process
        self.files = 0
        self.last = 0.0
        self.start()

    def run(self) -> None:
        for line in self._process.stdout or ():
            told: dict[str, Any] = json.loads(line)
            if told["event"] == "file":
                self.files += 1
                self.last = time.monotonic()
        if self._process.wait():
            raise RuntimeError(f"a worker ended with {self._process.returncode}")


def print_whole(url: str) -> None:
    """Print how many files on a server are whole."""
    from desktop_rag.index.chroma_server import ChromaServer, ServerAddress
    from desktop_rag.sharing.shared_store import SharedStore

    with closing(ChromaServer(ServerAddress(url))) as server:
        records = SharedStore.opened(server, _TEAM).records()
    whole = {key for key, row in records.documents.items() if row.whole}
    print(sum(not each.removed and each.document in whole for each in records.files))


def _processor_time(process: subprocess.Popen[bytes]) -> float:
    """Return the seconds that a process and those below it have worked."""
    own = psutil.Process(process.pid)
    times = [each.cpu_times() for each in (own, *own.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def _children_time() -> float:
    """Return the seconds that ended children have worked."""
    times = os.times()
    return times.children_user + times.children_system
