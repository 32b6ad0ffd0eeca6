from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.formats.fb2 import parse_fb2
from tests.parsing.open_documents import written

BOOK = """<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
<author><first-name>Анна</first-name><last-name>Ли</last-name></author>
<book-title>Море</book-title></title-info></description>
<body><section><title><p>Глава</p><p>1</p></title><p>Море было <emphasis>тихо</emphasis>.</p>
<poem><stanza><v>Строка</v></stanza></poem>
<table><tr><th>Год</th><th>Суда</th></tr><tr><td>1900</td><td>14</td></tr></table></section></body>
<body name="notes"><section><title><p>n1</p></title><p>Примечание.</p></section></body>
<binary id="cover" content-type="image/png">AAAA</binary></FictionBook>"""


def test_a_book_is_read_by_its_sections(tmp_path: Path) -> None:
    document = parse_fb2(written(tmp_path / "a.fb2", BOOK.encode("cp1251")))
    assert document.title == "Море"
    assert [(b.kind.value, b.place.value, b.text) for b in document.blocks] == [
        ("meta", "head", "Author: Анна Ли\nTitle: Море"),
        ("heading", "Глава 1", "Глава 1"),
        ("text", "Глава 1", "Море было тихо."),
        ("text", "Глава 1", "Строка"),
        ("table", "Глава 1", "Год | Суда\n1900 | 14"),
        ("heading", "n1", "n1"),
        ("text", "n1", "Примечание."),
    ]


def test_a_cut_off_book_is_read_with_a_note(tmp_path: Path) -> None:
    cut = BOOK.partition("Строка")[0].encode("cp1251")
    document = parse_fb2(written(tmp_path / "a.fb2", cut))
    assert document.blocks[-1].text == "Море было тихо."
    assert document.notes == ("The file is damaged; what could be saved of it was read.",)


@pytest.mark.parametrize("content", ["", "no book", "<html><p>A page</p></html>"])
def test_what_is_no_book_is_corrupt(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileProblem) as caught:
        parse_fb2(written(tmp_path / "a.fb2", content))
    assert caught.value.status is FileStatus.CORRUPT
