"""Read source code: pieces cut where something is defined, each with the line it starts on.

No grammar is known. A definition is a line that begins as one does in some language; what stands
deeper than it, or in its braces, belongs to it, and comments and decorators before it do, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.plain_text import read_text
from desktop_rag.parsing.parsed_document import LONGEST_BLOCK, Block, BlockLocator, ParsedDocument

_LONGEST_PIECE = 60  # lines, after which a piece ends where nothing is defined, too
_DEEPEST = 4  # definitions in each other that are named above a piece
_LONGEST_NAME = 120
_TAB = 4
_LONGEST_LINE = 1000  # of which the beginning is looked at
_TRANSPORT_STREAM = 188  # bytes between the marks of a video that has the ending of TypeScript

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|virtual"
    r"|override|sealed|partial|inline|extern|unsafe|const|open|data|pub(?:\([\w:]+\))?|local|case"
    r"|implicit|lazy|suspend|operator|fileprivate|mutating|readonly|declare|create|or replace"
    r"|temporary|temp|global|defp?|synchronized|native|constexpr|explicit|friend|typedef)\s+)*"
)
_KINDS = (
    r"def|class|function|func|fn|fun|sub|proc|procedure|interface|struct|enum|trait|impl|module"
    r"|namespace|protocol|extension|type|union|macro|defmodule|defp|defmacro|subroutine|let rec"
    r"|defn-?|defun|defmethod|defclass"
)
# Words that are names as often: these define something only where a brace opens, or after `create`.
_BRACED = r"object|record|message|service|rpc|contract|resource|data|mixin|actor"
_CREATED = r"table|view|trigger|index|package|schema|role|sequence"
# `def parse(`, `pub async fn read`, `(defn area`, `type Ship struct`; `create table ships`.
_KEYWORD = re.compile(
    rf"\s*\(?(?:@\w+\s+)*{_MODIFIERS}(?:(?:{_KINDS})\b\*?\s*[^\s=;:,.)\]}}]"
    rf"|(?:{_BRACED})\s+[^=;:]*\{{\s*$)"
    rf"|\s*create\s+(?:\w+\s+){{0,3}}(?:{_CREATED})\s+\S",
    re.IGNORECASE,
)
_PROSE = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|'|\"\"\"|REM\b)", re.IGNORECASE)
# `int main(int argc, char **argv) {`, `static List<String> names(Path path) throws IOException {`
_TYPED = re.compile(
    r"\s{0,8}(?!(?:return|else|new|throw|case|await|yield|delete|goto|if|for|while|switch|do|using"
    r"|assert|import|from|in|not|and|or|print|echo|raise|go|defer)\b)"
    r"[A-Za-z_][\w:<>,.*&\[\]?~ \t]*?[\s*&>\]]~?([A-Za-z_~]\w*(?:::~?\w+)?)"
    r"\s*\([^;{}]*\)?[^;=]*\{?\s*$"
)
# `name = (a, b) => {`, `name: function (a) {`, `name <- function(a)`, `run() {` in a shell.
_ASSIGNED = re.compile(
    r"\s*(?:export\s+)?(?:const|let|var|module\.exports\.|exports\.)?\s*([\w.$]+)\s*(?:=|:|<-)\s*"
    r"(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|\w+\s*=>)"
)
_CALLED = re.compile(r"\s*(?:async\s+)?([A-Za-z_$#][\w$:-]*)\s*\([^()]*\)\s*\{\s*$")
_STATEMENT = re.compile(
    r"\s*(?:if|for|while|switch|catch|else|do|with|foreach|unless|until|elif)\b"
)
_BEFORE = re.compile(r"\s*(?:#|//|/\*|\*|--|;;|%|@|\[<?[A-Z]|'|REM\b|\"\"\")")
_NEUTRAL = re.compile(r"\s*(?:#|//|/\*|\*|--|;;|%|@|[\w ]{1,30}:\s*$)")  # a comment, a label
_END = re.compile(r"[})\]{]|(?:end|fi|done|esac)\b(?!\s*[:=.(\[])", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Definition:
    """What a line defines: how deep it stands, and its name."""

    depth: int
    name: str


Define = Callable[[str], Definition | None]


@dataclass(slots=True)
class _Piece:
    """Lines that are given as one block: the first's number, and what they are in and define."""

    first: int
    header: str = ""
    lines: list[str] = field(default_factory=list)
    size: int = 0

    def is_full(self, line: str) -> bool:
        """Say whether the piece ends before a line: at a blank one, if there is one in time."""
        if self.size > LONGEST_BLOCK // 2 or len(self.lines) >= 2 * _LONGEST_PIECE:
            return True
        return len(self.lines) >= _LONGEST_PIECE and not line.strip()

    def block(self) -> Block | None:
        """Return the piece without blank lines around it, none if that is all."""
        lines, first = self.lines, self.first
        while lines and not lines[0].strip():
            lines, first = lines[1:], first + 1
        text = "\n".join(lines).rstrip()
        place = BlockLocator(LocatorKind.LINE, first)
        return Block(BlockKind.CODE, text, place, header=self.header) if text else None


def parse(path: Path) -> ParsedDocument:
    """Return a program's text in pieces."""
    with path.open("rb") as file:
        head = file.read(2 * _TRANSPORT_STREAM)
    if head[:1] == b"G" == head[_TRANSPORT_STREAM : _TRANSPORT_STREAM + 1] and b"\0" in head:
        raise file_problems.unsupported("The file is a video.", "Add a transcript of it as text.")
    return ParsedDocument("", tuple(blocks_of(read_text(path), definition)))


def blocks_of(source: str, define: Define) -> Iterator[Block]:
    """Yield the pieces of a program, cut where `define` finds something; every line is in one."""
    for piece in _pieces(source, define):
        block = piece.block()
        if block is not None:
            yield block


def _pieces(source: str, define: Define) -> Iterator[_Piece]:
    open_ones: list[Definition] = []  # those that a line is in
    current = _Piece(1)
    is_after_blank = False
    for number, line in enumerate(source.split("\n"), start=1):
        found = define(line)
        outer = _outer(open_ones, line, found, is_after_blank=is_after_blank)
        if found is not None:
            open_ones = [*outer, found]
            before = _taken(current.lines)
            yield current
            current = _Piece(number - len(before), _header(open_ones), before)
        elif len(outer) < len(open_ones) or current.is_full(line):
            open_ones = outer
            yield current
            current = _Piece(number, _header(open_ones))
        current.lines.append(line)
        current.size += len(line)
        is_after_blank = not line.strip()
    yield current


def _outer(
    open_ones: list[Definition], line: str, found: Definition | None, *, is_after_blank: bool
) -> list[Definition]:
    """Return the definitions that a line is still in."""
    if found is not None:
        return [each for each in open_ones if each.depth < found.depth]
    if not open_ones or not line.strip() or _NEUTRAL.match(line) or _END.match(line.strip()):
        return open_ones
    depth, last = depth_of(line), open_ones[-1].depth
    if depth > last or (depth == last and not is_after_blank):
        return open_ones  # a head may go on in lines that are not indented
    return [each for each in open_ones if each.depth < depth]


def definition(line: str) -> Definition | None:
    """Return what a line of a program defines, as it is written there."""
    head = line[:_LONGEST_LINE]
    if not head.strip() or _PROSE.match(head) or _STATEMENT.match(head):
        return None
    is_one = (
        _KEYWORD.match(head)
        or _ASSIGNED.match(head)
        or (_CALLED.match(head) and head.rstrip().endswith("{"))
        or (len(head) < _LONGEST_NAME * 2 and _is_typed(head))
    )
    name = _SPACE.sub(" ", head).strip(" {:(")[:_LONGEST_NAME]
    return Definition(depth_of(line), name) if is_one and name else None


def _is_typed(head: str) -> bool:
    """Say whether a line is a function's head in a language of the kind of C."""
    if not head.rstrip().endswith(("{", ")")) or "(" not in head or "=" in head:
        return False
    if head.rstrip().endswith(")") and (head[:1].isspace() or head.count(" ") < 1):
        return False  # a call, more likely
    return _TYPED.match(head) is not None


def _header(open_ones: list[Definition]) -> str:
    return " › ".join(each.name for each in open_ones[-_DEEPEST:])


def depth_of(line: str) -> int:
    """Return how far a line is indented."""
    expanded = line[:_LONGEST_LINE].expandtabs(_TAB)
    return len(expanded) - len(expanded.lstrip())


def _taken(lines: list[str]) -> list[str]:
    """Take the comments and decorators that stand directly before a definition off the lines."""
    at = len(lines)
    while at and _BEFORE.match(lines[at - 1]) and len(lines) - at < _LONGEST_PIECE:
        at -= 1
    taken = lines[at:]
    del lines[at:]
    return taken
