"""Lists, makes, renames, deletes, mends, exports and imports knowledge bases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop_rag.commands.quote_removal import KEEP, redacting_quotes
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import KbRequest
from desktop_rag.workspace import Workspace


def run(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Yield the figures of each knowledge base that the action is about."""
    action = _ACTIONS.get(request.action)
    if action is None:
        raise UsageError(
            Phrase("There is no kb {0}.", request.action), "See `desktop-rag kb --help`."
        )
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
    from desktop_rag.index.indexes import replica_state  # the other actions need none of it

    for kb in workspace.catalog.kbs.all():
        state = replica_state(workspace.catalog, workspace.data_dir, kb)
        yield ListingRow(figures(workspace, kb) | {"chroma": asdict(state)})


def _create(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    yield ListingRow(figures(workspace, workspace.catalog.kbs.create(request.name)))


def _rename(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    name = workspace.catalog.kbs.rename(request.name, request.new_name)
    yield ListingRow(figures(workspace, workspace.catalog.kbs.get(name)))


def _delete(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Delete from the catalog first: it is the truth, and the indexes follow it at every open."""
    kb = workspace.catalog.kbs.get(request.name)
    row = figures(workspace, kb)
    indexes = workspace.indexes
    files = workspace.catalog.files.under(kb.id) if request.quotes != KEEP else []
    losing = redacting_quotes(workspace.catalog, request.quotes, files)
    with losing, workspace.turns.step:  # not while a run stores a file in it
        workspace.catalog.kbs.delete(kb.name)
        indexes.drop(kb.id)
    yield ListingRow(row | {"deleted": True})


def _rebuild(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Make the indexes again, and before that the vectors that are missing or do not fit."""
    kb = workspace.catalog.kbs.get(request.name)
    from desktop_rag.commands import export_import

    yield from export_import.build_indexes(workspace, kb.id, kb.name, token)
    yield ListingRow(figures(workspace, kb))


def _export(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    kb = workspace.catalog.kbs.get(request.name)
    row = figures(workspace, kb)
    from desktop_rag.commands import export_import  # a list needs none of it

    yield from export_import.export_kb(workspace, kb, Path(request.file), token)
    yield ListingRow(row | {"file": request.file})


def _import(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    from desktop_rag.commands import export_import

    names = export_import.ImportName(request.name, numbers=request.numbers)
    wanted = export_import.ImportOptions(Path(request.file), names, request.follow)
    kb = yield from export_import.import_kb(workspace, wanted, token)
    yield ListingRow(figures(workspace, workspace.catalog.kbs.get(kb)))


_ACTIONS = {
    "list": _list,
    "create": _create,
    "rename": _rename,
    "delete": _delete,
    "rebuild": _rebuild,
    "export": _export,
    "import": _import,
}
