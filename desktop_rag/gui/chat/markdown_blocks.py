"""An answer's Markdown cut into prose, code and tables, and where it no longer changes.

Pure functions: what a growing answer has said so far need not be laid out again for each word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.core.markdown_tables import citations_into_cell

_FENCE = re.compile(r"^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*?)[ \t]*$")
_RULE = re.compile(r"^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_GOES_ON = re.compile(r"^(?:[ \t>]|[-*+](?:[ \t]|$)|\d{1,9}(?:[.)]|$))")
_BREAK = re.compile(r"(?<!\\)\|")
_SURE = 4  # characters that tell what a line begins: "12." may still become a list


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """A stretch of an answer: `prose`, `code` or `table`. Of code, `text` is what the fence holds.

    `indent` is how far the fence stood to the right: code that belongs to a list.
    """

    kind: str
    text: str
    language: str = ""
    indent: int = 0


def split_blocks(text: str) -> tuple[MarkdownBlock, ...]:
    """Cut Markdown at its fences and tables; a fence that is not closed yet reaches to the end."""
    return tuple(_cut(rows_closed(text).split("\n")))


def blocks_of_kind(text: str, kind: str) -> tuple[MarkdownBlock, ...]:
    """Return the pieces of one kind, `code` or `table`, in order."""
    return tuple(piece for piece in split_blocks(text) if piece.kind == kind)


def cells(table: str) -> tuple[tuple[str, ...], ...]:
    """Return a table's rows of cells as plain words, the ruled line left out."""
    rows = [line.strip() for line in table.strip().split("\n")]
    return tuple(_row(row) for at, row in enumerate(rows) if at != 1)


def rows_closed(text: str) -> str:
    """Return Markdown whose rows of tables have their citations in a cell, not behind the last."""
    lines, fence = text.split("\n"), ""
    for at, line in enumerate(lines):
        fence = fence_after(line, fence)
        if not fence:
            lines[at] = citations_into_cell(line)
    return "\n".join(lines)


def stable_cuts(text: str) -> list[int]:
    """Return where a growing answer may be cut: what is before each place stays, whatever follows.

    That is at a blank line behind which something new begins; never within code, a table or a
    list, of which more may come.
    """
    found: list[int] = []
    at, fence, blank = 0, "", False
    for line in text.split("\n"):
        begins = blank and not fence and len(line) >= _SURE and not _GOES_ON.match(line)
        if begins:
            found.append(at)
        fence = fence_after(line, fence)
        blank = not line.strip()
        at += len(line) + 1
    return found


def opens(head: str, rule: str) -> bool:
    """Whether two lines begin a table."""
    if "|" not in head or head.startswith("    ") or not _RULE.match(rule):
        return False
    return len(_row(head)) == len(_row(rule))


def fence_after(line: str, fence: str) -> str:
    """Return the fence that is open behind a line, "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[2]
    closes = found[2][0] == fence[0] and len(found[2]) >= len(fence) and not found[3]
    return "" if closes else fence


def _cut(lines: list[str]) -> Iterator[MarkdownBlock]:
    prose: list[str] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        end = _code_end(lines, at, fence) if fence else _table_end(lines, at)
        if end == at:
            prose.append(lines[at])
            at += 1
            continue
        yield from _prose(prose)
        prose = []
        yield (
            _code(lines[at + 1 : end], fence)
            if fence
            else MarkdownBlock("table", _joined(lines, at, end))
        )
        at = end + 1 if fence else end
    yield from _prose(prose)


def _prose(lines: list[str]) -> Iterator[MarkdownBlock]:
    text = "\n".join(lines).strip("\n")
    if text.strip():
        yield MarkdownBlock("prose", text)


def _code_end(lines: list[str], at: int, fence: re.Match[str]) -> int:
    """Return the line that closes a fence, or the end of all."""
    for number in range(at + 1, len(lines)):
        if not fence_after(lines[number], fence[2]):
            return number
    return len(lines)


def _code(lines: list[str], fence: re.Match[str]) -> MarkdownBlock:
    indent = len(fence[1].expandtabs(4))
    bare = [line[min(indent, len(line) - len(line.lstrip())) :] for line in lines]
    return MarkdownBlock("code", "\n".join(bare), fence[3].split(" ")[0], indent)


def _table_end(lines: list[str], at: int) -> int:
    """Return the line behind a table that begins here; `at` itself where none does."""
    if at + 1 >= len(lines) or not opens(lines[at], lines[at + 1]):
        return at
    end = at + 2
    while end < len(lines) and "|" in lines[end] and not _FENCE.match(lines[end]):
        end += 1
    return end


def _row(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(_words(cell) for cell in _BREAK.split(inner))


def _words(cell: str) -> str:
    return re.sub(r"\*\*|__|`", "", cell).replace("\\|", "|").strip()


def _joined(lines: list[str], start: int, end: int) -> str:
    return "\n".join(lines[start:end])
