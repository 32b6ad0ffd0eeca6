"""Reads the lines of a member that anybody may have written, and decodes them in little room.

A line of JSON takes up to twenty times its bytes once it is decoded (`[[],[],…`), so a line may be
short only. A document's text, the one thing that may be long, is decoded piece by piece, and
refused as soon as it is longer than any text that is read.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any

from desktop_rag.catalog.exchange.validation import InvalidFieldError

_LONGEST_LINE = 1 << 22  # bytes; of a document, without its text
_PIECE = 1 << 16
_LONGEST_ESCAPE = 12  # of a character beyond the first plane: two halves
_TEXT = re.compile(r'"text"\s*:\s*"')
_WHOLE = re.compile(  # up to a quotation mark, or to an escape that goes on in the next piece
    r'[^"\\]*+(?:\\(?:'
    r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r'|u(?![dD][89abAB])[0-9a-fA-F]{4}|[^u])[^"\\]*+)*+'
)


class TextTooLongError(InvalidFieldError):
    """A document's text is longer than texts may be here."""


def short_line(file: IO[bytes]) -> Any:
    """Read a line and decode it."""
    line = file.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise InvalidFieldError("it ends too early or is too long")
    return json.loads(line)


def document_line(file: IO[bytes], longest: int) -> Any:
    """Read a line whose `text` may be long, of `longest` characters at most, and decode it."""
    pieces, head = _pieces(file), ""
    for piece in pieces:
        head += piece
        found = _TEXT.search(head)
        if found is not None:
            text, rest = _long_text(head[found.end() :], pieces, longest)
            row = json.loads(f'{head[: found.end()]}"{_rest(rest, pieces)}')
            return row | {"text": text} if isinstance(row, dict) else row
        _require_short(head)
    return json.loads(head)


def _pieces(file: IO[bytes]) -> Iterator[str]:
    """Yield a line in pieces, its end included."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while True:
        piece = file.readline(_PIECE)
        is_last = piece.endswith(b"\n")
        if not piece:
            raise InvalidFieldError("it ends too early")
        yield decoder.decode(piece, final=is_last)
        if is_last:
            return


def _long_text(begun: str, pieces: Iterator[str], longest: int) -> tuple[str, str]:
    """Decode a text of which the beginning is there; return it and what is read behind its end."""
    made, length, rest = [], 0, begun
    while True:
        whole = _WHOLE.match(rest)
        end = 0 if whole is None else whole.end()
        made.append(json.loads(f'"{rest[:end]}"'))
        length += len(made[-1])
        if length > longest:
            raise TextTooLongError(f"a text has more than {longest:,} characters")
        rest = rest[end:]
        if rest.startswith('"'):
            return "".join(made), rest[1:]
        if len(rest) > _LONGEST_ESCAPE:
            raise InvalidFieldError("a text is not written as it has to be")
        more = next(pieces, None)
        if more is None:
            raise InvalidFieldError("it ends too early")
        rest += more


def _rest(begun: str, pieces: Iterator[str]) -> str:
    for piece in pieces:
        begun += piece
        _require_short(begun)
    return begun


def _require_short(line: str) -> None:
    if len(line) > _LONGEST_LINE:
        raise InvalidFieldError("it is too long")
