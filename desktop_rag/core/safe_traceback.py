"""What can be told of an error to anybody: types and places in the code, no text of the user's.

An error's message may hold a line of a document, a question or the name of a file. What is logged
or copied into a report has none: where an error came from, its type, and its number if it has one.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Iterator

_MOST_FRAMES = 40


def format_error(error: BaseException) -> str:
    """Return an error and what it came from, oldest first, a place in the code a line."""
    return "\n".join(line for each in _chain(error) for line in _lines(each))


def error_name(error: BaseException) -> str:
    """Return an error's type, with the number that the system or the database gave it."""
    kind = type(error).__name__
    number = getattr(error, "errno", None)
    if isinstance(number, int):
        return f"{kind} ({errno.errorcode.get(number, number)})"
    code = getattr(error, "sqlite_errorname", None)
    return f"{kind} ({code})" if isinstance(code, str) else kind


def error_location(error: BaseException) -> str:
    """Return the module, function and line where an error was raised; empty where unknown."""
    frames = list(_frames(error))
    return frames[-1] if frames else ""


def _chain(error: BaseException) -> list[BaseException]:
    found = [error]
    while True:
        last = found[-1]
        before = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if before is None or before in found:
            return found[::-1]
        found.append(before)


def _lines(error: BaseException) -> Iterator[str]:
    yield from (f"  {frame}" for frame in list(_frames(error))[-_MOST_FRAMES:])
    yield error_name(error)


def _frames(error: BaseException) -> Iterator[str]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        module = frame.f_globals.get("__name__", "?")
        yield f"{module}:{line} {frame.f_code.co_qualname}"
