"""Whatever a file holds, its reader gives a document or says what is wrong with the file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.settings import Chunking
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.parsing import format_registry
from desktop_rag.parsing.parsed_document import ParsedDocument
from desktop_rag.parsing.text_encoding import decode
from testing.narrowing import present

SIZES = Chunking(small_tokens=40, big_tokens=120, overlap_tokens=10)
MARKS = (b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
# Encodings that a text names itself, those that are none of a text among them.
NAMES = (
    "utf-8", "latin-1", "gbk", "utf-16", "utf-7", "cp037", "hz", "idna", "punycode", "base64",
    "quoted-printable", "zip", "rot13", "undefined", "unicode_escape", "raw_unicode_escape", "mbcs",
    "", "no such", "x" * 300, "utf-8\0", "é",
)  # fmt: skip
PIECES = {
    ".csv": (b",", b";", b"\t", b'"', b'""', b"\n", b"\r\n", b"a", b"12", b"Year", b"\0", b"=1+1"),
    ".md": (b"# ", b"- ", b"> ", b"```\n", b"|a|b|\n", b"|-|-|\n", b"[a](b)", b"<br>", b"<!--",
            b"---\n", b"title: x\n", b"1. ", b"    ", b"\n\n", b"*", b"_", b"`", b"\\", b"&#x;"),
    ".html": (b"<html>", b"<p>", b"</p>", b"<table>", b"<tr>", b"<td colspan=9>", b"<h1>", b"<!--",
              b"<pre>", b"</", b"<script>", b"<?xml encoding='x'?>", b"&a;", b"&#55296;",
              b"<![CDATA[", b"<meta charset=utf-7>", b"<br/>", b"<svg>", b"<title>", b"<li>",
              b"<form>", b" "),
    ".txt": (b"\n\n", b"\n", b"\x0c", b"\xe2\x80\xa8", b". ", b"word ", b"\x1b$B", b"~{"),
    ".eml": (b"From: a\n", b"Subject: =?utf-8?b?", b"?=", b"\n\n", b"--b\n", b"--b--\n",
             b"Content-Type: multipart/mixed; boundary=b\n", b"Content-Type: message/rfc822\n",
             b"Content-Transfer-Encoding: base64\n", b"Content-Type: text/html; charset=idna\n",
             b"Content-Disposition: attachment; filename=a.csv\n", b"MIME-Version: 1.0\n"),
    ".pdf": (b"%PDF-1.4\n", b"1 0 obj\n", b"endobj\n", b"<<", b">>", b"stream\n", b"xref\n"),
    ".docx": (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<html>"),
}  # fmt: skip
ALONE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def count(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def looked_at(path: Path, raw: bytes) -> ParsedDocument | None:
    """Read bytes as a file, and hold what comes of it to what every document and problem keeps."""
    path.write_bytes(raw)
    try:
        document = format_registry.parse(path)
    except FileProblem as problem:
        told = problem
        assert told.status not in (FileStatus.FAILED, FileStatus.DENIED, FileStatus.READY)
        assert told.what.endswith(".")
        assert told.remedy.endswith(".")
        return None
    text, chunks = chunk_document(document, path.stem, SIZES, count)
    text.encode("utf-8")
    covered: set[int] = set()
    for chunk in chunks:
        assert chunk.text == text[chunk.locator.start : chunk.locator.end]
        covered.update(range(present(chunk.locator.start), present(chunk.locator.end)))
    assert all(sign.isspace() for at, sign in enumerate(text) if at not in covered)
    return document


@pytest.mark.parametrize("suffix", PIECES)
def test_any_bytes_are_a_document_or_a_problem_with_a_remedy(tmp_path: Path, suffix: str) -> None:
    pieces = st.sampled_from(PIECES[suffix]) | st.binary(max_size=6) | st.text(max_size=8).map(wide)
    body = st.lists(pieces, max_size=40).map(b"".join)

    @ALONE
    @given(st.sampled_from(MARKS), body)
    def holds(mark: bytes, raw: bytes) -> None:
        looked_at(tmp_path / f"any{suffix}", mark + raw)

    holds()


def wide(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=300)
@given(
    st.binary(max_size=300) | st.text(max_size=200).map(wide),
    st.sampled_from(MARKS),
    st.none() | st.sampled_from(NAMES) | st.text(max_size=12),
)
def test_any_bytes_have_a_text(raw: bytes, mark: bytes, declared: str | None) -> None:
    decode(mark + raw, declared).encode("utf-8")


@given(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=200),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
)
def test_a_text_that_names_its_encoding_by_its_mark_or_is_utf_8_is_read(
    text: str, name: str
) -> None:
    assert decode(text.encode(name)) == text.lstrip("\ufeff")


cells = st.text(
    st.characters(codec="utf-8", exclude_characters="\r\n\0,;\t|", exclude_categories=["Cc"])
)


@ALONE
@given(st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=6))
def test_every_cell_of_a_table_is_in_its_text(tmp_path: Path, rows: list[list[str]]) -> None:
    made = io.StringIO()
    csv.writer(made).writerows(rows)
    document = looked_at(tmp_path / "table.csv", made.getvalue().encode("utf-8-sig"))
    if document is not None:
        text = squeezed("".join(block.text for block in document.blocks))
        assert [cell for row in rows for cell in row if squeezed(cell) not in text] == []


def squeezed(text: str) -> str:
    return "".join(text.replace("\ufeff", "").split())


@st.composite
def mails(draw: st.DrawFn) -> bytes:
    """Make up a mail: parts within parts, names and encodings of any kind, and what is attached."""
    made = EmailMessage(SMTP.clone(raise_on_defect=False))
    made["Subject"] = draw(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
    made.set_content(draw(st.text(max_size=60)).encode("utf-8", "replace").decode())
    for _ in range(draw(st.integers(0, 3))):
        suffix = draw(
            st.sampled_from([".csv", ".txt", ".html", ".pdf", ".docx", ".eml", ".exe", ""])
        )
        name = draw(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20))
        body = draw(st.binary(max_size=60))
        made.add_attachment(body, "application", "octet-stream", filename=name + suffix)
    if made.is_multipart():
        made.set_boundary("b")
    raw = made.as_bytes()
    charset, way = (
        draw(st.sampled_from(NAMES)),
        draw(st.sampled_from(["base64", "x-uuencode", "8bit"])),
    )
    if draw(st.booleans()):
        raw = raw.replace(b'charset="utf-8"', f'charset="{charset}"'.encode())
    if draw(st.booleans()):
        raw = raw.replace(
            b"Content-Transfer-Encoding: 7bit", f"Content-Transfer-Encoding: {way}".encode()
        )
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(raw)))
        raw = raw[:at] + draw(st.sampled_from(PIECES[".eml"]) | st.binary(max_size=4)) + raw[at:]
    return raw


@ALONE
@given(mails())
def test_any_mail_is_a_document_or_a_problem_with_a_remedy(tmp_path: Path, raw: bytes) -> None:
    looked_at(tmp_path / "any.eml", raw)
