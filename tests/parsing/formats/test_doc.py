from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.old_office_samples import word_file
from tests.parsing.parser_scoring import entries, score

SENTENCE = "A sentence that is long enough to be worth finding."


def read(raw: bytes, path: Path) -> ParsedDocument:
    path.write_bytes(raw)
    return parse(path)


def problem(raw: bytes, path: Path) -> FileStatus:
    with pytest.raises(FileProblem) as caught:
        read(raw, path)
    return caught.value.status


def test_paragraphs_are_read_in_order(tmp_path: Path) -> None:
    document = read(word_file(f"{SENTENCE}\rGrüße, 中文.\r"), tmp_path / "a.doc")
    assert [block.text for block in document.blocks] == [SENTENCE, "Grüße, 中文."]
    assert {block.kind for block in document.blocks} == {BlockKind.TEXT}
    assert document.blocks[0].place.value == "body"


@pytest.mark.parametrize("name", ["a.dot", "a.txt", "a.docx", "a"])
def test_an_old_word_file_is_read_under_any_name(tmp_path: Path, name: str) -> None:
    assert read(word_file(f"{SENTENCE}\r"), tmp_path / name).blocks[0].text == SENTENCE


def test_a_field_shows_its_result_and_not_its_code(tmp_path: Path) -> None:
    text = 'See \x13 HYPERLINK "http://example.org/secret" \x14the harbour\x15 of the old town.\r'
    (block,) = read(word_file(text), tmp_path / "a.doc").blocks
    assert block.text == "See the harbour of the old town."


def test_nothing_is_empty_and_a_password_is_told(tmp_path: Path) -> None:
    assert problem(word_file("\r"), tmp_path / "a.doc") is FileStatus.EMPTY
    encrypted = word_file(f"{SENTENCE}\r", is_encrypted=True)
    assert problem(encrypted, tmp_path / "b.doc") is FileStatus.ENCRYPTED


def test_a_damaged_file_is_corrupt(tmp_path: Path) -> None:
    raw = word_file(f"{SENTENCE}\r")
    assert problem(raw[:700], tmp_path / "a.doc") is FileStatus.CORRUPT
    assert problem(raw[:512] + bytes(len(raw) - 512), tmp_path / "b.doc") is FileStatus.CORRUPT


def test_headings_lists_and_tables_are_told(shared: Path) -> None:
    document = parse(shared / "documents" / "doc" / "docling__legacy_sample.doc")
    headings = {b.text: b.level for b in document.blocks if b.kind is BlockKind.HEADING}
    assert headings == {"Summer activities": 1, "Let’s swim!": 1, "Let’s eat": 2}
    items = [b for b in document.blocks if b.kind is BlockKind.LIST]
    assert "Paddle about" in [item.text for item in items]
    assert items[0].place.kind is LocatorKind.SECTION
    assert items[0].place.value == "Let’s swim!"
    (table,) = [b for b in document.blocks if b.kind is BlockKind.TABLE]
    assert table.rows[1].text == "Leaves | Ash, Elm, Maple | 50"


def test_lists_in_lists_keep_their_order(shared: Path) -> None:
    document = parse(shared / "documents" / "doc" / "kreuzberg__unit_test_lists.doc")
    texts = [block.text for block in document.blocks]
    at = texts.index("List item 1.1.1")
    assert texts[at - 2 : at + 2] == [
        "List item 1",
        "List item 1.1",
        "List item 1.1.1",
        "List item 3",
    ]


def test_the_real_documents_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents", ["doc"]))
    assert made.fitting == made.files, made.wrong
    assert made.found == made.phrases > 0, made.wrong


def test_formulas_of_the_old_editor_are_counted(tmp_path: Path) -> None:
    document = read(word_file(f"{SENTENCE}\r", formulas=3), tmp_path / "a.doc")
    assert [str(note) for note in document.notes] == [
        "Formulas that could not be read and are missing in the text: 3."
    ]
