"""The files in an archive (ZIP, TAR), and what a file packed alone (gzip, bzip2, xz) holds.

They are told in order with their names, and opened one at a time. Nothing is unpacked here, and no
name of an archive becomes a path.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.secret import Secret
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_detection import (
    BZIP2_MARK,
    GZIP_MARK,
    ZIP_MARKS,
    is_tar,
)
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, raise_the_disks, repaired_archive
from desktop_rag.parsing.text_encoding import MULTIBYTE, decode, encoding_of

_LARGEST_UNPACKED = 2_000_000_000  # bytes of all that is unpacked of one archive
_LARGEST_RATIO = 200
_RATIO_COUNTS_FROM = 200_000_000
_MOST_HEADS = 100_000  # of a tar archive, folders and links counted
_LONGEST_NAME = 300
_PIECE = 1 << 16
_ENCRYPTED, _UTF8 = 0x01, 0x800  # flags of a file in a zip
_AES = 99  # its method where it is encrypted as WinZip does it
_FRAMES = frozenset(range(0xB0, 0xE0))  # in cp437: lines and blocks, which no name has


class ByteSource(Protocol):
    """What bytes are read from, a piece at a time."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, at most so many; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in an archive, `size` as the archive tells it; -1 where it does not.

    `is_file` is false of links and devices; one that `is_locked` opens with a password only.
    """

    name: str
    size: int
    open: Callable[[], AbstractContextManager[ByteSource]]
    is_file: bool = True
    is_locked: bool = False


class TooMuchUnpackedError(FileProblem):
    """More would be unpacked than may be: nothing of the archive is read."""


class UnpackedBytes:
    """Counts what is unpacked of an archive of `packed` bytes, and of those that lie in it."""

    def __init__(self, packed: int) -> None:
        self._most = min(max(_RATIO_COUNTS_FROM, packed * _LARGEST_RATIO), _LARGEST_UNPACKED)
        self._count = 0

    def add(self, count: int) -> None:
        """Count bytes; `TooMuchUnpackedError` when they are too many."""
        self._count += count
        if self._count > self._most:
            raise TooMuchUnpackedError(
                FileStatus.TOO_LARGE,
                Phrase("The file would unpack to more than {0} MB.", self._most // 1_000_000),
                "Unpack it, and add what you need of it.",
            )


class PackedStream:
    """What a packed file unpacks to, counted while it is read."""

    def __init__(self, source: ByteSource, unpacked: UnpackedBytes) -> None:
        self._source = source
        self._unpacked = unpacked
        self._head = b""

    def peek(self, size: int) -> bytes:
        """Return the next bytes, which are read again afterwards."""
        while len(self._head) < size and (piece := self._take(size - len(self._head))):
            self._head += piece
        return self._head

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, at most so many."""
        if self._head:
            size = len(self._head) if size < 0 else size
            given, self._head = self._head[:size], self._head[size:]
            return given
        return self._take(size if size >= 0 else _PIECE)

    def _take(self, size: int) -> bytes:
        piece = self._source.read(min(size, _PIECE))
        self._unpacked.add(len(piece))
        return piece


def members_of(path: Path, alone: str, password: Secret) -> Iterator[ArchiveMember]:
    """Yield the files in an archive; each is to be read before the next one is asked for.

    `alone` is the name of what is packed without one.
    """
    with path.open("rb") as file:
        head = file.read(tarfile.BLOCKSIZE)
        file.seek(0)
        if head.startswith(ZIP_MARKS):
            yield from _of_zip(path, password)
        elif is_tar(head):
            yield from _of_tar(file)
        else:
            with failing(), _unpacking(file, head) as source:
                stream = PackedStream(source, UnpackedBytes(path.stat().st_size))
                if is_tar(stream.peek(tarfile.BLOCKSIZE)):
                    yield from _of_tar(stream)
                else:
                    yield ArchiveMember(alone, -1, lambda: nullcontext(stream))


@contextmanager
def failing() -> Iterator[None]:
    """Say of an archive that it is damaged, where its reader says it in another way."""
    try:
        yield
    except FileProblem:
        raise
    except NotImplementedError as error:
        raise file_problems.unsupported(
            "It is packed in a way that is not read.", "Unpack it, and add what you need of it."
        ) from error
    except (tarfile.TarError, RecursionError, *DAMAGE) as error:
        raise_the_disks(error)
        raise file_problems.corrupt(
            "The archive is damaged or was not written to its end."
        ) from error


def _unpacking(
    file: IO[bytes], head: bytes
) -> AbstractContextManager[gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile]:
    if head.startswith(GZIP_MARK):
        return gzip.GzipFile(fileobj=file)
    return bz2.BZ2File(file) if head.startswith(BZIP2_MARK) else lzma.LZMAFile(file)


# ZIP


def _of_zip(path: Path, password: Secret) -> Iterator[ArchiveMember]:
    with failing(), repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
        files = [info for info in archive.infolist() if not info.is_dir()]
        locked = [info for info in files if info.flag_bits & _ENCRYPTED]
        if locked and (password or len(locked) == len(files)):
            _check_password(archive, min(locked, key=_size), password)
        for info, name in zip(files, _zip_names(files), strict=True):
            kind = stat.S_IFMT(info.external_attr >> 16)
            yield ArchiveMember(
                _cleaned(name),
                info.file_size,
                partial(archive.open, info, "r", _bytes_of(password)),
                is_file=kind in (0, stat.S_IFREG),
                is_locked=bool(info.flag_bits & _ENCRYPTED) and not password,
            )


def _size(info: zipfile.ZipInfo) -> int:
    return info.file_size


def _bytes_of(password: Secret) -> bytes | None:
    return password.text.encode() or None


def _check_password(archive: zipfile.ZipFile, info: zipfile.ZipInfo, password: Secret) -> None:
    """Raise that a password is needed, or is not the right one."""
    if info.compress_type == _AES:
        raise file_problems.protected("The archive is encrypted in a way that is not read (AES).")
    if not password:
        raise file_problems.encrypted()
    try:
        with archive.open(info, "r", _bytes_of(password)) as file:
            while file.read(_PIECE):
                pass
    except NotImplementedError as error:
        raise file_problems.protected() from error
    except DAMAGE as error:  # one of 256 wrong passwords is only seen by what comes out
        raise_the_disks(error)
        raise file_problems.wrong_password() from error


def _zip_names(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    """Yield the files' names: in UTF-8 where they say so or are that, else as they look together.

    Without the flag they are in the encoding of the computer that packed them. What the library
    takes them for, cp437, is right in the West.
    """
    raws = [_raw_name(info) for info in infos]
    encoding = _encoding_of(b"".join(raw for raw in raws if not _is_utf8(raw)))
    for raw in raws:
        yield raw.decode("utf-8" if _is_utf8(raw) else encoding, "replace")


def _encoding_of(names: bytes) -> str:
    found = encoding_of(names)
    if _FRAMES.intersection(names):
        return found
    text = names.decode(found, "replace")
    is_asian = found in MULTIBYTE and sum(char > "\x7f" for char in text) * 3 >= len(text)
    return found if is_asian else "cp437"


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437", "replace")


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


# TAR


def _of_tar(source: ByteSource) -> Iterator[ArchiveMember]:
    with failing(), _opened_tar(source) as archive:
        for info in _heads(archive):
            if not info.isdir():
                yield ArchiveMember(
                    _cleaned(_tar_name(info)),
                    info.size,
                    partial(_opened, archive, info),
                    is_file=info.isreg(),
                )


def _heads(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the heads in a tar archive; the library's own loop ends at a damaged one unsaid."""
    info = archive.next()  # read when the archive was opened
    for _ in range(_MOST_HEADS):
        if info is None:
            return
        if info.size < 0:
            raise file_problems.corrupt()
        yield info
        archive.fileobj.seek(archive.offset)
        try:
            info = archive.tarinfo.fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            return
    raise file_problems.corrupt("The archive has too many files to be read to its end.")


def _opened_tar(source: ByteSource) -> tarfile.TarFile:
    how: Any = {"fileobj": source, "mode": "r|", "errors": "surrogateescape"}
    return tarfile.open(encoding="utf-8", **how)


def _opened(archive: tarfile.TarFile, info: tarfile.TarInfo) -> AbstractContextManager[ByteSource]:
    file = archive.extractfile(info)
    if file is None:
        raise file_problems.corrupt()
    return file


def _tar_name(info: tarfile.TarInfo) -> str:
    return decode(info.name.encode("utf-8", "surrogateescape"))


def _cleaned(name: str) -> str:
    """Return a name to be shown: with slashes, without what leads out of the archive."""
    plain = re.sub(r"[\x00-\x1f\x7f]+", " ", name.replace("\\", "/"))
    parts = [part for part in plain.split("/") if part.strip() not in ("", ".", "..")]
    return "/".join(parts)[-_LONGEST_NAME:]
