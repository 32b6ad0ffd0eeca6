from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.parsing.formats.plain_text import parse


def test_paragraphs_know_the_line_they_start_on(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"first line\r\nsecond line\r\n\r\n\r\nthird paragraph\rstill it\n")
    found = [(block.place.value, block.text) for block in parse(path).blocks]
    assert found == [(1, "first line\nsecond line"), (5, "third paragraph\nstill it")]


def test_a_text_without_blank_lines_is_still_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(f"line {n}" for n in range(1, 101)))
    blocks = parse(path).blocks
    assert [block.place.value for block in blocks] == [1, 41, 81]
    assert blocks[1].text.startswith("line 41\n")


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "shift_jis"])
def test_a_long_beginning_in_ascii_does_not_hide_the_encoding(
    tmp_path: Path, encoding: str
) -> None:
    said = {
        "gb18030": "合同期限为三年，自签署之日起计算。",
        "shift_jis": "これは日本語の文章です。",
    }
    line = said.get(encoding, "Größe und Übermaß, naïve façade.")
    path = tmp_path / "log.txt"
    path.write_bytes(b"2026-01-01 ordinary line\n" * 100_000 + f"{line}\n".encode(encoding) * 50)
    assert line in "".join(block.text for block in parse(path).blocks)
