"""Read a mail: its head, its bodies, and attachments whose formats are read."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from functools import partial
from pathlib import Path

from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.embedded_pictures import (
    AddressedPictures,
    EmbeddedPictures,
    PictureText,
)
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.mail_message import (
    AttachedMail,
    MailAttachment,
    MailBody,
    MailMessage,
    MailReader,
    ParsePart,
    safe_name,
)
from desktop_rag.parsing.formats.plain_text import paragraphs
from desktop_rag.parsing.parsed_document import Block, ParsedDocument
from desktop_rag.parsing.text_encoding import decode, is_binary

_HEAD = ("From", "To", "Cc", "Date", "Subject")
_LONGEST_HEADER = 20_000
_LONGEST_HEAD = 1_000_000


def parse(path: Path, parse_part: ParsePart, pictures: EmbeddedPictures) -> ParsedDocument:
    """Return a mail; `parse_part` reads an attachment that was saved under a safe name."""
    raw = path.read_bytes()
    if is_binary(raw[:65536]):
        raise file_problems.corrupt("The file's name says mail, but its content is not text.")
    return from_bytes(raw, parse_part, pictures)


def from_bytes(raw: bytes, parse_part: ParsePart, pictures: EmbeddedPictures) -> ParsedDocument:
    """Return the mail that bytes hold."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
        raw = decode(raw).encode("utf-8", "surrogateescape")  # saved anew by a text editor
    reader = MailReader(parse_part, pictures)
    try:
        message = message_from_bytes(raw, policy=BOUNDED)
    except RecursionError:  # hundreds of parts in each other
        message = BytesHeaderParser(policy=BOUNDED).parsebytes(raw)
        message.replace_header("Content-Type", "text/plain")
        reader.notes.append("The mail has parts in parts without end; it was read as plain text.")
    mail = _message(message, pictures)
    blocks = tuple(reader.blocks(mail))
    return ParsedDocument(mail.subject, blocks, notes=tuple(reader.notes), metadata=mail.metadata)


class _Bounded(policy.Compat32):
    """The library's way to read heads, of which only the beginning is kept when one is very long.

    What the library does to find a parameter takes the square of the head's length.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return a head's name and value."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_HEADER]


BOUNDED = _Bounded()


def head_of(text: str) -> dict[str, str]:
    """Return the lines of a mail's head that are read, by their names."""
    raw = text[:_LONGEST_HEAD].encode("utf-8", "surrogateescape")
    message = BytesHeaderParser(policy=BOUNDED).parsebytes(raw)
    return {name: header(message, name) for name in _HEAD if message.get(name)}


def _message(message: Message, pictures: EmbeddedPictures) -> MailMessage:
    head = {name: header(message, name) for name in _HEAD if message.get(name)}
    return MailMessage(header(message, "Subject"), head, _parts(message, pictures))


def _parts(
    message: Message, pictures: EmbeddedPictures
) -> Iterator[MailBody | MailAttachment | AttachedMail]:
    shown = addressed_pictures(message, pictures)
    for part in leaves(message):
        if _is_body(part):
            yield MailBody(partial(_body, part, shown.text))
        elif part.get_content_type() == "message/rfc822":
            yield AttachedMail(partial(_inner, part, pictures))
        else:
            yield MailAttachment(_filename(part), partial(payload, part))


def addressed_pictures(message: Message, pictures: EmbeddedPictures) -> AddressedPictures:
    """Return a mail's parts as the pictures that its pages show by their ids and addresses."""
    held: dict[str, Callable[[], bytes]] = {}
    for part in leaves(message):
        if part.get_content_maintype() not in {"text", "multipart", "message"}:
            named = header(part, "Content-ID").strip("<>")
            for address in (f"cid:{named}", "".join(header(part, "Content-Location").split())):
                held.setdefault(address, partial(payload, part))
    return AddressedPictures(pictures, held)


def _body(part: Message, picture_text: PictureText) -> list[Block]:
    raw, named = payload(part), charset(part)
    if part.get_content_subtype() == "html":
        return list(from_html(raw, named, least_shown=0.0, picture_text=picture_text).blocks)
    return paragraphs(decode(raw, named).replace("\r\n", "\n"))


def _inner(part: Message, pictures: EmbeddedPictures) -> MailMessage | None:
    inner = part.get_payload()
    first = inner[0] if isinstance(inner, list) and inner else None
    return _message(first, pictures) if isinstance(first, Message) else None


def leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that hold content, in order, not going into mails in the mail."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.get_content_type() == "message/rfc822" or not part.is_multipart():
            yield part
        elif isinstance(inside := part.get_payload(), list):
            waiting += [each for each in reversed(inside) if isinstance(each, Message)]


def _is_body(part: Message) -> bool:
    if part.get_content_maintype() == "multipart":
        return True  # its parts could not be told apart: read as the text that it is
    if part.get_content_maintype() != "text" or part.get_content_disposition() == "attachment":
        return False
    return part.get_content_subtype() in {"plain", "html", "enriched"} or not part.get_filename()


def payload(part: Message) -> bytes:
    """Return a part's content, none if it can't be decoded."""
    try:
        content = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return b""
    return content if isinstance(content, bytes) else b""


def charset(part: Message) -> str | None:
    """Return the encoding that a part declares."""
    value = _parameter(part, "charset", "content-type")
    return value or None


def _parameter(part: Message, name: str, header: str) -> str:
    """Return a header's parameter, in words or in the form that tells its encoding (RFC 2231)."""
    try:
        value = part.get_param(name, "", header)
    except (ValueError, LookupError, TypeError):
        return ""
    if isinstance(value, tuple):
        charset, _, text = value
        return decode(str(text).encode("latin-1", "replace"), charset)
    return str(value)


def _filename(part: Message) -> str:
    given = _parameter(part, "filename", "content-disposition")
    return safe_name(_decoded(given or _parameter(part, "name", "content-type")))


def header(message: Message, name: str) -> str:
    """Return a header's text, nothing if there is none."""
    return _decoded(message.get(name, ""))


def _decoded(value: object) -> str:
    """Return a header's text; what can't be decoded stays as it stands."""
    if isinstance(value, str):
        value = value[:_LONGEST_HEADER]
    try:
        pieces = decode_header(value)  # type: ignore[arg-type]  # a Header where bytes are raw
    except (ValueError, LookupError, MessageError):
        pieces = [(str(value), None)]
    text = "".join(
        decode(piece if isinstance(piece, bytes) else _raw(piece), charset)
        for piece, charset in pieces
    )
    return " ".join(text[:_LONGEST_HEADER].split())


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
