"""Read a mail: its head, its bodies, and attachments whose formats are read."""

from __future__ import annotations

import codecs
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place, TableRow
from desktop_rag.engine.ingest.parse.encodings import decode, is_binary
from desktop_rag.engine.ingest.parse.markup import from_html
from desktop_rag.engine.ingest.parse.sniff import BY_EXTENSION
from desktop_rag.engine.ingest.parse.text import paragraphs

ParsePart = Callable[[Path], ParsedDocument]

_HEAD = ("From", "To", "Cc", "Date", "Subject")
_DEEPEST = 5
_MOST_PARTS = 500


def parse(path: Path, parse_part: ParsePart) -> ParsedDocument:
    """Return a mail; `parse_part` reads an attachment that was saved under a safe name."""
    raw = path.read_bytes()
    if is_binary(raw[:65536]):
        raise problems.corrupt("The file's name says mail, but its content is not text.")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
        raw = decode(raw).encode("utf-8", "surrogateescape")  # saved anew by a text editor
    message = message_from_bytes(raw, policy=policy.compat32)
    reader = _Mail(parse_part)
    blocks = tuple(reader.blocks(message, "", 0))
    return ParsedDocument(_header(message, "Subject"), blocks, notes=tuple(reader.notes))


class _Mail:
    """Walks one mail and the mails in it; `notes` say what was not read."""

    def __init__(self, parse_part: ParsePart) -> None:
        self.notes: list[str] = []
        self._parse_part = parse_part
        self._seen = ""
        self._parts = 0

    def blocks(self, message: Message, inside: str, depth: int) -> Iterator[Block]:
        """Yield the head and the bodies of a mail, then its attachments; `inside` names it."""
        head = [f"{name}: {_header(message, name)}" for name in _HEAD if message.get(name)]
        subject = _header(message, "Subject")
        if head:
            place = Place(LocatorKind.PART, inside or "head")
            yield Block(BlockKind.META, "\n".join(head), place)
        attached: list[Message] = []
        for part in _leaves(message):
            self._parts += 1
            if self._parts > _MOST_PARTS:
                return
            if _is_body(part):
                yield from self._body(part, inside or "body")
            else:
                attached.append(part)
        for part in attached:
            yield from self._attachment(part, subject, depth)

    def _body(self, part: Message, name: str) -> Iterator[Block]:
        raw = _payload(part)
        charset = part.get_content_charset()
        place = Place(LocatorKind.PART, name)
        if part.get_content_subtype() == "html":
            found = list(from_html(raw, charset).blocks)
        else:
            found = paragraphs(decode(raw, charset).replace("\r\n", "\n"))
        for block in found:
            bare = _squeezed(block.text)
            if bare and bare not in self._seen:
                self._seen += bare
                yield _placed(block, place)

    def _attachment(self, part: Message, subject: str, depth: int) -> Iterator[Block]:
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else None
            if isinstance(first, Message) and depth < _DEEPEST:
                name = _header(first, "Subject") or f"mail in {subject}"
                yield from self.blocks(first, name, depth + 1)
            return
        name = _filename(part)
        suffix = Path(name).suffix.lower()
        if suffix not in BY_EXTENSION:
            self.notes += [f"The attachment {name} was not read."] if name else []
            return
        place = Place(LocatorKind.PART, name)
        yield Block(BlockKind.HEADING, name, place, 1)
        yield from (_placed(block, place) for block in self._parsed(part, suffix, name))

    def _parsed(self, part: Message, suffix: str, name: str) -> tuple[Block, ...]:
        """Return an attachment's blocks, none with a note when it can't be read."""
        try:
            with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
                path = Path(folder) / f"attachment{suffix}"
                path.write_bytes(_payload(part))
                return self._parse_part(path).blocks
        except FileProblem as problem:
            why = problem.what
        except PermissionError:  # a kernel without Landlock: see `kernel`
            why = "This system gives its reader no place to unpack it."
        self.notes.append(f"The attachment {name} was not read: {why}")
        return ()


def _leaves(message: Message) -> Iterator[Message]:
    """Yield the parts that hold content, not going into mails in the mail."""
    if message.get_content_type() == "message/rfc822" or not message.is_multipart():
        yield message
        return
    payload = message.get_payload()
    for part in payload if isinstance(payload, list) else ():
        if isinstance(part, Message):
            yield from _leaves(part)


def _is_body(part: Message) -> bool:
    if part.get_content_maintype() == "multipart":
        return True  # its parts could not be told apart: read as the text that it is
    if part.get_content_maintype() != "text" or part.get_content_disposition() == "attachment":
        return False
    return part.get_content_subtype() in {"plain", "html", "enriched"} or not part.get_filename()


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _filename(part: Message) -> str:
    """Return an attachment's name, made harmless: no folders, one line, not too long."""
    name = _decoded(part.get_filename() or "")
    return re.sub(r"[\x00-\x1f\x7f]+", " ", re.split(r"[/\\]", name)[-1])[-200:].strip()


def _header(message: Message, name: str) -> str:
    return _decoded(message.get(name, ""))


def _decoded(value: object) -> str:
    """Return a header's text; what can't be decoded stays as it stands."""
    text = str(value)
    try:
        text = str(make_header(decode_header(text)))
    except (LookupError, ValueError, MessageError):
        pass
    return " ".join(text.split())


def _placed(block: Block, place: Place) -> Block:
    rows = tuple(TableRow(row.text, place) for row in block.rows)
    return replace(block, place=place, rows=rows, boxes=())


def _squeezed(text: str) -> str:
    return "".join(text.split())
