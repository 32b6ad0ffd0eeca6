"""What lies around a reader that is attacked from within, and whether anything of it has changed.

    python -m tests.parsing.sandbox.surroundings FOLDER

tries every probe of `syscall_probes` in a real reader, with Landlock and without, and prints what
did not hold: so it can be asked as another user.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psutil

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.parsing.sandbox import child_process as child_module
from desktop_rag.parsing.sandbox.child_process import ChildProcess
from desktop_rag.parsing.sandbox.confinement import ProcessLimits
from tests.parsing.sandbox import syscall_probes

REPOSITORY = Path(__file__).resolve().parents[3]
MODES = ("with", "without")  # Landlock

# Of these the reader does not come back to tell.
ENDING = {"crowd", "silence", "other_tables"}
_PATIENCE = 15.0
_GET_FLAGS = 0x80086601
_NOTE = "user.kept"


class Scene:
    """A file of the user's, a lock, a process, two shared segments, and this process's memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / f"scene-{secrets.token_hex(4)}"
        self.folder.mkdir()
        self.file, self.lock = self.folder / "key", self.folder / "owner.lock"
        self.file.write_text("a private key")
        self.file.chmod(0o600)
        self.lock.touch()
        try:
            os.setxattr(self.file, _NOTE, b"x")
        except OSError:
            pass  # this file system has none
        self.shared = Path("/dev/shm", f"desktop-rag-{secrets.token_hex(4)}")
        self.shared.write_text("shared")
        self.own = ctypes.create_string_buffer(b"untouched")
        self._libc = ctypes.CDLL(None)
        self._libc.shmat.restype = ctypes.c_void_p
        self.segment = int(self._libc.shmget(0, 4096, 0o1600))
        self._attached = self._libc.shmat(self.segment, None, 0)
        self.victim = subprocess.Popen(["sleep", "600"])
        self._before = self._state()

    def told(self, probe: str) -> bytes:
        """Return the request for a probe."""
        return json.dumps({
            "probe": probe, "folder": str(self.folder), "victim": self.victim.pid,
            "address": ctypes.addressof(self.own), "segment": self.segment,
            "shared": self.shared.name,
        }).encode()  # fmt: skip

    def changed(self) -> list[str]:
        """Return what is no longer as it was."""
        now = self._state()
        return [name for name, was in self._before.items() if now[name] != was]

    def close(self) -> None:
        self.victim.kill()
        self.victim.wait()
        self.shared.unlink(missing_ok=True)
        self._libc.shmdt(ctypes.c_void_p(self._attached))
        self._libc.shmctl(self.segment, 0, None)

    def _state(self) -> dict[str, object]:
        state: dict[str, object] = {
            "folder": sorted(each.name for each in self.folder.iterdir()),
            "memory": self.own.value, "lock": _is_free(self.lock),
            "segment": ctypes.string_at(self._attached, 8), "sibling": self.victim.poll(),
            "shared": self.shared.exists() and self.shared.read_text(),
        }  # fmt: skip
        if self.file.exists():
            found = self.file.stat()
            state |= {
                "content": self.file.read_text(), "mode": found.st_mode, "time": found.st_mtime_ns,
                "attributes": sorted(os.listxattr(self.file)), "flags": _flags(self.file),
            }  # fmt: skip
        for name, pid in {"sibling": self.victim.pid, "parent": os.getpid()}.items():
            if self.victim.poll() is None:
                looked = psutil.Process(pid)
                state[f"priority of {name}"] = looked.nice()
                state[f"processors of {name}"] = looked.cpu_affinity()
                state[f"limit of {name}"] = resource.prlimit(pid, 12)
        return state


def _is_free(lock: Path) -> bool:
    with lock.open() as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def _flags(file: Path) -> int:
    room = ctypes.c_int()
    with file.open() as opened:
        try:
            fcntl.ioctl(opened, _GET_FLAGS, room)
        except OSError:
            return 0
    return room.value


@contextmanager
def reader(*, may_landlock: bool) -> Iterator[ChildProcess]:
    """Yield a real reader's process; a kernel without Landlock can be asked for."""
    module, limits = vars(child_module), partial(ProcessLimits, may_landlock=may_landlock)
    module["ProcessLimits"] = limits
    child = ChildProcess(syscall_probes.answer, _PATIENCE, 600)
    try:
        yield child
    finally:
        child.stop()
        module["ProcessLimits"] = ProcessLimits


def tried(scene: Scene, child: ChildProcess, probe: str) -> str:
    """Return what a probe got through and what it changed; nothing if all held."""
    child.get_ready(CancelToken())
    session = child._process.pid if child._process else None
    told: list[str] = []

    def ask() -> None:
        try:
            told.append(child.ask(scene.told(probe), CancelToken()).decode())
        except FileProblem as problem:
            told.append("" if probe in ENDING else f"the reader: {problem.what}")

    asking = threading.Thread(target=ask, daemon=True)
    began = time.monotonic()
    asking.start()
    asking.join(_PATIENCE)
    if not told:
        return "the parent waits for ever"
    found = [told[0], *scene.changed()]
    if probe == "crowd" and time.monotonic() - began > _PATIENCE / 2:
        found.append("thousands of threads were let be")
    child.stop()
    found += [f"process {each} is left" for each in psutil.pids() if _session(each) == session]
    return ", ".join(filter(None, found))


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def finding(folder: Path, probe: str, *, may_landlock: bool) -> str:
    """Try a probe on a scene of its own; return what it got through."""
    scene = Scene(folder)
    try:
        with reader(may_landlock=may_landlock) as child:
            return tried(scene, child, probe)
    finally:
        scene.close()


def findings(folder: Path, *, may_landlock: bool) -> dict[str, str]:
    """Try every probe; return what each got through."""
    return {
        each: finding(folder, each, may_landlock=may_landlock) for each in syscall_probes.PROBES
    }


def as_another_user(folder: Path) -> dict[str, dict[str, str]] | None:
    """Return what `nobody` finds, with Landlock and without; None where root can't become it.

    The program may lie where only root may look, so to look is the one right that is kept.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None or os.geteuid() != 0:
        return None
    kept = "-all,+dac_read_search"
    who = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    rights = [f"--inh-caps={kept}", f"--ambient-caps={kept}"]
    with tempfile.TemporaryDirectory(dir=folder) as own:
        os.chown(own, 65534, 65534)
        program = [sys.executable, "-m", __name__, own]
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TMPDIR": "/tmp"}
        done = subprocess.run(
            [setpriv, *who, *rights, *program], check=True, capture_output=True,
            env=environment, cwd="/", timeout=240,
        )  # fmt: skip
    return dict(json.loads(done.stdout))


if __name__ == "__main__":
    both = {each: findings(Path(sys.argv[1]), may_landlock=each == "with") for each in MODES}
    json.dump(both, sys.stdout)
