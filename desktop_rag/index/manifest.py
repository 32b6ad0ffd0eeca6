"""Where the index folders lie, which of them are in use, and whether the last use ended cleanly.

indexes/<base>/in-use.json   names the two folders and how they were made
indexes/<base>/sealed.json   Chroma's files as a clean end left them; gone while in use
indexes/<base>/<name>/       Chroma's or tantivy's folder
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import Enum, auto
from pathlib import Path

from desktop_rag.core import codec
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import KbId

_IN_USE = "in-use.json"
_SEALED = "sealed.json"


class Seal(Enum):
    """How the last use left the vectors' files.

    `MISSING` is an unclean end (or files of another time, as from a copy); `BROKEN` are files of
    another size than a clean end left: they are not ours any more, and may crash their reader.
    """

    INTACT = auto()
    MISSING = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """What a knowledge base's indexes are: their folders' names, and what they were made with.

    `dense` is empty where vectors are compared and Chroma holds none.

    `removed` counts the chunks whose words still lie, unreachable, in the BM25 index. `before` is
    the model, if any, whose vectors are rather searched until there are all of `fingerprint`'s.
    """

    dense: str
    lexical: str
    fingerprint: str
    words: int
    server: str
    removed: int = 0
    before: str = ""


@dataclass(frozen=True, slots=True)
class _Sealed:
    """The folder of the vectors as a clean end left it: size and time of each file."""

    half: str
    files: dict[str, tuple[int, int]]


class IndexFolder:
    """The folder of a knowledge base's indexes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._making: set[str] = set()

    def load(self) -> IndexManifest | None:
        """Return what is in use; None when there is nothing, or nothing readable."""
        try:
            row = json.loads((self._path / _IN_USE).read_text(encoding="utf-8"))
            return IndexManifest(**row)
        except (OSError, ValueError, TypeError):
            return None

    def save(self, manifest: IndexManifest) -> None:
        """Put indexes in use, atomically."""
        target = self._path / _IN_USE
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(".new")
        draft.write_text(json.dumps(asdict(manifest)), encoding="utf-8")
        draft.replace(target)

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """Let no sweep delete an index that is not in use yet."""
        self._making.add(name)
        try:
            yield
        finally:
            self._making.discard(name)

    def clear(self) -> None:
        """Delete what is no folder and lies where one belongs: nothing of it can be read."""
        for folder in (self._path.parent, self._path):
            if folder.is_file():
                folder.unlink()

    def index(self, name: str) -> Path:
        """Return the folder of one index."""
        return self._path / name

    def seal(self, dense: str) -> None:
        """Mark a clean end: write down the vectors' files."""
        sealed = _Sealed(dense, self._files(dense))
        (self._path / _SEALED).write_text(json.dumps(asdict(sealed)), encoding="utf-8")

    def break_seal(self, dense: str) -> Seal:
        """Say in what state the last use left the vectors' files, and begin to use them."""
        file = self._path / _SEALED
        try:
            sealed = codec.decode(json.loads(file.read_text(encoding="utf-8")), _Sealed)
        except (OSError, ValueError):
            return Seal.MISSING
        finally:
            file.unlink(missing_ok=True)
        now = self._files(dense)
        if sealed == _Sealed(dense, now):
            return Seal.INTACT
        sizes = {name: size for name, (size, _) in sealed.files.items()}
        if sealed.half == dense and sizes == {name: size for name, (size, _) in now.items()}:
            return Seal.MISSING
        return Seal.BROKEN

    def sweep(self) -> None:
        """Delete what lies in the folder and is not in use.

        What another program holds open (on Windows) stays until the next sweep.
        """
        manifest = self.load()
        kept = {_IN_USE, _SEALED, *self._making}
        kept |= {manifest.dense, manifest.lexical} if manifest else set()
        if self._path.is_dir():
            for entry in self._path.iterdir():
                if entry.name in kept:
                    continue
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)

    def unwritable(self) -> UserError:
        """Return the error of indexes that can be neither read nor made anew."""
        return UserError(
            Phrase("The indexes in {0} cannot be written.", self._path),
            "Make room on the disk, and check that no other program holds this folder. Nothing is "
            "lost: they are made anew from the catalog.",
            retryable=True,
        )

    def drop(self) -> None:
        """Delete everything."""
        (self._path / _IN_USE).unlink(missing_ok=True)
        shutil.rmtree(self._path, ignore_errors=True)

    def _files(self, dense: str) -> dict[str, tuple[int, int]]:
        """Return size and time of Chroma's files: its own database, and its graph's."""
        if not dense:
            return {}
        folder = self.index(dense)
        found = {
            file.relative_to(folder).as_posix(): file.stat()
            for pattern in ("*", "*/*")
            for file in folder.glob(pattern)
            if file.is_file()
        }
        return {name: (status.st_size, status.st_mtime_ns) for name, status in found.items()}


def drop_other_folders(root: Path, kbs: Iterable[KbId]) -> None:
    """Delete what lies below the folder of all indexes and belongs to none of these bases."""
    known = {str(kb) for kb in kbs}
    for folder in root.iterdir() if root.is_dir() else ():
        if folder.name.isdigit() and folder.name not in known:
            IndexFolder(folder).drop()


def fresh_name(index: str) -> str:
    """Return a name for a new index's folder that none had before."""
    return f"{index}-{secrets.token_hex(6)}"
