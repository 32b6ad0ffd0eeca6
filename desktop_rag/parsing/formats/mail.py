"""Read a mail: its head, its bodies, and attachments whose formats are read."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_detection import BY_EXTENSION
from desktop_rag.parsing.formats.html import from_html
from desktop_rag.parsing.formats.plain_text import paragraphs
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow
from desktop_rag.parsing.text_encoding import decode, is_binary

ParsePart = Callable[[Path], ParsedDocument]

_HEAD = ("From", "To", "Cc", "Date", "Subject")
_DEEPEST = 5
_MOST_PARTS = 500
_MOST_NOTES = 20
_LONGEST_HEADER = 20_000
_LONGEST_COMPARED = 200_000
_MOST_COMPARED = 10_000


def parse(path: Path, parse_part: ParsePart) -> ParsedDocument:
    """Return a mail; `parse_part` reads an attachment that was saved under a safe name."""
    raw = path.read_bytes()
    if is_binary(raw[:65536]):
        raise file_problems.corrupt("The file's name says mail, but its content is not text.")
    return from_bytes(raw, parse_part)


def from_bytes(raw: bytes, parse_part: ParsePart) -> ParsedDocument:
    """Return the mail that bytes hold."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
        raw = decode(raw).encode("utf-8", "surrogateescape")  # saved anew by a text editor
    reader = _Mail(parse_part)
    try:
        message = message_from_bytes(raw, policy=BOUNDED)
    except RecursionError:  # hundreds of parts in each other
        message = BytesHeaderParser(policy=BOUNDED).parsebytes(raw)
        message.replace_header("Content-Type", "text/plain")
        reader.notes.append("The mail has parts in parts without end; it was read as plain text.")
    blocks = tuple(reader.blocks(message, "", 0))
    return ParsedDocument(header(message, "Subject"), blocks, notes=tuple(reader.notes))


class _Bounded(policy.Compat32):
    """The library's way to read heads, of which only the beginning is kept when one is very long.

    What the library does to find a parameter takes the square of the head's length.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return a head's name and value."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_HEADER]


BOUNDED = _Bounded()


class _Mail:
    """Walks one mail and the mails in it; `notes` say what was not read."""

    def __init__(self, parse_part: ParsePart) -> None:
        self.notes: list[str] = []
        self._parse_part = parse_part
        self._seen = ""
        self._known: set[str] = set()
        self._parts = 0

    def blocks(self, message: Message, inside: str, depth: int) -> Iterator[Block]:
        """Yield the head and the bodies of a mail, then its attachments; `inside` names it."""
        head = [f"{name}: {header(message, name)}" for name in _HEAD if message.get(name)]
        subject = header(message, "Subject")
        if head:
            place = BlockLocator(LocatorKind.PART, inside or "head")
            yield Block(BlockKind.META, "\n".join(head), place)
        attached: list[Message] = []
        for part in self._counted(leaves(message)):
            if _is_body(part):
                yield from self._body(part, inside or "body")
            else:
                attached.append(part)
        for part in attached:
            yield from self._attachment(part, subject, depth)

    def _counted(self, parts: Iterator[Message]) -> Iterator[Message]:
        """Yield parts until the whole mail, with the mails in it, has given as many as are read."""
        for part in parts:
            if self._parts == _MOST_PARTS:
                self._note(
                    Phrase(
                        "The mail has more than {0} parts; the others were not read.", _MOST_PARTS
                    )
                )
                return
            self._parts += 1
            yield part

    def _note(self, note: str) -> None:
        """Add a note, but not without end: a mail may hold hundreds of attachments."""
        if len(self.notes) < _MOST_NOTES:
            self.notes.append(note)
        elif len(self.notes) == _MOST_NOTES:
            self.notes.append("More parts of the mail were not read.")

    def _body(self, part: Message, name: str) -> Iterator[Block]:
        raw = payload(part)
        named = charset(part)
        place = BlockLocator(LocatorKind.PART, name)
        if part.get_content_subtype() == "html":
            found = list(from_html(raw, named, least_shown=0.0).blocks)
        else:
            found = paragraphs(decode(raw, named).replace("\r\n", "\n"))
        for block in found:
            bare = _squeezed(block.text)
            if bare and not self._is_seen(bare):
                yield placed(block, place)

    def _is_seen(self, bare: str) -> bool:
        """Say whether a text was read already, and remember it; very long mails are not compared.

        The web form of a mail repeats its plain one, with its lines broken elsewhere.
        """
        is_compared = len(self._known) < _MOST_COMPARED
        if bare in self._known or (is_compared and bare in self._seen):
            return True
        self._known.add(bare)
        if is_compared and len(self._seen) < _LONGEST_COMPARED:
            self._seen += bare
        return False

    def _attachment(self, part: Message, subject: str, depth: int) -> Iterator[Block]:
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else None
            if isinstance(first, Message) and depth < _DEEPEST:
                name = header(first, "Subject") or Phrase("mail in {0}", subject)
                yield from self.blocks(first, name, depth + 1)
            elif isinstance(first, Message):
                self._note(Phrase("Mails in mails were read to a depth of {0}.", _DEEPEST))
            return
        name = _filename(part)
        suffix = Path(name).suffix.lower()
        if suffix not in BY_EXTENSION:
            if name:
                self._note(Phrase("The attachment {0} was not read.", name))
            return
        place = BlockLocator(LocatorKind.PART, name)
        yield Block(BlockKind.HEADING, name, place, 1)
        yield from (placed(block, place) for block in self._parsed(part, suffix, name))

    def _parsed(self, part: Message, suffix: str, name: str) -> tuple[Block, ...]:
        """Return an attachment's blocks, none with a note when it can't be read."""
        try:
            with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
                path = Path(folder) / f"attachment{suffix}"
                path.write_bytes(payload(part))
                document = self._parse_part(path)
        except FileProblem as problem:
            why = problem.what
        except PermissionError:  # a kernel without Landlock: see `linux_confinement`
            why = "This system gives its reader no place to unpack it."
        else:
            for note in document.notes:
                self._note(Phrase("The attachment {0}: {1}", name, note))
            return document.blocks
        self._note(Phrase("The attachment {0} was not read: {1}", name, why))
        return ()


def leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that hold content, in order, not going into mails in the mail."""
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.get_content_type() == "message/rfc822" or not part.is_multipart():
            yield part
        elif isinstance(payload := part.get_payload(), list):
            waiting += [each for each in reversed(payload) if isinstance(each, Message)]


def _is_body(part: Message) -> bool:
    if part.get_content_maintype() == "multipart":
        return True  # its parts could not be told apart: read as the text that it is
    if part.get_content_maintype() != "text" or part.get_content_disposition() == "attachment":
        return False
    return part.get_content_subtype() in {"plain", "html", "enriched"} or not part.get_filename()


def payload(part: Message) -> bytes:
    """Return a part's content, none if it can't be decoded."""
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return b""
    return payload if isinstance(payload, bytes) else b""


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
    """Return an attachment's name, made harmless: no folders, one line, not too long."""
    given = _parameter(part, "filename", "content-disposition")
    name = _decoded(given or _parameter(part, "name", "content-type"))
    return re.sub(r"[\x00-\x1f\x7f]+", " ", re.split(r"[/\\]", name)[-1])[-200:].strip()


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


def placed(block: Block, place: BlockLocator) -> Block:
    """Return a block, with its rows, at another place."""
    rows = tuple(TableRow(row.text, place) for row in block.rows)
    return replace(block, place=place, rows=rows, boxes=())


def _squeezed(text: str) -> str:
    return "".join(text.split())
