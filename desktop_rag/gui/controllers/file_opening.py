"""Where in the library files lie that a file manager, or the command line, hands over."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_scope import ScopeItem, folder_item
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation
from desktop_rag.gui.controllers.library_snapshot import is_ready


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files that were named: those that are read, those of the library that are not, others.

    `folders` are folders that hold files of the library. What is added goes to `kb`.
    """

    purpose: str
    kb: str
    ready: tuple[ScopeItem, ...] = ()
    unread: tuple[ScopeItem, ...] = ()
    unknown: tuple[ScopeItem, ...] = ()
    folders: tuple[ScopeItem, ...] = ()


class FileOpeningController(QObject):
    """Looks for files in all knowledge bases; `found` carries the `NamedFiles`."""

    found = Signal(object)
    failed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder

    def look_for(self, wanted: OpenRequest, first: str) -> None:
        """Look for files, in the knowledge base that is named or in `first` before all others."""
        looking = Operation(partial(_find, self._folder, wanted, wanted.kb or first))
        looking.on_success(self.found).on_user_error(self.failed)
        looking.start(self._jobs, Lane.READ)


def _find(folder: DataFolder, wanted: OpenRequest, first: str, token: CancelToken) -> NamedFiles:
    """Return where the files are; one that is ready somewhere is not unread elsewhere."""
    catalog = folder.get(token).catalog
    names = catalog.kbs.names()
    order = sorted(names, key=lambda name: name != first)
    ready: list[ScopeItem] = []
    unread: list[ScopeItem] = []
    unknown: list[ScopeItem] = []
    folders: list[ScopeItem] = []
    for path in dict.fromkeys(wanted.paths):
        token.check()
        rows = [(name, catalog.files.get(names[name], path)) for name in order]
        known = [(name, row) for name, row in rows if row is not None]
        read = [name for name, row in known if is_ready(row)]
        if read:
            ready.append(ScopeItem(path, read[0]))
        elif known:
            unread.append(ScopeItem(path, known[0][0]))
        elif holding := next((n for n in order if catalog.files.under(names[n], path)), ""):
            folders.append(folder_item(path, holding))
        else:
            is_folder = Path(path).is_dir()  # somebody clicked on it just now
            unknown.append(folder_item(path, first) if is_folder else ScopeItem(path, first))
    return NamedFiles(
        wanted.purpose, first, tuple(ready), tuple(unread), tuple(unknown), tuple(folders)
    )
