"""Tell what a file really is, by its first bytes and, for containers, by what lies inside.

The name decides between text formats; the content decides between containers.
"""

from __future__ import annotations

import zipfile
from enum import StrEnum
from pathlib import Path

from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing import file_problems


class FileFormat(StrEnum):
    """The formats that are read."""

    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    MAIL = "mail"
    PICTURE = "picture"


BY_EXTENSION = {
    ".pdf": FileFormat.PDF,
    ".docx": FileFormat.DOCX,
    ".pptx": FileFormat.PPTX,
    ".xlsx": FileFormat.XLSX,
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.CSV,
    ".md": FileFormat.MARKDOWN,
    ".markdown": FileFormat.MARKDOWN,
    ".html": FileFormat.HTML,
    ".htm": FileFormat.HTML,
    ".xhtml": FileFormat.HTML,
    ".txt": FileFormat.TEXT,
    ".text": FileFormat.TEXT,
    ".eml": FileFormat.MAIL,
    ".png": FileFormat.PICTURE,
    ".jpg": FileFormat.PICTURE,
    ".jpeg": FileFormat.PICTURE,
    ".tif": FileFormat.PICTURE,
    ".tiff": FileFormat.PICTURE,
    ".bmp": FileFormat.PICTURE,
    ".webp": FileFormat.PICTURE,
    ".gif": FileFormat.PICTURE,
}
_TIFF = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_PICTURES = (
    b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", *_TIFF,
)  # fmt: skip
_BITMAP_HEADERS = {12, 40, 52, 56, 64, 108, 124}  # their lengths: "BM" alone says little
_BINARY = {
    FileFormat.DOCX, FileFormat.PPTX, FileFormat.XLSX, FileFormat.PDF, FileFormat.PICTURE,
}  # fmt: skip
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OFFICE = {"word/": FileFormat.DOCX, "ppt/": FileFormat.PPTX, "xl/": FileFormat.XLSX}
_OFFICE_MARKS = {
    "[content_types].xml", "word/document.xml", "ppt/presentation.xml", "xl/workbook.xml",
}  # fmt: skip
_OLD_OFFICE = {
    ".doc": "Word (.docx)", ".xls": "Excel (.xlsx)", ".ppt": "PowerPoint (.pptx)",
}  # fmt: skip
# What a container may grow to when unpacked, and by how much.
_LARGEST_EXPANDED = 2_000_000_000
_LARGEST_RATIO = 200
_RATIO_COUNTS_FROM = 200_000_000


def detect_format(path: Path) -> FileFormat:
    """Return the format to read a file as; a `FileProblem` when there is none."""
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise file_problems.no_bytes()
    named = BY_EXTENSION.get(path.suffix.lower())
    if b"%PDF-" in head[:1024] and named is not FileFormat.MAIL:
        return FileFormat.PDF
    if head.startswith(_OLE):
        raise _compound(path, named)
    if head.startswith(_ZIP):
        return _container(path, named)
    if is_picture(head) and (named is not None or not head.startswith(_TIFF)):
        return FileFormat.PICTURE
    if path.suffix.lower() in _OLD_OFFICE and looks_like_html(head):
        return FileFormat.HTML
    return _by_name(path, named, head)


def is_picture(head: bytes) -> bool:
    """Say whether bytes begin as a picture file does; raw photographs begin as TIFF does, too."""
    if head.startswith(_PICTURES):
        return True
    if head.startswith(b"RIFF"):
        return head[8:12] == b"WEBP"
    return head.startswith(b"BM") and int.from_bytes(head[14:18], "little") in _BITMAP_HEADERS


def looks_like_html(head: bytes) -> bool:
    """Say whether bytes begin as a web page does."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html")) or (
        start.startswith(b"<?xml") and b"<html" in start
    )


def _by_name(path: Path, named: FileFormat | None, head: bytes) -> FileFormat:
    if named is None:
        kind = path.suffix.lower() or "without an extension"
        raise file_problems.unsupported(
            Phrase("Files of this kind ({0}) are not read.", kind),
            "Save it as PDF, Word, HTML or plain text and add that one.",
        )
    if named in _BINARY:
        if looks_like_html(head):
            return FileFormat.HTML
        raise file_problems.corrupt(
            Phrase("The file's name says {0}, but its content is not that.", named.value)
        )
    if named is FileFormat.TEXT and looks_like_html(head):
        return FileFormat.TEXT
    return named


def _compound(path: Path, named: FileFormat | None) -> Exception:
    """Return why a compound file (old Office, or an encrypted new one) can't be read."""
    raw = path.read_bytes()
    if "EncryptedPackage".encode("utf-16-le") in raw:
        return file_problems.encrypted()
    newer = _OLD_OFFICE.get(path.suffix.lower())
    if newer is None and named is not None:
        newer = "the current format"
    return file_problems.unsupported(
        "Files of this old Office or mail format are not read.",
        Phrase("Save it as {0} and add that one.", newer or "PDF or text"),
    )


def _container(path: Path, named: FileFormat | None) -> FileFormat:
    try:
        from desktop_rag.parsing.formats.ooxml_package import repaired_archive

        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        if named is None:
            return _by_name(path, None, b"")
        raise file_problems.corrupt("The file is damaged or was not written to its end.") from error
    names = {entry.filename.replace("\\", "/").lower() for entry in entries}
    if not names & _OFFICE_MARKS:
        return _unknown_container(path, named)
    _check_size(path, entries)
    for folder, form in _OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return form
    return _unknown_container(path, named)


def _unknown_container(path: Path, named: FileFormat | None) -> FileFormat:
    if named is None:
        return _by_name(path, None, b"")
    raise file_problems.corrupt(
        Phrase("The file's name says {0}, but it is another archive.", named.value)
    )


def _check_size(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive that would unpack to far more than a document holds."""
    expanded = sum(entry.file_size for entry in entries)
    ratio = expanded / max(1, path.stat().st_size)
    bomb = expanded > _RATIO_COUNTS_FROM and ratio > _LARGEST_RATIO
    if bomb or expanded > _LARGEST_EXPANDED:
        raise file_problems.too_large(
            Phrase("The file would unpack to {0} MB.", expanded // 1_000_000)
        )
