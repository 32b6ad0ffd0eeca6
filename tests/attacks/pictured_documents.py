"""Documents of every format that shows pictures, with a picture of text, whole or swollen."""

from __future__ import annotations

import base64
import io
import struct
from collections.abc import Callable, Iterable, Iterator
from email.message import EmailMessage

from PIL import Image, ImageDraw

from tests.attacks.sample_documents import SENTENCE, picture
from tests.parsing.old_office_samples import outlook_mail
from tests.parsing.open_documents import epub_parts, flat_odf, odf_parts, packed, page

LINES = "The harbour of the town is old.\nIts ships sail at seven."
_FRAME = '<draw:frame><draw:image href="Pictures/a.png"/></draw:frame>'


def text_picture() -> Image.Image:
    """Return a picture of two lines."""
    made = Image.new("RGB", (500, 200), "white")
    ImageDraw.Draw(made).multiline_text((20, 20), LINES, "black", font_size=24)
    return made


def pictured_documents() -> dict[str, bytes]:
    """Return whole files by their names; each shows the picture first."""
    made = io.BytesIO()
    text_picture().save(made, "PNG")
    raw = made.getvalue()
    scan = io.BytesIO()
    text_picture().save(scan, "PDF")
    held = base64.encodebytes(raw).decode()
    book = epub_parts({"a.xhtml": page(f"<p>{SENTENCE}</p><svg><image href='a.png'/></svg>")})
    cell = f"<table:table-cell><text:p>{SENTENCE}</text:p>{_FRAME}</table:table-cell>"
    row = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    body = f"<text:p>{SENTENCE}{_FRAME}</text:p>"
    flat = f"<draw:image><office:binary-data>{held}</office:binary-data></draw:image>"
    return {
        "shown.html": _shown(raw),
        "shown.epub": packed({**book, "OEBPS/a.png": raw}),
        "shown.fb2": (
            f"<FictionBook><body><section><p>{SENTENCE}</p><image href='#a'/></section></body>"
            f"<binary id='a'>{held}</binary></FictionBook>"
        ).encode(),
        "shown.odt": packed({**odf_parts("text", body), "Pictures/a.png": raw}),
        "shown.odp": packed(
            {**odf_parts("presentation", f"<draw:page>{body}</draw:page>"), "Pictures/a.png": raw}
        ),
        "shown.ods": packed({**odf_parts("spreadsheet", row), "Pictures/a.png": raw}),
        "shown.fodt": flat_odf("text", f"<text:p>{SENTENCE}</text:p>{flat}"),
        "shown.rtf": rb"{\rtf1 %s{\pict\pngblip %s}\par}" % (SENTENCE.encode(), raw.hex().encode()),
        "shown.eml": _mail(raw, scan.getvalue()),
        "shown.mhtml": _mail(raw, b""),
        "shown.mbox": b"From a@example.org Mon Jan  5 10:00:00 2026\n" + _mail(raw, b""),
        "shown.msg": outlook_mail(
            {0x0037: "Ships", 0x1000: SENTENCE}, [("a.png", raw), ("b.pdf", scan.getvalue())]
        ),
    }


def swollen_documents() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield documents of very many pictures, or of large ones, by their names."""
    huge = bytearray(picture().getvalue())
    huge[16:24] = struct.pack(">2I", 100_000, 100_000)
    yield "pictures.html", lambda: _shown(*_different(20_000))
    yield "huge pictures.html", lambda: _shown(*(bytes(huge) + bytes(n) for n in range(3000)))
    yield "picture of 60 MB.html", lambda: _shown(picture().getvalue() + bytes(60_000_000))
    yield "picture shown.epub", lambda: _book(200_000)
    yield "picture of zeros.epub", lambda: _book(1, bytes(150_000_000))
    yield (
        "picture shown.eml",
        lambda: _mail(picture().getvalue() + bytes(5_000_000), b"", "<img src='cid:a'>" * 100_000),
    )
    yield "pictures.eml", lambda: _mail(b"", b"", attached=_different(450))
    yield (
        "picture in digits.rtf",
        lambda: (
            b"{\\rtf1 %s{\\pict\\pngblip %s}\\par}" % (SENTENCE.encode(), b"89504e47" * 10_000_000)
        ),
    )


def _different(count: int) -> Iterator[bytes]:
    whole = picture().getvalue()
    return (whole + struct.pack("<I", number) for number in range(count))


def _shown(*pictures: bytes) -> bytes:
    shown = "".join(
        f"<img src='data:image/png;base64,{base64.b64encode(raw).decode()}'>" for raw in pictures
    )
    return f"<p>{SENTENCE}</p>{shown}".encode()


def _book(times: int, added: bytes = b"") -> bytes:
    text = page(f"<p>{SENTENCE}</p>" + "<img src='a.png'/>" * times)
    return packed({**epub_parts({"a.xhtml": text}), "OEBPS/a.png": picture().getvalue() + added})


def _mail(
    raw: bytes, scan: bytes, shown: str = "<img src='cid:a'>", attached: Iterable[bytes] = ()
) -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"] = "Ships", "ann@example.org"
    made.set_content(f"<p>{SENTENCE}</p>{shown}", subtype="html")
    if raw:
        made.add_related(raw, maintype="image", subtype="png", cid="<a>")
    if scan:
        made.add_attachment(scan, maintype="application", subtype="pdf", filename="b.pdf")
    for each in attached:
        made.add_attachment(each, maintype="image", subtype="png", filename="c.png")
    return made.as_bytes()
