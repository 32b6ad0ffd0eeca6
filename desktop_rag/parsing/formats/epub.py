"""Read an e-book (EPUB): its description, then its documents in reading order, by headings.

The table of contents that an e-reader shows beside the text is left out: its lines are the
headings of the text. A text that only a licensed reader opens counts as encrypted.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures, PictureText
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.latex_notation import gap_notes, gaps_in
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    is_disk_error,
    raise_the_disks,
    repaired_archive,
)
from desktop_rag.parsing.formats.xml_tree import (
    attribute,
    descendants,
    local,
    read_tree,
    whole_text,
)
from desktop_rag.parsing.metadata_values import iso_date, names
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_LARGEST_DOCUMENT = 100_000_000  # bytes
_MOST_DOCUMENTS = 20_000
_MOST_FALLBACKS = 10
_MOST_LOOKED_AT = 300
_MOST_DESCRIBED = 20  # lines of a description, of which each is cut
_LONGEST_LINE = 2000
_TOLD = {
    "title": "Title", "creator": "Author", "contributor": "Contributor", "publisher": "Publisher",
    "date": "Date", "subject": "Subject", "description": "Description", "rights": "Rights",
}  # fmt: skip
# Ways to obscure a font that leave the text readable.
_FONT_WAYS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES = frozenset(("application/xhtml+xml", "text/html", "text/x-oeb1-document"))
_PAGE_ENDINGS = (".xhtml", ".html", ".htm")
_DRAWING = "image/svg+xml"
_LEAST_SHOWN = 0.25  # of a document's text, as of a web page's
_SHOWN = _PAGES | {_DRAWING}  # by every reader
_READ = _SHOWN | {"application/xml", "text/xml", "application/x-dtbook+xml"}
_SAVED = "The file is damaged; what could be saved of it was read."
_LOST = "A part of the book is damaged or missing and was not read."
_IN_PARTS = "A part of the book is protected and was not read."


@dataclass(frozen=True, slots=True)
class _Item:
    """A document of the book: its member in the archive and what it is."""

    member: str
    media_type: str = ""
    fallback: str = ""
    is_navigation: bool = False
    is_scripted: bool = False  # its scripts show and hide what it holds


def parse_epub(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a book's text in reading order."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            book = _Book(archive, pictures or EmbeddedPictures(), is_saved=whole != path)
            blocks = tuple(book.blocks())
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The book is damaged.") from error
    if not any(block.kind is not BlockKind.META for block in blocks):
        book.raise_why_nothing_was_read()
    notes = (*book.notes, *gap_notes(book.unread_formulas))
    return ParsedDocument(book.title, blocks, notes=notes, metadata=book.metadata)


class _Book:
    """Reads one book; `notes` say what was not read."""

    def __init__(
        self, archive: zipfile.ZipFile, pictures: EmbeddedPictures, *, is_saved: bool
    ) -> None:
        self.notes = [_SAVED] if is_saved else []
        self.unread_formulas = 0
        self.title = ""
        self.metadata = NO_METADATA
        self._archive, self._pictures = archive, pictures
        self._members = {name.replace("\\", "/").lower(): name for name in archive.namelist()}
        self._items: dict[str, _Item] = {}
        self._protected = self._protected_members()

    def blocks(self) -> Iterator[Block]:
        """Yield the description, then the documents' blocks."""
        order: list[_Item] = []
        for package in self._packages():
            root = self._tree(package)
            if root is None:
                continue
            yield from self._description(root)
            order += self._spine(root, posixpath.dirname(package))
        pages = [name for name in self._members.values() if name.lower().endswith(_PAGE_ENDINGS)]
        order = order or [_Item(name) for name in pages]
        seen: set[str] = set()
        place = BlockLocator(LocatorKind.PART, "body")
        for item in order[:_MOST_DOCUMENTS]:
            if item.member.lower() in seen:
                continue
            seen.add(item.member.lower())
            for block in self._document(item):
                placed = _placed(block, place)
                place = placed.place
                yield placed

    def raise_why_nothing_was_read(self) -> None:
        """Raise `encrypted` or `corrupt` if that is why the book gave no text."""
        if _IN_PARTS in self.notes:
            raise file_problems.protected("The book is protected: only its shop's reader opens it.")
        if self.notes:
            raise file_problems.corrupt("The book is damaged.")

    def _packages(self) -> list[str]:
        """Return the package files: the first, and others of the same book's other versions."""
        root = self._tree(_CONTAINER) if _CONTAINER.lower() in self._members else None
        named = (
            []
            if root is None
            else [attribute(e, "full-path") for e in descendants(root, "rootfile")]
        )
        found = [name for name in named if self._has(name)]
        return found[:1] or [n for n in self._members.values() if n.lower().endswith(".opf")][:1]

    def _description(self, package: etree._Element) -> Iterator[Block]:
        lines: list[str] = []
        self.metadata = self.metadata or _metadata(package)
        for name, whole in _described(package):
            text = whole[:_LONGEST_LINE]
            if name in _TOLD and text:
                self.title = self.title or (text if name == "title" else "")
                lines.append(f"{_TOLD[name]}: {_without_tags(text)}")
        lines.sort(key=_is_after_the_title)
        if lines:
            text = "\n".join(dict.fromkeys(lines[:_MOST_DESCRIBED]))
            yield Block(BlockKind.META, text, BlockLocator(LocatorKind.PART, "head"))

    def _spine(self, package: etree._Element, folder: str) -> list[_Item]:
        """Return the documents in the order in which they are read."""
        for item in descendants(package, "item"):
            address = unquote(attribute(item, "href").partition("#")[0])
            member = posixpath.normpath(posixpath.join(folder, address)).lstrip("/")
            kinds = attribute(item, "properties").split()
            self._items[attribute(item, "id")] = _Item(
                member, attribute(item, "media-type").lower(), attribute(item, "fallback"),
                "nav" in kinds, "scripted" in kinds,
            )  # fmt: skip
        named = [attribute(each, "idref") for each in descendants(package, "itemref")]
        found = [self._readable(self._items[key]) for key in named if key in self._items]
        return found or [item for item in self._items.values() if item.media_type in _PAGES]

    def _readable(self, item: _Item) -> _Item:
        """Return the document that stands for one of a kind that is not read, or itself."""
        for _ in range(_MOST_FALLBACKS):
            if item.media_type in _SHOWN or item.fallback not in self._items:
                break
            item = self._items[item.fallback]
        return item

    def _document(self, item: _Item) -> Iterator[Block]:
        is_page = item.media_type in _READ or item.member.lower().endswith(_PAGE_ENDINGS)
        if item.member.lower() in self._protected:
            self._note(_IN_PARTS)
            return
        raw = self._bytes(item.member) if is_page else b""
        if is_page and not raw:
            self._note(_LOST)
        elif raw and item.media_type == _DRAWING:
            yield from self._drawing(raw, item)
        elif raw:
            page = _without_contents(raw) if item.is_navigation else raw
            least = 1.0 if item.is_scripted else _LEAST_SHOWN
            document = from_html(page, least_shown=least, picture_text=self._shown_by(item))
            for note in document.notes:
                gaps = gaps_in(note)
                self.unread_formulas += gaps
                if not gaps:
                    self._note(note)
            yield from document.blocks

    def _drawing(self, raw: bytes, item: _Item) -> Iterator[Block]:
        """Yield the texts of a drawing that is a page, and of the pictures in it."""
        root, _ = read_tree(raw)
        text_of = self._shown_by(item)
        place = BlockLocator(LocatorKind.PART, "body")
        named = ("title", "desc", "text", "p", "image")
        for element in descendants(root, *named) if root is not None else ():
            is_picture = local(element) == "image"
            text = text_of(attribute(element, "href")) if is_picture else whole_text(element)
            if text:
                yield Block(BlockKind.TEXT, text, place)

    def _shown_by(self, item: _Item) -> PictureText:
        """Return what gives the texts of the pictures that a document shows."""
        folder = posixpath.dirname(item.member)

        def text_of(address: str) -> str:
            if address.startswith("data:"):
                return self._pictures.data_text(address)
            inside = unquote(address.partition("#")[0])
            member = posixpath.normpath(posixpath.join(folder, inside)).lstrip("/").lower()
            if member in self._protected:
                return ""
            return self._pictures.member_text(self._archive, self._members.get(member, ""))

        return text_of

    def _protected_members(self) -> set[str]:
        """Return the documents that are encrypted, fonts that are only obscured left out."""
        root = self._tree(_ENCRYPTION) if _ENCRYPTION.lower() in self._members else None
        found: set[str] = set()
        for data in descendants(root, "EncryptedData") if root is not None else ():
            ways = [attribute(each, "Algorithm") for each in descendants(data, "EncryptionMethod")]
            if not any(way.startswith(_FONT_WAYS) for way in ways):
                found |= {
                    unquote(attribute(each, "URI")).lstrip("/").lower()
                    for each in descendants(data, "CipherReference")
                }
        return found

    def _tree(self, name: str) -> etree._Element | None:
        raw = self._bytes(name)
        root, is_whole = read_tree(raw) if raw else (None, False)
        if not is_whole:
            self._note(_SAVED)
        return root

    def _has(self, name: str) -> bool:
        return name.lstrip("/").lower() in self._members

    def _bytes(self, name: str) -> bytes:
        """Return a member's bytes, none if it is missing or can't be read."""
        known = self._members.get(name.lstrip("/").lower())
        if known is None:
            return b""
        if self._archive.getinfo(known).file_size > _LARGEST_DOCUMENT:
            raise file_problems.too_large("The file holds more XML than is read at once.")
        try:
            return self._archive.read(known)
        except DAMAGE as error:
            raise_the_disks(error)
            return b""

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _described(package: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield what a package says of its book, each by its name; a few hundred at most."""
    for metadata in islice(descendants(package, "metadata"), 1):
        named = ((local(element).lower(), element) for element in metadata.iter("{*}*"))
        known = ((name, each) for name, each in named if name in _TOLD)
        for name, element in islice(known, _MOST_LOOKED_AT):
            yield name, whole_text(element)


def _metadata(package: etree._Element) -> DocumentMetadata:
    """Return what the package says of the book."""
    told: dict[str, list[str]] = {}
    for name, text in _described(package):
        told.setdefault(name, []).append(text)
    return DocumentMetadata(
        authors=names(told.get("creator", ())),
        keywords=names(told.get("subject", ())),
        created=iso_date("".join(told.get("date", ())[:1])),
    )


def _is_after_the_title(line: str) -> bool:
    return not line.startswith(f"{_TOLD['title']}: ")


def _placed(block: Block, before: BlockLocator) -> Block:
    """Return a document's block under the heading that the documents before it left open."""
    if block.place.kind is not LocatorKind.PART:
        return block
    rows = tuple(TableRow(row.text, before) for row in block.rows)
    return replace(block, place=before, rows=rows)


def _without_contents(raw: bytes) -> bytes:
    """Return a navigation document without its lists of headings and pages."""
    root, _ = read_tree(raw)
    if root is None:
        return raw
    for navigation in list(descendants(root, "nav")):
        for each in list(descendants(navigation, "ol")):
            parent = each.getparent()
            if parent is not None:
                parent.remove(each)
    return etree.tostring(root, encoding="utf-8")


def _without_tags(text: str) -> str:
    """Return a description, which may hold the markup of a page, as text."""
    if "<" not in text:
        return text
    return " ".join(" ".join(block.text for block in from_html(text.encode()).blocks).split())
