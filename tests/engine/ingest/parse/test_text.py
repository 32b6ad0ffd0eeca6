from __future__ import annotations

from pathlib import Path

from desktop_rag.engine.ingest.parse.text import parse


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
