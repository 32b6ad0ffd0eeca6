"""The knowledge bases of the window: what is in them, what is being done, what went wrong.

`Idle` and `Indexing` say what the ingest lane does, `LibraryController` holds it and the knowledge
base that is shown, and `OpenRequestHandler` shows the one that `desktop-rag open --kb NAME` names.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from desktop_rag.catalog.file_rules import PAUSED
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import FileDone, IndexDone, IndexProgress, Notice
from desktop_rag.core.phrases import KbName, Phrase, PhraseList
from desktop_rag.core.requests import (
    FilesRequest,
    IndexRequest,
    KbRequest,
    OpenRequest,
    RemoveRequest,
)
from desktop_rag.gui.controllers.adaptation import AdaptationController
from desktop_rag.gui.controllers.add_sources import AddSourcesController
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.derived_texts import DerivedTextController
from desktop_rag.gui.controllers.ingest_queue import IngestQueue, Pause, kb_of
from desktop_rag.gui.controllers.ingest_worker import (
    DEFAULT_KB,
    RequestDone,
    RequestStarted,
    WorkerReady,
    ingest,
)
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library_commands import CommandDone, LibraryCommands, save_figure
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.name_suggestions import NameSuggestions
from desktop_rag.gui.controllers.passwords import EnteredPassword, PasswordController
from desktop_rag.gui.controllers.preparations import PreparationController
from desktop_rag.gui.controllers.snapshot_loader import SnapshotLoader
from desktop_rag.gui.controllers.system_watch import SystemState, SystemWatch

__all__ = ["Activity", "Idle", "Indexing", "LibraryController"]
_REFRESH_MS = 400
_SHARE_OF_TIME = 10
_FEW = 20  # files that are added in the middle of a run and read first
_MADE = ("create", "import", "join")  # a knowledge base, which is then shown


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is being indexed."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """A request is being done in `kb`; `progress` is None until the first is known."""

    kb: str
    progress: IndexProgress | None = None


Activity = Idle | Indexing


class LibraryController(QObject):
    """Holds the snapshot that is shown and what the ingest lane does.

    `shelf_changed` carries a `LibrarySnapshot`, `activity_changed` an `Activity`, `pause_changed` a
    `Pause`, `complained` a `UserError`, `indexed` the `IndexDone` of a finished request, `noticed`
    what a run says of links and drives, each text once. What the user decides of files goes through
    `commands`, what is added through `adding`, what opens locked ones through `passwords`, what is
    derived from documents through `preparations`, and looked at through `derived_texts`, what is
    learnt from them through `adaptation`. `names` offers files and folders by their names.
    """

    snapshot_changed = Signal(object)
    activity_changed = Signal(object)
    pause_changed = Signal(object)
    complained = Signal(object)
    indexed = Signal(object)
    noticed = Signal(str)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self.ingest_queue = IngestQueue()
        self.commands = LibraryCommands(jobs, folder, self)
        self.adding = AddSourcesController(jobs, folder, self)
        self.passwords = PasswordController(jobs, folder, self)
        self.preparations = PreparationController(jobs, folder, self.ingest_queue, self)
        self.adaptation = AdaptationController(jobs, folder, self)
        self.derived_texts = DerivedTextController(jobs, folder, self)
        self.names = NameSuggestions(jobs, self)
        self.snapshot_changed.connect(self.names.follow)
        self.surroundings = SystemWatch(jobs, folder, self)
        self._stock = SnapshotLoader()
        self._reading: Job | None = None
        self._stale = False
        self._settled = False
        self._reads_anyway = False
        self._asked_at = 0.0
        self._noticed: set[str] = set()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_REFRESH_MS)
        self._again.timeout.connect(self.refresh)
        self.snapshot = LibrarySnapshot((), DEFAULT_KB)
        self.activity: Activity = Idle()
        self._connect()

    @property
    def pause(self) -> Pause:
        """Why files are not read now."""
        return self.ingest_queue.pause

    def change_base(self, request: KbRequest) -> None:
        """Create, rename, delete, mend, export, import, share or join a knowledge base."""
        if request.action == "delete":
            self.ingest_queue.forget(request.name)
        self.commands.carry_out(request)

    def start_with(self, name: str) -> None:
        """Show a knowledge base first, if it is still there when the snapshot is read."""
        if name:
            self.snapshot = LibrarySnapshot((), name)

    def follow(self) -> Job:
        """Start the long job of the ingest lane and read the snapshot."""
        following = Operation(partial(ingest, self._folder, self.ingest_queue))
        following.on_value(self._hear).on_user_error(self.complained)
        job = following.start(self._jobs, Lane.INGEST)
        self.refresh()
        self.surroundings.look()
        return job

    def add(self, paths: tuple[str, ...]) -> None:
        """Add files and folders to the current knowledge base; much is asked about first."""
        self.adding.add(self.snapshot.current, paths)

    def retry(self, paths: tuple[str, ...] = ()) -> None:
        """Take up failed files again: these, or all of the current knowledge base."""
        self.ingest_queue.put(
            IndexRequest(self.snapshot.current, paths, retry=True, only_known=True)
        )

    def remove(self, paths: tuple[str, ...]) -> None:
        """Take files or folders out of the current knowledge base, never from the disk."""
        if paths:
            self.commands.carry_out(RemoveRequest(self.snapshot.current, paths))

    @Slot(object)
    def take_out(self, request: RemoveRequest | KbRequest) -> None:
        """Do what was weighed and agreed to."""
        if isinstance(request, KbRequest):
            self.change_base(request)
        else:
            self.commands.carry_out(request)

    def update_all(self) -> None:
        """Look through the current knowledge base's folders for changes now."""
        self.look_at(self.snapshot.current)

    def recognize(self) -> None:
        """Recognise the pages that wait in the current knowledge base, also during a pause."""
        if self.pause:
            self.resume()
        self.ingest_queue.put(IndexRequest(self.snapshot.current, only_recognize=True))

    def look_at(self, kb: str, paths: tuple[str, ...] = ()) -> None:
        """Look for changes in a knowledge base, at these paths or everywhere."""
        self.ingest_queue.put(IndexRequest(kb, paths, only_known=True))

    def look_everywhere(self) -> None:
        """Look for changes in every knowledge base, first in the one that is shown."""
        names = [kb.name for kb in self.snapshot.kbs if kb.name != self.snapshot.current]
        for name in (self.snapshot.current, *names):
            self.look_at(name)

    def switch(self, name: str) -> None:
        """Show another knowledge base."""
        self._settled = True
        self.snapshot = LibrarySnapshot(self.snapshot.kbs, name)
        self.snapshot_changed.emit(self.snapshot)
        self.refresh()

    def stop(self) -> None:
        """Stop indexing; what is done stays, the rest is taken up at the next look."""
        self.ingest_queue.stop_current()

    def pause_reading(self) -> None:
        """Read nothing until `resume`, also after the program was closed."""
        self._keep_pause(Pause.USER)

    def resume(self) -> None:
        """Read what waits; on battery, until the computer was on mains power again."""
        self._reads_anyway = self.pause is Pause.BATTERY
        self._keep_pause(Pause.NONE)

    def _keep_pause(self, pause: Pause) -> None:
        work = partial(save_figure, self._folder, PAUSED, float(pause is Pause.USER))
        Operation(work).start(self._jobs, Lane.HAND)
        self._set_pause(pause)

    def _set_pause(self, pause: Pause) -> None:
        self.ingest_queue.set_pause(pause)
        if not pause:
            self.look_everywhere()
        self.pause_changed.emit(pause)

    @Slot()
    def refresh(self) -> None:
        """Read the snapshot from the catalog; while one reading runs, the next one waits."""
        self._again.stop()
        if self._reading is not None:
            self._stale = True
            return
        self._stale = False
        self._asked_at = time.monotonic()
        shown, away = self.snapshot.current, self.surroundings.known.away
        reading = Operation(lambda token: self._stock.read(self._folder.get(token), shown, away))
        reading.on_end(self._end_reading).on_success(self._take)
        self._reading = reading.on_user_error(self.complained).start(self._jobs, Lane.READ)

    @Slot()
    def refresh_soon(self) -> None:
        """Read the snapshot before long; many wishes become one reading."""
        if not self._again.isActive():
            self._again.start()

    def _connect(self) -> None:
        self.commands.done.connect(self._follow_up)
        self.commands.complained.connect(self.complained)
        self.adding.agreed.connect(self._index)
        self.adding.complained.connect(self.complained)
        self.surroundings.changed.connect(self._adapt)
        self.passwords.entered.connect(self._unlock)

    @Slot(object)
    def _unlock(self, entered: EnteredPassword) -> None:
        """Read files with a password now; a run that is at work goes on afterwards."""
        request = IndexRequest(
            self.snapshot.current,
            entered.paths,
            retry=True,
            only_known=True,
            password=entered.password,
            keeps_password=entered.keeps,
        )
        if isinstance(self.activity, Indexing):
            self.ingest_queue.put_before(request)
        else:
            self.ingest_queue.put(request)

    @Slot()
    def _end_reading(self) -> None:
        self._reading = None

    @Slot(object)
    def _take(self, snapshot: LibrarySnapshot) -> None:
        took_ms = int((time.monotonic() - self._asked_at) * 1000)
        self._again.setInterval(max(_REFRESH_MS, took_ms * _SHARE_OF_TIME))
        if not self._settled and snapshot.kbs:
            self._settle(snapshot)
        elif snapshot.current == self.snapshot.current:
            self.snapshot = snapshot
            self.snapshot_changed.emit(snapshot)
        if self._stale:
            self._again.start()

    def _settle(self, snapshot: LibrarySnapshot) -> None:
        """Show, once at the start, a knowledge base that is there, rather a filled one."""
        self._settled = True
        filled = [kb.name for kb in snapshot.kbs if kb.files]
        names = [kb.name for kb in snapshot.kbs]
        if snapshot.branches or (snapshot.current in names and not filled):
            self.snapshot = snapshot
            self.snapshot_changed.emit(snapshot)
        else:
            self.switch((filled or names)[0])

    @Slot(object)
    def _index(self, requests: tuple[IndexRequest, ...]) -> None:
        """Read what is added; what is behind a run is followed, and shown as waiting, at once."""
        for request in requests:
            if isinstance(self.activity, Indexing) or request is not requests[0]:
                self.commands.carry_out(replace(request, only_look=True))
            self.ingest_queue.put(request)

    @Slot(object)
    def _follow_up(self, done: CommandDone) -> None:
        """Do what a decision entails."""
        decision = done.decision
        if isinstance(decision, FilesRequest):
            self._after_files(decision)
        elif isinstance(decision, KbRequest):
            self._after_base(decision, done.name)
        elif isinstance(decision, IndexRequest) and 0 < len(done.singles) <= _FEW:
            self.commands.carry_out(FilesRequest("first", decision.kb, done.singles))
        self.refresh()

    def _after_files(self, decision: FilesRequest) -> None:
        busy = self.activity.kb if isinstance(self.activity, Indexing) else ""
        is_first = decision.action == "first"
        if is_first and busy not in ("", decision.kb):
            self.ingest_queue.put_before(IndexRequest(decision.kb, decision.paths, only_known=True))
        elif decision.action in ("include", "patterns") or (is_first and not busy):
            self.look_at(decision.kb, decision.paths)

    def _after_base(self, decision: KbRequest, name: str) -> None:
        is_shown = self.snapshot.current == decision.name
        if decision.action == "rename":
            self.ingest_queue.rename(decision.name, name)
        if decision.action == "delete" and is_shown:
            others = [kb.name for kb in self.snapshot.kbs if kb.name != decision.name]
            self.switch(others[0] if others else DEFAULT_KB)
        elif decision.action in ("recognize", "archives"):
            self.look_at(decision.name)  # a run that recognises gives way to it
        elif decision.action in ("create", "import", "join") or (
            decision.action == "rename" and is_shown
        ):
            self.switch(name)

    @Slot(object)
    def _adapt(self, found: SystemState) -> None:
        """Rest while the computer runs on its battery; show which folders are away."""
        self.refresh()
        if not found.saves_power:
            self._reads_anyway = False
            if self.pause is Pause.BATTERY:
                self._set_pause(Pause.NONE)
        elif not self.pause and not self._reads_anyway:
            self._set_pause(Pause.BATTERY)

    @Slot(object)
    def _hear(self, event: object) -> None:
        if isinstance(event, IndexProgress) and isinstance(self.activity, Indexing):
            self._be(Indexing(self.activity.kb, event))
        elif isinstance(event, FileDone):
            self.refresh_soon()
        elif isinstance(event, IndexDone):
            self.indexed.emit(event)
        elif isinstance(event, Notice):
            self._notice(event.text)
        elif isinstance(event, WorkerReady):
            self.pause_changed.emit(event.pause)
        elif isinstance(event, RequestStarted):
            self._be(Indexing(kb_of(event.chore)))
        elif isinstance(event, RequestDone):
            self._end(event)

    def _notice(self, text: str) -> None:
        if text not in self._noticed:
            self._noticed.add(text)
            self.noticed.emit(text)

    def _end(self, over: RequestDone) -> None:
        self._be(Idle())
        self.refresh()
        if isinstance(over.error, UserError):
            self.complained.emit(over.error)
        elif over.error is not None:
            raise over.error

    def _be(self, activity: Activity) -> None:
        self.activity = activity
        self.activity_changed.emit(activity)


class OpenRequestHandler(QObject):
    """Shows the knowledge base that was named last, as soon as it is known which there are.

    A name that none has is the library's to complain of. `files_named` carries an `OpenRequest`
    whose files are to be read or asked.
    """

    files_named = Signal(object)

    def __init__(self, library: LibraryController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._wanted = ""
        self._may_be_new = False
        library.snapshot_changed.connect(self._go, Qt.ConnectionType.QueuedConnection)

    def begin(self, wanted: OpenRequest) -> None:
        """Show a knowledge base and add paths; where there are some, one is made."""
        kb = wanted.kb or self._library.snapshot.current
        if wanted.purpose and wanted.paths:
            self.files_named.emit(wanted)
        else:
            self._library.adding.add(kb, wanted.paths)
        self._wanted, self._may_be_new = wanted.kb, bool(wanted.paths)
        self._go()

    @Slot()
    def _go(self) -> None:
        snapshot, name = self._library.snapshot, self._wanted
        if not name or not snapshot.kbs:
            return
        self._wanted = ""
        names = [kb.name for kb in snapshot.kbs]
        if name not in names and not self._may_be_new:
            self._library.complained.emit(
                UserError(
                    Phrase("There is no knowledge base named “{0}”.", KbName(name)),
                    Phrase("There are: {0}.", PhraseList(map(KbName, names), ", ")),
                )
            )
        elif name != snapshot.current:
            self._library.switch(name)
