from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.formats.web_archive import parse
from tests.parsing.open_documents import written

ARCHIVE = """From: <Saved by a browser>
Subject: =?utf-8?q?The_harbour_=E2=80=93_page?=
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.org/

<html><head><title>Harbour</title><style>p {}</style></head><body><h1>Gr=F6=DFe</h1>
<p>The ships sail at seven.</p><iframe src=3D"cid:frame"></iframe></body></html>
--b
Content-Type: text/css
Content-Location: https://example.org/a.css

p { color: red }
--b
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b
Content-Type: text/html; charset="utf-8"
Content-Location: cid:frame

<p>A frame of it.</p>
--b--
"""


def test_the_pages_are_read_and_nothing_else(tmp_path: Path) -> None:
    document = parse(written(tmp_path / "a.mhtml", ARCHIVE))
    assert document.title == "Harbour"
    assert [(b.kind.value, b.place.value, b.text) for b in document.blocks] == [
        ("heading", "Größe", "Größe"),
        ("text", "Größe", "The ships sail at seven."),
        ("text", "body", "A frame of it."),
    ]


def test_the_subject_stands_for_a_missing_title(tmp_path: Path) -> None:
    text = ARCHIVE.replace("<title>Harbour</title>", "")
    assert parse(written(tmp_path / "a.mht", text)).title == "The harbour – page"


def test_a_page_that_is_only_named_so_is_read(tmp_path: Path) -> None:
    document = parse(written(tmp_path / "a.mht", "<html><p>The ships sail at seven.</p></html>"))
    assert document.blocks[0].text == "The ships sail at seven."


def test_an_archive_that_was_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    document = parse(written(tmp_path / "a.mhtml", ARCHIVE.partition("<iframe")[0]))
    assert document.blocks[-1].text == "The ships sail at seven."


def test_noise_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        parse(written(tmp_path / "a.mhtml", bytes(range(256)) * 20))
    assert caught.value.status is FileStatus.CORRUPT
