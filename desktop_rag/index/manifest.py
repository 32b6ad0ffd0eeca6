"""Where the index folders lie, which of them are in use, and whether the last use ended cleanly.

indexes/<base>/in-use.json         names tantivy's folder and how it was made
indexes/<base>/sealed.json         there after a clean end; gone while in use
indexes/<base>/chroma.json         names Chroma's folder, how it was made, and what it holds
indexes/<base>/chroma-sealed.json  Chroma's files as a clean end left them; gone while in use
indexes/<base>/vectors.json        names the folder of the vector file, and what is in it
indexes/<base>/<name>/             tantivy's or Chroma's folder, or that of the vector file
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum, auto
from pathlib import Path

from desktop_rag.core import codec
from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import KbId

_DRAFT = ".new"
_IN_USE = "in-use.json"
_SEALED = "sealed.json"
_CHROMA = "chroma.json"
_CHROMA_SEALED = "chroma-sealed.json"
_VECTORS = "vectors.json"


class Seal(Enum):
    """How the last use left Chroma's files.

    `MISSING` is an unclean end (or files of another time, as from a copy); `BROKEN` are files of
    another size than a clean end left: they are not ours any more, and may crash their reader.
    """

    INTACT = auto()
    MISSING = auto()
    BROKEN = auto()


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """What a knowledge base's word index is: its folder's name, and what it was made with.

    `removed` counts the chunks whose words still lie, unreachable, in the BM25 index. `fingerprint`
    is the model whose vectors are searched; `before` another one, if any, whose vectors are rather
    searched until there are all of `fingerprint`'s.
    """

    lexical: str
    fingerprint: str
    words: int
    removed: int = 0
    before: str = ""


@dataclass(frozen=True, slots=True)
class ChromaManifest:
    """What Chroma holds of a knowledge base: in which folder, and how much.

    `form` numbers what is kept of a chunk. It `is_complete` once it was compared with the catalog
    by every id; after that it follows the outbox. `held` counts the vectors, `deleted` those of
    them that went and may still lie in the files. `recall` is the share of the truly nearest
    chunks among those that Chroma names, asked for `depth` times as many, as it was measured when
    it held `measured` vectors; None before that. `changed` chunks came or went since.
    """

    folder: str
    fingerprint: str
    form: int
    is_complete: bool = False
    held: int = 0
    deleted: int = 0
    checked_at: float = 0.0
    recall: float | None = None
    depth: int = 1
    measured: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class VectorManifest:
    """What the vector file of a knowledge base is: `rows` of `dimensions` numbers in a folder.

    It `is_complete` once all that the catalog had was written; `told` is the last of the outbox's
    entries that is in it, `gone` counts rows whose chunk went.
    """

    folder: str
    fingerprint: str
    dimensions: int
    rows: int = 0
    gone: int = 0
    told: int = 0
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class _Sealed:
    """Chroma's folder as a clean end left it: size and time of each file."""

    folder: str
    files: dict[str, tuple[int, int]]


class IndexFolder:
    """The folder of a knowledge base's indexes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._path

    def load(self) -> IndexManifest | None:
        """Return what is in use; None when there is nothing, or nothing readable."""
        try:
            row = json.loads((self._path / _IN_USE).read_text(encoding="utf-8"))
            for name in ("dense", "server"):  # of versions before 0.3
                row.pop(name, None)
            return IndexManifest(**row)
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def save(self, manifest: IndexManifest) -> None:
        """Put a word index in use, atomically."""
        self._write(_IN_USE, json.dumps(asdict(manifest)))

    def load_chroma(self) -> ChromaManifest | None:
        """Return what Chroma holds; None when that is nothing, or nothing readable."""
        try:
            written = json.loads((self._path / _CHROMA).read_text(encoding="utf-8"))
            if written.get("server"):  # of versions before 0.3, which kept vectors there
                return None
            return codec.decode(written, ChromaManifest)
        except (OSError, ValueError, AttributeError):
            return None

    def save_chroma(self, manifest: ChromaManifest) -> None:
        """Write down what Chroma holds, atomically."""
        self._write(_CHROMA, json.dumps(asdict(manifest)))

    def forget_chroma(self) -> None:
        """Delete Chroma's folder, and what is written down of it."""
        manifest = self.load_chroma()
        for name in (_CHROMA, _CHROMA_SEALED):
            (self._path / name).unlink(missing_ok=True)
        if manifest is not None:
            _delete(self.index(manifest.folder))

    def load_vectors(self) -> VectorManifest | None:
        """Return what is in the vector file; None when there is none, or nothing readable."""
        try:
            written = json.loads((self._path / _VECTORS).read_text(encoding="utf-8"))
            return codec.decode(written, VectorManifest)
        except (OSError, ValueError):
            return None

    def save_vectors(self, manifest: VectorManifest) -> None:
        """Write down what is in the vector file, atomically."""
        self._write(_VECTORS, json.dumps(asdict(manifest)))

    def forget_vectors(self) -> None:
        """Delete the vector file, and what is written down of it."""
        manifest = self.load_vectors()
        (self._path / _VECTORS).unlink(missing_ok=True)
        if manifest is not None:
            _delete(self.index(manifest.folder))

    def clear(self) -> None:
        """Delete what is no folder and lies where one belongs, and drafts that a kill left."""
        for folder in (self._path.parent, self._path):
            if folder.is_file():
                folder.unlink()
        for draft in self._path.glob(f"*{_DRAFT}"):
            draft.unlink(missing_ok=True)

    def index(self, name: str) -> Path:
        """Return the folder of one index."""
        return self._path / name

    def seal(self) -> None:
        """Mark a clean end of the word index."""
        (self._path / _SEALED).write_text("{}", encoding="utf-8")

    def break_seal(self) -> bool:
        """Say whether the last use of the word index ended cleanly, and begin to use it."""
        file = self._path / _SEALED
        is_sealed = file.is_file()
        file.unlink(missing_ok=True)
        return is_sealed

    def seal_chroma(self, name: str) -> None:
        """Mark a clean end of Chroma's folder: write down its files."""
        self._write(_CHROMA_SEALED, json.dumps(asdict(_Sealed(name, self._files(name)))))

    def break_chroma_seal(self, name: str) -> Seal:
        """Say in what state the last use left Chroma's files, and begin to use them."""
        file = self._path / _CHROMA_SEALED
        try:
            sealed = codec.decode(json.loads(file.read_text(encoding="utf-8")), _Sealed)
        except (OSError, ValueError):
            return Seal.MISSING
        finally:
            file.unlink(missing_ok=True)
        now = self._files(name)
        if sealed == _Sealed(name, now):
            return Seal.INTACT
        sizes = {each: size for each, (size, _) in sealed.files.items()}
        if sealed.folder == name and sizes == {each: size for each, (size, _) in now.items()}:
            return Seal.MISSING
        return Seal.BROKEN

    def sweep(self) -> None:
        """Delete what lies in the folder and is not in use.

        What another program holds open (on Windows) stays until the next sweep.
        """
        words, chroma, vectors = self.load(), self.load_chroma(), self.load_vectors()
        kept = {_IN_USE, _SEALED, _CHROMA, _CHROMA_SEALED, _VECTORS}
        kept |= {vectors.folder} if vectors else set()
        kept |= {words.lexical} if words else set()
        kept |= {chroma.folder} if chroma else set()
        for entry in self._path.iterdir() if self._path.is_dir() else ():
            if entry.name not in kept and entry.suffix != _DRAFT:
                _delete(entry)

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

    def _write(self, name: str, text: str) -> None:
        target = self._path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(_DRAFT)
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)

    def _files(self, name: str) -> dict[str, tuple[int, int]]:
        """Return size and time of Chroma's files: its own database, and its graph's."""
        folder = self.index(name)
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


def _delete(entry: Path) -> None:
    """Delete a folder or a file; what another program holds open stays."""
    if entry.is_dir():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)


def fresh_name(index: str) -> str:
    """Return a name for a new index's folder that none had before."""
    return f"{index}-{secrets.token_hex(6)}"
