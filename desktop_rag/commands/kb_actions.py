"""Lists, makes, renames, deletes, mends, exports, imports, shares and switches knowledge bases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_rag.commands import passwords
from desktop_rag.commands.quote_removal import KEEP, redacting_quotes
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import KbRequest
from desktop_rag.parsing.format_detection import is_archive_name
from desktop_rag.workspace import Workspace

if TYPE_CHECKING:
    from desktop_rag.sharing.share_synchroniser import SyncResult


_STAYS_THERE = (
    "What was shared as “{0}” stays on {1} for the others, until somebody takes it off: "
    "`desktop-rag kb unshare NAME --withdraw`."
)


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
        "recognizes_text": catalog.kbs.recognizes_text(
            kb.id, default=workspace.settings.ingest.recognize_text
        ),
        "opens_archives": kb.opens_archives,
        "is_served": kb.is_served,
        "states": {status.value: number for status, number in states.items() if number},
        "sources": [source.path for source in catalog.kbs.sources(kb.id)],
    }


def _list(workspace: Workspace, _request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    from desktop_rag.index.indexes import replica_state  # the other actions need none of it

    shares = {each.kb: each for each in workspace.catalog.shares.all()}
    for kb in workspace.catalog.kbs.all():
        state = replica_state(workspace.catalog, workspace.data_dir, kb)
        row = figures(workspace, kb) | {"chroma": asdict(state)}
        if kb.id in shares:
            row |= {"shared": asdict(shares[kb.id])}
        yield ListingRow(row)


def _create(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    yield ListingRow(figures(workspace, workspace.catalog.kbs.create(request.name)))


def _rename(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    name = workspace.catalog.kbs.rename(request.name, request.new_name)
    yield ListingRow(figures(workspace, workspace.catalog.kbs.get(name)))


def _recognize(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Switch the recognition of text on or off; what was recognised stays."""
    if request.switch not in _SWITCHES:
        raise UsageError(
            "Text recognition is on, off, or as the settings say.", "Say on, off or default."
        )
    recognizes = _SWITCHES[request.switch]
    workspace.catalog.kbs.set_recognition(request.name, recognizes=recognizes)
    yield ListingRow(figures(workspace, workspace.catalog.kbs.get(request.name)))


def _archives(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Have archives looked into at the next look, or not; then what was read of them goes now."""
    if request.switch not in ("on", "off"):
        raise UsageError("Archives are looked into, or not.", "Say on or off.")
    catalog, opens = workspace.catalog, request.switch == "on"
    kb = catalog.kbs.get(request.name).id
    with workspace.turns.step:  # not while a run stores a file in it
        unread = [path for path, _ in catalog.files.unread(kb) if is_archive_name(Path(path))]
        catalog.kbs.set_archives(request.name, opens=opens, waiting=unread)
        workspace.indexes.of(kb).sync()
    yield ListingRow(figures(workspace, catalog.kbs.get(request.name)))


def _serve(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Let other programs ask it through `desktop-rag mcp`, or no longer."""
    if request.switch not in ("on", "off"):
        raise UsageError("Other programs may ask it, or not.", "Say on or off.")
    workspace.catalog.kbs.set_served(request.name, is_served=request.switch == "on")
    yield ListingRow(figures(workspace, workspace.catalog.kbs.get(request.name)))


def _health(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    """Say what the files of a knowledge base lack, by kind; without a name of all of them."""
    from desktop_rag.commands.index_health import health_row, index_health

    kbs = workspace.catalog.kbs
    for kb in [kbs.get(request.name)] if request.name else kbs.all():
        health = index_health(workspace, kb)
        for finding in health.findings:
            yield ListingRow(health_row(health, finding))


def _delete(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Delete from the catalog first: it is the truth, and the indexes follow it at every open."""
    kb = workspace.catalog.kbs.get(request.name)
    row = figures(workspace, kb)
    indexes = workspace.indexes
    files = workspace.catalog.files.under(kb.id) if request.quotes != KEEP else []
    losing = redacting_quotes(workspace.catalog, request.quotes, files)
    share = workspace.catalog.shares.get(kb.id)
    with losing, workspace.turns.step:  # not while a run stores a file in it
        workspace.catalog.kbs.delete(kb.name)
        indexes.drop(kb.id)
    yield from passwords.forget_removed(workspace, token)
    if share is not None and share.writer:
        yield Notice(Phrase(_STAYS_THERE, share.shared_name, share.server))
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


def _share(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    from desktop_rag.commands import share_kb  # a list needs none of it

    kb = workspace.catalog.kbs.get(request.name)
    wish = share_kb.ShareWish(request.new_name, request.agrees, request.together)
    result = yield from share_kb.share(workspace, kb, wish, token)
    share_kb.feed_chroma(workspace, kb.id, token)
    yield _synchronised(workspace, kb.name, result)


def _join(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    from desktop_rag.commands import share_kb

    name = yield from share_kb.join(workspace, request.name, request.new_name, token)
    share_kb.feed_chroma(workspace, workspace.catalog.kbs.get(name).id, token)
    yield ListingRow(_shared_figures(workspace, name))


def _sync(workspace: Workspace, request: KbRequest, token: CancelToken) -> Iterator[Event]:
    """Bring one shared knowledge base in step with its server, or all of them."""
    from desktop_rag.commands import share_kb

    shared = {each.kb for each in workspace.catalog.shares.all()}
    wanted = (
        [workspace.catalog.kbs.get(request.name)]
        if request.name
        else [each for each in workspace.catalog.kbs.all() if each.id in shared]
    )
    for kb in wanted:
        result = yield from share_kb.synchronise(workspace, kb, token)
        share_kb.feed_chroma(workspace, kb.id, token)
        yield _synchronised(workspace, kb.name, result)


def _unshare(workspace: Workspace, request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    from desktop_rag.commands import share_kb

    kb = workspace.catalog.kbs.get(request.name)
    share_kb.unshare(workspace, kb, deletes=request.withdraws)
    yield ListingRow(figures(workspace, kb) | {"unshared": True})


def _shared(workspace: Workspace, _request: KbRequest, _token: CancelToken) -> Iterator[Event]:
    from desktop_rag.commands import share_kb

    for base in share_kb.listed(workspace):
        yield ListingRow({"name": base.name, "on_server": True, "model": base.fingerprint})


def _synchronised(workspace: Workspace, name: str, result: SyncResult) -> ListingRow:
    return ListingRow(_shared_figures(workspace, name) | {"sync": asdict(result)})


def _shared_figures(workspace: Workspace, name: str) -> dict[str, Any]:
    kb = workspace.catalog.kbs.get(name)
    known = workspace.catalog.shares.get(kb.id)
    return figures(workspace, kb) | ({"shared": asdict(known)} if known else {})


_SWITCHES = {"on": True, "off": False, "default": None}
_ACTIONS = {
    "health": _health,
    "recognize": _recognize,
    "archives": _archives,
    "serve": _serve,
    "share": _share,
    "join": _join,
    "sync": _sync,
    "unshare": _unshare,
    "shared": _shared,
    "list": _list,
    "create": _create,
    "rename": _rename,
    "delete": _delete,
    "rebuild": _rebuild,
    "export": _export,
    "import": _import,
}
