"""Reads folders onto the server that a knowledge base is shared on, beside other computers.

Which of them reads which file they settle by leases on that server; see `sharing/leases`. What
comes of it everybody fetches as what others wrote, this data folder too, when the run ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from desktop_rag.commands import passwords
from desktop_rag.commands.share_kb import feed_chroma, store_for_writing, synchronise
from desktop_rag.commands.worker_batches import FolderWorker, WorkerTools
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, IndexDone
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.phrases import KbName, Phrase
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.temp_files import scratch_folder
from desktop_rag.core.types import ModelIdentity
from desktop_rag.index.chroma_server import ChromaServer, server_of
from desktop_rag.indexing.scratch_indexer import ScratchIndexer
from desktop_rag.indexing.source_paths import require_usable_paths, resolve_path
from desktop_rag.sharing.lease_rows import LeaseRows
from desktop_rag.sharing.leases import BEAT, Leases, WorkerHeartbeat, new_worker
from desktop_rag.sharing.row_sender import RowSender
from desktop_rag.sharing.shared_folder import SharedFolder
from desktop_rag.sharing.shared_store import SharedStore
from desktop_rag.workspace import Workspace


def run(
    workspace: Workspace, request: IndexRequest, token: CancelToken, beat: float = BEAT
) -> Iterator[Event]:
    """Yield an outcome for each file that this worker read, `IndexDone` last.

    A `beat` is the seconds between two heartbeats.
    """
    kb = workspace.catalog.kbs.get(request.kb)
    counts, chunks, seconds = Counter[str](), 0, 0.0
    with store_for_writing(workspace, kb) as store:
        for root in _roots(workspace, kb, request):
            for event in _at_folder(workspace, request, (store, root, beat), token):
                if not isinstance(event, IndexDone):
                    yield event
                    continue
                counts.update(event.files)
                chunks += event.chunks
                seconds += event.seconds
    yield from synchronise(workspace, kb, token)
    if not request.in_background:
        feed_chroma(workspace, kb.id, token)
    yield IndexDone(dict(counts), chunks, seconds)


def _at_folder(
    workspace: Workspace,
    request: IndexRequest,
    at: tuple[SharedStore, str, float],
    token: CancelToken,
) -> Iterator[Event]:
    (store, root, beat), worker = at, new_worker()
    model, settings = workspace.models.embedder, workspace.settings
    with ExitStack() as stack:
        hasty = stack.enter_context(closing(ChromaServer(server_of(settings.privacy))))
        rows = LeaseRows(store.leases())
        folder = SharedFolder.found(rows, store.base.name, root, request.folder)
        beats = LeaseRows(SharedStore.opened(hasty, store.base.name).leases())
        heartbeat = stack.enter_context(WorkerHeartbeat(beats, worker, beat))
        place = stack.enter_context(scratch_folder(workspace.data_dir))
        scratch = stack.enter_context(
            closing(ScratchIndexer(place, model, workspace.parsers, settings, workspace.passwords))
        )
        scratch.follow(root, request.exclude, str(workspace.data_dir.resolve()))
        identity = ModelIdentity(model.fingerprint, model.dimensions)
        sender = RowSender(scratch.catalog, scratch.kb, store, identity, folder.writer)
        leases = Leases(rows, folder.writer, heartbeat, worker, retry=request.retry)
        tools = WorkerTools(store, leases, scratch, sender, worker)
        working = FolderWorker(tools, folder, token).run()
        yield from passwords.lent(workspace, request, (root,), working)


def _roots(workspace: Workspace, kb: KnowledgeBase, request: IndexRequest) -> list[str]:
    """Return the folders that are meant; a `UserError` for what a worker can't divide."""
    require_usable_paths(workspace.catalog, request.paths)
    roots = list(dict.fromkeys(map(resolve_path, request.paths)))
    for root in roots:
        if not Path(root).is_dir():
            raise UserError(
                Phrase("{0} is no folder that can be reached.", root),
                "A worker reads whole folders, which other workers see as well: name one.",
            )
        for source in workspace.catalog.kbs.sources(kb.id):
            if is_at_or_below(root, source.path) or is_at_or_below(source.path, root):
                raise UserError(
                    Phrase("“{0}” follows {1} by itself already.", KbName(kb.name), source.path),
                    "Take it out first, `desktop-rag remove PATH`, or index without --worker.",
                )
    return roots
