"""Word documents with what a hostile one holds: pictures that lie elsewhere."""

from __future__ import annotations

import zipfile
from pathlib import Path

_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)


def write_docx(path: Path, *paragraphs: str, linked: tuple[str, ...] = ()) -> Path:
    """Write a Word document; it fetches a picture and a text from each address in `linked`."""
    body = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in paragraphs)
    links = ""
    for number, address in enumerate(linked):
        body += _picture(number) + _field(address)
        links += _relation(f"r{number}", "image", address, 'TargetMode="External"')
    document = (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        f'xmlns:r="{_OFFICE}" xmlns:v="urn:schemas-microsoft-com:vml">'
        f"<w:body>{body}</w:body></w:document>"
    )
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("[Content_Types].xml", _TYPES)
        packed.writestr(
            "_rels/.rels", _relations(_relation("m", "officeDocument", "word/document.xml"))
        )
        packed.writestr("word/document.xml", document)
        packed.writestr("word/_rels/document.xml.rels", _relations(links))
    return path


def _picture(number: int) -> str:
    return (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/'
        '2006/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/>'
        f'<wp:docPr id="{number + 1}" name="p{number}"/>'
        f'<a:graphic xmlns:a="{_DRAWING}/main"><a:graphicData uri="{_DRAWING}/picture">'
        f'<pic:pic xmlns:pic="{_DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="0" name="p"/>'
        f'<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="r{number}"/><a:stretch>'
        '<a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        "</pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def _field(address: str) -> str:
    """Return a field that takes in another document's text."""
    return (
        f'<w:p><w:fldSimple w:instr=" INCLUDETEXT &quot;{address}&quot; ">'
        "<w:r><w:t>kept</w:t></w:r></w:fldSimple></w:p>"
    )


def _relations(held: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{held}</Relationships>'


def _relation(name: str, kind: str, target: str, mode: str = "") -> str:
    return f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}" {mode}/>'
