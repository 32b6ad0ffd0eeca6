"""OpenDocument files and e-books made in code, which tests and attacks share."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"'
    for name, kind in (
        ("office", "office"), ("style", "style"), ("text", "text"), ("table", "table"),
        ("draw", "drawing"), ("presentation", "presentation"), ("form", "form"),
    )
)  # fmt: skip
_NAMESPACES += ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
_TYPE = "application/vnd.oasis.opendocument."
_MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
_CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of parts; `mimetype`, where there is one, has to come first."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def odf_parts(kind: str, body: str, styles: str = "", *, title: str = "") -> dict[str, str]:
    """Return the parts of an OpenDocument file of a kind: `text`, `presentation`, `spreadsheet`."""
    return {
        "mimetype": _TYPE + kind,
        "content.xml": (
            f"<office:document-content {_NAMESPACES}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
            "</office:body></office:document-content>"
        ),
        "meta.xml": (
            f"<office:document-meta {_NAMESPACES}><office:meta><dc:title>{title}</dc:title>"
            "</office:meta></office:document-meta>"
        ),
        "META-INF/manifest.xml": f"{_MANIFEST}/>",
    }


def odf(kind: str, body: str, styles: str = "", *, title: str = "") -> bytes:
    """Return an OpenDocument file."""
    return packed(odf_parts(kind, body, styles, title=title))


def flat_odf(kind: str, body: str) -> bytes:
    """Return an OpenDocument file that is one XML file."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document {_NAMESPACES} '
        f'office:mimetype="{_TYPE}{kind}"><office:body><office:{kind}>{body}</office:{kind}>'
        "</office:body></office:document>"
    ).encode()


def encrypted_odf() -> bytes:
    """Return an OpenDocument file whose content only a password opens."""
    entry = (
        f'{_MANIFEST}><manifest:file-entry manifest:full-path="content.xml">'
        "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    parts = odf_parts("text", "") | {"content.xml": "\x01\x02\x03", "META-INF/manifest.xml": entry}
    return packed(parts)


def epub_parts(
    documents: Mapping[str, str], *, metadata: str = "", items: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the parts of an e-book whose documents are read in their order.

    `items` are more attributes of a document's entry, by its name.
    """
    more = items or {}
    entries = "".join(
        f'<item id="d{at}" href="{name}" {more.get(name, _PAGE)}/>'
        for at, name in enumerate(documents)
    )
    order = "".join(f'<itemref idref="d{at}"/>' for at in range(len(documents)))
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata>'
        f"<manifest>{entries}</manifest><spine>{order}</spine></package>"
    )
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": package,
    }
    return parts | {f"OEBPS/{name}": text for name, text in documents.items()}


_PAGE = 'media-type="application/xhtml+xml"'


def page(body: str) -> str:
    """Return an XHTML page."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{body}</body></html>'
    )


def written(path: Path, raw: bytes | str) -> Path:
    """Write a file and return its path."""
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return path
