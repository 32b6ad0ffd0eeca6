from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.types import BlockKind
from desktop_rag.parsing.formats.csv_tsv import parse_csv
from desktop_rag.parsing.parsed_document import ParsedDocument


def read(tmp_path: Path, raw: bytes | str, name: str = "a.csv") -> ParsedDocument:
    path = tmp_path / name
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return parse_csv(path)


def rows(document: ParsedDocument) -> list[tuple[int | str, str]]:
    return [(row.place.value, row.text) for block in document.blocks for row in block.rows]


def test_a_row_says_its_columns_names(tmp_path: Path) -> None:
    document = read(tmp_path, "名称,地址,电话\n人民公园,中山路1号,\n湖滨公园,湖滨路,555\n")
    assert rows(document) == [
        (1, "名称 | 地址 | 电话"),
        (2, "名称: 人民公园; 地址: 中山路1号"),
        (3, "名称: 湖滨公园; 地址: 湖滨路; 电话: 555"),
    ]
    assert document.blocks[0].kind is BlockKind.TABLE


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_found(tmp_path: Path, mark: str) -> None:
    text = f"name{mark}price{mark}note\nTea{mark}1.5{mark}green\nCoffee{mark}2.5{mark}black\n"
    assert rows(read(tmp_path, text))[1] == (2, "name: Tea; price: 1.5; note: green")


def test_commas_in_numbers_do_not_fool_the_separator(tmp_path: Path) -> None:
    text = "Name;Preis\nTee;1,50\nKaffee;2,50\nSaft, rot;3,00\n"
    assert rows(read(tmp_path, text))[3] == (4, "Name: Saft, rot; Preis: 3,00")


def test_quoted_cells_keep_their_line_breaks_out_of_the_count(tmp_path: Path) -> None:
    text = 'name,note\nTea,"two\nlines, quoted"\nCoffee,black\n'
    assert rows(read(tmp_path, text))[1:] == [
        (2, "name: Tea; note: two lines, quoted"),
        (3, "name: Coffee; note: black"),
    ]


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    document = read(tmp_path, b"\xef\xbb\xbfname,price\nTea,1\n")
    assert rows(document)[1][1] == "name: Tea; price: 1"


def test_rows_without_names_stand_as_they_are(tmp_path: Path) -> None:
    assert rows(read(tmp_path, "1,2,3\n4,5,6\n")) == [(1, "1 | 2 | 3"), (2, "4 | 5 | 6")]


def test_broken_quotes_do_not_stop_the_reading(tmp_path: Path) -> None:
    document = read(tmp_path, 'name,note\nTea,"never closed\nCoffee,black\n')
    assert "never closed" in document.blocks[0].text
