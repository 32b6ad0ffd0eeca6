"""The PDFs that were made of office documents, kept in the data folder by content and converter.

Their text is never searched: what a document says is what its parser read. The least recently
shown go first when there are too many.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.filesystem import content_hash
from desktop_rag.core.paths import make_private
from desktop_rag.core.temp_files import scratch_folder
from desktop_rag.parsing.office.conversion import convert
from desktop_rag.parsing.office.program import OfficeProgram

_MOST_BYTES = 500 * 1024 * 1024
_HASH = re.compile(r"[0-9a-f]{16,128}")


class PageCache:
    """Holds at most `most_bytes` of PDFs in `folder`; they are made in the data folder."""

    def __init__(self, folder: Path, data_dir: Path, most_bytes: int = _MOST_BYTES) -> None:
        self._data_dir = data_dir
        self._folder = folder
        self._most_bytes = most_bytes

    def find(self, program: OfficeProgram, content: str) -> Path | None:
        """Return the PDF of a content if there is one; it counts as shown now."""
        kept = self._place(program, content)
        try:
            os.utime(kept)
        except OSError:
            return None
        return kept

    def make(self, program: OfficeProgram, source: Path, content: str, token: CancelToken) -> Path:
        """Convert a file that holds this content and keep its PDF; a `UserError` says why not."""
        kept = self._place(program, content)
        try:
            if content_hash(str(source), token) != content:
                raise UserError(
                    "The file has changed since it was read.", "Let its folder be read again."
                )
            with scratch_folder(self._data_dir) as scratch:
                made = convert(program, source, scratch, token)
                make_private(self._folder)
                made.chmod(0o600)
                made.replace(kept)
        except OSError as error:
            raise UserError(
                "The pages of the document can't be made: a file can't be read or written.",
                "Check that the disk has room and that the file is there, then open it again.",
            ) from error
        self._shrink(kept)
        return kept

    def keep_only(self, known: Callable[[Sequence[str]], set[str]]) -> None:
        """Delete the PDFs of contents that are not known any more."""
        held: dict[str, list[Path]] = {}
        for each in self._files():
            held.setdefault(each.name.partition("-")[0], []).append(each)
        if held:
            for content in set(held) - known(list(held)):
                for each in held[content]:
                    _delete(each)

    def _place(self, program: OfficeProgram, content: str) -> Path:
        if not _HASH.fullmatch(content):
            raise UserError(
                "The index does not know this file's content.", "Let its folder be read again."
            )
        return self._folder / f"{content}-{program.version}.pdf"

    def _files(self) -> list[Path]:
        return list(self._folder.glob("*.pdf"))

    def _shrink(self, newest: Path) -> None:
        """Delete the least recently shown until the rest fits; the newest stays."""
        found = []
        for each in self._files():
            with contextlib.suppress(OSError):
                state = each.stat()
                found.append((state.st_mtime_ns, state.st_size, each))
        total = sum(size for _, size, _ in found)
        for _, size, each in sorted(found):
            if total > self._most_bytes and each != newest:
                _delete(each)
                total -= size


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):  # open on a system that keeps such files
        path.unlink()
