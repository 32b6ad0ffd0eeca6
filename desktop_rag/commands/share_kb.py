"""Shares a knowledge base on a Chroma server, joins one that is there, and keeps both in step."""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from desktop_rag.core import version
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase, Share
from desktop_rag.core.errors import StoreAway, UserError
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.phrases import KbName, Phrase
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.index.chroma_server import (
    PATIENT,
    ChromaServer,
    CollectionMissing,
    ServerAddress,
    is_local_server,
    server_of,
)
from desktop_rag.indexing.chunker import embed_key
from desktop_rag.indexing.index_writer import IndexWriter
from desktop_rag.sharing.share_synchroniser import Synchroniser, SyncResult
from desktop_rag.sharing.shared_rows import FORM, SharedBase
from desktop_rag.sharing.shared_store import SharedStore, shared_bases
from desktop_rag.workspace import Workspace

_WRITER = 8  # bytes
_STEPS = 100  # words of progress at most
_NO_CONSENT = (
    "Nothing was sent to the Chroma server: you took your consent back. What others wrote was "
    "fetched."
)


@dataclass(frozen=True, slots=True)
class ShareWish:
    """What a knowledge base shall be called on the server (empty: as here), and what is agreed to.

    `agrees` to sending its texts; `together`, that it may be one that others share.
    """

    shared_name: str = ""
    agrees: bool = False
    together: bool = False


def share(
    workspace: Workspace, kb: KnowledgeBase, wish: ShareWish, token: CancelToken
) -> Generator[Event, None, SyncResult]:
    """Put a knowledge base on the server, from now on for writing; one that was joined, too.

    Raises a `UserError` before anything is sent where the user has not agreed to that, or where
    others share one under that name.
    """
    address = _address(workspace)
    _require_consent(workspace, kb, address.url, agrees=wish.agrees)
    known = workspace.catalog.shares.get(kb.id)
    name = wish.shared_name or (known.shared_name if known else kb.name)
    is_ours = known is not None and known.shared_name == name
    model = workspace.models.embedder
    base = SharedBase(FORM, name, model.fingerprint, model.dimensions, version.installed())
    with _asked(address) as server:
        if not is_ours and not wish.together and _is_there(server, name):
            raise UserError(
                Phrase("Somebody shares a knowledge base “{0}” there already.", name),
                "Choose another name with --as, or write into that one with --together.",
            )
        SharedStore.made(server, base)
    writer = known.writer if known and known.writer else secrets.token_hex(_WRITER)
    workspace.catalog.shares.put(Share(kb.id, address.url, name, writer))
    return (yield from synchronise(workspace, kb, token))


def join(
    workspace: Workspace, shared_name: str, name: str, token: CancelToken
) -> Generator[Event, None, str]:
    """Make a knowledge base of one that is shared, for reading; return what it is called here."""
    with _asked(_address(workspace)) as server:
        try:
            SharedStore.opened(server, shared_name)
        except CollectionMissing as error:
            raise UserError(
                Phrase("No knowledge base “{0}” is shared there.", shared_name),
                "See which are: `desktop-rag kb shared`.",
            ) from error
    called = workspace.catalog.kbs.free_name(name or shared_name)
    kb = workspace.catalog.kbs.create(called)
    workspace.indexes.of(kb.id).open()
    workspace.catalog.shares.put(Share(kb.id, _address(workspace).url, shared_name, ""))
    yield from synchronise(workspace, kb, token)
    return called


def unshare(workspace: Workspace, kb: KnowledgeBase, *, deletes: bool) -> None:
    """Share a knowledge base no more; with `deletes` take it off the server, for everybody."""
    known = _share_of(workspace, kb)
    if deletes:
        with _asked(_address(workspace)) as server:
            try:
                SharedStore.opened(server, known.shared_name).drop()
            except CollectionMissing:
                pass
    workspace.catalog.shares.remove(kb.id)


def listed(workspace: Workspace) -> list[SharedBase]:
    """Return what is shared on the server."""
    with _asked(_address(workspace)) as server:
        return shared_bases(server)


def synchronise(
    workspace: Workspace, kb: KnowledgeBase, token: CancelToken
) -> Generator[Event, None, SyncResult]:
    """Bring a shared knowledge base and the server in step.

    Raises `StoreAway` where the server cannot be asked; since when is noted.
    """
    known = _share_of(workspace, kb)
    model = workspace.models.embedder
    if known.writer and not _has_consent(workspace, kb, known.server):
        yield Notice(_NO_CONSENT)
    try:
        with _asked(_address(workspace, known.server)) as server:
            sync = Synchroniser(
                workspace.catalog,
                known,
                _store_of(server, known),
                ModelIdentity(model.fingerprint, model.dimensions),
                key_of=embed_key,
                longest=workspace.settings.ingest.max_characters,
                turn=workspace.turns.step,
                sends=bool(known.writer) and _has_consent(workspace, kb, known.server),
            )
            told = -1
            for step in sync.run():
                token.check()
                at = step.done * _STEPS // max(1, step.total)
                if at > told or not step.done:
                    told = at
                    yield IndexProgress(step.done, step.total, step.path, "sync", 0, 0.0, None)
    except StoreAway:
        if not known.away:
            workspace.catalog.shares.put(replace(known, away=time.time()))
        raise
    yield from _into_indexes(workspace, kb.id, token)
    return sync.result


def _is_there(server: ChromaServer, name: str) -> bool:
    try:
        SharedStore.opened(server, name)
    except CollectionMissing:
        return False
    return True


def _store_of(server: ChromaServer, known: Share) -> SharedStore:
    try:
        return SharedStore.opened(server, known.shared_name)
    except CollectionMissing as error:
        raise UserError(
            Phrase("“{0}” is on the server no more: somebody took it off.", known.shared_name),
            "What came of it stays here. `desktop-rag kb share NAME` puts it there again.",
        ) from error


def _into_indexes(workspace: Workspace, kb: KbId, token: CancelToken) -> Iterator[Event]:
    """Embed what came without vectors of the model in use, and tell the indexes."""
    model, catalog = workspace.models.embedder, workspace.catalog
    if catalog.embeddings.missing(kb, model.fingerprint, 1):
        yield Notice(
            "The shared knowledge base was made with another embedding model: its texts are "
            "embedded anew, which may take a while."
        )
        writer = IndexWriter(kb, catalog, workspace.indexes, model, workspace.turns)
        yield from writer.catch_up(token)
    workspace.indexes.of(kb).sync()


@contextmanager
def store_for_writing(workspace: Workspace, kb: KnowledgeBase) -> Iterator[SharedStore]:
    """Open a shared knowledge base on its server, to write into it.

    Raises a `UserError` where this data folder may not: it does not share it, or only reads it, its
    user did not agree, or its model is another one.
    """
    known, model = workspace.catalog.shares.get(kb.id), workspace.models.embedder
    if known is None or not known.writer or not _has_consent(workspace, kb, known.server):
        raise UserError(
            Phrase(
                "A worker writes into a shared knowledge base; this one does not share “{0}”.",
                KbName(kb.name),
            ),
            "Join it with `desktop-rag kb join NAME` unless it is here, then agree to send what is "
            "read: `desktop-rag kb share NAME --agree`.",
        )
    with _asked(_address(workspace, known.server)) as server:
        store = _store_of(server, known)
        store.require_model(ModelIdentity(model.fingerprint, model.dimensions))
        yield store


def feed_chroma(workspace: Workspace, kb: KbId, token: CancelToken) -> None:
    """Have Chroma's folder hold what came, before a command ends."""
    workspace.indexes.of(kb).feed(token.check)


def _address(workspace: Workspace, url: str = "") -> ServerAddress:
    """Return the server of the settings; a `UserError` where there is none, or it is another."""
    address = server_of(workspace.settings.privacy)
    if not address.url:
        raise UserError(
            "No shared Chroma server is set.",
            "Set it on the settings' page “Privacy”, or with --set privacy.chroma_url=http://….",
        )
    if url and url != address.url:
        raise UserError(
            Phrase("This knowledge base is shared on {0}, and the settings name another.", url),
            "Set that server again, or share the knowledge base anew on this one.",
        )
    return address


def _share_of(workspace: Workspace, kb: KnowledgeBase) -> Share:
    known = workspace.catalog.shares.get(kb.id)
    if known is None:
        raise UserError(
            Phrase("“{0}” is not shared.", KbName(kb.name)),
            "Share it with `desktop-rag kb share NAME`.",
        )
    return known


def _require_consent(workspace: Workspace, kb: KnowledgeBase, url: str, *, agrees: bool) -> None:
    """Keep the consent that is given; without one refuse."""
    if _has_consent(workspace, kb, url):
        return
    if not agrees:
        raise UserError(
            Phrase(
                "To share “{0}” sends every text of it, the paths of its files and your name to "
                "{1}.",
                KbName(kb.name),
                url,
            ),
            "If you want that, say so with --agree.",
        )
    workspace.catalog.consents.give(kb.id, url)


def _has_consent(workspace: Workspace, kb: KnowledgeBase, url: str) -> bool:
    if is_local_server(url) or workspace.settings.privacy.allow_remote:
        return True
    return url in workspace.catalog.consents.places(kb.id)


@contextmanager
def _asked(address: ServerAddress) -> Iterator[ChromaServer]:
    server = ChromaServer(address, PATIENT)
    try:
        yield server
    finally:
        server.close()
