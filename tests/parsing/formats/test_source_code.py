from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse as read_any
from desktop_rag.parsing.formats.source_code import definition, parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import written

PYTHON = '''"""A module."""

import os

LIMIT = 3


class Ship:
    """A ship."""

    @property
    def tons(self) -> int:
        if self:
            return 14
        return 0

    async def sail(self):
        pass


if __name__ == "__main__":
    print(Ship())
'''
GO = """package main

// Ship carries goods.
type Ship struct {
\ttons int
}

func (s *Ship) Sail(hour int) error {
\tdata := make([]byte, 10)
\tgo func() {
\t}()
\treturn nil
}
"""


def read(tmp_path: Path, text: str, name: str = "a.py") -> ParsedDocument:
    return parse(written(tmp_path / name, text))


def pieces(document: ParsedDocument) -> list[tuple[int | str, str]]:
    assert all(block.kind is BlockKind.CODE for block in document.blocks)
    return [(block.place.value, block.header) for block in document.blocks]


def test_a_piece_begins_at_each_definition_and_is_named_by_those_around_it(tmp_path: Path) -> None:
    document = read(tmp_path, PYTHON)
    assert pieces(document) == [
        (1, ""),
        (8, "class Ship"),
        (11, "class Ship › def tons(self) -> int"),
        (17, "class Ship › async def sail(self)"),
        (21, ""),
    ]
    assert document.blocks[2].text.startswith("    @property\n    def tons")


def test_comments_before_a_definition_belong_to_it(tmp_path: Path) -> None:
    document = read(tmp_path, GO, "a.go")
    assert pieces(document) == [
        (1, ""), (3, "type Ship struct"), (8, "func (s *Ship) Sail(hour int) error"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "def parse(path):", "export default class Ship extends Boat {", "function sail(hour) {",
        "const sail = async (hour) => {", "public static void main(String[] args) {",
        "int main(int argc, char **argv)", "impl Display for Ship {", "pub fn sail(&self) {",
        "create or replace view ships as", "CREATE TABLE ships (", "sub sail {", "run() {",
        "fun sail(hour: Int): Boolean {", "protocol Boat {", "(defn area [r]", "module Ships",
        "data Ship {", "Function Get-Ship {", "  def self.sail", "sail <- function(hour) {",
        "static std::vector<int> tons(const Ship &ship) {", "namespace harbour {",
    ],
)  # fmt: skip
def test_definitions_of_many_languages_are_known(line: str) -> None:
    found = definition(line)
    assert found is not None
    assert found.name.split()[0] in line


@pytest.mark.parametrize(
    "line",
    [
        "", "    return sail(hour)", "if (sail(hour)) {", "} else if (x) {", "# def sail(): old",
        "// class Ship is old", "sail(hour);", "x = sail(hour)", "data := sail(hour)",
        "for (const ship of ships) {", "    print(sail(hour))", "import { sail } from 'ships'",
        "while (true) {", "class", "  'a class of ships',",
    ],
)  # fmt: skip
def test_other_lines_define_nothing(line: str) -> None:
    assert definition(line) is None


def test_every_line_is_read_once_and_long_pieces_are_cut(tmp_path: Path) -> None:
    text = "def long():\n" + "".join(f"    x{n} = {n}\n" for n in range(500))
    document = read(tmp_path, text)
    assert "\n".join(block.text for block in document.blocks) == text.rstrip()
    assert len(document.blocks) == 5
    assert {block.header for block in document.blocks} == {"def long()"}
    assert document.blocks[1].text.startswith(f"    x{int(document.blocks[1].place.value) - 2} =")


def test_a_line_without_end_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, "var a = [" + "1, " * 200_000 + "0];\nfunction b() {}\n", "a.js")
    assert pieces(document) == [(1, ""), (2, "function b() {}")]


def test_a_video_is_no_typescript(tmp_path: Path) -> None:
    path = written(tmp_path / "a.ts", (b"G\x40\x11\x10" + bytes(184)) * 20)
    with pytest.raises(FileProblem) as caught:
        read_any(path)
    assert caught.value.status is FileStatus.UNSUPPORTED


def test_translations_that_end_as_typescript_does_are_xml(tmp_path: Path) -> None:
    text = '<?xml version="1.0"?><TS><source>The ships sail at seven.</source></TS>'
    assert read_any(written(tmp_path / "a.ts", text)).blocks[0].place.value == "TS"
