"""Read a mail that Outlook saved (.msg): a compound file whose streams are the mail's properties.

The properties are read here: `python-oxmsg` decodes them strictly, all at once, and gives neither
mails in the mail nor its RTF. A property's number and type are its stream's name; dates and numbers
stand in a stream of their own.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.compound_file import compound_file, names_within, stream_bytes
from desktop_rag.parsing.formats.compressed_rtf import unpacked
from desktop_rag.parsing.formats.embedded_pictures import AddressedPictures, EmbeddedPictures
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.mail import head_of
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
from desktop_rag.parsing.formats.rtf import from_rtf
from desktop_rag.parsing.parsed_document import Block, ParsedDocument
from desktop_rag.parsing.text_encoding import decode

if TYPE_CHECKING:
    from olefile import OleFileIO

_PROPERTIES = "__properties_version1.0"
_ATTACHED, _RECIPIENT = "__attach_version1.0_#", "__recip_version1.0_#"
_MAIL_IN_MAIL = "__substg1.0_3701000D"
# How many bytes stand before the properties: of a mail, a mail in a mail, what belongs to one.
_MAIL_HEAD, _INNER_HEAD, _PART_HEAD = 32, 24, 8
_PROPERTY = struct.Struct("<HHI8s")
# Properties' numbers.
_SUBJECT, _HEADERS, _BODY, _RTF, _HTML = 0x0037, 0x007D, 0x1000, 0x1009, 0x1013
_SENT, _RECEIVED, _TO, _CC = 0x0039, 0x0E06, 0x0E04, 0x0E03
_FROM_NAME, _FROM_ADDRESS, _FROM_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_NAME, _ADDRESS, _SMTP, _RECIPIENT_KIND = 0x3001, 0x3003, 0x39FE, 0x0C15
_CONTENT, _SHORT_NAME, _LONG_NAME, _ID = 0x3701, 0x3704, 0x3707, 0x3712
_CODEPAGE, _BODY_CODEPAGE = 0x3FFD, 0x3FDE
_RECIPIENT_KINDS = {1: "To", 2: "Cc"}
_TELLING = 8  # so many bytes of Unicode are not all ASCII by chance
_MOST_RECIPIENTS = 1_000
_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)
_SIGNED = b"multipart/signed"


def parse(path: Path, parse_part: ParsePart, pictures: EmbeddedPictures) -> ParsedDocument:
    """Return a mail; `parse_part` reads an attachment that was saved under a safe name."""
    reader = MailReader(parse_part, pictures)
    try:
        with compound_file(path) as opened:
            mail = _message(_Folder(opened, "", _MAIL_HEAD), pictures)
            blocks = tuple(reader.blocks(mail))
    except ValueError as error:
        raise file_problems.corrupt("The mail is damaged.") from error
    return ParsedDocument(mail.subject, blocks, notes=tuple(reader.notes), metadata=mail.metadata)


@dataclass(frozen=True, slots=True)
class _Folder:
    """The properties of a mail, a recipient or an attachment."""

    opened: OleFileIO
    path: str  # empty, or with a slash at its end
    head: int

    def raw(self, number: int, kind: int = 0x0102) -> bytes:
        """Return a property's bytes."""
        return stream_bytes(self.opened, f"{self.path}__substg1.0_{number:04X}{kind:04X}")

    def text(self, number: int, codepage: int = _CODEPAGE) -> str:
        """Return a property's text, in Unicode or in the code page that the mail names."""
        wide = self.raw(number, 0x001F)
        bare = wide.rstrip(b"\0")
        if wide and (len(bare) < _TELLING or not bare.isascii() or b"\0" in bare):
            return wide.decode("utf-16-le", "replace").replace("\0", "")
        if not (narrow := wide or self.raw(number, 0x001E)):  # a text of bytes under either name
            return ""
        pages = (self.number(page) for page in (codepage, _CODEPAGE, _BODY_CODEPAGE))
        return decode(narrow, f"cp{next(filter(None, pages), 0)}").replace("\0", "")

    def line(self, number: int) -> str:
        """Return a property's text on one line."""
        return " ".join(self.text(number).split())

    def number(self, number: int) -> int:
        """Return a property that is a number; 0 when there is none."""
        return int.from_bytes(self._value(number)[:4], "little")

    def moment(self, number: int) -> str:
        """Return a property that is a date, or nothing."""
        count = int.from_bytes(self._value(number), "little") // 10
        try:
            moment = _EPOCH + dt.timedelta(microseconds=count)
        except OverflowError:
            return ""
        return f"{moment.replace(tzinfo=None).isoformat(' ', 'seconds')} UTC" if count else ""

    def inner(self, start: str) -> Iterator[str]:
        """Return the names of the folders in this one that begin so, in order."""
        names = names_within(self.opened, self.path)
        return (name for name in names if name.startswith(start))

    def _value(self, number: int) -> bytes:
        raw = stream_bytes(self.opened, f"{self.path}{_PROPERTIES}")[self.head :]
        whole = raw[: len(raw) // _PROPERTY.size * _PROPERTY.size]
        values = (value for _, at, _, value in _PROPERTY.iter_unpack(whole) if at == number)
        return next(values, b"")


def _message(mail: _Folder, pictures: EmbeddedPictures) -> MailMessage:
    told = head_of(mail.text(_HEADERS))
    recipients = {} if "To" in told else _recipients(mail)
    found = {
        "From": told.get("From") or _sender(mail),
        "To": told.get("To") or recipients.get("To") or mail.line(_TO),
        "Cc": told.get("Cc") or recipients.get("Cc") or mail.line(_CC),
        "Date": told.get("Date") or mail.moment(_SENT) or mail.moment(_RECEIVED),
        "Subject": mail.line(_SUBJECT) or told.get("Subject", ""),
    }
    head = {name: value for name, value in found.items() if value}
    return MailMessage(found["Subject"], head, _parts(mail, pictures))


def _parts(
    mail: _Folder, pictures: EmbeddedPictures
) -> Iterator[MailBody | MailAttachment | AttachedMail]:
    yield MailBody(partial(_body, mail, pictures))
    for part in _attached(mail):
        inner = f"{part.path}{_MAIL_IN_MAIL}"
        if mail.opened.exists(f"{inner}/{_PROPERTIES}"):
            folder = _Folder(mail.opened, f"{inner}/", _INNER_HEAD)
            yield AttachedMail(partial(_message, folder, pictures))
        else:
            yield _attachment(part)


def _attached(mail: _Folder) -> Iterator[_Folder]:
    for name in mail.inner(_ATTACHED):
        yield _Folder(mail.opened, f"{mail.path}{name}/", _PART_HEAD)


def _attachment(part: _Folder) -> MailAttachment:
    name = part.line(_LONG_NAME) or part.line(_SHORT_NAME) or part.line(_NAME)
    content = partial(part.raw, _CONTENT)
    if name.lower().endswith(".p7m") and _SIGNED in content()[:2000].lower():
        name = "smime.eml"  # a mail that is signed, and not encrypted, lies in this one as its text
    return MailAttachment(safe_name(name), content)


def _body(mail: _Folder, pictures: EmbeddedPictures) -> list[Block]:
    """Return the plain text; where there is none the web page, or the RTF."""
    if (plain := mail.text(_BODY, _BODY_CODEPAGE)).strip():
        return paragraphs(plain.replace("\r\n", "\n"))
    page = mail.raw(_HTML) or mail.text(_HTML).encode()
    if page:
        codepage = mail.number(_BODY_CODEPAGE)
        declared = f"cp{codepage}" if codepage and mail.raw(_HTML) else "utf-8"
        held = {f"cid:{each.line(_ID)}": partial(each.raw, _CONTENT) for each in _attached(mail)}
        text_of = AddressedPictures(pictures, held).text
        if blocks := from_html(page, declared, least_shown=0.0, picture_text=text_of).blocks:
            return list(blocks)
    return list(from_rtf(unpacked(mail.raw(_RTF)), pictures).blocks)


def _sender(mail: _Folder) -> str:
    name = mail.line(_FROM_NAME)
    address = mail.line(_FROM_SMTP) or mail.line(_FROM_ADDRESS)
    return _addressed(name, address)


def _recipients(mail: _Folder) -> dict[str, str]:
    """Return whom the mail was sent to, as the recipients' folders tell."""
    found: dict[str, list[str]] = {}
    for at, name in enumerate(mail.inner(_RECIPIENT)):
        if at == _MOST_RECIPIENTS:
            break
        each = _Folder(mail.opened, f"{mail.path}{name}/", _PART_HEAD)
        kind = _RECIPIENT_KINDS.get(each.number(_RECIPIENT_KIND))
        told = _addressed(each.line(_NAME), each.line(_SMTP) or each.line(_ADDRESS))
        if kind and told:
            found.setdefault(kind, []).append(told)
    return {kind: ", ".join(told) for kind, told in found.items()}


def _addressed(name: str, address: str) -> str:
    """Return a name and an address; an address within an organisation says nothing."""
    if "@" not in address or address.startswith("/") or address == name:
        return name or address
    return f"{name} <{address}>" if name else address
