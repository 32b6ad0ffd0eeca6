"""Read texts in light markup as they are written: reStructuredText, Org, AsciiDoc, TeX, Textile.

Only headings are recognised; the rest stays as it stands, each paragraph with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.plain_text import paragraphs, read_text
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument

_LONGEST_HEADING = 300
_DEEPEST = 9
_TEX_LEVELS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5,
}  # fmt: skip
_TEX = re.compile(
    rf"\s*\\({'|'.join(_TEX_LEVELS)})\*?\s*(?:\[[^\]]*\])?\{{((?:[^{{}}]|\{{[^{{}}]*\}})+)\}}"
)
_LABEL = re.compile(r"^\s*\\label\{[^{}]*\}\s*|^\s*(?:%.*)?$")
_TEXTILE = re.compile(r"h([1-6])\.\s+(\S.*)")
_MARKED = {
    ".org": re.compile(r"(\*{1,9})\s+(\S.*)"),
    ".adoc": re.compile(r"(={1,6}|#{1,6})\s+(\S.*)"),
    ".asciidoc": re.compile(r"(={1,6}|#{1,6})\s+(\S.*)"),
}
_TITLES = {
    ".org": re.compile(r"^#\+TITLE:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE),
    ".tex": re.compile(r"\\title\s*\{((?:[^{}]|\{[^{}]*\})+)\}"),
}
_UNDERLINE = re.compile(r"([=\-~^\"'`#*+.:_<>])\1{2,}\s*")
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?\s*|[{}]|\\\\")


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading: the lines from `start` to before `end`, counted from 0."""

    start: int
    end: int
    level: int
    text: str


def parse(path: Path) -> ParsedDocument:
    """Return a text's headings, and the paragraphs under them."""
    text = read_text(path)
    suffix = path.suffix.lower()
    lines = text.split("\n")
    headings = _underlined(lines) if suffix == ".rst" else _marked(lines, suffix)
    blocks: list[Block] = []
    at = 0
    for heading in headings:
        blocks += _between(lines, at, heading.start)
        place = BlockLocator(LocatorKind.LINE, heading.start + 1)
        blocks.append(Block(BlockKind.HEADING, heading.text, place, heading.level))
        at = heading.end
    blocks += _between(lines, at, len(lines))
    return ParsedDocument(_title(text, suffix, blocks), tuple(blocks))


def _between(lines: list[str], start: int, end: int) -> Iterator[Block]:
    for block in paragraphs("\n".join(lines[start:end])):
        yield replace(block, place=BlockLocator(LocatorKind.LINE, int(block.place.value) + start))


def _title(text: str, suffix: str, blocks: list[Block]) -> str:
    found = _TITLES[suffix].search(text) if suffix in _TITLES else None
    if found:
        return _plain(found.group(1))
    first = next((block for block in blocks if block.kind is BlockKind.HEADING), None)
    return first.text if first is not None and first.level == 1 else ""


def _marked(lines: list[str], suffix: str) -> Iterator[_Heading]:
    """Yield the headings that a mark begins."""
    for at, line in enumerate(lines):
        short = line[:_LONGEST_HEADING]
        if suffix == ".tex":
            if (found := _TEX.match(short)) and not found.group(0).strip().startswith("%"):
                text = _plain(found.group(2))
                rest = _LABEL.sub("", line[found.end() :])
                lines[at] = rest  # a text may begin in the heading's line
                yield _Heading(at, at if rest else at + 1, _TEX_LEVELS[found.group(1)], text)
        elif suffix == ".textile":
            if found := _TEXTILE.match(short):
                yield _Heading(at, at + 1, int(found.group(1)), found.group(2).strip())
        elif suffix in _MARKED and (found := _MARKED[suffix].match(short)):
            level = len(found.group(1))
            text = found.group(2).strip().rstrip("=").strip()
            yield _Heading(at, at + 1, level, text or found.group(2).strip())


def _underlined(lines: list[str]) -> Iterator[_Heading]:
    """Yield the headings that a line of one sign stands under, and maybe over; the first is one."""
    styles: list[str] = []
    at = 0
    while at + 1 < len(lines):
        text, under = lines[at].strip(), _UNDERLINE.fullmatch(lines[at + 1])
        over = at > 0 and under is not None and lines[at - 1].rstrip() == lines[at + 1].rstrip()
        is_long = under is not None and len(lines[at + 1].rstrip()) >= min(len(text), 20)
        is_text = 0 < len(text) <= _LONGEST_HEADING and not _UNDERLINE.fullmatch(lines[at])
        is_alone = over or at == 0 or not lines[at - 1].strip()
        if under is None or not (is_long and is_text and is_alone):
            at += 1
            continue
        style = under.group(1) * (2 if over else 1)
        styles += [] if style in styles else [style]
        level = min(styles.index(style) + 1, _DEEPEST)
        yield _Heading(at - 1 if over else at, at + 2, level, text)
        at += 2


def _plain(text: str) -> str:
    """Return a title of TeX without its commands."""
    return " ".join(_COMMAND.sub(" ", text).split())
