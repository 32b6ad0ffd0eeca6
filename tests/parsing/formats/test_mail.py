from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing.format_registry import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import epub_parts, odf, packed, page
from tests.parsing.sample_files import one_page, paragraph


def letter(subject: str = "Ünïcode subject") -> EmailMessage:
    made = EmailMessage()
    made["Subject"] = subject
    made["From"] = "Ann <ann@example.org>"
    made["To"] = "bob@example.org"
    made["Date"] = "Mon, 4 Mar 2024 10:00:00 +0100"
    made.set_content("The plain body.\n\nIts second paragraph: grüße.\n")
    return made


def read(message: EmailMessage | bytes, path: Path) -> ParsedDocument:
    path.write_bytes(message if isinstance(message, bytes) else message.as_bytes())
    return parse(path)


def test_head_and_body_are_read(tmp_path: Path) -> None:
    document = read(letter(), tmp_path / "a.eml")
    assert document.title == "Ünïcode subject"
    head, first, second = document.blocks
    assert head.kind is BlockKind.META
    assert head.text.splitlines()[0] == "From: Ann <ann@example.org>"
    assert "Date: Mon, 04 Mar 2024 10:00:00 +0100" in head.text
    assert (first.text, second.text) == ("The plain body.", "Its second paragraph: grüße.")
    assert first.place.value == "body"


def test_the_web_form_adds_only_what_the_plain_one_lacks(tmp_path: Path) -> None:
    message = letter()
    message.add_alternative(
        "<p>The plain body.</p><p>Only in the web form.</p><script>x</script>", subtype="html"
    )
    texts = [block.text for block in read(message, tmp_path / "a.eml").blocks]
    assert texts.count("The plain body.") == 1
    assert texts[-1] == "Only in the web form."


def test_attachments_are_read_under_their_names(tmp_path: Path) -> None:
    message = letter()
    pdf = one_page(*paragraph(700, "The contract runs for three years.")).write(tmp_path / "x.pdf")
    message.add_attachment(
        pdf.read_bytes(), maintype="application", subtype="pdf", filename="../../etc/vertrag ü.pdf"
    )
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
    message.add_attachment(b"%PDF-broken", maintype="x", subtype="y", filename="bad.pdf")
    document = read(message, tmp_path / "a.eml")
    (block,) = [b for b in document.blocks if "three years" in b.text]
    assert block.place.value == "vertrag ü.pdf"
    assert document.notes == (
        "The attachment logo.png was not read.",
        "The attachment bad.pdf was not read: The PDF is damaged.",
    )


def test_attachments_of_other_formats_are_read(tmp_path: Path) -> None:
    message = letter()
    lease = odf("text", "<text:p>The lease ends in May.</text:p>")
    book = packed(epub_parts({"a.xhtml": page("<p>A book of ships.</p>")}))
    attached = {
        "lease.odt": lease, "book.epub": book, "ships.json": b'[{"ship": "Ada"}, {"ship": "Bea"}]',
        "port.yaml": b"port: 8080\n", "sail.py": b"def sail():\n    return 7\n",
        "mails.mbox": b"From a@b Mon Jan  5 10:00:00 2026\nSubject: Old\n\nAn old mail.\n",
    }  # fmt: skip
    for name, raw in attached.items():
        message.add_attachment(raw, maintype="application", subtype="x", filename=name)
    document = read(message, tmp_path / "a.eml")
    texts = {b.place.value: b.text for b in document.blocks if b.kind is not BlockKind.HEADING}
    assert {name: texts[name] for name in attached} == {
        "lease.odt": "The lease ends in May.", "book.epub": "A book of ships.",
        "ships.json": "ship: Ada\nship: Bea", "port.yaml": "port: 8080",
        "sail.py": "def sail():\n    return 7", "mails.mbox": "An old mail.",
    }  # fmt: skip
    assert document.notes == ()


def test_mails_in_mails_are_read_to_a_depth(tmp_path: Path) -> None:
    message = letter("depth 0")
    for depth in range(1, 12):
        outer = letter(f"depth {depth}")
        outer.add_attachment(message)
        message = outer
    text = "".join(block.text for block in read(message, tmp_path / "a.eml").blocks)
    assert "depth 8" in text
    assert "depth 0" not in text


@pytest.mark.parametrize("charset", ["gb2312", "x-unknown", "utf-8"])
def test_bodies_in_wrongly_declared_encodings_are_read(tmp_path: Path, charset: str) -> None:
    raw = (
        f"Subject: test\nContent-Type: text/plain; charset={charset}\n"
        "Content-Transfer-Encoding: 8bit\n\n"
    ).encode() + "会议改到星期三下午两点，在老地方。".encode("gbk")
    document = read(raw, tmp_path / "a.eml")
    assert document.blocks[-1].text == "会议改到星期三下午两点，在老地方。"


def test_a_mail_saved_as_utf_16_is_read(tmp_path: Path) -> None:
    raw = b"\xff\xfe" + letter("A plain subject").as_string().encode("utf-16-le")
    assert read(raw, tmp_path / "a.eml").title == "A plain subject"


def test_a_mail_that_says_nothing_is_empty(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read(b"   \n\n  \n", tmp_path / "a.eml")
    assert caught.value.status is FileStatus.EMPTY


def test_broken_heads_do_not_stop_the_reading(tmp_path: Path) -> None:
    raw = (
        b"Subject: =?x-none?Q?caf=E9?=\nFrom: \xff\xfe@@\nDate: yesterday\n"
        b'Content-Type: multipart/mixed; boundary="b\n\nThe body of a broken mail is here.\n'
    )
    assert "broken mail" in "".join(block.text for block in read(raw, tmp_path / "a.eml").blocks)


def many(count: int) -> bytes:
    parts = b"".join(
        b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=%d.txt\n\n"
        b"This is the attachment number %d of this mail.\n" % (n, n)
        for n in range(count)
    )
    return b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n" + parts + b"--b--\n"


def test_of_very_many_parts_the_first_are_read_and_the_rest_is_told(tmp_path: Path) -> None:
    document = read(many(502), tmp_path / "a.eml")
    texts = {block.text for block in document.blocks}
    assert "This is the attachment number 499 of this mail." in texts
    assert "This is the attachment number 500 of this mail." not in texts
    assert document.notes == ("The mail has more than 500 parts; the others were not read.",)
    assert read(many(500), tmp_path / "b.eml").notes == ()


@pytest.mark.parametrize("charset", ["quoted-printable", "base64", "zip", "undefined", "rot13"])
def test_a_charset_that_is_none_spoils_neither_body_nor_head(tmp_path: Path, charset: str) -> None:
    raw = (
        f"Subject: =?{charset}?Q?The_plan?= of June\n"
        f"Content-Type: multipart/mixed; boundary=b\n\n--b\n"
        f"Content-Type: text/plain; charset={charset}\n\nThe body of this mail is here.\n--b\n"
        f"Content-Disposition: attachment; filename*={charset}''notes.txt\n\n"
        "Notes that came with the mail.\n--b--\n"
    ).encode()
    document = read(raw, tmp_path / "a.eml")
    assert document.title == "The plan of June"
    assert [block.text for block in document.blocks[1:]] == [
        "The body of this mail is here.", "notes.txt", "Notes that came with the mail.",
    ]  # fmt: skip


def test_raw_bytes_in_a_head_are_read_in_their_encoding(tmp_path: Path) -> None:
    subject = "会议改到星期三下午两点，在老地方。"
    raw = b"Subject: " + subject.encode("gbk") + b"\n\nThe body of this mail is here.\n"
    assert read(raw, tmp_path / "a.eml").title == subject


def test_an_encoded_name_of_an_attachment_is_read(tmp_path: Path) -> None:
    raw = (
        b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        b"Content-Disposition: attachment; filename*0*=gb2312''%BB%E1; filename*1*=%D2%E9.txt\n\n"
        b"Notes that came with the mail.\n--b--\n"
    )
    assert read(raw, tmp_path / "a.eml").blocks[-1].place.value == "会议.txt"


def test_parts_in_parts_without_end_are_read_to_the_end(tmp_path: Path) -> None:
    depth = 3000
    heads = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth)
    )
    raw = b"Subject: s\n" + heads + b"\nThe body of this mail is deep.\n"
    document = read(raw, tmp_path / "a.eml")
    assert "is deep" in "".join(block.text for block in document.blocks)
