"""What an exported knowledge base would follow on this computer: found before the user is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.requests import KbRequest


@dataclass(frozen=True, slots=True)
class Offer:
    """A file to import; `places` are what it followed that is on this computer, too."""

    file: str
    places: tuple[str, ...] = ()

    def request(self, follow: tuple[str, ...] = ()) -> KbRequest:
        """Return what imports it, and goes on following some of the places."""
        return KbRequest("import", "", self.file, numbers=True, follow=follow)


def examining(folder: DataFolder, file: str) -> Work:
    """Return the work that finds out what a file to import would follow here."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.exchange import places_of

        yield Offer(file, places_of(folder.get(token), Path(file), token))

    return work
