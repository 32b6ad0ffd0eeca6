"""A folder that several machines see, each perhaps at another place, and its files on a server.

What names a file is its place in the folder. Its row says the path that it has below the folder's
`root`, which the first worker's machine has settled: where the folder lies at the same place
everybody opens its files; elsewhere their text is shown. All workers write as one, as the folder,
so that there is one row for a file, whoever read it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.errors import UserError
from desktop_rag.core.filesystem import FileInfo
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.unicode import shown_path, stored_path
from desktop_rag.sharing import lease_rows, shared_rows
from desktop_rag.sharing.lease_rows import FolderRow, LeaseRows
from desktop_rag.sharing.shared_rows import SharedDocument, SharedFile
from desktop_rag.sharing.shared_store import Records

_DRIVE = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_COARSE = 1000  # nanoseconds: what file servers round a file's time to differs from one to another
_LABEL = 100  # characters


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file to be read, or to be taken out (`info` is None); `name` is its leases'.

    `path` is that of its row on the server.
    """

    name: str
    path: str
    info: FileInfo | None


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """A folder at `root` here and at `there` in its files' rows; as `writer` workers write them."""

    root: str
    there: str
    writer: str

    @classmethod
    def found(cls, rows: LeaseRows, shared_name: str, root: str, called: str) -> SharedFolder:
        """Return the folder at a path, made known unless it is.

        It is called as its last part is, or as the user says. Raises a `UserError` where another
        folder, or the same at another place, is called so, unless the user says that it is meant.
        """
        here = stored_path(root)
        label = called or stored_path(Path(root).name or root)[:_LABEL]
        writer = lease_rows.folder_key(shared_name, label)
        known = rows.put_folder(writer, FolderRow(label, here))
        if known.root != here and not called:
            raise UserError(
                Phrase(
                    "Workers know a folder “{0}” at {1}; this one is at {2}.",
                    label,
                    known.root,
                    root,
                ),
                "If it is the same one, name it with --folder; if it is another, give it a name "
                "with --folder that is its own.",
            )
        return cls(root, known.root, writer)

    def path_there(self, path: str) -> str:
        """Return the path that a file's row has."""
        below = stored_path(os.path.relpath(path, self.root))
        separator = "\\" if _DRIVE.match(self.there) else "/"
        return separator.join([self.there.rstrip("/\\"), *Path(below).parts])

    def path_here(self, path: str) -> str | None:
        """Return where the file of a row is on this machine; None where the row is none of ours."""
        base = self.there.rstrip("/\\")
        below = path[len(base) + 1 :]
        parts = below.split("\\" if _DRIVE.match(self.there) else "/")
        if not path.startswith(base) or not below or ".." in parts:
            return None
        return str(Path(self.root, *map(shown_path, parts)))

    def tasks(self, files: Iterable[FileInfo], records: Records, recipe: str) -> list[FileTask]:
        """Return the files that the server does not have as they are now."""
        known = {each.path: each for each in records.files if each.writer == self.writer}
        made = [
            FileTask(self._name(each, recipe), self.path_there(each.path), each) for each in files
        ]
        documents = records.documents
        return [
            task for task in made if not is_current(task, known.get(task.path), documents, recipe)
        ]

    def missing(self, files: Iterable[FileInfo], records: Records) -> list[SharedFile]:
        """Return the rows, of files that are not said to have gone, whose files were not found.

        None of them where none at all was found: then another folder lies there.
        """
        found = {self.path_there(each.path) for each in files}
        rows = [each for each in records.files if each.writer == self.writer and not each.removed]
        missing = [each for each in rows if each.path not in found]
        return [] if len(missing) == len(rows) else missing

    def removal(self, row: SharedFile, recipe: str) -> FileTask:
        """Return what is to be done of a file that went."""
        return FileTask(self._name(FileInfo(row.path, -1, 0), recipe, row.path), row.path, None)

    def names(self, files: Iterable[FileInfo], recipe: str) -> set[str]:
        """Return the names of files' leases."""
        return {self._name(each, recipe) for each in files}

    def _name(self, info: FileInfo, recipe: str, path: str = "") -> str:
        stamp = (str(info.size), str(info.mtime_ns // _COARSE))
        return shared_rows.digest(self.writer, path or self.path_there(info.path), *stamp, recipe)


def is_current(
    task: FileTask, row: SharedFile | None, documents: Mapping[str, SharedDocument], recipe: str
) -> bool:
    """Say whether a row says what is so, and its document is whole and of this `recipe`."""
    if row is None or row.removed:
        return task.info is None
    if task.info is None:
        return False
    document = documents.get(row.document)
    is_read = document is not None and document.whole and document.recipe == recipe
    same_size = row.size == task.info.size
    return is_read and same_size and row.mtime_ns // _COARSE == task.info.mtime_ns // _COARSE
