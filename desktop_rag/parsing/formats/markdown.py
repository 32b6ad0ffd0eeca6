"""Read Markdown: blocks with the line each starts on, links and emphasis reduced to their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.markdown_formulas import BLOCK, add_formulas
from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.metadata_values import iso_date, keywords, people
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
_FRONT_VALUE = re.compile(r"^(\w+):[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)


def parse(path: Path) -> ParsedDocument:
    """Return a Markdown file's blocks; its title is the front matter's or its first heading."""
    return from_markdown(read_text(path))


def from_markdown(source: str) -> ParsedDocument:
    """Return the blocks of a Markdown text."""
    front = _FRONT.match(source)
    blocks: list[Block] = []
    offset = 0
    if front:
        offset = source.count("\n", 0, front.end())
        blocks.append(Block(BlockKind.META, front.group(1).strip(), _line(1)))
        source = source[front.end() :]
    blocks += _Reader(offset).blocks(
        add_formulas(MarkdownIt("commonmark").enable("table")).parse(source)
    )
    named = _FRONT_TITLE.search(front.group(1)) if front else None
    heading = next((b.text for b in blocks if b.kind is BlockKind.HEADING and b.level == 1), "")
    title = named.group(1) if named else heading
    return ParsedDocument(title, tuple(blocks), metadata=_metadata(front.group(1) if front else ""))


def _metadata(front: str) -> DocumentMetadata:
    """Return what a front matter says, of values that stand on their name's line."""
    told = {name.lower(): value.strip("\"'[] ") for name, value in _FRONT_VALUE.findall(front)}
    return DocumentMetadata(
        authors=people(told.get("author") or told.get("authors")),
        keywords=keywords(told.get("keywords"), told.get("tags")),
        created=iso_date(told.get("date")),
        modified=iso_date(told.get("updated") or told.get("lastmod")),
    )


def _line(number: int) -> BlockLocator:
    return BlockLocator(LocatorKind.LINE, number)


class _Reader:
    """Folds markdown-it's tokens, which open and close, into blocks."""

    def __init__(self, offset: int) -> None:
        self._offset = offset
        self._lists: list[str] = []
        self._place = _line(1)
        self._level = 0
        self._rows: list[tuple[int, list[str]]] = []
        self._in_table = False

    def blocks(self, tokens: list[Token]) -> Iterator[Block]:
        """Yield the document's blocks in order."""
        for token in tokens:
            if token.map:
                self._place = _line(token.map[0] + 1 + self._offset)
            if token.type == "table_close":
                yield from self._table()
            elif token.type == "inline":
                yield from self._inline(_plain(token))
            elif token.type == BLOCK:
                yield from self._inline(token.content)
            elif token.type in {"fence", "code_block"} and token.content.strip():
                yield Block(BlockKind.CODE, token.content.rstrip(), self._place)
            elif token.type == "html_block":
                yield from self._html(token.content)
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        if token.type == "heading_open":
            self._level = int(token.tag[1])
        elif token.type == "list_item_open":
            self._lists.append(f"{token.info}. " if token.info else "- ")
        elif token.type == "list_item_close":
            self._lists.pop()
        elif token.type == "table_open":
            self._in_table, self._rows = True, []
        elif token.type == "tr_open":
            self._rows.append((int(self._place.value), []))

    def _inline(self, text: str) -> Iterator[Block]:
        if self._in_table:
            self._rows[-1][1].append(clean(text))
            return
        level, self._level = self._level, 0
        if not text.strip():
            return
        if level:
            yield Block(BlockKind.HEADING, clean(text), self._place, level)
        elif self._lists:
            indent = "  " * (len(self._lists) - 1)
            mark, self._lists[-1] = self._lists[-1], " " * len(self._lists[-1])
            yield Block(BlockKind.LIST, f"{indent}{mark}{text}", self._place)
        else:
            yield Block(BlockKind.TEXT, text, self._place)

    def _table(self) -> Iterator[Block]:
        self._in_table = False
        rows = [CellRow(number, tuple(cells)) for number, cells in self._rows]
        yield from pipe_table(rows, self._place, _row_place)

    def _html(self, content: str) -> Iterator[Block]:
        text = "\n".join(block.text for block in from_html(content.encode()).blocks)
        if text.strip():
            yield Block(BlockKind.TEXT, text, self._place)


def _row_place(row: CellRow) -> BlockLocator:
    return _line(row.number)


def _plain(token: Token) -> str:
    """Return an inline token's text: link texts and image descriptions, no addresses."""
    pieces = []
    for child in token.children or ():
        if child.type in {"text", "code_inline", "image", "text_special"}:
            pieces.append(child.content)
        elif child.type in {"softbreak", "hardbreak"} or child.content.lower().startswith("<br"):
            pieces.append("\n")
        elif child.type == "html_inline":
            pieces.append(_TAG.sub("", child.content))
    return "".join(pieces)
