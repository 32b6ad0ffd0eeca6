"""The lines of a call that was begun by one owner and goes on with another, joined into one."""

from __future__ import annotations

from typing import Any

from desktop_rag.core.requests import (
    AskRequest,
    FilesRequest,
    KbRequest,
    RecoverRequest,
    RemoveRequest,
    Request,
    SetsRequest,
)
from desktop_rag.ipc.wire import Line

# Actions that may be done twice.
_ON_BASES = ("list", "rebuild")
_ON_QUESTION_SETS = ("list", "show", "propose")


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


def is_repeatable(request: Request) -> bool:
    """Say whether a call that may be done already can be sent again, and nothing is done twice."""
    if isinstance(request, KbRequest):
        return request.action in _ON_BASES
    if isinstance(request, SetsRequest):
        return request.action in _ON_QUESTION_SETS
    if isinstance(request, AskRequest):
        return request.chat_id is None and not request.new_chat
    return not isinstance(request, (RemoveRequest, FilesRequest, RecoverRequest))
