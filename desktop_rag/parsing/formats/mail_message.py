"""A mail as its readers give it, and what is made of it: the head, the bodies, the attachments.

`mail` takes it from text (.eml), `outlook` from a compound file (.msg). What stands in a mail's
parts is fetched when its turn comes; a text that comes again in another form is read once.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.metadata_values import mail_date, mail_people, one_line
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument, TableRow

ParsePart = Callable[[Path], ParsedDocument]

DEEPEST = 5  # of mails in mails
_MOST_PARTS = 500
_MOST_NOTES = 20
_LONGEST_COMPARED = 200_000
_MOST_COMPARED = 10_000


@dataclass(frozen=True, slots=True)
class MailBody:
    """A text of the mail itself."""

    read: Callable[[], list[Block]]


@dataclass(frozen=True, slots=True)
class MailAttachment:
    """A file that is attached; `name` has neither folders nor line breaks."""

    name: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class AttachedMail:
    """A mail within the mail; nothing where it can't be read."""

    read: Callable[[], MailMessage | None]


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A mail: its subject, the values of its head that are read, and its parts in order."""

    subject: str
    head: dict[str, str]
    parts: Iterator[MailBody | MailAttachment | AttachedMail]

    @property
    def metadata(self) -> DocumentMetadata:
        """Who wrote the mail, to whom and when."""
        return DocumentMetadata(
            authors=mail_people(self.head.get("From")),
            recipients=mail_people(self.head.get("To"), self.head.get("Cc")),
            subject=one_line(self.subject),
            created=mail_date(self.head.get("Date")),
        )


def check_depth(depth: int) -> None:
    """Raise a `FileProblem` for a mail that lies too deep in other mails."""
    if depth > DEEPEST:
        raise file_problems.unsupported(
            Phrase("Mails in mails were read to a depth of {0}.", DEEPEST),
            "Save the attached mail as a file of its own and add that one.",
        )


def safe_name(given: str) -> str:
    """Return an attachment's name, made harmless: no folders, one line, not too long."""
    return re.sub(r"[\x00-\x1f\x7f]+", " ", re.split(r"[/\\]", given)[-1])[-200:].strip()


class MailReader:
    """Reads one mail and the mails in it; `notes` say what was not read.

    `parse_part` reads an attachment that was saved under a safe name; what it counts, and attached
    pictures, are among the mail's `pictures`.
    """

    def __init__(self, parse_part: ParsePart, pictures: EmbeddedPictures) -> None:
        self.notes: list[str] = []
        self._parse_part, self._pictures = parse_part, pictures
        self._seen = ""
        self._known: set[str] = set()
        self._parts = 0

    def blocks(self, mail: MailMessage, inside: str = "", depth: int = 0) -> Iterator[Block]:
        """Yield the head and the bodies of a mail, then its attachments; `inside` names it."""
        if mail.head:
            place = BlockLocator(LocatorKind.PART, inside or "head")
            text = "\n".join(f"{name}: {value}" for name, value in mail.head.items())
            yield Block(BlockKind.META, text, place)
        attached: list[MailAttachment | AttachedMail] = []
        for part in self._counted(mail):
            if isinstance(part, MailBody):
                yield from self._body(part, inside or "body")
            else:
                attached.append(part)
        for part in attached:
            if isinstance(part, AttachedMail):
                yield from self._mail(part, mail.subject, depth)
            else:
                yield from self._attachment(part)

    def _counted(self, mail: MailMessage) -> Iterator[MailBody | MailAttachment | AttachedMail]:
        """Yield parts until the whole mail, with the mails in it, has given as many as are read."""
        for part in mail.parts:
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

    def _body(self, part: MailBody, name: str) -> Iterator[Block]:
        place = BlockLocator(LocatorKind.PART, name)
        for block in part.read():
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

    def _mail(self, part: AttachedMail, subject: str, depth: int) -> Iterator[Block]:
        inner = part.read()
        if inner is not None and depth < DEEPEST:
            yield from self.blocks(
                inner, inner.subject or Phrase("mail in {0}", subject), depth + 1
            )
        elif inner is not None:
            self._note(Phrase("Mails in mails were read to a depth of {0}.", DEEPEST))

    def _attachment(self, part: MailAttachment) -> Iterator[Block]:
        suffix = Path(part.name).suffix.lower()
        if BY_EXTENSION.get(suffix, FileFormat.PICTURE) is FileFormat.PICTURE:
            yield from self._picture(part)
            return
        place = BlockLocator(LocatorKind.PART, part.name)
        yield Block(BlockKind.HEADING, part.name, place, 1)
        yield from (placed(block, place) for block in self._parsed(part, suffix))

    def _picture(self, part: MailAttachment) -> Iterator[Block]:
        """Yield what was recognised on an attached picture, unless the mail's body shows it."""
        try:
            text = self._pictures.file_text(part.read())
        except FileProblem:
            if part.name:
                self._note(Phrase("The attachment {0} was not read.", part.name))
            return
        place = BlockLocator(LocatorKind.PART, part.name or "attachment")
        if text and part.name:
            yield Block(BlockKind.HEADING, part.name, place, 1)
        if text:
            yield Block(BlockKind.TEXT, text, place)

    def _parsed(self, part: MailAttachment, suffix: str) -> tuple[Block, ...]:
        """Return an attachment's blocks, none with a note when it can't be read."""
        try:
            with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
                path = Path(folder) / f"attachment{suffix}"
                path.write_bytes(part.read())
                document = self._parse_part(path)
        except FileProblem as problem:
            why = problem.what
        except PermissionError:  # a kernel without Landlock: see `linux_confinement`
            why = "This system gives its reader no place to unpack it."
        else:
            for note in document.notes:
                self._note(Phrase("The attachment {0}: {1}", part.name, note))
            return document.blocks
        self._note(Phrase("The attachment {0} was not read: {1}", part.name, why))
        return ()


def placed(block: Block, place: BlockLocator) -> Block:
    """Return a block, with its rows, at another place."""
    rows = tuple(TableRow(row.text, place) for row in block.rows)
    return replace(block, place=place, rows=rows, boxes=())


def _squeezed(text: str) -> str:
    return "".join(text.split())
