"""A data folder in use by this process: as its owner, whose workspace all starts share, or not.

Commands call `run_call`; a window calls `open_for_window`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag import bootstrap
from desktop_rag.catalog import integrity
from desktop_rag.commands.dispatch import perform
from desktop_rag.core import settings_file as stored
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import ConnectionMonitor
from desktop_rag.core.connection_log import ConnectionLog
from desktop_rag.core.errors import CatalogDamaged, DesktopRagError, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.paths import CATALOG
from desktop_rag.core.requests import DescribeRequest, IndexRequest, OpenRequest, RecoverRequest
from desktop_rag.core.settings import Settings
from desktop_rag.ipc import call_routing, client, ownership
from desktop_rag.ipc.owner import OnOpenRequest, Owner
from desktop_rag.ipc.wire import Call, Line
from desktop_rag.workspace import Lazy, Workspace

if TYPE_CHECKING:
    from desktop_rag.catalog.copies import CopyScheduler

_DOCTOR = DescribeRequest("doctor")


def run_call(data_dir: Path, call: Call) -> Generator[Line, None, None]:
    """Yield the lines of a command's call, done here or by the process that owns the folder."""
    lock = ownership.FolderLock(data_dir)
    own = partial(_own, overrides=call.overrides)
    return call_routing.execute_call(lock, call, own)


class Runtime:
    """The workspace of a folder that this process owns; opened by whoever needs it first.

    `before_write` raises where the process does not own it any more.
    """

    def __init__(
        self,
        data_dir: Path,
        overrides: Mapping[str, str],
        before_write: Callable[[], object] | None = None,
    ) -> None:
        self._data_dir = data_dir
        self._before_write = before_write
        self._overrides = dict(overrides)
        self._workspace = Lazy(self._open)
        self._changed: Workspace | None = None
        self._retired: list[Workspace] = []
        self._waiting: frozenset[str] = frozenset()
        self._copying: CopyScheduler | None = None
        self._watch = ConnectionMonitor(ConnectionLog(data_dir).add)

    @property
    def catalog_path(self) -> Path:
        """Where the catalog lies."""
        return self._data_dir / CATALOG

    def require_sound(self) -> None:
        """Look through a catalog that was found damaged; raise `CatalogDamaged` if it still is."""
        path = self.catalog_path
        if not integrity.is_marked_damaged(path):
            return
        from desktop_rag.catalog.database import migration_scripts
        from desktop_rag.catalog.recovery.coordinator import is_damaged

        with self._workspace.unmade() as is_closed:
            if is_closed and is_damaged(path, migration_scripts(), None, lambda: None):
                raise CatalogDamaged(path)
        integrity.clear_damage_mark(path)

    @property
    def workspace(self) -> Workspace:
        """The one workspace of this process."""
        return self._workspace.get()

    def use(self, settings: Settings) -> Workspace:
        """Return the workspace under settings that were changed in the window.

        What needs the folder to be opened anew stays as it is until then; parsers are made anew
        only where their limits changed, and go on until `release_retired`.
        """
        now = self._changed or self.workspace
        same_limits = settings.ingest == now.settings.ingest
        parsers = now.lazy_parsers if same_limits else None
        view = bootstrap.with_settings(
            now, bootstrap.keep_restart_settings(settings, now.settings), parsers
        )
        if not same_limits:
            self._retired.append(now)
        self._changed = view
        self._waiting = frozenset(
            each.key
            for each in stored.setting_declarations()
            if stored.value_of(settings, each.key) != stored.value_of(view.settings, each.key)
        )
        self._watch.blocked = settings.privacy.block_remote
        return view

    def release_retired(self, kept: Workspace) -> None:
        """End the parsers of views that nobody indexes with any more; `kept` is in use."""
        for view in list(self._retired):
            if view.lazy_parsers is not kept.lazy_parsers:
                self._retired.remove(view)
                view.release()

    def perform(self, call: Call, token: CancelToken) -> Iterator[Event]:
        """Yield the events of a call under its own settings."""
        if call.request == _DOCTOR:
            yield from self._examine(call, token)
            return
        if isinstance(call.request, RecoverRequest):
            yield from self.recover(token)
            return
        settings = self._settings(call)
        with self._view(call, settings) as workspace:
            try:
                yield from perform(workspace, call.request, token)
            except Exception as error:
                _tell_damage(workspace, error)
                raise

    def recover(self, token: CancelToken) -> Iterator[Event]:
        """Bring a damaged catalog back, which nobody may have open meanwhile."""
        from desktop_rag.commands import recover

        with self._workspace.unmade() as is_closed:
            if is_closed:
                yield from recover.run(self._data_dir, token)
                return
        yield from perform(self.workspace, RecoverRequest(), token)

    def close(self) -> None:
        """Close the workspace, if anybody opened it."""
        copying, self._copying = self._copying, None
        if copying is not None:
            copying.close()
        for view in (*self._retired, self._changed):
            if view is not None:
                view.release()
        workspace = self._workspace.take()
        if workspace is not None:
            workspace.close()
        self._watch.close()

    def _open(self) -> Workspace:
        from desktop_rag.catalog.copies import CopyScheduler

        settings = stored.load(self._data_dir, self._overrides)
        self._watch.blocked = settings.privacy.block_remote
        after_kill = self.catalog_path.with_name(f"{CATALOG}-wal").exists()
        workspace = bootstrap.open_workspace(self._data_dir, settings, self._before_write)
        database = workspace.catalog.database
        self._copying = CopyScheduler(
            database.copies,
            database.connect,
            database.forget,
            self._before_write,
            after_kill=after_kill,
        )
        return workspace

    def _settings(self, call: Call) -> Settings:
        settings = self._until_next_start(stored.load(self._data_dir, call.overrides))
        if call.ollama_host and not settings.ollama.host:
            settings = replace(settings, ollama=replace(settings.ollama, host=call.ollama_host))
        return settings

    def _until_next_start(self, settings: Settings) -> Settings:
        """Leave what the window changed for its next start as it is; a call's own word counts."""
        kept = stored.load(self._data_dir)
        for key in self._waiting:
            if stored.value_of(settings, key) == stored.value_of(kept, key):
                opened = stored.value_of(self.workspace.settings, key)
                settings = stored.with_value(settings, key, opened)
        return settings

    @contextmanager
    def _view(self, call: Call, settings: Settings) -> Iterator[Workspace]:
        """Give a call the workspace, or a view with settings or parsers of its own."""
        workspace = self.workspace
        if settings == workspace.settings and not isinstance(call.request, IndexRequest):
            yield workspace
            return
        view = bootstrap.with_settings(workspace, settings)
        try:
            yield view
        finally:
            view.release()

    def _examine(self, call: Call, token: CancelToken) -> Iterator[Event]:
        """Let the doctor see a folder that can't even be opened."""
        from desktop_rag.commands import doctor

        try:
            settings = self._settings(call)
            workspace = self.workspace
        except UserError as error:
            yield from doctor.run_without_workspace(self._data_dir, Settings(), error, token)
            return
        view = bootstrap.with_settings(workspace, settings)
        yield from doctor.run(view, _DOCTOR, token)


class WindowRuntime:
    """A window's data folder: the workspace, and the service that shares it with commands."""

    def __init__(self, house: Runtime, owner: Owner) -> None:
        self._house = house
        self._owner = owner

    @property
    def workspace(self) -> Workspace:
        """The workspace; the first to ask opens it, which may take a moment.

        Raises a `CatalogDamaged`, which the window knows what to do about, also where the catalog
        could be opened and was found damaged the last time.
        """
        self._house.require_sound()
        return self._house.workspace

    def use(self, settings: Settings) -> Workspace:
        """Return the workspace under changed settings; see `Runtime.use`."""
        return self._house.use(settings)

    def release_retired(self, kept: Workspace) -> None:
        """End the parsers of views that nobody indexes with any more."""
        self._house.release_retired(kept)

    def recover(self, token: CancelToken) -> Iterator[Event]:
        """Bring a damaged catalog back, which could not be opened."""
        return self._house.recover(token)

    def doubt(self) -> None:
        """Have the catalog looked through before it is opened again."""
        integrity.mark_damaged(self._house.catalog_path)

    def close(self) -> bool:
        """Send commands on their way, close the workspace, release the folder.

        Return False when work did not stop in three seconds: then the process should just end.
        """
        return self._owner.abandon()


def open_for_window(
    data_dir: Path,
    overrides: Mapping[str, str],
    wanted: OpenRequest,
    opened: OnOpenRequest,
    seconds: float = 60.0,
) -> WindowRuntime | None:
    """Own a data folder for a window; None when another window has it, which is told.

    A command that owns the folder is asked to make room. `opened` is called later, in a thread
    of its own, with what another start wants. Raises `OwnedElsewhere` after `seconds`.
    """
    lock = ownership.FolderLock(data_dir)
    give_up = time.monotonic() + seconds
    while not lock.acquire():
        try:
            if not client.ask_to_open(data_dir, wanted).get("leaving"):
                return None
        except client.OwnerGone:
            pass  # it is just going; the lock will be free
        if time.monotonic() > give_up:
            raise ownership.owner_silent(data_dir)
        time.sleep(0.05)
    house = Runtime(lock.data_dir, overrides, lock.require)
    return WindowRuntime(house, _serving(lock, house, opened))


def _tell_damage(workspace: Workspace, error: Exception) -> None:
    """Raise what a damaged catalog is behind as that; what is no damage stays what it is."""
    if isinstance(error, (DesktopRagError, OSError)):
        return
    if workspace.catalog.is_damaged():
        raise CatalogDamaged(workspace.catalog.database.path) from error


def _own(lock: ownership.FolderLock, overrides: Mapping[str, str]) -> Owner:
    """Make this process, a command, the owner."""
    return _serving(lock, Runtime(lock.data_dir, overrides, lock.require), None)


def _serving(lock: ownership.FolderLock, house: Runtime, opened: OnOpenRequest | None) -> Owner:
    try:
        owner = Owner(lock, house.perform, house.close, opened)
    except BaseException:
        lock.release()
        raise
    owner.start()
    return owner
