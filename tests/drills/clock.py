"""A clock that is set back, far ahead, or changes to winter time: files are still followed."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.program import Program, until
from tests.drills.report import Score

_PLACES = ("lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib", "lib64", "local/lib")
_SETTINGS = {
    "two days back": ("-2d", ""),
    "back again": ("+0", ""),
    "ten years ahead": ("+10y", ""),
    "a year back": ("-1y", ""),
    "before winter time": ("@2026-10-25 02:59:30", "Europe/Berlin"),
    "after winter time": ("@2026-10-25 02:00:10", "Europe/Berlin"),
    "1970": ("@1970-01-02 00:00:00", ""),
}


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Change files and index under each clock, then step the clock under a watch."""
    library = _library()
    if library is None:
        score.skipped = "The library libfaketime is not installed."
        return
    with score.timed():
        documents = Documents(root / "documents", 16, seed)
        checks = Checks(root)
        program = Program(root / "home", score)
        program.let_chroma_hold()
        program.must("index", documents.folder)
        for name, (faked, zone) in list(_SETTINGS.items())[: max(1, kills)]:
            with score.round(name):
                documents.change(3)
                documents.add(1)
                documents.move(2)
                documents.delete(1)
                _touch(documents, faked)
                faking = _faking(library, faked) | ({"TZ": zone} if zone else {})
                checks.look(Program(root / "home", score, faking), documents)
        with score.round("steps back under a watch"):
            _under_a_watch(Program(root / "home", score), documents, root, library)
            checks.look(Program(root / "home", score), documents)


def _under_a_watch(program: Program, documents: Documents, root: Path, library: Path) -> None:
    """Set the clock back an hour while changes are followed."""
    clock = root / "clock"
    clock.write_text("+0\n", encoding="utf-8")
    environment = _faking(library, "") | {"FAKETIME_TIMESTAMP_FILE": str(clock)}
    del environment["FAKETIME"]
    program.environment = environment | {"FAKETIME_NO_CACHE": "1"}
    watching = program.start("index", "--watch", "--json", documents.folder)
    assert watching.stdout is not None
    for raw in watching.stdout:
        if b'"done"' in raw:
            break
    clock.write_text("-1h\n", encoding="utf-8")
    time.sleep(0.5)
    documents.change(2)
    documents.add(1)
    seen: list[bytes] = []
    os.set_blocking(watching.stdout.fileno(), False)

    def is_seen() -> bool:
        seen.append(watching.stdout.read() or b"" if watching.stdout else b"")
        return b"".join(seen).count(b'"ready"') >= 3

    if not until(is_seen, 60):
        program.score.hangs.append("a change was not seen after the clock was set back")
    watching.terminate()
    watching.communicate()


def _touch(documents: Documents, faked: str) -> None:
    """Give half of the files the time of that clock, as an editor under it does."""
    days = {"-2d": -2, "+10y": 3650, "-1y": -365}.get(faked, 0)
    if days:
        for path in documents.files[::2]:
            then = time.time() + days * 86400
            os.utime(path, (then, then))


def _faking(library: Path, faked: str) -> dict[str, str]:
    return {"LD_PRELOAD": str(library), "FAKETIME": faked, "DONT_FAKE_MONOTONIC": "1"}


def _library() -> Path | None:
    if not sys.platform.startswith("linux"):
        return None
    places = (Path("/usr") / place / "faketime" / "libfaketimeMT.so.1" for place in _PLACES)
    return next((place for place in places if place.is_file()), None)
