"""Files made to use up time and memory, as people meet them: each small on disk, huge when read."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

_CONTENT_TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>"""  # noqa: E501 - the names are that long
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="{office}/{kind}" Target="{target}"/></Relationships>"""
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha ha ha ha ha ha ha ha ha ha">'
    + "".join(
        f'<!ENTITY {after} "{f"&{before};" * 10}">'
        for before, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)


def sheet_of_many_cells(path: Path, rows: int = 1_000_000) -> Path:
    """Write a workbook whose one sheet repeats a row until it is several hundred MB of XML."""
    cells = "".join(f'<c r="{c}%d" t="inlineStr"><is><t>x</t></is></c>' for c in "ABCDEFGHIJ")
    together = f'<row r="%d">{cells}</row>' * 100  # one by one they take longer than to be packed
    with _office(path) as archive:
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            sheet.write(f'<worksheet xmlns="{_SHEETS}"><sheetData>'.encode())
            for first in range(1, rows + 1, 100):
                numbers = tuple(row for row in range(first, first + 100) for _ in range(11))
                sheet.write((together % numbers).encode())
            sheet.write(b"</sheetData></worksheet>")
        _workbook(archive)
    return path


def sheet_with_a_cell_far_away(path: Path) -> Path:
    """Write a workbook with one cell in the first place and one in the last that Excel knows."""
    far = "".join(
        f'<row r="{row}"><c r="{cell}" t="inlineStr"><is><t>{text}</t></is></c></row>'
        for row, cell, text in (
            (1, "A1", "The harbour opens at six in the morning."),
            (1_048_576, "XFD1048576", "The ferry leaves at noon every day."),
        )
    )
    with _office(path) as archive:
        archive.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{_SHEETS}"><dimension ref="A1:XFD1048576"/>'
            f"<sheetData>{far}</sheetData></worksheet>",
        )
        _workbook(archive)
    return path


def document_of_entities(path: Path) -> Path:
    """Write a Word file whose text is ten to the ninth laughs."""
    with _office(path) as archive:
        archive.writestr("_rels/.rels", _relation("officeDocument", "word/document.xml"))
        archive.writestr(
            "word/document.xml",
            f'{_LAUGHS}<w:document xmlns:w="{_WORDS}"><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p>'
            "</w:body></w:document>",
        )
    return path


def page_of_entities(path: Path) -> Path:
    """Write an XHTML page of the same."""
    body = "<html><body><p>The harbour opens at six. &i;</p></body></html>"
    path.write_text(f'<?xml version="1.0"?>{_LAUGHS}{body}')
    return path


def archive_that_unpacks_to_gigabytes(path: Path) -> Path:
    """Write an Office file that holds 1.5 GB of one letter in a few MB."""
    with _office(path) as archive:
        archive.writestr("_rels/.rels", _relation("officeDocument", "word/document.xml"))
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(f'<w:document xmlns:w="{_WORDS}"><w:body><w:p><w:r><w:t>'.encode())
            for _ in range(1500):
                part.write(b"a" * 1_000_000)
            part.write(b"</w:t></w:r></w:p></w:body></w:document>")
    return path


def pdf_of_a_picture(path: Path, side: int = 20_000) -> Path:
    """Write a PDF whose one page is a white picture: about 1 MB on disk, more than 1 GB drawn."""
    squeezed = _squeezed(b"\xff" * side * 3 * 100, side // 100)
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {side} /Height {side} "
        "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode "
        f"/Length {len(squeezed)} >>\nstream\n"
    )
    picture = head.encode() + squeezed + b"\nendstream"
    drawing = b"q 600 0 0 800 0 0 cm /P Do Q"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
    page += "/Resources << /XObject << /P 5 0 R >> >> >>"
    content = f"<< /Length {len(drawing)} >>\nstream\n".encode() + drawing + b"\nendstream"
    return _pdf(path, [_pages(["3 0 R"]), page.encode(), content, picture])


def pdf_of_many_pages(path: Path, pages: int = 10_000) -> Path:
    """Write a PDF of many pages, each with a sentence of its own."""
    kids, objects = [], []
    for number in range(1, pages + 1):
        at = 4 + 2 * (number - 1)
        text = f"BT /F 12 Tf 72 720 Td (Section {number} of the register of ships.) Tj ET".encode()
        kids.append(f"{at} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {at + 1} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        objects.append(f"<< /Length {len(text)} >>\nstream\n".encode() + text + b"\nendstream")
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return _pdf(path, [_pages(kids), font, *objects])


def _squeezed(piece: bytes, times: int) -> bytes:
    """Return a zlib stream of a piece that is repeated; only one is compressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)  # refers to nothing before it
    check = 1
    for _ in range(times):
        check = zlib.adler32(piece, check)
    return b"\x78\xda" + packed * times + b"\x03\x00" + check.to_bytes(4)


def _pages(kids: list[str]) -> bytes:
    return f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()


def _pdf(path: Path, objects: list[bytes]) -> Path:
    """Write objects, numbered from 2 on, behind a catalog whose pages are the first of them."""
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate([b"<< /Type /Catalog /Pages 2 0 R >>", *objects], 1):
        places.append(len(made))
        made += f"{number} 0 obj\n".encode() + each + b"\nendobj\n"
    table = len(made)
    made += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
    made += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    made += f"trailer << /Size {len(places) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF".encode()
    path.write_bytes(made)
    return path


def _relation(kind: str, target: str) -> str:
    return _RELS.format(office=_OFFICE, kind=kind, target=target)


def _workbook(archive: zipfile.ZipFile) -> None:
    archive.writestr("_rels/.rels", _relation("officeDocument", "xl/workbook.xml"))
    archive.writestr("xl/_rels/workbook.xml.rels", _relation("worksheet", "worksheets/sheet1.xml"))
    archive.writestr(
        "xl/workbook.xml",
        f'<workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    )


def _office(path: Path) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    archive.writestr("[Content_Types].xml", _CONTENT_TYPES)
    return archive
