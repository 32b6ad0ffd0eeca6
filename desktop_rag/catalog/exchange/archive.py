"""Opens an exported file, which anybody may have made, and reads its members line by line.

A line of JSON takes up to twenty times its bytes once it is decoded (`[[],[],…`), so a line may be
short only. A document's text, the one thing that may be long, is decoded piece by piece, and
refused as soon as it is longer than any text that is read.

Only the members that `file_format` names are looked at. Nothing is unpacked to disk, and no more is
read at once than one line or one block of vectors. The sizes that the file states are checked
first.
"""

from __future__ import annotations

import codecs
import json
import re
import shutil
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, TypeVar
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.exchange.file_format import (
    DOCUMENTS,
    FORMAT,
    KEYS,
    MANIFEST,
    SHORTEST,
    VECTORS,
    ExportFormat,
    ExportManifest,
    InvalidFieldError,
    float16_npy_header,
    members,
)
from desktop_rag.core import codec
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase

_LONGEST_LINE = 1 << 22  # bytes; of a document, without its text
_PIECE = 1 << 16
_LONGEST_ESCAPE = 12  # of a character beyond the first plane: two halves
_TEXT = re.compile(r'"text"\s*:\s*"')
_WHOLE = re.compile(  # up to a quotation mark, or to an escape that goes on in the next piece
    r'[^"\\]*+(?:\\(?:'
    r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r'|u(?![dD][89abAB])[0-9a-fA-F]{4}|[^u])[^"\\]*+)*+'
)
T = TypeVar("T")
_LONGEST_MANIFEST = 1 << 16
_LARGEST_DIRECTORY = 1 << 14  # bytes of the zip's list of members; ours has under 1,000
_BOMB_SIZE, _BOMB_RATIO = 1 << 26, 200  # texts of files that repeat one row shrink to a hundredth
_ROOM = 3  # times what the members hold: in the log, in the catalog and in the indexes
_PER_BLOCK, _BLOCK_BYTES = 500, 1 << 20
_END, _LOCATOR, _ENDING = 22, 20, 98  # bytes of the zip's last records, and of all three


class TextTooLongError(InvalidFieldError):
    """A document's text is longer than texts may be here."""


def short_line(file: IO[bytes]) -> Any:
    """Read a line and decode it."""
    line = file.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise InvalidFieldError("it ends too early or is too long")
    return json.loads(line)


def document_line(file: IO[bytes], longest: int) -> Any:
    """Read a line whose `text` may be long, of `longest` characters at most, and decode it."""
    pieces, head = _pieces(file), ""
    for piece in pieces:
        head += piece
        found = _TEXT.search(head)
        if found is not None:
            text, rest = _long_text(head[found.end() :], pieces, longest)
            row = json.loads(f'{head[: found.end()]}"{_rest(rest, pieces)}')
            return row | {"text": text} if isinstance(row, dict) else row
        _require_short(head)
    return json.loads(head)


def _pieces(file: IO[bytes]) -> Iterator[str]:
    """Yield a line in pieces, its end included."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while True:
        piece = file.readline(_PIECE)
        is_last = piece.endswith(b"\n")
        if not piece:
            raise InvalidFieldError("it ends too early")
        yield decoder.decode(piece, final=is_last)
        if is_last:
            return


def _long_text(begun: str, pieces: Iterator[str], longest: int) -> tuple[str, str]:
    """Decode a text of which the beginning is there; return it and what is read behind its end."""
    made, length, rest = [], 0, begun
    while True:
        whole = _WHOLE.match(rest)
        end = 0 if whole is None else whole.end()
        made.append(json.loads(f'"{rest[:end]}"'))
        length += len(made[-1])
        if length > longest:
            raise TextTooLongError(Phrase("a text has more than {0} characters", f"{longest:,}"))
        rest = rest[end:]
        if rest.startswith('"'):
            return "".join(made), rest[1:]
        if len(rest) > _LONGEST_ESCAPE:
            raise InvalidFieldError("a text is not written as it has to be")
        more = next(pieces, None)
        if more is None:
            raise InvalidFieldError("it ends too early")
        rest += more


def _rest(begun: str, pieces: Iterator[str]) -> str:
    for piece in pieces:
        begun += piece
        _require_short(begun)
    return begun


def _require_short(line: str) -> None:
    if len(line) > _LONGEST_LINE:
        raise InvalidFieldError("it is too long")


class ExportArchive:
    """An opened export; close it. `room` is a folder on the disk to fill.

    A text of more than `longest` characters is refused.

    Everything that is wrong with the file is raised as a `UserError`.
    """

    def __init__(self, path: Path, room: Path, longest: int) -> None:
        self._path = path
        self._longest = longest
        with _told(path, "the file"):
            self._file = path.open("rb")  # our own: members that are still open share it
        try:
            with _told(path, "the file"):
                _check_directory(self._file)
                self._zip = ZipFile(self._file)
            with _told(path, "the list of its parts"):
                self._check_members(shutil.disk_usage(room).free)
            self.manifest = self._manifest()
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def records(self, member: str, read: Callable[[Any], T]) -> Iterator[T]:
        """Yield a member's lines, read by `read`, which raises a ValueError at a wrong one.

        A member that came in a later form than the file's has none.
        """
        if member not in self.manifest.counts:
            return
        decoded: Callable[[IO[bytes]], Any] = short_line
        if member == DOCUMENTS:
            decoded = partial(document_line, longest=self._longest)
        with _told(self._path, member), self._zip.open(member) as lines:
            for number in range(self.manifest.counts[member]):
                with _told(self._path, Phrase("line {0} of {1}", number + 1, member)):
                    made = read(decoded(lines))
                yield made
            _require_end(lines)

    def blocks(
        self, read: Callable[[Any], str]
    ) -> Iterator[tuple[tuple[str, ...], npt.NDArray[np.float16]]]:
        """Yield vectors with their keys, some hundred a time, a row each."""
        keys = self.records(KEYS, read)
        left, width = self.manifest.counts[KEYS], self.manifest.dimensions
        with _told(self._path, VECTORS), self._zip.open(VECTORS) as file:
            header = float16_npy_header((left, width))
            if file.read(len(header)) != header:
                raise InvalidFieldError("its shape or type is another")
            while left:
                count = min(left, _PER_BLOCK, _BLOCK_BYTES // (2 * width))
                left -= count
                block = np.frombuffer(_exactly(file, count * width * 2), "<f2")
                yield tuple(islice(keys, count)), block.reshape(count, width)
            _require_end(file)
        for _ in keys:  # none is left, but only the end of a member has its checksum
            raise self.wrong(KEYS, "keys are left over")

    def wrong(self, place: str, detail: str) -> UserError:
        """Return the error for something that does not fit, and where."""
        return _damaged(self._path, place, detail)

    def _check_members(self, free: int) -> None:
        """Refuse what is packed in another way, and more text than a disk or the file could hold.

        Which members belong to it, only the manifest says.
        """
        found = self._zip.infolist()
        if any(each.flag_bits & 1 or not _is_plain(each) for each in found):
            raise InvalidFieldError("a part is packed in another way")
        total = sum(each.file_size for each in found)
        packed = sum(each.compress_size for each in found)
        if packed > self._file.seek(0, 2):
            raise InvalidFieldError("its parts lie in one another")
        if total > _BOMB_SIZE and total > packed * _BOMB_RATIO:
            raise InvalidFieldError("it unpacks to far more than it could hold")
        wanted = _ROOM * total
        if wanted > free:
            raise UserError(
                Phrase("There is no room on the disk for what {0} holds.", self._path.name),
                Phrase(
                    "Make {0} GB of room and try again.", f"{max(0.1, (wanted - free) / 1e9):.1f}"
                ),
            )

    def _manifest(self) -> ExportManifest:
        with _told(self._path, MANIFEST), self._zip.open(MANIFEST) as file:
            raw = file.read(_LONGEST_MANIFEST)
            _require_end(file)
            value = json.loads(raw)
            if codec.decode(value, ExportFormat).format > FORMAT:
                raise UserError(
                    Phrase("{0} was exported by a newer version of Desktop RAG.", self._path.name),
                    "Update the program, then import it again.",
                )
            manifest = codec.decode(value, ExportManifest)
            if sorted(self._zip.namelist()) != sorted(members(manifest.format)):
                raise InvalidFieldError("the file's parts are others")
            self._check_counts(manifest)
        return manifest

    def _check_counts(self, manifest: ExportManifest) -> None:
        """Refuse more lines, or another matrix, than the members' sizes can be."""
        for member, count in manifest.counts.items():
            if count * SHORTEST[member] > self._zip.getinfo(member).file_size:
                raise InvalidFieldError(f"{member} is shorter than it says")
        shape = (manifest.counts[KEYS], manifest.dimensions)
        if (
            self._zip.getinfo(VECTORS).file_size
            != len(float16_npy_header(shape)) + 2 * shape[0] * shape[1]
        ):
            raise InvalidFieldError(f"{VECTORS} is of another size")


def _damaged(path: Path, place: str, detail: str = "") -> UserError:
    """Return the error for a file that is no export or was changed on its way."""
    because = f" ({detail})" if detail else ""
    return UserError(
        Phrase(
            "{0} is damaged, or is no export of Desktop RAG: {1} can't be read{2}.",
            path.name,
            place,
            because,
        ),
        "Copy or export it again and import that; nothing was changed here.",
    )


@contextmanager
def _told(path: Path, place: str) -> Iterator[None]:
    """Raise what a wrong file makes Python say as a `UserError` that names the place."""
    try:
        yield
    except TextTooLongError as error:
        raise UserError(
            Phrase("{0} can't be imported: {1}.", path.name, error.args[0]),
            "Raise “Longest text” (ingest.max_characters) in the settings, and try again.",
        ) from error
    except InvalidFieldError as error:
        raise _damaged(path, place, str(error)) from error
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UserError(Phrase("There is no file {0}.", path), "Check how it is spelt.") from error
    except OSError as error:
        what = Phrase("{0} can't be read: {1}.", path, error.strerror or error)
        raise UserError(
            what, "Check the file's permissions, or copy it to this computer."
        ) from error
    except (
        BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError,
        struct.error, zlib.error,
    ) as error:  # fmt: skip
        raise _damaged(path, place) from error


def _check_directory(file: IO[bytes]) -> None:
    """Refuse a long list of members before Python reads it into memory."""
    file.seek(max(0, file.seek(0, 2) - _ENDING))
    tail = file.read()
    end = tail[-_END:]
    if len(tail) < _ENDING or not (end.startswith(b"PK\5\6") and end.endswith(b"\0\0")):
        raise InvalidFieldError("its end is missing")
    sizes = list(struct.unpack("<L", end[12:16]))
    if tail[-_END - _LOCATOR :].startswith(b"PK\6\7"):
        sizes += struct.unpack("<Q", tail[40:48])
    if max(sizes) > _LARGEST_DIRECTORY:
        raise InvalidFieldError("it has too many parts")


def _is_plain(member: ZipInfo) -> bool:
    return member.compress_type in (ZIP_STORED, ZIP_DEFLATED)


def _exactly(file: IO[bytes], count: int) -> bytes:
    made = file.read(count)
    if len(made) != count:
        raise InvalidFieldError("it ends too early")
    return made


def _require_end(file: IO[bytes]) -> None:
    """Read on to the end, where the checksum is compared, and refuse anything before it."""
    if file.read(1):
        raise InvalidFieldError("it goes on after its end")
