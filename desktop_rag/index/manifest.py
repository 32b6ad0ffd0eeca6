"""Where the index folders lie, which of them are in use, and whether the last use ended cleanly.

indexes/<base>/in-use.json   names the two halves and how they were made
indexes/<base>/sealed.json   Chroma's files as a clean end left them; gone while in use
indexes/<base>/<name>/       a half: Chroma's or tantivy's folder
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from pathlib import Path

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
    """What a knowledge base's indexes are: the halves' names, and what they were made with.

    `dense` is empty where vectors are compared and Chroma holds none.

    `removed` counts the chunks whose words still lie, unreachable, in the lexical half. `before` is
    the model, if any, whose vectors are rather searched until there are all of `fingerprint`'s.
    """

    dense: str
    lexical: str
    fingerprint: str
    words: int
    server: str
    removed: int = 0
    before: str = ""


class IndexFolders:
    """The folder of all indexes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._making: set[str] = set()

    def load(self, kb: KbId) -> IndexManifest | None:
        """Return what is in use; None when there is nothing, or nothing readable."""
        try:
            row = json.loads((self._of(kb) / _IN_USE).read_text(encoding="utf-8"))
            return IndexManifest(**row)
        except (OSError, ValueError, TypeError):
            return None

    def save(self, kb: KbId, shelf: IndexManifest) -> None:
        """Put a shelf in use, atomically."""
        target = self._of(kb) / _IN_USE
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(".new")
        draft.write_text(json.dumps(asdict(shelf)), encoding="utf-8")
        draft.replace(target)

    def without_dense(self, kb: KbId, shelf: IndexManifest) -> IndexManifest:
        """Delete a dense half and put the shelf in use that has none any more.

        On a full disk it stays named: the next start finds nothing there, and says so again.
        """
        shutil.rmtree(self.folder(kb, shelf.dense), ignore_errors=True)
        small = replace(shelf, dense="")
        with suppress(OSError):
            self.save(kb, small)
        return small

    @contextmanager
    def making(self, name: str) -> Iterator[None]:
        """Let no sweep delete a half that is not in use yet."""
        self._making.add(name)
        try:
            yield
        finally:
            self._making.discard(name)

    def clear(self, kb: KbId) -> None:
        """Delete what is no folder and lies where one belongs: nothing of it can be read."""
        for folder in (self._root, self._of(kb)):
            if folder.is_file():
                folder.unlink()

    def folder(self, kb: KbId, name: str) -> Path:
        """Return a half's folder."""
        return self._of(kb) / name

    def seal(self, kb: KbId, dense: str) -> None:
        """Mark a clean end: write down the vectors' files."""
        row = {"half": dense, "files": self._files(kb, dense)}
        (self._of(kb) / _SEALED).write_text(json.dumps(row), encoding="utf-8")

    def break_seal(self, kb: KbId, dense: str) -> Seal:
        """Say in what state the last use left the vectors' files, and begin to use them."""
        file = self._of(kb) / _SEALED
        try:
            row = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return Seal.MISSING
        finally:
            file.unlink(missing_ok=True)
        now = self._files(kb, dense)
        if row == {"half": dense, "files": now}:
            return Seal.INTACT
        sizes = {name: size for name, (size, _) in row["files"].items()}
        if row["half"] == dense and sizes == {name: size for name, (size, _) in now.items()}:
            return Seal.MISSING
        return Seal.BROKEN

    def sweep(self, kb: KbId) -> None:
        """Delete what lies among a knowledge base's halves and is not in use.

        What another program holds open (on Windows) stays until the next sweep.
        """
        shelf = self.load(kb)
        kept = {_IN_USE, _SEALED, *self._making}
        kept |= {shelf.dense, shelf.lexical} if shelf else set()
        if self._of(kb).is_dir():
            for entry in self._of(kb).iterdir():
                if entry.name in kept:
                    continue
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)

    def unwritable(self, kb: KbId) -> UserError:
        """Return the error of indexes that can be neither read nor made anew."""
        return UserError(
            Phrase("The indexes in {0} cannot be written.", self._of(kb)),
            "Make room on the disk, and check that no other program holds this folder. Nothing is "
            "lost: they are made anew from the catalog.",
            retryable=True,
        )

    def drop(self, kb: KbId) -> None:
        """Delete everything of a knowledge base."""
        (self._of(kb) / _IN_USE).unlink(missing_ok=True)
        shutil.rmtree(self._of(kb), ignore_errors=True)

    def drop_others(self, kbs: Iterable[KbId]) -> None:
        """Delete what belongs to none of these knowledge bases."""
        known = {str(kb) for kb in kbs}
        for folder in self._root.iterdir() if self._root.is_dir() else ():
            if folder.name.isdigit() and folder.name not in known:
                self.drop(KbId(int(folder.name)))

    def _files(self, kb: KbId, dense: str) -> dict[str, list[int]]:
        """Return size and time of a half's files: Chroma's own database, and its graph's."""
        if not dense:
            return {}
        half = self.folder(kb, dense)
        found = {
            file.relative_to(half).as_posix(): file.stat()
            for pattern in ("*", "*/*")
            for file in half.glob(pattern)
            if file.is_file()
        }
        return {name: [status.st_size, status.st_mtime_ns] for name, status in found.items()}

    def _of(self, kb: KbId) -> Path:
        return self._root / str(kb)


def fresh_name(half: str) -> str:
    """Return a name for a new half that none had before."""
    return f"{half}-{secrets.token_hex(6)}"
