"""Carry out a call, whoever owns the data folder: this process, or another one.

When the owner goes, its clients go on: the first to take the lock is the next owner and does its
own work, the others send theirs to it. The lines of a call that was begun by one owner and goes on
with another are joined into one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

from desktop_rag.core.errors import Cancelled, UsageError, UserError
from desktop_rag.core.requests import is_repeatable
from desktop_rag.ipc import client, ownership
from desktop_rag.ipc.owner import Owner
from desktop_rag.ipc.running_call import STOPPED, WRONG_USAGE
from desktop_rag.ipc.wire import Call, Frame, Line

BecomeOwner = Callable[[ownership.FolderLock], Owner]

_PATIENCE = 10.0
_DEATHS = 3


class LineMerger:
    """Joins the turns of one call: a file that is ready stays ready, and `done` counts it once.

    Only indexing has turns that join; the lines of other calls simply come again.
    """

    def __init__(self) -> None:
        self._turn = 0
        self._earlier: dict[str, Line] = {}
        self._now: dict[str, Line] = {}

    def again(self) -> None:
        """Begin the next turn."""
        self._turn += 1
        self._earlier |= self._now
        self._now = {}

    def take(self, line: Line) -> Line | None:
        """Return the line as the user should see it, None for one that was seen before."""
        if line.get("event") == "file":
            return self._file(line)
        if line.get("event") == "done" and self._earlier:
            return self._done(line)
        return line

    def _file(self, line: Line) -> Line | None:
        path = str(line.get("path"))
        if path in self._earlier and line.get("status") == "unchanged":
            return None
        self._now[path] = line
        return line

    def _done(self, line: Line) -> Line:
        counts: dict[str, int] = dict(line["files"])
        for earlier in self._earlier.values():
            counts["unchanged"] = counts.get("unchanged", 0) - 1
            _add(counts, str(earlier["status"]))
        joined: dict[str, Any] = dict(line)
        joined["files"] = {status: n for status, n in counts.items() if n > 0}
        return joined


def _add(counts: dict[str, int], status: str) -> None:
    counts[status] = counts.get(status, 0) + 1


class StuckError(Exception):
    """Stopped work did not end in time: the process should end without it."""


class BugError(Exception):
    """A call failed through a fault of ours, wherever it ran; the owner's log has the rest."""


def execute_call(
    lock: ownership.FolderLock, call: Call, own: BecomeOwner
) -> Generator[Line, None, None]:
    """Yield a call's lines; raise `UserError`, `Cancelled` or `BugError` as its end says.

    `own` makes this process the owner once it holds the lock. A line whose event is `owner` is
    about the processes, not of the call.
    """
    lines = LineMerger()
    not_before, deaths = 0.0, 0
    while True:
        try:
            end = yield from _relayed(_frames(lock, call, own, not_before), lines)
        except client.OwnerGone as error:
            deaths += 1
            if not is_repeatable(call.request):
                raise UserError(
                    "The Desktop RAG that was doing this ended before it said that it is done.",
                    "Look whether it is, and run this again if not.",
                ) from error
            if deaths > _DEATHS:
                raise ownership.owner_silent(lock.data_dir) from error
            yield {"event": "owner", "text": "The other Desktop RAG ended; going on without it."}
            lines.again()
            continue
        if "moved" not in end:
            _raise(end)
            return
        not_before = time.monotonic() + float(end["moved"])
        lines.again()
        time.sleep(0.1)


def _frames(
    lock: ownership.FolderLock, call: Call, own: BecomeOwner, not_before: float
) -> Generator[Frame, None, None]:
    """Return the frames of a call, from this process or from the owner, whichever it turns out."""
    give_up = max(time.monotonic(), not_before) + _PATIENCE
    while True:
        if time.monotonic() >= not_before and lock.acquire():
            return _as_owner(lock, call, own)
        try:
            return client.call_frames(client.connect(lock.data_dir), call)
        except client.OwnerGone as error:
            if time.monotonic() > give_up:
                raise ownership.owner_silent(lock.data_dir) from error
            time.sleep(0.05)


def _as_owner(
    lock: ownership.FolderLock, call: Call, own: BecomeOwner
) -> Generator[Frame, None, None]:
    """Yield the frames of a call that runs here; others are served until it ends."""
    try:
        owner = own(lock)
    except BaseException:
        lock.release()
        raise
    try:
        yield from owner.run_here(call)
        owner.close()
    except BaseException:  # Ctrl-C, or the reader of our lines went away
        if not owner.abandon():
            raise StuckError from None
        raise


def _relayed(
    frames: Generator[Frame, None, None], lines: LineMerger
) -> Generator[Line, None, Frame]:
    """Yield the lines among frames and return the end, which comes last."""
    end: Frame = {"end": STOPPED}
    try:
        for frame in frames:
            if "line" not in frame:
                end = frame
            elif (line := lines.take(frame["line"])) is not None:
                yield line
    finally:
        frames.close()
    return end


def _raise(end: Frame) -> None:
    """Raise what the end of a call says, if it is not a good one."""
    if end.get("bug"):
        raise BugError
    if end["end"] == STOPPED:
        raise Cancelled
    if end["end"] == WRONG_USAGE:
        raise UsageError(str(end.get("what", "")), str(end.get("remedy", "")))
    if end["end"]:
        raise UserError(str(end.get("what", "")), str(end.get("remedy", "")))
