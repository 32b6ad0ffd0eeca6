"""Read settings (YAML, TOML, INI, properties and the like): as they stand, under their sections."""

from __future__ import annotations

import re
from pathlib import Path

from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.formats.source_code import Definition, blocks_of, depth_of
from desktop_rag.parsing.parsed_document import ParsedDocument

_LONGEST_LINE = 300
# `[server]`, `[[mirrors]]`; `database:`, `- job:`; `server {`; `<VirtualHost *:80>`.
_SECTION = re.compile(r"\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:[#;].*)?$")
_KEY = re.compile(r"\s*(?:-\s+)?([\w.\-/\"' ]{1,80}):\s*(?:[#&|>!].*)?$")
_BRACED = re.compile(r"\s*([\w.\-/~*^$=\"' ]{1,120}?)\s*=?\s*\{\s*$")
_TAGGED = re.compile(r"\s*<(\w[^<>/]*)>\s*$")


def parse(path: Path) -> ParsedDocument:
    """Return the lines of a file of settings, with the sections that they are in."""
    return ParsedDocument("", tuple(blocks_of(read_text(path), section)))


def section(line: str) -> Definition | None:
    """Return the section that a line opens."""
    if len(line) > _LONGEST_LINE:
        return None
    if found := _SECTION.match(line):
        return Definition(depth_of(line) - 1, found.group(1).strip())
    found = _KEY.match(line) or _BRACED.match(line) or _TAGGED.match(line)
    return Definition(depth_of(line), found.group(1).strip()) if found else None
