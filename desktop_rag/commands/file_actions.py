"""Lists files; does what a user decides of them: leave out, take in, read first, move elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.commands import passwords
from desktop_rag.commands.remove import files_at_or_below, remove_paths, resolve_known_paths
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow, FollowedPath
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event, FileDone, ListingRow
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import FilesRequest
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.indexing.source_paths import is_at_or_below_any, unfollow
from desktop_rag.workspace import Workspace

_LEFT_OUT = "It was excluded; it can be included again."
_MOVED = "It is in the knowledge base “{to}” now."
_TOGETHER = 500


def run(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Yield an outcome for each file that this changed."""
    action = _ACTIONS.get(request.action)
    if action is None:
        raise UsageError(Phrase("Nothing is known of {0}.", f"{request.action!r}"))
    token.check()
    yield from action(workspace, request, token)


def _exclude(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Take files out with every trace of their text; no look at their folder brings them back."""
    kb, paths = _aim(workspace, request)
    workspace.catalog.choices.exclude(kb, paths)
    gone = remove_paths(workspace, kb, paths, token)
    yield from passwords.forget_removed(workspace, token)
    for row in gone:
        yield FileDone(row.path, FileStatus.EXCLUDED, _LEFT_OUT, row.chunks, row.pages)


def _include(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Let files in again; they are read at the next look at them."""
    token.check()
    kb, paths = _aim(workspace, request)
    workspace.catalog.choices.include(kb, paths)
    yield ListingRow({"included": len(paths)})


def _first(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Put waiting files before all others; a run that is at work takes them up next."""
    token.check()
    kb, paths = _aim(workspace, request)
    yield ListingRow({"first": workspace.catalog.choices.read_first(kb, paths)})


def _patterns(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Change what a followed folder leaves out; what no longer counts goes at the next look."""
    token.check()
    kb, paths = _aim(workspace, request)
    globs = tuple(dict.fromkeys(each.strip() for each in request.globs if each.strip()))
    for source in workspace.catalog.kbs.sources(kb):
        if source.is_folder and source.path in paths:
            workspace.catalog.kbs.add_source(kb, source.path, is_folder=True, exclude=globs)
            yield ListingRow({"path": source.path, "exclude": list(globs)})


def _move(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Give files and folders to another knowledge base; nothing is parsed or embedded again.

    The other follows them before this one lets go: whenever it ends, nothing is lost.
    """
    catalog = workspace.catalog
    kb, paths = _aim(workspace, request)
    to = catalog.kbs.get(request.to).id
    if to == kb:
        raise UserError("The files are in this knowledge base already.", "Choose another one.")
    rows = {row.path: row for path in paths for row in files_at_or_below(workspace, kb, path)}
    _follow_there(workspace, (kb, to), paths, set(rows))
    unfollow(catalog, kb, paths)
    moving = list(rows)
    for start in range(0, len(moving), _TOGETHER):
        token.check()
        with workspace.turns.step:
            catalog.files.transfer(kb, to, moving[start : start + _TOGETHER])
            workspace.indexes.of(to).sync()
            workspace.indexes.of(kb).sync()
    workspace.indexes.of(kb).purge()
    reason = _MOVED.replace("{to}", request.to)
    for row in rows.values():
        yield FileDone(row.path, FileStatus.MOVED, reason, row.chunks, row.pages)


def _list(workspace: Workspace, request: FilesRequest, token: CancelToken) -> Iterator[Event]:
    """Yield each file with its state, by path."""
    for row in _rows(workspace, request):
        token.check()
        yield ListingRow(
            {
                "path": row.path,
                "status": row.status.value,
                "reason": row.reason,
                "chunks": row.chunks,
                "pages": row.pages,
            }
        )


def _list_passwords(
    workspace: Workspace, request: FilesRequest, token: CancelToken
) -> Iterator[Event]:
    token.check()
    return passwords.listed(workspace, _rows(workspace, request))


def _forget_passwords(
    workspace: Workspace, request: FilesRequest, token: CancelToken
) -> Iterator[Event]:
    return passwords.forget(workspace, _rows(workspace, request), token)


def _rows(workspace: Workspace, request: FilesRequest) -> list[FileRow]:
    """Return the files at and below the paths; all of the knowledge base where none is named."""
    kb, paths = _aim(workspace, request)
    if not request.paths:
        return workspace.catalog.files.under(kb)
    rows = {row.path: row for path in paths for row in files_at_or_below(workspace, kb, path)}
    return list(rows.values())


def _follow_there(
    workspace: Workspace, bases: tuple[KbId, KbId], paths: list[str], files: set[str]
) -> None:
    """Let the other knowledge base follow what is moved as this one does, with its exceptions."""
    catalog, (kb, to) = workspace.catalog, bases
    sources = catalog.kbs.sources(kb)
    own = [source for source in sources if is_at_or_below_any(source.path, set(paths))]
    taken = {source.path for source in own}
    for path in paths:
        above = [source for source in sources if is_at_or_below(path, source.path)]
        if path not in taken and above:
            own.append(FollowedPath(0, to, path, path not in files, _general(above)))
    catalog.kbs.add_sources(to, own)
    folders = set(paths) - files
    catalog.choices.exclude(
        to, [p for p in catalog.choices.excluded(kb) if is_at_or_below_any(p, folders)]
    )
    catalog.choices.include(to, paths)


def _general(sources: list[FollowedPath]) -> tuple[str, ...]:
    """Return the globs that mean the same in a folder below: names, not paths from the root."""
    return tuple(
        glob
        for source in sources
        for glob in source.exclude
        if source.is_folder and "/" not in glob
    )


def _aim(workspace: Workspace, request: FilesRequest) -> tuple[KbId, list[str]]:
    kb = workspace.catalog.kbs.get(request.kb).id
    return kb, resolve_known_paths(workspace, kb, request.paths)


_ACTIONS = {
    "exclude": _exclude,
    "include": _include,
    "first": _first,
    "patterns": _patterns,
    "move": _move,
    "list": _list,
    "passwords": _list_passwords,
    "forget_passwords": _forget_passwords,
}
