"""Lists, makes, renames, deletes, mends, exports and imports knowledge bases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, Row
from desktop_rag.core.requests import KbRequest
from desktop_rag.engine.operations.quotes import KEEP, losing_quotes
from desktop_rag.engine.workspace import Workspace
from desktop_rag.store.records import KnowledgeBase


def run(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Yield the figures of each knowledge base that the action is about."""
    action = _ACTIONS.get(request.action)
    if action is None:
        raise UsageError(f"There is no kb {request.action}.", "See `desktop-rag kb --help`.")
    token.check()
    yield from action(workspace, request, token)


def figures(workspace: Workspace, kb: KnowledgeBase) -> dict[str, Any]:
    """Return what a knowledge base holds: `states` counts its files by status."""
    catalog = workspace.catalog
    states = catalog.files.counts(kb.id)
    return {
        "name": kb.name,
        "files": kb.files,
        "chunks": kb.chunks,
        "created": kb.created,
        "states": {status.value: number for status, number in states.items() if number},
        "sources": [source.path for source in catalog.kbs.sources(kb.id)],
    }


def _list(workspace: Workspace, _request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    for kb in workspace.catalog.kbs.all():
        yield Row(figures(workspace, kb))


def _create(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    yield Row(figures(workspace, workspace.catalog.kbs.create(request.name)))


def _rename(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    name = workspace.catalog.kbs.rename(request.name, request.new_name)
    yield Row(figures(workspace, workspace.catalog.kbs.get(name)))


def _delete(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Delete from the catalog first: it is the truth, and the indexes follow it at every open."""
    kb = workspace.catalog.kbs.get(request.name)
    row = figures(workspace, kb)
    indexes = workspace.indexes
    files = workspace.catalog.files.under(kb.id) if request.quotes != KEEP else []
    losing = losing_quotes(workspace.catalog, request.quotes, files)
    with losing, workspace.turns.step:  # not while a run stores a file in it
        workspace.catalog.kbs.delete(kb.name)
        indexes.drop(kb.id)
    yield Row(row | {"deleted": True})


def _rebuild(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Make the indexes again, and before that the vectors that are missing or do not fit."""
    kb = workspace.catalog.kbs.get(request.name)
    from desktop_rag.engine.operations import exchange

    yield from exchange.indexed(workspace, kb.id, kb.name, token)
    yield Row(figures(workspace, kb))


def _export(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    kb = workspace.catalog.kbs.get(request.name)
    row = figures(workspace, kb)
    from desktop_rag.engine.operations import exchange  # a list needs none of it

    yield from exchange.write(workspace, kb, Path(request.file), token)
    yield Row(row | {"file": request.file})


def _import(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    from desktop_rag.engine.operations import exchange

    names = exchange.Naming(request.name, numbers=request.numbers)
    wanted = exchange.Import(Path(request.file), names, request.follow)
    kb = yield from exchange.read(workspace, wanted, token)
    yield Row(figures(workspace, workspace.catalog.kbs.get(kb)))


_ACTIONS = {
    "list": _list,
    "create": _create,
    "rename": _rename,
    "delete": _delete,
    "rebuild": _rebuild,
    "export": _export,
    "import": _import,
}
