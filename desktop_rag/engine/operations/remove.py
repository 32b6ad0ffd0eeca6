"""Takes files or folders out of a knowledge base, with every trace of their text."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, FileDone
from desktop_rag.core.requests import RemoveRequest
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.engine.ingest.scan import is_below
from desktop_rag.engine.ingest.sources import is_followed, leave, spelled
from desktop_rag.engine.workspace import Workspace
from desktop_rag.store.records import FileRow

_REASON = "It was taken out of the knowledge base; the file itself is where it was."


def run(workspace: Workspace, request: RemoveRequest, token: CancelToken) -> Iterator[Event]:
    """Yield `deleted` for each file that was taken out; what is removed does not come back.

    Raises a `UserError` at a path that the knowledge base does not know.
    """
    kb = workspace.catalog.kbs.get(request.kb).id
    for path in map(spelled, request.paths):
        if not _rows(workspace, kb, path) and not is_followed(workspace.catalog, kb, path):
            raise UserError(f"{path} is not in “{request.kb}”.", "Check how it is spelt.")
        leave(workspace.catalog, kb, path)
        rows = _rows(workspace, kb, path)  # after leaving, a run that is at work adds none
        workspace.indexer.forget(kb, [row.path for row in rows], token)
        for row in rows:
            yield FileDone(row.path, FileStatus.DELETED, _REASON, row.chunks, row.pages)
    workspace.indexes.purge(kb)  # no word of what was removed stays in the index's files


def _rows(workspace: Workspace, kb: KbId, path: str) -> list[FileRow]:
    rows = workspace.catalog.files.under(kb, path)
    return [row for row in rows if is_below(row.path, path)]
