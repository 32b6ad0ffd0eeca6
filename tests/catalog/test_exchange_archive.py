"""Lines that anybody may have written: decoded piece by piece, and no longer than they may be."""

from __future__ import annotations

import io
import json

import pytest

from desktop_rag.catalog.exchange import archive
from desktop_rag.catalog.exchange.archive import TextTooLongError, document_line, short_line
from desktop_rag.catalog.exchange.file_format import InvalidFieldError

LONGEST = 40_000_000
ODD = 'a "quoted" \\ back\\\\slash \n\t \0 é 山 \U0001f34e\U0001f34e \u2028 end\\"'


class Endless(io.RawIOBase):
    """A line that begins and never ends; it counts what was taken of it."""

    def __init__(self, begin: bytes, piece: bytes) -> None:
        self._begin = begin
        self._piece = piece
        self.taken = 0

    def readline(self, size: int | None = -1) -> bytes:
        begin, self._begin = self._begin, b""
        made = begin or (self._piece * (size or 1))[:size]
        self.taken += len(made)
        return made


@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("piece", [*range(1, 16), 1 << 16])
def test_a_text_is_the_same_wherever_it_is_cut(
    monkeypatch: pytest.MonkeyPatch, piece: int, is_ascii: bool
) -> None:
    row = {"title": ODD, "text": ODD * 3, "notes": [ODD], "chunks": 1}
    line = json.dumps(row, ensure_ascii=is_ascii).encode() + b"\n"
    monkeypatch.setattr(archive, "_PIECE", piece)
    file = io.BytesIO(line * 2)
    assert [document_line(file, LONGEST), document_line(file, LONGEST)] == [row, row]
    assert file.read() == b""


@pytest.mark.parametrize(
    ("begin", "piece", "most"),
    [
        (b'{"text":"', b"a", LONGEST + (1 << 20)),
        (b'{"text":"', b'\\"', 2 * LONGEST + (1 << 20)),
        (b'{"text":"', b"\\u", 1 << 20),
        (b'{"text":"\\ud800', b"a", 1 << 20),
        (b'{"text":"","notes":[', b"[],", 5 << 20),
        (b'{"notes":[', b"[],", 5 << 20),
        (b'{"title":"', b"a", 5 << 20),
    ],
)
def test_a_line_without_end_is_given_up_where_no_line_is_so_long(
    begin: bytes, piece: bytes, most: int
) -> None:
    line = Endless(begin, piece)
    with pytest.raises(ValueError, match=r"."):
        document_line(line, LONGEST)  # type: ignore[arg-type]
    assert line.taken <= most


@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_text_may_be_as_long_as_is_said_and_no_longer(is_ascii: bool) -> None:
    line = json.dumps({"text": ODD}, ensure_ascii=is_ascii).encode() + b"\n"
    assert document_line(io.BytesIO(line), len(ODD)) == {"text": ODD}
    with pytest.raises(TextTooLongError, match=f"more than {len(ODD) - 1} characters"):
        document_line(io.BytesIO(line), len(ODD) - 1)


def test_every_other_line_is_short() -> None:
    line = Endless(b"[", b"[],")
    with pytest.raises(InvalidFieldError, match="too long"):
        short_line(line)  # type: ignore[arg-type]
    assert line.taken <= 5 << 20


@pytest.mark.parametrize(
    "line", [b'{"text":"a', b'{"text":"a"', b'{"text":"a\n', b"", b'{"text":"\xff"}\n', b"[1]"]
)
def test_a_line_that_is_cut_or_no_text_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        document_line(io.BytesIO(line), LONGEST)
