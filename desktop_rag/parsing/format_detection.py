"""Tell what a file really is, by its first bytes and, for containers, by what lies inside.

The name decides between text formats; the content decides between containers.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from enum import StrEnum
from pathlib import Path

from desktop_rag.core.errors import FileProblem
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
    DOC = "doc"
    PPT = "ppt"
    XLS = "xls"
    XLSB = "xlsb"
    RTF = "rtf"
    MSG = "msg"
    PICTURE = "picture"
    ODT = "odt"
    ODP = "odp"
    ODS = "ods"
    EPUB = "epub"
    FICTION_BOOK = "fb2"
    WEB_ARCHIVE = "mhtml"
    MAILBOX = "mbox"
    JSON = "json"
    XML = "xml"
    CODE = "code"
    SETTINGS = "settings"
    LIGHT_MARKUP = "light markup"
    SUBTITLES = "subtitles"
    NOTEBOOK = "notebook"
    ARCHIVE = "archive"


_SETTINGS = ".yaml .yml .toml .ini .cfg .conf .properties"
_LIGHT_MARKUP = ".rst .tex .org .adoc .asciidoc .textile"
_SOURCE_CODE = """
    .py .pyi .pyw .js .mjs .cjs .ts .mts .cts .jsx .tsx .java .c .h .cpp .hpp .cc .cxx .hh .hxx
    .cs .go .rs .rb .php .swift .kt .kts .scala .groovy .gradle .lua .pl .pm .r .m .mm .sql .sh
    .bash .zsh .fish .ps1 .psm1 .bat .cmd .vb .vbs .css .scss .sass .less .vue .svelte .dart .jl
    .hs .ex .exs .erl .clj .cljs .ml .mli .fs .fsx .f90 .for .pas .asm .s .d .nim .zig .sol
    .proto .graphql .cmake .mk .tf .tcl .lisp .el .scm
"""
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
    **dict.fromkeys((".doc", ".dot"), FileFormat.DOC),
    **dict.fromkeys((".docm", ".dotx", ".dotm"), FileFormat.DOCX),
    **dict.fromkeys((".ppt", ".pps", ".pot"), FileFormat.PPT),
    **dict.fromkeys((".pptm", ".ppsx", ".ppsm", ".potx", ".potm"), FileFormat.PPTX),
    **dict.fromkeys((".xls", ".xlt"), FileFormat.XLS),
    **dict.fromkeys((".xlsm", ".xltx", ".xltm"), FileFormat.XLSX),
    ".xlsb": FileFormat.XLSB,
    ".rtf": FileFormat.RTF,
    **dict.fromkeys((".msg", ".oft"), FileFormat.MSG),
    ".png": FileFormat.PICTURE,
    ".jpg": FileFormat.PICTURE,
    ".jpeg": FileFormat.PICTURE,
    ".tif": FileFormat.PICTURE,
    ".tiff": FileFormat.PICTURE,
    ".bmp": FileFormat.PICTURE,
    ".webp": FileFormat.PICTURE,
    ".gif": FileFormat.PICTURE,
    **dict.fromkeys((".heic", ".heif", ".avif"), FileFormat.PICTURE),
    **dict.fromkeys((".tab", ".psv"), FileFormat.CSV),
    **dict.fromkeys((".odt", ".ott", ".fodt"), FileFormat.ODT),
    **dict.fromkeys((".odp", ".otp", ".fodp"), FileFormat.ODP),
    **dict.fromkeys((".ods", ".ots", ".fods"), FileFormat.ODS),
    ".epub": FileFormat.EPUB,
    ".fb2": FileFormat.FICTION_BOOK,
    **dict.fromkeys((".mhtml", ".mht"), FileFormat.WEB_ARCHIVE),
    ".mbox": FileFormat.MAILBOX,
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".geojson"), FileFormat.JSON),
    **dict.fromkeys((".xml", ".rss", ".atom", ".dbk"), FileFormat.XML),
    **dict.fromkeys((".srt", ".vtt", ".ass", ".ssa"), FileFormat.SUBTITLES),
    ".ipynb": FileFormat.NOTEBOOK,
    ".log": FileFormat.TEXT,
    **dict.fromkeys(_SETTINGS.split(), FileFormat.SETTINGS),
    **dict.fromkeys(_LIGHT_MARKUP.split(), FileFormat.LIGHT_MARKUP),
    **dict.fromkeys(_SOURCE_CODE.split(), FileFormat.CODE),
}
# Read on request only: what is in them is not known by these names.
ARCHIVE_ENDINGS = frozenset([".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".gz", ".bz2", ".xz"])
_TIFF = (b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")
_PICTURES = (
    b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", *_TIFF,
)  # fmt: skip
# What stands behind "ftyp" in a HEIF picture, and not in a film (ISO/IEC 23008-12, B.4).
_HEIF = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"avif")
_BITMAP_HEADERS = {12, 40, 52, 56, 64, 108, 124}  # their lengths: "BM" alone says little
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP_MARKS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
GZIP_MARK, BZIP2_MARK, XZ_MARK = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_OFFICE = {
    "word/": FileFormat.DOCX, "ppt/": FileFormat.PPTX, "xl/workbook.bin": FileFormat.XLSB,
    "xl/": FileFormat.XLSX,
}  # fmt: skip
_OFFICE_MARKS = {
    "[content_types].xml", "word/document.xml", "ppt/presentation.xml", "xl/workbook.xml",
    "xl/workbook.bin",
}  # fmt: skip
# What lies at the top of a compound file, and which format has it.
_STREAMS = {
    "__properties_version1.0": FileFormat.MSG, "worddocument": FileFormat.DOC,
    "pp97_dualstorage": FileFormat.PPT, "powerpoint document": FileFormat.PPT,
    "workbook": FileFormat.XLS, "book": FileFormat.XLS,
}  # fmt: skip
_ENCRYPTED, _RIGHTS_MANAGED = "encryptedpackage", "\x09drmcontent"
_OTHER_STREAMS = {
    "visiodocument": "Visio", "quill": "Publisher", "perfectoffice_main": "WordPerfect",
    "matost": "Works", "pp40": "PowerPoint 95", "starwriterdocument": "StarOffice",
    "starcalcdocument": "StarOffice", "starimpressdocument": "StarOffice",
}  # fmt: skip
# How files begin that are older than compound files: Word 1 and 2; Excel 2 to 4 and a bare 5.
_OLD_WORD = (b"\x9b\xa5", b"\xdb\xa5")
_OLD_EXCEL = (
    b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00", b"\x09\x08\x08\x00",
)  # fmt: skip
_RTF = b"{\\rtf"
_BINARY = {
    FileFormat.DOCX, FileFormat.PPTX, FileFormat.XLSX, FileFormat.PDF, FileFormat.PICTURE,
    FileFormat.DOC, FileFormat.PPT, FileFormat.XLS, FileFormat.XLSB, FileFormat.RTF, FileFormat.MSG,
    FileFormat.ARCHIVE,
}  # fmt: skip
# What the member `mimetype` of a zip says, up to its end or to what is added to it (`-template`).
_BY_MIMETYPE = {
    "application/vnd.oasis.opendocument.text": FileFormat.ODT,
    "application/vnd.oasis.opendocument.presentation": FileFormat.ODP,
    "application/vnd.oasis.opendocument.spreadsheet": FileFormat.ODS,
    "application/epub+zip": FileFormat.EPUB,
}
_TYPED = frozenset(_BY_MIMETYPE.values())
_TYPE_MARKS = {"mimetype", "meta-inf/container.xml", "content.xml"}
_FLAT_KIND = re.compile(rb"""mimetype\s*=\s*["'](application/vnd\.oasis\.[\w.-]+)""")
# Of these names there are texts as well, and what those are read as.
_OLD_OFFICE = {
    FileFormat.DOC: FileFormat.TEXT, FileFormat.RTF: FileFormat.TEXT,
    FileFormat.XLS: FileFormat.CSV,
}  # fmt: skip
_HEAD = 16_384  # the namespaces of a flat OpenDocument file stand before its kind
_LONGEST_TYPE = 200
# What a container may grow to when unpacked, and by how much.
_LARGEST_EXPANDED = 2_000_000_000
_LARGEST_RATIO = 200
_RATIO_COUNTS_FROM = 200_000_000


def detect_format(path: Path) -> FileFormat:
    """Return the format to read a file as; a `FileProblem` when there is none."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise file_problems.no_bytes()
    named = FileFormat.ARCHIVE if is_archive_name(path) else BY_EXTENSION.get(path.suffix.lower())
    if named is FileFormat.ARCHIVE and _is_archive(head):  # a PDF may lie at its beginning
        return _container(path, named) if head.startswith(ZIP_MARKS) else named
    if head.startswith(_OLE):
        return _compound(path, named)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_RTF):
        return FileFormat.RTF
    if b"%PDF-" in head[:1024] and named is not FileFormat.MAIL:
        return FileFormat.PDF
    if head.startswith(ZIP_MARKS):
        return _container(path, named)
    if is_picture(head) and (named is not None or not head.startswith(_TIFF)):
        return FileFormat.PICTURE
    if named in _OLD_OFFICE:
        return _old_office(path, named, head)
    return _by_name(path, named, head)


def is_archive_name(path: Path) -> bool:
    """Say whether a file's name ends as those of archives do."""
    return path.suffix.lower() in ARCHIVE_ENDINGS


def is_tar(head: bytes) -> bool:
    """Say whether bytes begin as a tar archive does, which has no mark but a checksum."""
    import tarfile

    try:
        tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _is_archive(head: bytes) -> bool:
    return head.startswith((*ZIP_MARKS, GZIP_MARK, BZIP2_MARK, XZ_MARK)) or is_tar(head)


def is_picture(head: bytes) -> bool:
    """Say whether bytes begin as a picture file does; raw photographs begin as TIFF does, too."""
    if head.startswith(_PICTURES):
        return True
    if head.startswith(b"RIFF"):
        return head[8:12] == b"WEBP"
    if head[4:8] == b"ftyp":
        return head[8:12] in _HEIF
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
    if named in _TYPED:
        return _flat(named, head)
    if named is FileFormat.CODE and head.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml "):
        return FileFormat.XML  # Qt's translations end as TypeScript does
    return named


def _flat(named: FileFormat, head: bytes) -> FileFormat:
    """Return the kind of an OpenDocument file that is one XML file; `corrupt` when it is none."""
    if named is not FileFormat.EPUB and (kind := _FLAT_KIND.search(head)):
        return _of_mimetype(kind.group(1).decode("ascii")) or named
    if looks_like_html(head):
        return FileFormat.HTML
    raise file_problems.corrupt(
        Phrase("The file's name says {0}, but its content is not that.", named.value)
    )


def _of_mimetype(kind: str) -> FileFormat | None:
    return next((form for start, form in _BY_MIMETYPE.items() if kind.startswith(start)), None)


def _compound(path: Path, named: FileFormat | None) -> FileFormat:
    """Return what a compound file (old Office, Outlook, or an encrypted new Office file) is."""
    from desktop_rag.parsing.formats.compound_file import root_names

    try:
        names = root_names(path)
    except ValueError as error:
        if "EncryptedPackage".encode("utf-16-le") in path.read_bytes():
            raise file_problems.encrypted() from error
        names = frozenset()
    if _RIGHTS_MANAGED in names:
        raise file_problems.protected()
    if _ENCRYPTED in names:
        raise file_problems.encrypted()
    if found := next((form for name, form in _STREAMS.items() if name in names), None):
        return found
    if other := next((made for name, made in _OTHER_STREAMS.items() if name in names), None):
        raise _of_another_program(other)
    if named is None:
        return _by_name(path, None, b"")
    raise file_problems.corrupt(
        Phrase("The file's name says {0}, but its content is not that.", named.value)
    )


def _of_another_program(program: str) -> FileProblem:
    return file_problems.unsupported(
        Phrase("Files of {0} are not read.", program),
        "Save it as PDF, Word, HTML or plain text and add that one.",
    )


def _old_office(path: Path, named: FileFormat, head: bytes) -> FileFormat:
    """Return what a file is that is named as old Word, old Excel or RTF, and is none by its bytes.

    The programs open web pages and texts of these names as well, and other programs write them.
    """
    from desktop_rag.parsing.text_encoding import is_binary

    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if looks_like_html(head):
        return FileFormat.HTML
    if head.startswith(_OLD_WORD):
        return FileFormat.DOC
    if head.startswith(_OLD_EXCEL):
        return FileFormat.XLS
    if head.startswith(b"\xffWPC"):
        raise _of_another_program("WordPerfect")
    if start.startswith(b"<?xml"):
        raise _of_another_program("Office 2003 XML")
    if is_binary(head):
        return _by_name(path, named, head)
    return FileFormat.RTF if start.startswith(b"{\\") else _OLD_OFFICE[named]


def _container(path: Path, named: FileFormat | None) -> FileFormat:
    try:
        from desktop_rag.parsing.formats.ooxml_package import repaired_archive

        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            entries = archive.infolist()
            typed = _typed(archive, named)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        if named is None:
            return _by_name(path, None, b"")
        raise file_problems.corrupt("The file is damaged or was not written to its end.") from error
    names = {entry.filename.replace("\\", "/").lower() for entry in entries}
    if not names & (_OFFICE_MARKS | _TYPE_MARKS):
        return _unknown_container(path, named)
    _check_size(path, entries)
    if typed is not None:
        return typed
    for folder, form in _OFFICE.items():
        if any(name.startswith(folder) for name in names):
            return form
    return _unknown_container(path, named)


def _typed(archive: zipfile.ZipFile, named: FileFormat | None) -> FileFormat | None:
    """Return the format that an archive's member `mimetype` names, or its name where that is lost.

    Only what has the members of such a format counts.
    """
    names = {each.filename.lower(): each for each in archive.infolist()}
    kind = ""
    if "mimetype" in names and names["mimetype"].file_size <= _LONGEST_TYPE:
        try:
            kind = archive.read(names["mimetype"]).decode("ascii", "replace").strip("\ufeff \r\n\t")
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError):
            kind = ""
    if form := _of_mimetype(kind):
        return form
    if "meta-inf/container.xml" in names and "content.xml" not in names:
        return FileFormat.EPUB
    return named if named in _TYPED and "content.xml" in names else None


def _unknown_container(path: Path, named: FileFormat | None) -> FileFormat:
    if named is None:
        return _by_name(path, None, b"")
    if named is FileFormat.ARCHIVE:
        return named
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
