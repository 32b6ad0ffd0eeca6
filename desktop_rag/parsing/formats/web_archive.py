"""Read a web page that was saved as one file (MHTML): its pages, without styles."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import mail
from desktop_rag.parsing.formats.embedded_pictures import AddressedPictures, EmbeddedPictures
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.plain_text import paragraphs
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.text_encoding import decode, is_binary

_HEAD = 1000  # pictures may follow as they are
_MOST_PAGES = 500


def parse(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return the text of the saved pages, the first page's title as the document's."""
    raw, pictures = path.read_bytes(), pictures or EmbeddedPictures()
    if is_binary(raw[:_HEAD]):
        raise file_problems.corrupt(
            "The file's name says web archive, but its content is not text."
        )
    if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        return from_html(raw, picture_text=pictures.data_text)  # a page that was only named so
    try:
        message = message_from_bytes(raw, policy=mail.BOUNDED)
    except RecursionError:
        raise file_problems.corrupt("The web archive is damaged.") from None
    parts = [part for part in mail.leaves(message) if part.get_content_maintype() == "text"]
    pages = [part for part in parts if part.get_content_subtype() in {"html", "xhtml"}]
    shown = mail.addressed_pictures(message, pictures)
    documents = [_document(part, shown) for part in (pages or parts)[:_MOST_PAGES]]
    notes = list(dict.fromkeys(note for document in documents for note in document.notes))
    if len(pages) > _MOST_PAGES:
        notes.append(Phrase("Only the first {0} pages were read.", _MOST_PAGES))
    title = next((each.title for each in documents if each.title), "")
    blocks = tuple(block for document in documents for block in document.blocks)
    return ParsedDocument(title or mail.header(message, "Subject"), blocks, notes=tuple(notes))


def _document(part: Message, shown: AddressedPictures) -> ParsedDocument:
    raw, charset = mail.payload(part), mail.charset(part)
    if part.get_content_subtype() in {"html", "xhtml"}:
        return from_html(raw, charset, picture_text=partial(_picture_text, part, shown))
    if part.get_content_subtype() != "plain":
        return ParsedDocument("", ())  # styles and scripts
    text = decode(raw, charset).replace("\r\n", "\n")
    place = BlockLocator(LocatorKind.PART, "body")
    return ParsedDocument("", tuple(Block(b.kind, b.text, place) for b in paragraphs(text)))


def _picture_text(part: Message, shown: AddressedPictures, address: str) -> str:
    """Return what was recognised on a picture that a page names by itself, or from where it was."""
    if address.startswith("data:"):
        return shown.text(address)
    try:
        whole = urljoin(mail.header(part, "Content-Location"), address)
    except ValueError:
        whole = ""
    return shown.text(address) or shown.text(whole)
