from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.old_office_samples import presentation, record, table_slide
from tests.parsing.parser_scoring import entries, score

SENTENCE = "A sentence that is long enough to be worth finding."
TITLE, BODY, NOTES, OTHER = 0, 1, 2, 4


def read(raw: bytes, path: Path) -> ParsedDocument:
    path.write_bytes(raw)
    return parse(path)


def problem(raw: bytes, path: Path) -> FileStatus:
    with pytest.raises(FileProblem) as caught:
        read(raw, path)
    return caught.value.status


def test_slides_are_read_with_titles_bodies_and_text_boxes(tmp_path: Path) -> None:
    slides = [{OTHER: SENTENCE, TITLE: "The harbour", BODY: "Ships\rPiers"}, {BODY: "Only a body"}]
    document = read(presentation(slides), tmp_path / "a.ppt")
    assert document.pages == 2
    assert [(b.kind, b.place.value, b.text) for b in document.blocks] == [
        (BlockKind.HEADING, 1, "The harbour"),
        (BlockKind.TEXT, 1, SENTENCE),
        (BlockKind.LIST, 1, "Ships"),
        (BlockKind.LIST, 1, "Piers"),
        (BlockKind.LIST, 2, "Only a body"),
    ]


def test_notes_stand_on_the_slide_that_they_belong_to(tmp_path: Path) -> None:
    slides = [{TITLE: "One"}, {TITLE: "Two"}]
    document = read(presentation(slides, {2: f"{SENTENCE}\r*"}), tmp_path / "a.pps")
    assert [(b.place.value, b.text) for b in document.blocks] == [
        (1, "One"), (2, "Two"), (2, SENTENCE),
    ]  # fmt: skip


def test_shapes_in_a_grid_are_a_table(tmp_path: Path) -> None:
    rows = [["Pier", "Ships"], ["North", "14"], ["South", "21"]]
    (table,) = read(table_slide(rows), tmp_path / "a.ppt").blocks
    assert table.kind is BlockKind.TABLE
    assert [row.text for row in table.rows] == ["Pier | Ships", "North | 14", "South | 21"]
    assert table.place.value == 1


def test_a_password_is_told_and_no_text_is_empty(tmp_path: Path) -> None:
    secret = presentation([{TITLE: SENTENCE}], is_encrypted=True)
    assert problem(secret, tmp_path / "a.ppt") is FileStatus.ENCRYPTED
    assert problem(presentation([{}]), tmp_path / "b.ppt") is FileStatus.EMPTY


def test_slides_are_found_where_the_directory_is_lost(tmp_path: Path) -> None:
    slides = [{TITLE: "The harbour", OTHER: SENTENCE}, {BODY: "And the ships"}]
    raw = presentation(slides).replace(record(4086, b"")[2:4], b"\0\0")  # no place of a save
    spoiled = raw.replace((6002).to_bytes(2, "little"), b"\0\0")
    document = read(spoiled, tmp_path / "a.ppt")
    assert [(b.place.value, b.text) for b in document.blocks] == [
        (1, "The harbour"), (1, SENTENCE), (2, "And the ships"),
    ]  # fmt: skip
    assert document.notes == ("The file is damaged; what could be saved of it was read.",)


def test_a_slide_that_is_named_many_times_is_read_once(tmp_path: Path) -> None:
    raw = presentation([{OTHER: SENTENCE}, {OTHER: "another"}])
    entry = (1011).to_bytes(2, "little") + (20).to_bytes(4, "little")
    twice = raw.replace(entry + b"\x03\0\0\0", entry + b"\x02\0\0\0")
    assert twice != raw
    assert [b.text for b in read(twice, tmp_path / "a.ppt").blocks] == [SENTENCE]


def test_a_damaged_presentation_is_corrupt(tmp_path: Path) -> None:
    raw = presentation([{TITLE: SENTENCE}])
    assert problem(raw[:600], tmp_path / "a.ppt") is FileStatus.CORRUPT


def test_a_table_of_a_real_presentation_is_read(shared: Path) -> None:
    document = parse(shared / "documents" / "ppt" / "docling__legacy_sample.ppt")
    (table,) = [b for b in document.blocks if b.kind is BlockKind.TABLE]
    assert table.place.value == 1
    assert "True | False | True | False | True | False" in table.text


def test_the_real_presentations_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents", ["ppt"]))
    assert made.fitting == made.files, made.wrong
    assert made.found == made.phrases > 0, made.wrong
    assert made.right == made.placed > 0, made.wrong
