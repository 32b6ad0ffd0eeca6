"""Whole files of every format that is read, from which damaged ones are made."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from PIL import Image

from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat
from desktop_rag.parsing.format_registry import EXTENSIONS
from testing.sample_folder import SAMPLES
from tests.attacks.pictured_documents import pictured_documents
from tests.attacks.sample_documents import (
    FORMULA,
    MATHML,
    locked_documents,
    ruled_pdf,
    slides,
    word,
)
from tests.parsing.archive_files import Content, locked_zip, tarred, zipped
from tests.parsing.locked_files import PASSWORD
from tests.parsing.old_office_samples import (
    Cell,
    bin_cell,
    binary_workbook,
    mail_streams,
    old_workbook,
    outlook_mail,
    presentation,
    wide,
    word_file,
)
from tests.parsing.open_documents import epub_parts, flat_odf, odf, packed, page
from tests.parsing.sample_files import Pdf, PdfPage, paragraph
from tests.parsing.sample_pictures import encoded

_LARGEST = 300_000
_OF_A_FORMAT = 6

_PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Harbour</title></head><body>
<h1>The harbour</h1><p>Ships sail at <b>seven</b> every morning; a ticket costs 12 crowns.</p>
<table><tr><th>Pier</th><th>Ships</th></tr><tr><td>1</td><td>14</td></tr></table>
<ul><li>Bring a coat.</li><li>Bring <a href="https://example.org">a map</a>.</li></ul>
<pre>a = 1\nb = 2</pre><p>Größe, 中文, עברית.</p></body></html>"""
_WITH_FORMULA = _PAGE.replace("<ul>", f"<p>So {MATHML}.</p><ul>")
_TABLE = "Year,City,Ships\n" + "".join(f'{2000 + n},"Harbour, {n}",{n * 7}\n' for n in range(60))
_MAIL = """From: Ann Smith <ann@example.org>
To: bob@example.org
Subject: =?utf-8?q?Ships_=E2=80=93_and_their_harbour?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

The ships sail at seven every morning. A ticket costs 12 crowns =E2=82=AC.

--inner
Content-Type: text/html; charset=iso-8859-1

<html><body><p>The ships sail at seven every morning.</p></body></html>

--inner--
--outer
Content-Type: text/csv; name="ships.csv"
Content-Disposition: attachment; filename="ships.csv"
Content-Transfer-Encoding: base64

WWVhcixDaXR5LFNoaXBzCjIwMDEsSGFyYm91ciwxNAoyMDAyLEhhcmJvdXIsMjEK

--outer
Content-Type: message/rfc822

From: carl@example.org
Subject: Within

This mail stands within the other one, and tells of the lighthouse.

--outer--
"""
_RTF = (
    r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}}"
    r"{\stylesheet{\s1 heading 1;}}{\info{\title Harbour}}{\header Kept}\pard\s1 Harbour\par\pard"
    r"\f0 Gr\'f6\'dfe \u8211\'96 \f1\'b8\'db\'bf\'da\par{\pict 00ff00ff}{\footnote A note.}"
    r"\trowd\intbl Pier\cell Ships\cell\row\intbl 1\cell 14\cell\row\pard The ships sail at"
    r" seven every morning, and come back at noon.\par}"
)
_PROSE = "The harbour of the town is old. Its ships sail at seven. 港口很古老。船七点开。\n\n" * 30


_OPEN_TEXTS = {
    "records.json": '[{"city": "Harbour", "ships": 14}, {"city": "Pier", "tags": ["a", "b"]}]',
    "lines.jsonl": '{"city": "Harbour", "ships": 14}\n' * 20,
    "feed.xml": "<rss><channel><title>Harbour</title>"
    + "<item><title>Ships</title><description>They sail at seven.</description></item>" * 9
    + "</channel></rss>",
    "book.fb2": "<FictionBook><body><section><title><p>One</p></title><p>The ships sail.</p>"
    "<table><tr><td>Pier</td><td>1</td></tr></table></section></body></FictionBook>",
    "code.py": "class Harbour:\n    def ships(self):\n        return 14\n\n\n" * 9,
    "settings.yaml": "harbour:\n  ships: 14\n  piers:\n    - name: old\n" * 9,
    "guide.rst": "Harbour\n=======\n\nThe ships sail at seven.\n\n" * 9,
    "talk.srt": "1\n00:00:01,000 --> 00:00:03,000\nThe ships sail at seven.\n\n" * 9,
    "book.ipynb": '{"cells": [{"cell_type": "code", "source": ["ships = 14\\n"], "outputs": '
    '[{"output_type": "stream", "text": ["They sail at seven."]}]}]}',
    "mails.mbox": f"From ann@example.org Mon Jan  5 10:00:00 2026\n{_MAIL}\n" * 2,
    "page.mhtml": _MAIL.replace("text/plain", "text/html").replace("mixed", "related"),
}
_CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
_TABLE_OF_ODF = '<table:table table:name="Ships">' + "".join(
    f"<table:table-row>{_CELL.format(f'Pier {n}')}"
    f'<table:table-cell table:number-columns-repeated="{n + 1}" office:value-type="float" '
    f'office:value="{n * 7}"><text:p>{n * 7}</text:p></table:table-cell></table:table-row>'
    for n in range(30)
)  # fmt: skip
_OBJECT = f"<draw:frame><draw:object>{MATHML}</draw:object></draw:frame>"
_TEXT_OF_ODF = (
    '<text:h text:outline-level="1">The harbour</text:h><text:p>Ships <text:span>sail</text:span> '
    "at seven.<text:note><text:note-body><text:p>Since 1900.</text:p></text:note-body></text:note>"
    "</text:p><text:list><text:list-item><text:p>A coat.</text:p></text:list-item></text:list>"
) * 4


@dataclass(frozen=True, slots=True)
class Seed:
    """A whole file: its name, its bytes, and the password that opens it, where it has one."""

    name: str
    raw: bytes
    password: str = ""

    @property
    def suffix(self) -> str:
        """The extension, by which its format is known."""
        return Path(self.name).suffix.lower()


def made_here() -> list[Seed]:
    """Return the samples and files made in code: at least one of every format."""
    texts = {
        "page.html": _PAGE, "formula.html": _WITH_FORMULA,
        "page.xhtml": f'<?xml version="1.0" encoding="utf-8"?>{_PAGE}',
        "table.csv": _TABLE, "table.tsv": _TABLE.replace(",", "\t"), "mail.eml": _MAIL,
        "prose.txt": _PROSE, "prose.md": f"---\ntitle: Harbour\n---\n# Harbour\n\n{_PROSE}",
    }  # fmt: skip
    made = [Seed(name, text.encode()) for name, text in texts.items()]
    made += [Seed(name, text.encode()) for name, text in _OPEN_TEXTS.items()]
    made += _open_packages()
    made.append(Seed("wide.txt", _PROSE.encode("utf-16")))
    made.append(Seed("pages.pdf", _pdf()))
    made += _pictures()
    made += [Seed(name, raw) for name, raw in _old_office().items()]
    made += [Seed("formulas.docx", word(FORMULA)), Seed("chart.pptx", slides())]
    made.append(Seed("table.pdf", ruled_pdf()))
    made += [Seed(name, raw) for name, raw in pictured_documents().items()]
    made += _archives()
    made += [
        Seed(name, raw, "harbour" if name.endswith(".pdf") else PASSWORD)
        for name, raw in locked_documents().items()
    ]
    return made + list(_below(SAMPLES))


def _archives() -> list[Seed]:
    """Return archives of a few files each; one has a password."""
    files: dict[str, Content] = {
        "page.html": _PAGE, "table.csv": _TABLE, "feed.xml": _OPEN_TEXTS["feed.xml"],
        "word/ships.docx": word(FORMULA), "mails/mail.eml": _MAIL, "pages.pdf": _pdf(),
    }  # fmt: skip
    inner: dict[str, Content] = {"inner.zip": zipped(files), "inner.tgz": tarred(files, "gz")}
    return [
        Seed("papers.zip", zipped(files | inner)),
        Seed("papers.tar", tarred(files | inner, links={"link.txt": "page.html"})),
        Seed("papers.tgz", tarred(files, "gz")),
        Seed("locked.zip", locked_zip({"prose.txt": _PROSE}, PASSWORD, {}), PASSWORD),
    ]


def _old_office() -> dict[str, bytes]:
    """Return old Office's files, Outlook's and RTF."""
    rows: list[list[Cell]] = [["Pier", "Ships", "Share"], ["North", 14.0, (0.25, "0%")]]
    cells = [bin_cell(row, column, 6, wide(f"Ship {row}")) for row in (0, 1) for column in (0, 3)]
    attached: list[tuple[str, bytes | dict[str, bytes]]]
    attached = [("ships.csv", _TABLE.encode()), ("within", mail_streams({0x1000: _PROSE}, head=24))]
    return {
        "old.doc": word_file(_PROSE.replace("\n\n", "\r") + "Pier\aShips\a\aEnd.\r"),
        "old.ppt": presentation([{0: "Harbour", 1: _PROSE}, {4: _PROSE}], {2: "Notes."}),
        "old.xls": old_workbook({"Ships": rows * 20, "More": rows}, hidden="More"),
        "binary.xlsb": binary_workbook({"Ships": cells}, ["0%"], ["Harbour"]),
        "old.msg": outlook_mail({0x0037: "Ships", 0x0C1A: "Ann", 0x1000: _PROSE}, attached),
        "text.rtf": _RTF.encode(),
    }


def real_ones(folder: Path, draw: Random) -> list[Seed]:
    """Return a few small real documents of each format, where the collection is there."""
    formats: dict[str, list[Seed]] = {}
    for seed in _below(folder):
        formats.setdefault(seed.suffix, []).append(seed)
    return [
        seed
        for _, seeds in sorted(formats.items())
        for seed in draw.sample(seeds, min(_OF_A_FORMAT, len(seeds)))
    ]


def _below(folder: Path) -> Iterator[Seed]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in EXTENSIONS and 200 < path.stat().st_size <= _LARGEST:
            yield Seed(path.name, path.read_bytes())


def _pictures() -> Iterator[Seed]:
    """Yield a small picture of every ending that is read."""
    picture = Image.new("RGB", (60, 40), "white")
    for ending, form in BY_EXTENSION.items():
        if form is FileFormat.PICTURE:
            yield Seed(f"picture{ending}", encoded(picture, ending))


def _open_packages() -> list[Seed]:
    table = f"{_TABLE_OF_ODF}</table:table>"
    slide = f"<draw:page><draw:frame><draw:text-box>{_TEXT_OF_ODF}</draw:text-box></draw:frame>"
    documents = {f"c{n}.xhtml": page(f"<h1>Part {n}</h1>{MATHML}<p>{_PROSE}</p>") for n in range(3)}
    return [
        Seed("text.odt", odf("text", _TEXT_OF_ODF + table)),
        Seed("formula.odt", odf("text", f"{_TEXT_OF_ODF}<text:p>{_OBJECT}</text:p>")),
        Seed("slides.odp", odf("presentation", f"{slide}</draw:page>" * 3)),
        Seed("table.ods", odf("spreadsheet", table)),
        Seed("flat.fods", flat_odf("spreadsheet", table)),
        Seed("book.epub", packed(epub_parts(documents, metadata="<dc:title>Harbour</dc:title>"))),
    ]


def _pdf() -> bytes:
    lines = ("The harbour is old, and its ships", "sail at seven every morning.")
    pages = tuple(PdfPage(paragraph(700 - 40 * at, *lines)) for at in range(4))
    with tempfile.TemporaryDirectory() as folder:
        return Pdf(pages, title="Harbour").write(Path(folder, "made.pdf")).read_bytes()
