from __future__ import annotations

import json
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.json_records import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import written


def read(tmp_path: Path, text: str, name: str = "a.json") -> ParsedDocument:
    return parse(written(tmp_path / name, text))


def rows(document: ParsedDocument) -> list[tuple[int | str, str]]:
    return [(row.place.value, row.text) for block in document.blocks for row in block.rows]


def test_records_are_rows_with_dotted_keys(tmp_path: Path) -> None:
    text = """[{"name": "Tea", "price": 1.50, "tags": ["green", "hot"], "from": {"city": "杭州"}},
              {"name": "Coffee", "price": 2, "sold": true, "note": null}]"""
    document = read(tmp_path, text)
    assert rows(document) == [
        (1, "name: Tea; price: 1.50; tags: green, hot; from.city: 杭州"),
        (2, "name: Coffee; price: 2; sold: true"),
    ]
    assert document.blocks[0].place.kind is LocatorKind.ROW


def test_lines_of_records_are_rows_with_their_lines(tmp_path: Path) -> None:
    text = '{"id": 1, "text": "One"}\n\nno record\n{"id": 2, "parts": [{"a": 1}, {"a": 2}]}\n'
    document = read(tmp_path, text, "a.jsonl")
    assert rows(document) == [
        (1, "id: 1; text: One"), (3, "no record"), (4, "id: 2; parts.1.a: 1; parts.2.a: 2"),
    ]  # fmt: skip
    assert document.notes == ("Lines that are not valid JSON were read as plain text: 1.",)
    assert rows(read(tmp_path, '{"a": 1}\n{"a": 2}\n')) == [(1, "a: 1"), (2, "a: 2")]


def test_records_under_a_key_stand_under_its_heading(tmp_path: Path) -> None:
    text = '{"version": 3, "users": [{"n": "Ann; B."}, {"n": "Bob"}], "meta": {"by": {"x": 1}}}'
    document = read(tmp_path, text)
    assert rows(document) == [
        ("body", "version: 3"), ("users", "n: Ann; B."), ("users", "n: Bob"), ("meta", "by.x: 1"),
    ]  # fmt: skip
    headings = [b.text for b in document.blocks if b.kind is BlockKind.HEADING]
    assert headings == ["users", "meta"]


def test_other_json_is_read_by_its_lines(tmp_path: Path) -> None:
    text = '{\n  "server": {"port": 8080},\n  "name": "\\u6e2f\\u53e3 \\u000a"\n}\n'
    block = read(tmp_path, text).blocks[0]
    assert (block.kind, block.place.value) == (BlockKind.CODE, 1)
    assert block.text == '{\n  "server": {"port": 8080},\n  "name": "港口 \\u000a"\n}'
    long = json.dumps({"list": list(range(100))}, indent=1)
    assert [b.place.value for b in read(tmp_path, long).blocks] == [1, 61]


def test_json_without_line_breaks_is_read_by_its_keys(tmp_path: Path) -> None:
    text = json.dumps({"server": {"port": 8080, "hosts": ["a", "b"]}, "note": "n" * 500})
    assert rows(read(tmp_path, text))[1:] == [("server", "port: 8080"), ("server", "hosts: a, b")]


def test_what_is_not_json_is_read_as_text_with_a_note(tmp_path: Path) -> None:
    document = read(tmp_path, '{"port": 8080, // the default\n')
    assert document.blocks[0].text == '{"port": 8080, // the default'
    assert document.notes == ("The file is not valid JSON; it was read as plain text.",)


def test_nothing_is_lost_of_a_key_that_comes_twice(tmp_path: Path) -> None:
    assert rows(read(tmp_path, '[{"a": 1, "a": 2}, {"b": 3}]'))[0][1] == "a: 1; a (2): 2"


def test_lists_in_lists_without_end_are_text(tmp_path: Path) -> None:
    document = read(tmp_path, "[" * 100_000)
    assert document.notes == ("The file is not valid JSON; it was read as plain text.",)
    deep = '{"a": ' * 60 + '"the end"' + "}" * 60
    assert "the end" in rows(read(tmp_path, f"[{deep}, {deep}]"))[0][1]
