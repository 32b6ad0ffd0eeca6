from __future__ import annotations

import struct
from email.message import EmailMessage
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.formats.compressed_rtf import unpacked
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.old_office_samples import (
    compound_file,
    mail_streams,
    old_workbook,
    outlook_mail,
    word_file,
)
from tests.parsing.parser_scoring import entries, score

SUBJECT, HEADERS, BODY, RTF, HTML = 0x0037, 0x007D, 0x1000, 0x1009, 0x1013
FROM_NAME, FROM_ADDRESS, TO, CC = 0x0C1A, 0x0C1F, 0x0E04, 0x0E03
SENT, CODEPAGE, BODY_CODEPAGE = 0x0039, 0x3FFD, 0x3FDE
SENTENCE = "A sentence that is long enough to be worth finding."
HEAD = {SUBJECT: "The ships", FROM_NAME: "Ann", FROM_ADDRESS: "ann@example.org", TO: "Bob"}


def read(raw: bytes, path: Path) -> ParsedDocument:
    path.write_bytes(raw)
    return parse(path)


def test_head_and_body_are_read(tmp_path: Path) -> None:
    raw = outlook_mail({**HEAD, CC: "Carl", BODY: f"{SENTENCE}\r\n\r\nGrüße, 中文."},
                       numbers={SENT: 133_497_000_000_000_000})  # fmt: skip
    document = read(raw, tmp_path / "a.msg")
    assert document.title == "The ships"
    head, first, second = document.blocks
    assert (head.kind, head.place.value) == (BlockKind.META, "head")
    assert head.text.splitlines() == [
        "From: Ann <ann@example.org>", "To: Bob", "Cc: Carl", "Date: 2024-01-14 10:00:00 UTC",
        "Subject: The ships",
    ]  # fmt: skip
    assert [first.text, second.text] == [SENTENCE, "Grüße, 中文."]
    assert first.place.value == "body"


def test_the_head_that_came_with_the_mail_goes_before_names_alone(tmp_path: Path) -> None:
    told = "From: =?utf-8?q?Z=C3=B6e?= <zoe@example.org>\nTo: a@b.org,\n c@d.org\nDate: Monday\n"
    document = read(outlook_mail({**HEAD, HEADERS: told, BODY: SENTENCE}), tmp_path / "a.oft")
    assert document.blocks[0].text.splitlines()[:3] == [
        "From: Zöe <zoe@example.org>", "To: a@b.org, c@d.org", "Date: Monday",
    ]  # fmt: skip


def test_texts_of_bytes_are_read_in_the_mails_code_page(tmp_path: Path) -> None:
    streams = mail_streams({}, numbers={CODEPAGE: 1251})
    streams["__substg1.0_0037001E"] = "Корабли".encode("cp1251")
    streams["__substg1.0_1000001E"] = f"{SENTENCE} Привет.".encode("cp1251")
    document = read(compound_file(streams), tmp_path / "a.msg")
    assert document.title == "Корабли"
    assert document.blocks[1].text == f"{SENTENCE} Привет."


def test_without_plain_text_the_web_page_is_read_and_then_the_rtf(tmp_path: Path) -> None:
    page = (
        "<p>Größe</p><table><tr><th>Pier</th><th>Ships</th></tr><tr><td>1</td><td>14</td></table>"
    )
    raw = outlook_mail({**HEAD, HTML: page.encode("cp1252"), RTF: b"no"},
                       numbers={BODY_CODEPAGE: 1252})  # fmt: skip
    blocks = read(raw, tmp_path / "a.msg").blocks
    assert blocks[1].text == "Größe"
    assert blocks[2].kind is BlockKind.TABLE
    plain = struct.pack("<4I", 0, 99, 0x414C454D, 0) + rb"{\rtf1 In rich text.\par}"
    assert read(outlook_mail({**HEAD, RTF: plain}), tmp_path / "b.msg").blocks[1].text == (
        "In rich text."
    )


def test_compressed_rtf_is_unpacked() -> None:
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d"
        "0a800fa0"
    )  # the example of [MS-OXRTFCP] 3.1.1
    assert unpacked(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    head = struct.pack("<4I", 0, 17, 0x75465A4C, 0)
    itself = struct.pack(">H", 207 << 4 | 12)  # fourteen bytes, from the first on
    assert unpacked(head + b"\x08WXY" + itself) == b"WXYWXYWXYWXYWXYWX"
    assert unpacked(b"short") == unpacked(b"\0" * 40) == b""


def test_attachments_are_read_under_their_names(tmp_path: Path) -> None:
    attached = [
        ("../../etc/ships.xls", old_workbook({"Ships": [["North", SENTENCE]]})),
        ("old.doc", word_file(f"The contract of the harbour.\r{SENTENCE}\r")),
        ("photo.png", b"\x89PNG"),
        ("bad.doc", word_file(f"{SENTENCE}\r", is_encrypted=True)),
    ]
    document = read(outlook_mail({**HEAD, BODY: SENTENCE}, attached), tmp_path / "a.msg")
    places = {block.place.value for block in document.blocks}
    assert {"ships.xls", "old.doc"} <= places
    assert any("contract of the harbour" in block.text for block in document.blocks)
    assert "The attachment photo.png was not read." in map(str, document.notes)
    assert any("bad.doc" in note and "password" in note for note in map(str, document.notes))


def test_mails_in_mails_are_read_to_a_depth(tmp_path: Path) -> None:
    inner = mail_streams({SUBJECT: "6", BODY: "Too deep."}, head=24)
    for depth in range(5, 0, -1):
        texts = {SUBJECT: f"Mail {depth}", BODY: f"Text of {depth}."}
        inner = mail_streams(texts, [("inner", inner)], head=24)
    document = read(outlook_mail({**HEAD, BODY: SENTENCE}, [("inner", inner)]), tmp_path / "a.msg")
    texts_read = [block.text for block in document.blocks]
    assert "Text of 1." in texts_read
    assert "Text of 5." in texts_read
    assert "Too deep." not in texts_read
    assert [b.place.value for b in document.blocks if b.text == "Text of 2."] == ["Mail 2"]
    assert "Mails in mails were read to a depth of 5." in map(str, document.notes)


def test_mails_as_files_in_mails_are_read_to_a_depth(tmp_path: Path) -> None:
    raw = outlook_mail({**HEAD, BODY: "The innermost of all mails."})
    for depth in range(7):
        raw = outlook_mail({**HEAD, BODY: f"This is mail {depth}."}, [("inner.msg", raw)])
    document = read(raw, tmp_path / "a.msg")
    texts = [block.text for block in document.blocks]
    assert "This is mail 1." in texts
    assert "The innermost of all mails." not in texts
    assert any("depth of 5" in str(note) for note in document.notes)


def test_a_mail_saved_by_outlook_is_read_within_another_mail(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"] = "Forwarded"
    message.set_content("See what is attached.")
    message.add_attachment(
        outlook_mail({**HEAD, BODY: SENTENCE}), maintype="application", subtype="vnd.ms-outlook",
        filename="ships.msg",
    )  # fmt: skip
    document = read(message.as_bytes(), tmp_path / "a.eml")
    (block,) = [block for block in document.blocks if block.text == SENTENCE]
    assert block.place.value == "ships.msg"


def test_the_text_of_a_signed_mail_is_read(tmp_path: Path) -> None:
    signed = (
        b'Content-Type: multipart/signed; boundary="x"\r\n\r\n--x\r\nContent-Type: text/plain\r\n'
        b"\r\nSigned: the ships sail at seven.\r\n--x\r\nContent-Type: application/x-signature"
        b"\r\n\r\nAAAA\r\n--x--\r\n"
    )
    document = read(outlook_mail(HEAD, [("smime.p7m", signed)]), tmp_path / "a.msg")
    assert "Signed: the ships sail at seven." in [block.text for block in document.blocks]


def test_a_damaged_mail_is_corrupt(tmp_path: Path) -> None:
    raw = outlook_mail({**HEAD, BODY: SENTENCE})
    with pytest.raises(FileProblem) as caught:
        read(raw[:512] + bytes(len(raw) - 512), tmp_path / "a.msg")
    assert caught.value.status is FileStatus.CORRUPT


def test_the_real_mails_are_read(shared: Path) -> None:
    made = score(shared / "documents", entries(shared / "documents", ["msg"]))
    assert made.fitting == made.files, made.wrong
    assert made.found == made.phrases > 0, made.wrong
