from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus, LocatorKind
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import written

FIRST = """From ann@example.org Mon Jan  5 10:00:00 2026
From: Ann <ann@example.org>
Subject: The ships
Date: Mon, 5 Jan 2026 10:00:00 +0000

They sail at seven.

From here on it is another paragraph.

>From the harbour, with a sign before it.

"""
SECOND = """From bob@example.org Mon Jan  5 11:00:00 2026
From: Bob <bob@example.org>
Subject: With a table
Content-Type: multipart/mixed; boundary="b"

--b

See the table.
--b
Content-Type: text/csv; name="ships.csv"
Content-Disposition: attachment; filename="ships.csv"

Year,Ships
2001,14
--b
Content-Type: image/png; name="pier.png"
Content-Disposition: attachment; filename="pier.png"

x
--b--
"""


def read(tmp_path: Path, text: str | bytes) -> ParsedDocument:
    return parse(written(tmp_path / "a.mbox", text))


def test_each_mail_has_its_number(tmp_path: Path) -> None:
    document = read(tmp_path, FIRST + SECOND)
    assert [(b.kind.value, b.place.value, b.text) for b in document.blocks] == [
        ("heading", 1, "The ships"),
        ("meta", 1, "From: Ann <ann@example.org>\nDate: Mon, 5 Jan 2026 10:00:00 +0000"),
        ("text", 1, "They sail at seven."),
        ("text", 1, "From here on it is another paragraph."),
        ("text", 1, "From the harbour, with a sign before it."),
        ("heading", 2, "With a table"),
        ("meta", 2, "From: Bob <bob@example.org>"),
        ("text", 2, "See the table."),
        ("heading", 2, "ships.csv"),
        ("table", 2, "Year | Ships\nYear: 2001; Ships: 14"),
    ]
    assert all(b.place.kind is LocatorKind.MESSAGE for b in document.blocks)
    assert document.notes == ("Message 2: The attachment pier.png was not read.",)


def test_windows_line_ends_part_mails_too(tmp_path: Path) -> None:
    document = read(tmp_path, (FIRST + SECOND).replace("\n", "\r\n").encode())
    assert {b.place.value for b in document.blocks} == {1, 2}


def test_a_single_mail_is_a_mailbox_of_one(tmp_path: Path) -> None:
    document = read(tmp_path, FIRST.partition("\n")[2])
    assert {b.place.value for b in document.blocks} == {1}
    assert document.blocks[0].text == "The ships"


def test_a_mailbox_with_many_notes_tells_only_the_first(tmp_path: Path) -> None:
    document = read(tmp_path, SECOND * 30)
    assert len(document.notes) == 21
    assert document.notes[-1] == "More parts of the mailbox were not read."


def test_noise_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, bytes(range(256)) * 20)
    assert caught.value.status is FileStatus.CORRUPT
