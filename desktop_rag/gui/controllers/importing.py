"""What an exported knowledge base would follow on this computer: found before the user is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Work


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """A file to import; `places` are what it followed that is on this computer, too."""

    file: str
    places: tuple[str, ...] = ()

    def request(self, follow: tuple[str, ...] = ()) -> KbRequest:
        """Return what imports it, and goes on following some of the places."""
        return KbRequest("import", "", self.file, numbers=True, follow=follow)


def previewing_import(folder: DataFolder, file: str) -> Work:
    """Return the work that finds out what a file to import would follow here."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.export_import import followed_paths_here

        yield ImportPreview(file, followed_paths_here(folder.get(token), Path(file), token))

    return work
