"""Takes files or folders out of a knowledge base, with every trace of their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.commands import passwords
from desktop_rag.commands.quote_removal import redacting_quotes
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, FileDone
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import RemoveRequest
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.indexing.source_paths import is_followed, resolve_path, unfollow
from desktop_rag.workspace import Workspace

_REASON = "It was taken out of the knowledge base; the file itself is where it was."


def run(workspace: Workspace, request: RemoveRequest, token: CancelToken) -> Iterator[Event]:
    """Yield `deleted` for each file that was taken out; what is removed does not come back.

    Raises a `UserError` at a path that the knowledge base does not know.
    """
    kb = workspace.catalog.kbs.get(request.kb).id
    paths = resolve_known_paths(workspace, kb, request.paths)
    for path in paths:
        if not is_known(workspace, kb, path):
            raise UserError(
                Phrase("{0} is not in “{1}”.", path, request.kb), "Check how it is spelt."
            )
    known = [row for path in paths for row in files_at_or_below(workspace, kb, path)]
    with redacting_quotes(workspace.catalog, request.quotes, known):
        unfollow(
            workspace.catalog, kb, paths
        )  # before looking: a run that is at work then adds none
        gone = remove_paths(workspace, kb, paths, token)
    yield from passwords.forget_removed(workspace, token)
    for row in gone:
        yield FileDone(row.path, FileStatus.DELETED, _REASON, row.chunks, row.pages)


def remove_paths(
    workspace: Workspace, kb: KbId, paths: Sequence[str], token: CancelToken
) -> list[FileRow]:
    """Take what lies at and below paths out of catalog and indexes; return what that was."""
    found = {row.path: row for path in paths for row in files_at_or_below(workspace, kb, path)}
    workspace.indexer.forget(kb, list(found), token)
    workspace.indexes.of(kb).purge()  # no word of what was removed stays in the index's files
    return list(found.values())


def resolve_known_paths(workspace: Workspace, kb: KbId, paths: Sequence[str]) -> list[str]:
    """Return paths in their one spelling; what the catalog knows is spelled so already."""
    catalog = workspace.catalog
    known = catalog.files.known(kb, paths) | set(catalog.choices.excluded(kb))
    return [path if path in known else resolve_path(path) for path in paths]


def is_known(workspace: Workspace, kb: KbId, path: str) -> bool:
    """Say whether a knowledge base has, follows, or leaves out a path or something below it."""
    if files_at_or_below(workspace, kb, path) or is_followed(workspace.catalog, kb, path):
        return True
    return any(is_at_or_below(each, path) for each in workspace.catalog.choices.excluded(kb))


def files_at_or_below(workspace: Workspace, kb: KbId, path: str) -> list[FileRow]:
    """Return the files that a knowledge base has at or below a path."""
    rows = workspace.catalog.files.under(kb, path)
    return [row for row in rows if is_at_or_below(row.path, path)]
