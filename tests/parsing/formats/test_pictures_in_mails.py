"""Pictures and scans in mails and web archives: which count, and where their text stands."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from PIL import Image

from desktop_rag.parsing.format_registry import embedded_pages, parse
from desktop_rag.parsing.ocr.page_pictures import page_picture_in
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.old_office_samples import outlook_mail
from tests.parsing.open_documents import written
from tests.parsing.sample_pictures import LINES, found, picture

TEXT = "\n".join(LINES)
OTHER = "\n".join(reversed(LINES))
RED, BLUE = picture("red").read(), picture("blue").read()
HTML_BODY = 0x1013


def letter(body: str = "The plain body.\n") -> EmailMessage:
    made = EmailMessage()
    made["Subject"], made["From"] = "Pumps", "ann@example.org"
    made.set_content(body)
    return made


def attach(mail: EmailMessage, raw: bytes, name: str | None = None) -> None:
    mail.add_attachment(raw, maintype="image", subtype="png", filename=name)


def shown(document: ParsedDocument) -> list[tuple[int | str, str]]:
    """Return what follows a mail's head."""
    return [(block.place.value, block.text) for block in document.blocks[1:]]


def test_a_picture_that_a_mail_shows_follows_the_text_and_an_attached_one_comes_after(
    tmp_path: Path,
) -> None:
    mail = letter()
    mail.add_alternative(
        "<p>Look <img src='cid:plan@here'> here.</p><p>Bye.</p><img src='https://example.org/a'>",
        subtype="html",
    )
    (_, page) = mail.iter_parts()
    assert isinstance(page, EmailMessage)
    page.add_related(RED, maintype="image", subtype="png", cid="<plan@here>", filename="plan.png")
    attach(mail, BLUE, "photo.png")
    attach(mail, picture("lime", 50, 50).read(), "logo.png")
    path = written(tmp_path / "a.eml", mail.as_bytes())
    first = parse(path)
    assert (first.unread_pages, first.notes) == ((1, 2), ())
    document = parse(path, {1: found(*LINES), 2: found(*reversed(LINES))})
    assert shown(document) == [
        ("body", "The plain body."), ("body", "Look here."), ("body", TEXT), ("body", "Bye."),
        ("photo.png", "photo.png"), ("photo.png", OTHER),
    ]  # fmt: skip
    assert (document.unread_pages, document.notes) == ((), ())
    assert shown(parse(path, {1: found(), 2: found()})) == shown(first)


def test_a_mail_that_is_one_picture_is_found_by_its_head_until_that_is_read(tmp_path: Path) -> None:
    mail = letter("\n")
    attach(mail, RED)
    path = written(tmp_path / "a.eml", mail.as_bytes())
    document = parse(path)
    assert document.unread_pages == (1,)
    assert "Subject" in document.blocks[0].text
    assert shown(parse(path, {1: found(*LINES)})) == [("attachment", TEXT)]
    assert shown(parse(path, {1: found()})) == []  # but its head


def test_attached_scans_and_documents_count_their_pages_among_the_pictures(tmp_path: Path) -> None:
    for name in ("scan.pdf", "fax.tiff"):
        sheets = [Image.new("RGB", (600, 800), colour) for colour in ("red", "blue")]
        sheets[0].save(tmp_path / name, save_all=True, append_images=sheets[1:])
    made = docx.Document()
    made.add_paragraph("Words of the file.")
    made.add_picture(picture("lime"))
    made.save(str(tmp_path / "a.docx"))
    mail = letter()
    for name in ("scan.pdf", "a.docx", "fax.tiff"):
        mail.add_attachment(
            (tmp_path / name).read_bytes(), maintype="application", subtype="x", filename=name
        )
    path = written(tmp_path / "a.eml", mail.as_bytes())
    first = parse(path)
    assert first.unread_pages == (1, 2, 3, 4, 5)
    assert any("scan.pdf" in note for note in first.notes)
    pages = embedded_pages(path, 1).values()
    seen = [page_picture_in(each.raw, each.page).pixels[0, 0].argmax() for each in pages]
    blue, green, red = range(3)
    assert seen == [red, blue, green, red, blue]
    texts = {number: found(f"The page of number {number} is read here.") for number in range(1, 6)}
    document = parse(path, texts)
    assert [(place, text[-22:]) for place, text in shown(document)] == [
        ("body", "The plain body."), ("scan.pdf", "scan.pdf"),
        ("scan.pdf", "number 1 is read here."), ("scan.pdf", "number 2 is read here."),
        ("a.docx", "a.docx"), ("a.docx", "Words of the file."),
        ("a.docx", "number 3 is read here."), ("fax.tiff", "fax.tiff"),
        ("fax.tiff", "number 5 is read here."),
    ]  # fmt: skip
    assert (document.unread_pages, document.notes) == ((), ())


def test_a_mailbox_s_pictures_have_their_mails_numbers(tmp_path: Path) -> None:
    raw = b""
    for colour in ("red", "blue", "red"):
        mail = letter()
        attach(mail, picture(colour).read(), "photo.png")
        raw += b"From ann@example.org Mon Jan  5 10:00:00 2026\n" + mail.as_bytes() + b"\n"
    path = written(tmp_path / "a.mbox", raw)
    assert parse(path).unread_pages == (1, 2)
    document = parse(path, {1: found(*LINES), 2: found(*reversed(LINES))})
    assert [place for place, text in shown(document) if text == TEXT] == [1]
    assert [place for place, text in shown(document) if text == OTHER] == [2]


@pytest.mark.parametrize("body", [{}, {HTML_BODY: b"<p>Look.</p><img src='cid:'>"}])
def test_a_picture_in_an_outlook_mail_is_read(tmp_path: Path, body: dict[int, bytes]) -> None:
    texts: dict[int, str | bytes] = {0x0037: "Pumps", **(body or {0x1000: "Look."})}
    path = written(tmp_path / "a.msg", outlook_mail(texts, [("plan.png", RED)]))
    assert parse(path).unread_pages == (1,)
    assert shown(parse(path, {1: found(*LINES)})) == [
        ("body", "Look."), ("plan.png", "plan.png"), ("plan.png", TEXT),
    ]  # fmt: skip


def test_an_outlook_mail_s_page_shows_its_picture(tmp_path: Path) -> None:
    page = b"<p>Look <img src='cid:p%40x'></p><p>Bye.</p>"
    streams = outlook_mail({0x0037: "Pumps", HTML_BODY: page}, [("plan.png", RED)], ids={0: "p@x"})
    document = parse(written(tmp_path / "a.msg", streams), {1: found(*LINES)})
    assert shown(document) == [("body", "Look"), ("body", TEXT), ("body", "Bye.")]


ARCHIVE = """MIME-Version: 1.0
Content-Type: multipart/related; boundary="b"

--b
Content-Type: text/html; charset="utf-8"
Content-Location: https://example.org/pages/a.html

<p>One.</p><img src="https://example.org/red.png"><p>Two.</p><img src="../blue.png"><img>
<p>Three.</p><img src="cid:lime"><img src="../blue.png"><img src="https://[">
--b
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://example.org/blue.png

{blue}
--b
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://example.org/
 red.png

{red}
--b
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-ID: <lime>

{lime}
--b--
"""


def test_a_web_archive_s_parts_are_the_pictures_of_its_pages(tmp_path: Path) -> None:
    raw = {"red": RED, "blue": BLUE, "lime": picture("lime").read()}
    text = ARCHIVE.format(**{name: base64.b64encode(each).decode() for name, each in raw.items()})
    path = written(tmp_path / "a.mhtml", text)
    assert parse(path).unread_pages == (1, 2, 3)
    document = parse(path, {2: found(*LINES), 3: found(*reversed(LINES))})
    assert [block.text for block in document.blocks] == ["One.", "Two.", TEXT, "Three.", OTHER]
