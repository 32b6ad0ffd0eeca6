"""Adds files and folders to a knowledge base and brings it up to date, once or for good."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from desktop_rag.commands import passwords, prepare
from desktop_rag.commands.remove import resolve_known_paths
from desktop_rag.commands.share_status import synchronise_if_shared
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, FileDone, IndexDone, IndexProgress, Notice
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.indexing.file_watcher import Debounce, Watcher
from desktop_rag.indexing.pipeline import Indexer
from desktop_rag.indexing.reconcile import UpdateOptions
from desktop_rag.indexing.scan import Scope
from desktop_rag.indexing.source_paths import follow, require_usable_paths
from desktop_rag.workspace import Workspace

_FEW = 200
_LOOK_AT_SOURCES = 2.0  # seconds after which a watch sees that a source came or went
_WATCHING = IndexProgress(0, 0, "", "watch", 0, 0.0, None)


def run(workspace: Workspace, request: IndexRequest, token: CancelToken) -> Iterator[Event]:
    """Yield an outcome for each file, progress between, `IndexDone` last.

    With `watch` it goes on until it is cancelled, with an `IndexDone` after each batch of changes.
    """
    if request.worker:
        from desktop_rag.commands import index_worker  # hardly anybody is one

        yield from index_worker.run(workspace, request, token)
        return
    if request.only_known or request.only_recognize:
        yield from _known(workspace, request, token)
        return
    if not request.paths:
        workspace.catalog.kbs.get(request.kb)
    elif request.kb not in workspace.catalog.kbs.names():
        require_usable_paths(workspace.catalog, request.paths)  # a mistyped path makes no empty one
    base = workspace.catalog.kbs.ensure(request.kb)
    kb = base.id
    given = follow(workspace.catalog, kb, request.paths, request.exclude)
    targets = given.found if request.paths else None
    missing = [
        FileDone(path, FileStatus.FAILED, "There is no such file or folder.")
        for path in given.missing
    ]
    yield from missing
    how = _how(request)
    if request.watch:
        following = _watch(workspace, kb, targets, token, retry=how.retry)
        yield from passwords.lent(workspace, request, targets or (), following)
        return
    reading = workspace.indexer.update(kb, token, targets, how)
    for event in passwords.lent(workspace, request, targets or (), reading):
        if isinstance(event, IndexDone):
            yield from synchronise_if_shared(workspace, kb, token)
            if not request.in_background:
                yield from prepare.resume(workspace, base, token, asks_models=False)
        yield _with(event, missing) if isinstance(event, IndexDone) else event


def _known(workspace: Workspace, request: IndexRequest, token: CancelToken) -> Iterator[Event]:
    """Look at what is followed already; nothing where the knowledge base was deleted since."""
    kb = workspace.catalog.kbs.names().get(request.kb)
    if kb is None:
        return
    targets = request.paths or None
    if targets is not None and len(targets) <= _FEW:  # of very many, each costs a look at a folder
        targets = tuple(resolve_known_paths(workspace, kb, targets))
    if request.only_recognize:
        yield from workspace.indexer.recognize(kb, token)
    else:
        reading = workspace.indexer.update(kb, token, targets, _how(request))
        yield from passwords.lent(workspace, request, targets or (), reading)
    yield from synchronise_if_shared(workspace, kb, token)


def _how(request: IndexRequest) -> UpdateOptions:
    return UpdateOptions(
        retry=request.retry or bool(request.password),
        only_look=request.only_look,
        awaits_chroma=not request.in_background,
        recognizes=not request.in_background,
    )


def _with(done: IndexDone, missing: Sequence[FileDone]) -> IndexDone:
    """Count the paths that are not there, too."""
    if not missing:
        return done
    failed = done.files.get(FileStatus.FAILED, 0) + len(missing)
    return replace(done, files=done.files | {FileStatus.FAILED.value: failed})


def _watch(
    workspace: Workspace,
    kb: KbId,
    targets: tuple[str, ...] | None,
    token: CancelToken,
    *,
    retry: bool,
) -> Iterator[Event]:
    """Bring the targets up to date, then keep them so: sources that are added later as well."""
    indexer = workspace.indexer
    poll = workspace.settings.ingest.poll_seconds
    pace = Debounce(poll=poll) if poll else Debounce()
    watcher = Watcher(pace, poll_all=poll > 0, stirred=workspace.parsers.get_ready)
    try:
        scope = _scope(indexer, kb, targets)
        watcher.follow(scope)  # before looking, so that nothing falls between
        how = UpdateOptions(retry=retry, recognizes=False)
        yield from indexer.update(kb, token, targets, how)
        yield from synchronise_if_shared(workspace, kb, token)
        yield _WATCHING
        while True:
            changed = yield from _until_change(_idle_work(workspace, kb, token), watcher, token)
            changed += watcher.wait(token, 0.0 if changed else _LOOK_AT_SOURCES)
            token.check()
            known, scope = set(scope.sources), _scope(indexer, kb, targets)
            if known != set(scope.sources):
                watcher.follow(scope)
                changed += [each.path for each in scope.sources if each not in known]
            about = [path for path in changed if _is_among(path, targets)]
            if about:
                yield from indexer.update(kb, token, about, UpdateOptions(recognizes=False))
                yield from synchronise_if_shared(workspace, kb, token)
                yield _WATCHING
    finally:
        watcher.close()


def _idle_work(workspace: Workspace, kb: KbId, token: CancelToken) -> Generator[Event, None, None]:
    """Recognise pages, and prepare documents, that wait."""
    yield from workspace.indexer.recognize(kb, token)
    for base in workspace.catalog.kbs.all():
        if base.id == kb:
            yield from prepare.resume(workspace, base, token)


def _until_change(
    work: Generator[Event, None, None], watcher: Watcher, token: CancelToken
) -> Generator[Event, None, list[str]]:
    """Do what can wait until something changes; return what did."""
    with closing(work) as working:
        for event in working:
            if isinstance(event, (FileDone, IndexProgress, Notice)):
                yield event
            if changed := list(watcher.wait(token, 0.0)):
                return changed
    return []


def _scope(indexer: Indexer, kb: KbId, targets: Sequence[str] | None) -> Scope:
    scope = indexer.scope(kb)
    return scope if targets is None else scope.about(targets)


def _is_among(path: str, targets: Sequence[str] | None) -> bool:
    if targets is None:
        return True
    return any(is_at_or_below(path, target) or is_at_or_below(target, path) for target in targets)
