"""Where the index folders lie, which of them are in use, and whether the last use ended cleanly.

indexes/open                 there while a process uses the indexes
indexes/<base>/in-use.json   names the two halves and how they were made
indexes/<base>/<name>/       a half: Chroma's or tantivy's folder
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from desktop_rag.core.types import KbId

_IN_USE = "in-use.json"


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a knowledge base's indexes are: the halves' names, and what they were made with.

    `removed` counts the chunks whose words still lie, unreachable, in the lexical half.
    """

    dense: str
    lexical: str
    fingerprint: str
    words: int
    server: str
    removed: int = 0


class Shelves:
    """The folder of all indexes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._marker = root / "open"

    def begin(self) -> bool:
        """Mark the indexes as in use; say whether their last use ended cleanly."""
        self._root.mkdir(parents=True, exist_ok=True)
        was_clean = not self._marker.exists()
        self._marker.touch()
        return was_clean

    def end(self) -> None:
        """Mark a clean end."""
        self._marker.unlink(missing_ok=True)

    def load(self, kb: KbId) -> Shelf | None:
        """Return what is in use; None when there is nothing, or nothing readable."""
        try:
            row = json.loads((self._of(kb) / _IN_USE).read_text(encoding="utf-8"))
            return Shelf(**row)
        except (OSError, ValueError, TypeError):
            return None

    def save(self, kb: KbId, shelf: Shelf) -> None:
        """Put a shelf in use, atomically."""
        target = self._of(kb) / _IN_USE
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(".new")
        draft.write_text(json.dumps(asdict(shelf)), encoding="utf-8")
        draft.replace(target)

    def folder(self, kb: KbId, name: str) -> Path:
        """Return a half's folder."""
        return self._of(kb) / name

    def sweep(self, kb: KbId) -> None:
        """Delete the folders of a knowledge base that are not in use.

        What another program holds open (on Windows) stays until the next sweep.
        """
        shelf = self.load(kb)
        kept = {shelf.dense, shelf.lexical} if shelf else set()
        if self._of(kb).is_dir():
            for folder in self._of(kb).iterdir():
                if folder.is_dir() and folder.name not in kept:
                    shutil.rmtree(folder, ignore_errors=True)

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

    def _of(self, kb: KbId) -> Path:
        return self._root / str(kb)


def fresh_name(half: str) -> str:
    """Return a name for a new half that none had before."""
    return f"{half}-{secrets.token_hex(6)}"
