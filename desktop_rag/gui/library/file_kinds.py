"""Kinds of files as people tell them apart: a name, and an icon of its own."""

from __future__ import annotations

from enum import StrEnum

from desktop_rag.gui.library import library_text


class FileKind(StrEnum):
    """The value is the name of the kind's icon."""

    PDF = "kind-pdf"
    WORD = "kind-word"
    SLIDES = "kind-slides"
    SHEET = "kind-sheet"
    TEXT = "kind-text"
    IMAGE = "kind-image"
    MAIL = "kind-mail"
    WEB = "kind-web"
    ARCHIVE = "kind-archive"
    CODE = "kind-code"
    OTHER = "file"


_ENDINGS = {
    FileKind.PDF: "pdf",
    FileKind.WORD: "doc docx docm dot dotx odt rtf wps pages epub",
    FileKind.SLIDES: "ppt pptx pptm pps ppsx odp key dps",
    FileKind.SHEET: "xls xlsx xlsm xlsb ods csv tsv et numbers",
    FileKind.TEXT: "txt md markdown rst log tex org adoc srt vtt",
    FileKind.IMAGE: "png jpg jpeg gif bmp tif tiff webp heic svg",
    FileKind.MAIL: "eml msg mbox pst",
    FileKind.WEB: "html htm mhtml mht xhtml url webloc",
    FileKind.ARCHIVE: "zip tar gz tgz bz2 xz 7z rar zst",
    FileKind.CODE: "py js ts java c h cpp hpp cs go rs rb php sh ps1 sql json xml yaml yml toml "
    "ini ipynb r m swift kt css",
}
_KIND_OF = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}


def kind_of(path: str) -> FileKind:
    """Return a file's kind by the ending of its name."""
    name = path[max(path.rfind("/"), path.rfind("\\")) + 1 :]
    return _KIND_OF.get(name.rpartition(".")[2].casefold(), FileKind.OTHER)


def kind_name(kind: FileKind) -> str:
    """Return what people call a kind; empty for the rest."""
    return {
        FileKind.PDF: library_text.tr("PDF"),
        FileKind.WORD: library_text.tr("Document"),
        FileKind.SLIDES: library_text.tr("Slides"),
        FileKind.SHEET: library_text.tr("Spreadsheet"),
        FileKind.TEXT: library_text.tr("Text"),
        FileKind.IMAGE: library_text.tr("Picture"),
        FileKind.MAIL: library_text.tr("Mail"),
        FileKind.WEB: library_text.tr("Web page"),
        FileKind.ARCHIVE: library_text.tr("Archive"),
        FileKind.CODE: library_text.tr("Code or data"),
        FileKind.OTHER: "",
    }[kind]
