"""Read JSON: a list of records as rows (`key: value; key: value`), anything else by its lines.

Keys inside of keys are joined by dots. Numbers stay as they are written. What is not JSON, though
its name says so, is read as text, with a note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow
from desktop_rag.parsing.table_blocks import clean

_LINES = frozenset((".jsonl", ".ndjson"))
_ROWS_A_BLOCK = 200
_LINES_A_BLOCK = 60
_LONGEST_LINE = 400  # on average, above which a file was not written to be read
_LONGEST_NAME = 200  # of a place, which stands beside each of its rows
_DEEPEST = 20
_BROKEN = "The file is not valid JSON; it was read as plain text."
_ESCAPED = re.compile(r"(?:\\u[\da-fA-F]{4})+")


def parse(path: Path) -> ParsedDocument:
    """Return the records of a file, or its text."""
    text = read_text(path)
    if path.suffix.lower() in _LINES:
        return _json_lines(text)
    try:
        value = _loaded(text)
    except ValueError:
        several = _json_lines(text)
        if not several.notes and len(several.blocks) > 0 and "\n" in text.strip():
            return several
        return ParsedDocument("", tuple(_by_lines(text)), notes=(_BROKEN,))
    return ParsedDocument("", tuple(_blocks(value, text)))


def _loaded(text: str) -> Any:
    """Return a text's value, numbers as they are written; ValueError when it is none."""
    try:
        return json.loads(text, object_pairs_hook=_record, parse_int=str, parse_float=str)
    except RecursionError:
        raise ValueError("too many things in each other") from None


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with all its pairs: a key that comes again is numbered."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        name, times = key, 1
        while name in made and times < _DEEPEST:
            times += 1
            name = f"{key} ({times})"
        made[name] = value
    return made


def _json_lines(text: str) -> ParsedDocument:
    """Return one row for each line that holds a record, the number of its line being its place."""
    rows: list[TableRow] = []
    wrong = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            said = _row(_loaded(line))
        except ValueError:
            said, wrong = clean(line), wrong + 1
        if said:
            rows.append(TableRow(said, BlockLocator(LocatorKind.ROW, number)))
    notes: tuple[str, ...] = ()
    if wrong:
        notes = (Phrase("Lines that are not valid JSON were read as plain text: {0}.", wrong),)
    return ParsedDocument("", tuple(_tables(rows)), notes=notes)


def _blocks(value: Any, text: str) -> Iterator[Block]:
    if _are_records(value):
        places = (BlockLocator(LocatorKind.ROW, at) for at in range(1, len(value) + 1))
        rows = [TableRow(_row(each), place) for each, place in zip(value, places, strict=True)]
        yield from _tables([row for row in rows if row.text])
    elif isinstance(value, dict) and (any(map(_are_records, value.values())) or _is_dense(text)):
        yield from _sections(value)
    elif _is_dense(text):
        place = BlockLocator(LocatorKind.PART, "body")
        yield from _tables([TableRow(line, place) for line in _lines(value)])
    else:
        yield from _by_lines(text)


def _sections(value: dict[str, Any]) -> Iterator[Block]:
    """Yield an object's parts by their keys: records as rows, what is simple together first."""
    simple = {k: v for k, v in value.items() if not isinstance(v, dict | list)}
    place = BlockLocator(LocatorKind.PART, "body")
    yield from _tables([TableRow(line, place) for line in _lines(simple)])
    for key, part in value.items():
        if key in simple:
            continue
        place = BlockLocator(LocatorKind.SECTION, key[:_LONGEST_NAME] or "body")
        yield Block(BlockKind.HEADING, key, place, 1)
        lines = list(map(_row, part)) if _are_records(part) else list(_lines(part))
        yield from _tables([TableRow(line, place) for line in lines if line])


def _are_records(value: Any) -> bool:
    """Say whether a value is a list of at least two objects, and of nothing else."""
    is_long = isinstance(value, list) and len(value) > 1
    return is_long and all(isinstance(each, dict) and each for each in value)


def _is_dense(text: str) -> bool:
    return len(text) > _LONGEST_LINE * (text.strip().count("\n") + 1)


def _lines(value: Any) -> Iterator[str]:
    """Yield a value's pairs, one a line."""
    for key, said in _pairs(value, "", 0):
        yield f"{key}: {said}" if key else said


def _row(value: Any) -> str:
    return "; ".join(f"{key}: {said}" if key else said for key, said in _pairs(value, "", 0))


def _pairs(value: Any, name: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the simple values in a value, each with the keys that lead to it."""
    if depth > _DEEPEST:
        yield name, clean(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _pairs(part, f"{name}.{clean(key)}" if name else clean(key), depth + 1)
    elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
        for at, part in enumerate(value, start=1):
            yield from _pairs(part, f"{name}.{at}" if name else str(at), depth + 1)
    elif said := _said(value):
        yield name, said


def _said(value: Any) -> str:
    if isinstance(value, list):
        whole = json.dumps(value, ensure_ascii=False)
        is_nested = any(isinstance(each, list) for each in value)
        return whole if is_nested else ", ".join(filter(None, map(_said, value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else clean(str(value))


def _tables(rows: list[TableRow]) -> Iterator[Block]:
    for at in range(0, len(rows), _ROWS_A_BLOCK):
        some = tuple(rows[at : at + _ROWS_A_BLOCK])
        text = "\n".join(row.text for row in some)
        yield Block(BlockKind.TABLE, text, some[0].place, rows=some)


def _by_lines(text: str) -> Iterator[Block]:
    """Yield the text as it stands, letters that it writes as numbers as letters."""
    lines = [_ESCAPED.sub(_letters, line) for line in text.split("\n")]
    for at in range(0, len(lines), _LINES_A_BLOCK):
        part = "\n".join(lines[at : at + _LINES_A_BLOCK]).rstrip()
        if part.strip():
            yield Block(BlockKind.CODE, part, BlockLocator(LocatorKind.LINE, at + 1))


def _letters(match: re.Match[str]) -> str:
    try:
        letters: str = json.loads(f'"{match.group()}"')
    except ValueError:
        return match.group()
    return letters if letters.isprintable() and '"' not in letters else match.group()
