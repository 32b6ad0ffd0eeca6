"""Read an archive: the files in it one after the other, each by the parser of its own format.

What can't be read of it is named in its notes. A file lies in the parser's own temporary folder
while it is read, under a name that is not the archive's.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from fnmatch import translate
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.filesystem import IGNORED
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.secret import Secret
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_detection import (
    BY_EXTENSION,
    FileFormat,
    detect_format,
    is_archive_name,
)
from desktop_rag.parsing.formats.archive_members import (
    ArchiveMember,
    TooMuchUnpackedError,
    UnpackedBytes,
    failing,
    members_of,
)
from desktop_rag.parsing.formats.mail_message import ParsePart, placed
from desktop_rag.parsing.formats.ooxml_package import raise_the_disks
from desktop_rag.parsing.parsed_document import (
    Block,
    BlockLocator,
    BlockStream,
    DocumentHead,
    ParsedDocument,
)

_DEEPEST = 1  # of archives in archives
_MOST_FILES = 10_000
_LARGEST_FILE = 512 * 1024 * 1024  # bytes
_MOST_NOTES = 30
_NAMES_SHOWN = 5
_PIECE = 1 << 16
_TOO_MANY = "The archive has more than {0} files; the others were not read."
_OF_A_PAGE = {LocatorKind.PAGE: "p. {}", LocatorKind.SLIDE: "p. {}", LocatorKind.MESSAGE: "no. {}"}
_PASSED_OVER = re.compile("|".join(map(translate, (*IGNORED, "__MACOSX"))))


def read(path: Path, parse_part: ParsePart, password: Secret) -> BlockStream:
    """Yield the blocks of the files in an archive; `parse_part` reads one of them."""
    reader = _ArchiveReader(parse_part, password, path.stat().st_size)
    yield from reader.blocks(path, path.stem, "")
    return DocumentHead(notes=reader.notes.told())


class _Unread(StrEnum):
    """Why files are not read, as is said of many at once."""

    OTHER_KIND = "In the archive, of kinds that are not read: {0} ({1})."
    PICTURE = "In the archive, pictures that were not read: {0} ({1})."
    LINK = "In the archive, links and devices that were not followed: {0} ({1})."
    LOCKED = "In the archive, protected with a password and not read: {0} ({1})."
    TOO_DEEP = "In the archive, archives within archives that were not read: {0} ({1})."
    MORE = "In the archive, more that was not read: {0} ({1})."
    TOO_LARGE = "In the archive, too large to be unpacked: {0} ({1})."


class _Notes:
    """What is said of the files that were not read, and then of those that were read in part."""

    def __init__(self) -> None:
        self._unread: list[str] = []
        self._partly: list[str] = []
        self._many: dict[_Unread, list[str]] = {}

    def not_read(self, name: str, why: str) -> None:
        """Say why a file was not read; of very many only that they were not."""
        if len(self._unread) < _MOST_NOTES:
            self._unread.append(Phrase("{0} in the archive was not read: {1}", name, why))
        else:
            self.count(_Unread.MORE, name)

    def partly(self, note: str) -> None:
        """Say what was not read of a file, or of the archive; of very many only how many."""
        self._partly.append(note)

    def count(self, why: _Unread, name: str) -> None:
        """Name a file that is not read for a reason that others may have, too."""
        self._many.setdefault(why, []).append(name)

    def told(self) -> tuple[str, ...]:
        """Return the sentences."""
        many = (_counted(why, names) for why, names in self._many.items())
        made = [*self._unread, *many, *self._partly[:_MOST_NOTES]]
        if (more := len(self._partly) - _MOST_NOTES) > 0:
            made.append(Phrase("In the archive, more that was read in part only: {0}.", more))
        return tuple(made)


def _counted(why: _Unread, names: list[str]) -> str:
    more = ", …" if len(names) > _NAMES_SHOWN else ""
    return Phrase(why.value, len(names), ", ".join(names[:_NAMES_SHOWN]) + more)


class _ArchiveReader:
    """Reads one archive, and the archives in it."""

    def __init__(self, parse_part: ParsePart, password: Secret, size: int) -> None:
        self.notes = _Notes()
        self._parse_part = parse_part
        self._password = password
        self._unpacked = UnpackedBytes(size)
        self._files = 0
        self._seen: set[tuple[str, bytes]] = set()

    def blocks(self, path: Path, alone: str, inside: str, depth: int = 0) -> Iterator[Block]:
        """Yield what is in the archive at a path; `inside` names the one that it lies in."""
        before = self._files
        try:
            for member in members_of(path, alone, self._password):
                if _is_passed_over(member.name):
                    continue
                if self._files == _MOST_FILES:
                    most = f"{_MOST_FILES:,}"
                    self.notes.partly(
                        Phrase(
                            "The archive has more than {0} files; the others were not read.", most
                        )
                    )
                    return
                self._files += 1
                named = replace(member, name=f"{inside}{member.name}")
                yield from self._member(named, depth)
        except TooMuchUnpackedError:
            raise
        except FileProblem as problem:
            if self._files == before:
                raise
            self.notes.partly(Phrase("The rest of the archive was not read: {0}", problem.what))

    def _member(self, member: ArchiveMember, depth: int) -> Iterator[Block]:
        if why := _unread(member, depth):
            self.notes.count(why, member.name)
        elif member.size:  # an empty file holds nothing that could be missed
            yield from self._unpacked_member(member, depth)

    def _unpacked_member(self, member: ArchiveMember, depth: int) -> Iterator[Block]:
        """Yield a file's blocks, none with a note when it can't be read."""
        try:
            with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
                path = Path(folder, f"file{Path(member.name).suffix.lower()}")
                if not self._is_new(member, path):
                    return
                if is_archive_name(path) and detect_format(path) is FileFormat.ARCHIVE:
                    yield from self.blocks(
                        path, Path(member.name).stem, f"{member.name}/", depth + 1
                    )
                else:
                    yield from self._placed(member.name, self._parse_part(path))
        except TooMuchUnpackedError:
            raise
        except FileProblem as problem:
            self.notes.not_read(member.name, problem.what)
        except PermissionError:  # a kernel without Landlock: see `linux_confinement`
            self.notes.not_read(member.name, "This system gives its reader no place to unpack it.")
        except Exception as error:  # noqa: BLE001 - one file's trouble is not that of the others
            raise_the_disks(error)
            self.notes.not_read(member.name, file_problems.crashed(type(error).__name__).what)

    def _is_new(self, member: ArchiveMember, path: Path) -> bool:
        """Unpack a file; say whether it is another one than any that was unpacked before."""
        digest = hashlib.blake2b(digest_size=16)
        with failing(), member.open() as source, path.open("wb") as target:
            while piece := source.read(_PIECE):
                self._unpacked.add(len(piece))
                digest.update(piece)
                target.write(piece)
        known = member.name, digest.digest()
        is_new = known not in self._seen
        self._seen.add(known)
        return is_new

    def _placed(self, name: str, document: ParsedDocument) -> Iterator[Block]:
        """Yield a file's blocks below a heading with its name."""
        for note in document.notes:
            self.notes.partly(Phrase("{0} in the archive: {1}", name, note))
        if document.unread_pages and not document.notes:
            self.notes.count(_Unread.PICTURE, name)
        if not document.blocks:
            self.notes.not_read(name, "The file holds no text.")
            return
        first = _place(name, document.blocks[0].place)
        yield Block(BlockKind.HEADING, name, first, 1)
        for block in document.blocks:
            moved = placed(block, _place(name, block.place))
            is_heading = moved.kind is BlockKind.HEADING
            yield replace(moved, level=moved.level + 1) if is_heading else moved


def _unread(member: ArchiveMember, depth: int) -> _Unread | None:
    """Return why a file is not even unpacked."""
    form = BY_EXTENSION.get(Path(member.name).suffix.lower())
    is_archive = is_archive_name(Path(member.name))
    if not member.is_file:
        return _Unread.LINK
    if form is None and not is_archive:
        return _Unread.OTHER_KIND
    if is_archive and depth >= _DEEPEST:
        return _Unread.TOO_DEEP
    if form is FileFormat.PICTURE:
        return _Unread.PICTURE
    if member.is_locked:
        return _Unread.LOCKED
    return _Unread.TOO_LARGE if member.size > _LARGEST_FILE else None


def _is_passed_over(name: str) -> bool:
    """Say whether a file would not count in a folder either: hidden, temporary, of a system."""
    return any(map(_PASSED_OVER.match, name.split("/")))


def _place(name: str, place: BlockLocator) -> BlockLocator:
    """Return where a block stands: the file's name, and its page, slide or sheet there."""
    if place.kind is LocatorKind.SHEET:
        return BlockLocator(LocatorKind.PART, f"{name}, {place.value}")
    detail = _OF_A_PAGE.get(place.kind, "").format(place.value)
    return BlockLocator(LocatorKind.PART, f"{name}, {detail}" if detail else name)
