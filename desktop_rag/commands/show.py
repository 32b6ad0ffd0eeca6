"""Shows what was made of documents: their chunks, in order."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.commands.indexed_files import elsewhere, files_at
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.phrases import Phrase, PhraseList
from desktop_rag.core.requests import ShowRequest
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import FileStatus
from desktop_rag.indexing.source_paths import resolve_path
from desktop_rag.workspace import Workspace


def run(workspace: Workspace, request: ShowRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row for each chunk of the files at or below the paths, after what was left out.

    Raises a `UserError` where a path is not known, or its file holds no text.
    """
    for path in map(resolve_path, request.paths):
        files = files_at(workspace, request.kbs, path)
        if not files:
            raise UserError(Phrase("{0} is not indexed.", path), elsewhere(workspace, path))
        if len(files) == 1 and files[0].document_id is None:
            told = files[0].reason or "It waits to be read."
            raise UserError(Phrase("There is no text of {0}.", path), told)
        for file in files:
            token.check()
            if file.document_id is not None:
                if file.status is FileStatus.READY and file.reason:
                    yield Notice(PhraseList((sanitize_name(file.path), file.reason), ": "))
                for chunk in workspace.catalog.documents.each_chunk(file.document_id):
                    token.check()
                    yield ListingRow(_values(file.path, chunk))


def _values(path: str, chunk: StoredChunk) -> dict[str, object]:
    return {
        "path": path,
        "chunk_id": str(chunk.chunk_id),
        "locator": chunk.locator.as_json(),
        "kind": chunk.kind.value,
        "text": chunk.text,
    }
