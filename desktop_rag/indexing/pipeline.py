"""Brings a knowledge base up to date: scan, compare, queue, parse, cut, embed, store, index.

`FileQueue` gives the files that a run still has to read, in an order that the user may change
meanwhile. The queue lies in the catalog, and a file is stored wholly or not at all, so a run that
is stopped or killed at any moment is gone on with by the next one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.file_rules import BYTES_PER_SECOND
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.events import Event, FileDone
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import FileStatus, KbId
from desktop_rag.index.indexes import IndexManager
from desktop_rag.indexing.index_writer import HalfVector, IndexWriter, LongDocumentWriter
from desktop_rag.indexing.parse_stage import (
    Deferred,
    Gone,
    KnownContent,
    ParseContext,
    ParseStage,
    Prepared,
    PreparedLong,
    StageResult,
    Unreached,
    Unusable,
    UnusableContents,
)
from desktop_rag.indexing.password_store import PasswordStore
from desktop_rag.indexing.progress_estimate import ProgressEstimator, name_of
from desktop_rag.indexing.recognition_stage import (
    MakeRecognizer,
    RecognitionStage,
    RecognizedContent,
)
from desktop_rag.indexing.reconcile import ReconcileTask, UpdateOptions, file_done, reconcile
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.indexing.scan import Scope
from desktop_rag.models.protocols import Embedder
from desktop_rag.parsing.sandbox.parser_pool import ParserPool

_ASK_AGAIN = 0.5  # seconds between looks at what is wanted first
_BATCH = 256  # chunks that are embedded together
_ROUNDS = 4  # how often a file that is written to all the while is waited for
_FORGOTTEN_TOGETHER = 500
_GLANCE = 0.25  # seconds between looks at whether to stop
_REST = 1.0  # seconds between these
_YOUNG = 3.0  # a file changed so many seconds ago may be written to still


class FileQueue:
    """Gives each path once; what `first` names, asked every half second, before all others.

    `first` may also name files that came to the queue after the run began.
    """

    def __init__(self, paths: Sequence[str], first: Callable[[], list[str]]) -> None:
        self._order = deque(paths)
        self._given: set[str] = set()
        self._first = first
        self._ahead: deque[str] = deque()
        self._asked = -_ASK_AGAIN

    def __iter__(self) -> Iterator[str]:
        while True:
            path = self._next()
            if path is None:
                return
            self._given.add(path)
            yield path

    def _next(self) -> str | None:
        now = time.monotonic()
        if now - self._asked >= _ASK_AGAIN:
            self._asked = now
            self._ahead = deque(self._first())
        for line in (self._ahead, self._order):
            while line:
                path = line.popleft()
                if path not in self._given:
                    return path
        return None


class Indexer:
    """What brings knowledge bases up to date.

    Several updates may run at once; indexers of one data folder share their `turns`. Without
    `indexes` the catalog alone is told: nobody searches it. Without `make_recognizer` pages that
    are pictures are not read, nor in a knowledge base that does not want it; without `passwords`
    files that have one are not.
    """

    def __init__(
        self,
        catalog: Catalog,
        indexes: IndexManager | None,
        embedder: Embedder,
        parsers: ParserPool,
        settings: Settings,
        *,
        turns: RunCoordinator | None = None,
        make_recognizer: MakeRecognizer | None = None,
        passwords: PasswordStore | None = None,
    ) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._embedder = embedder
        self._tools = ParseContext(catalog, parsers, embedder.count_tokens, settings, passwords)
        self._make_recognizer = make_recognizer
        self._turns = turns or RunCoordinator()

    @property
    def recipe(self) -> str:
        """Name how files are read now."""
        return self._tools.recipe

    def scope(self, kb: KbId) -> Scope:
        """Return what a knowledge base follows, under the settings' ignored names."""
        catalog = self._catalog
        exclude = [each.strip() for each in self._tools.settings.ingest.exclude.split(",")]
        excluded = catalog.choices.excluded(kb)
        is_free = self._tools.settings.ingest.follow_links
        sources, folder = catalog.kbs.sources(kb), catalog.database.path.parent
        return Scope(sources, exclude, folder, excluded, is_free=is_free)

    def update(
        self,
        kb: KbId,
        token: CancelToken,
        targets: Sequence[str] | None = None,
        how: UpdateOptions | None = None,
    ) -> Iterator[Event]:
        """Look at targets (all sources when None), read what is new or changed, and what waits.

        Yields an outcome for each file and progress between; the last event is `IndexDone`. Raises
        `Cancelled` within two seconds of the token's cancel, with whole files stored only.
        """
        how = how or UpdateOptions()
        scope = self.scope(kb)
        looked_at = tuple(targets) if targets is not None else tuple(s.path for s in scope.sources)
        snapshot = IndexWriter(kb, self._catalog, self._indexes, self._embedder, self._turns)
        recognition = self._recognition(kb) if how.recognizes and not how.only_look else None
        job = _Job(kb, scope, self._tools, self._turns, recognition)
        run = _Run(job, snapshot, token)
        try:
            yield run.tally.progress("scan")
            aim = self._aim(kb, scope, looked_at, retry=how.retry)
            for event in reconcile(self._catalog, aim, token):
                yield from run.told(event)
            snapshot.sync(at_once=True)
            if not how.only_look:
                yield from run.catch_up()
                yield from run.work(self._queue(aim))
                yield from run.recognize(partial(self._queue, aim))
            if run.has_known:  # another base's documents, whose vectors may be of another model
                yield from run.catch_up()
        finally:
            run.close()
            snapshot.sync(at_once=True)
            if run.tally.rate is not None:
                self._catalog.choices.note(BYTES_PER_SECOND, run.tally.rate)
        if not how.only_look:
            yield from map(run.tally.progress, snapshot.feed(token, awaits=how.awaits_chroma))
        yield run.tally.finished()

    def _aim(
        self, kb: KbId, scope: Scope, targets: tuple[str, ...], *, retry: bool
    ) -> ReconcileTask:
        opens = self._catalog.kbs.opens_archives(kb)
        return ReconcileTask(
            kb, scope, targets, self._tools.recipe, self._tools.reach, retry, opens
        )

    def recognize(self, kb: KbId, token: CancelToken) -> Generator[Event, None, None]:
        """Recognise the pages without text that wait, and read their files; events as of `update`.

        Close the iterator between two events to stop: what is done is kept.
        """
        recognition = self._recognition(kb)
        if recognition is None:
            return
        snapshot = IndexWriter(kb, self._catalog, self._indexes, self._embedder, self._turns)
        job = _Job(kb, self.scope(kb), self._tools, self._turns, recognition)
        run = _Run(job, snapshot, token)
        try:
            yield from run.recognize(list)
        finally:
            run.close()
            snapshot.sync(at_once=True)
        yield from map(run.tally.progress, snapshot.feed(token, awaits=False))
        yield run.tally.finished()

    def _recognition(self, kb: KbId) -> RecognitionStage | None:
        default = self._tools.settings.ingest.recognize_text
        is_on = self._catalog.kbs.recognizes_text(kb, default=default)
        if self._make_recognizer is None or not is_on:
            return None
        reach, turn = self._tools.reach, self._turns.recognition
        return RecognitionStage(
            self._catalog, self._make_recognizer, reach, kb, turn, self._tools.passwords
        )

    def forget(self, kb: KbId, paths: Sequence[str], token: CancelToken) -> None:
        """Take files out with every trace of their text, also those that a run is at work on."""
        for start in range(0, len(paths), _FORGOTTEN_TOGETHER):
            token.check()
            with self._turns.step:
                self._catalog.files.remove(kb, paths[start : start + _FORGOTTEN_TOGETHER])
                if self._indexes is not None:
                    self._indexes.of(kb).sync()

    def _queue(self, aim: ReconcileTask) -> list[str]:
        """Return what waits to be read, beside other runs only of this one's targets.

        What is no longer followed is dropped: something may have been taken out since the look.
        """
        scope, waiting = self.scope(aim.kb), self._catalog.files.queued(aim.kb)
        dropped = {path for path in waiting if not scope.covers(path)}
        if dropped:
            self._catalog.files.remove(aim.kb, list(dropped))
        kept = [path for path in waiting if path not in dropped]
        if not self._turns.is_shared(aim.kb):
            return kept
        return [path for path in kept if any(is_at_or_below(path, each) for each in aim.targets)]


@dataclass(frozen=True, slots=True)
class _Job:
    """What a run works on, and with."""

    kb: KbId
    scope: Scope
    tools: ParseContext
    turns: RunCoordinator
    recognition: RecognitionStage | None = None


class _Run:
    """One update's state: its files, those it put off, and its count of outcomes."""

    def __init__(self, job: _Job, snapshot: IndexWriter, token: CancelToken) -> None:
        self._job = job
        job.turns.begin(job.kb)
        self._snapshot = snapshot
        self._token = token
        self.tally = ProgressEstimator(partial(job.tools.reach.sizes, token=token))
        self.has_known = self._must_rest = False
        self._batch: list[Prepared] = []
        self._hopeless: UnusableContents = {}
        self._young: dict[str, FileStamp] = {}
        self._mine, self._theirs, self._later = set[str](), list[str](), list[str]()
        self._contents: dict[str, RecognizedContent] = {}
        waiting = job.recognition.waiting() if job.recognition is not None else []
        self._unread = {each.path for each in waiting}
        self._held: dict[str, FileDone] = {}

    def counted(self, event: Event) -> Event:
        """Count a file's outcome on its way up."""
        if isinstance(event, FileDone):
            self.tally.count(event)
        return event

    def told(self, event: Event) -> Iterator[Event]:
        """Pass an outcome on and count it, but not that of a file whose pages are recognised yet.

        That is told when they are.
        """
        if isinstance(event, FileDone) and event.path in self._unread:
            self._held[event.path] = event
        else:
            yield self.counted(event)

    def catch_up(self) -> Iterator[Event]:
        """Embed what only another model has embedded."""
        yield from self._snapshot.catch_up(self._token)

    def work(self, waiting: list[str]) -> Iterator[Event]:
        """Read the waiting files; those that don't keep still are taken again after a rest."""
        self.tally.expect(waiting)
        for left in reversed(range(_ROUNDS)):
            yield from self._round(waiting, is_patient=left > 0)
            yield from self._await_others()
            changed = self._restless()
            waiting, self._later = [*self._later, *changed], []
            if not waiting:
                return
            if changed or self._must_rest:
                self._token.wait(_REST)
            self._must_rest = False

    def recognize(self, queue: Callable[[], list[str]]) -> Iterator[Event]:
        """Recognise the pages that hold no text; files that come meanwhile are read first."""
        if self._job.recognition is None:
            return
        for step in self._job.recognition.steps(self._token):
            if isinstance(step, RecognizedContent):
                yield from self._read_recognized(step)
            else:
                yield self.tally.recognizing(name_of(step.path), step.number, step.total)
            if waiting := queue():
                yield from self.work(waiting)
        self._unread.clear()
        yield from map(self.counted, self._held.values())
        self._held.clear()

    def _read_recognized(self, content: RecognizedContent) -> Iterator[Event]:
        """Read a file with what was recognised on its pages."""
        self._contents[content.path] = content
        self._unread.discard(content.path)
        self._held.pop(content.path, None)
        yield from self._round([content.path], is_patient=False)
        yield from self._await_others()
        known = self._job.tools.catalog.recognized
        if any(each.path == content.path for each in known.waiting(self._job.kb)):
            known.note_tried(content.content_hash)

    def close(self) -> None:
        """Give back the files that were claimed."""
        self._job.turns.end(self._job.kb, self._mine)

    def _round(self, waiting: Sequence[str], *, is_patient: bool) -> Iterator[Event]:
        job, hopeless = self._job, self._hopeless
        wanted_first = partial(job.tools.catalog.choices.wanted_first, job.kb)
        claimed = self._claimed(FileQueue(waiting, wanted_first))
        with ParseStage(
            job.tools, job.kb, claimed, hopeless, is_patient=is_patient, contents=self._contents
        ) as intake:
            while True:
                self._token.check()
                taken = intake.take(0.0 if self._batch else _GLANCE)
                if taken is None and not self._batch:
                    if intake.is_done:
                        return
                    yield self.tally.progress("parse", name_of(intake.current))
                if isinstance(taken, Prepared):
                    self._batch.append(taken)
                elif taken is not None:
                    yield from self._settled(taken)
                if self._batch and (taken is None or self._is_full()):
                    yield from self._flush()

    def _claimed(self, waiting: Iterable[str]) -> Iterator[str]:
        """Yield the files that no other run is at work on, and that nobody took out meanwhile."""
        for path in waiting:
            if self._job.tools.catalog.files.get(self._job.kb, path) is None:
                continue
            if self._job.turns.claim(self._job.kb, path):
                self._mine.add(path)
                self.tally.expect_also(path)
                yield path
            else:
                self._theirs.append(path)

    def _is_full(self) -> bool:
        return sum(len(each.document.chunks) for each in self._batch) >= _BATCH

    def _flush(self) -> Iterator[Event]:
        """Embed the batch and store its files."""
        require_disk_space(self._job.tools.catalog.database.path.parent)
        batch, self._batch = self._batch, []
        name = name_of(batch[-1].read.path)
        vectors: dict[str, HalfVector] = {}
        for ahead in self._snapshot.embed(batch, vectors, self._token):
            yield self.tally.progress("embed", name, ahead=ahead)
        for prepared in batch:
            self._token.check()
            done = self._snapshot.store(prepared, vectors)
            self._note_unread(prepared.read, prepared.unread_pages)
            yield from self._finished(done, prepared.read)
        self._snapshot.sync()

    def _settled(self, taken: StageResult) -> Iterator[Event]:
        """Put what needs no embedding where it belongs."""
        if isinstance(taken, Prepared):
            self._batch.append(taken)
        elif isinstance(taken, PreparedLong):
            yield from self._stored(taken)
        elif isinstance(taken, Deferred):
            self._put_off(taken)
        elif isinstance(taken, Unreached):
            self._give_back(taken.path)
            yield self.counted(FileDone(taken.path, FileStatus.TIMEOUT, taken.reason))
        elif isinstance(taken, Gone):
            self._give_back(taken.path)
            reach, around = self._job.tools.reach, self._job.scope.around(taken.path)
            if not any(
                reach.is_away(each.path, self._token, is_folder=each.is_folder) for each in around
            ):
                yield self.counted(self._snapshot.forget(taken.path))
        elif isinstance(taken, KnownContent):
            self.has_known = True
            attached = self._snapshot.attach(taken)
            if isinstance(attached, Deferred):
                self._put_off(attached)
            else:
                yield from self._finished(attached, taken.read)
        else:
            done = self._snapshot.record(taken)
            self._note_unread(taken.read, taken.unread_pages)
            yield from self._finished(done, taken.read)

    def _stored(self, long: PreparedLong) -> Iterator[Event]:
        """Embed and store a long file in pieces, once nothing else is held."""
        if self._batch:
            yield from self._flush()
        storing, name = (
            LongDocumentWriter(long, self._job.tools, self._snapshot),
            name_of(long.read.path),
        )
        steps = storing.store(self._token)
        while True:
            try:
                done = next(steps)
            except StopIteration as end:
                made: FileDone | Unusable | None = end.value
                break
            yield self.tally.progress("embed", name, ahead=done)
        if isinstance(made, Unusable):
            made = self._snapshot.record(made)
        self._note_unread(long.read, long.document.head.unread_pages)
        yield from self._finished(made, long.read)
        self._snapshot.sync()

    def _note_unread(self, read: FileRead, pages: Sequence[int]) -> None:
        """Have pages recognised later, unless that was tried just now."""
        if not pages or read.stamp is None:
            return
        content = self._contents.get(read.path)
        if content is not None and content.content_hash == read.stamp.content_hash:
            return
        self._job.tools.catalog.recognized.note_unread(read.stamp.content_hash, pages)
        if self._job.recognition is not None:
            self._unread.add(read.path)

    def _put_off(self, later: Deferred) -> None:
        self._must_rest |= later.is_restless
        self._give_back(later.path)
        self._later.append(later.path)

    def _give_back(self, path: str) -> None:
        self._mine.discard(path)
        self._job.turns.release(self._job.kb, [path])

    def _finished(self, done: FileDone | None, read: FileRead) -> Iterator[Event]:
        """Report a file, unless somebody took it out meanwhile."""
        self._give_back(read.path)
        if done is None:
            return
        if read.stamp is not None and time.time() - read.stamp.mtime_ns / 1e9 < _YOUNG:
            self._young[read.path] = read.stamp
        yield from self.told(done)
        yield self.tally.progress("store", name_of(done.path))

    def _restless(self) -> list[str]:
        """Return the files that were written to since they were read."""
        young, self._young = self._young, {}
        changed = []
        for path, stamp in young.items():
            try:
                now = self._job.tools.reach.look(path, self._token)
            except FileProblem:
                continue
            if now is not None and (now.size, now.mtime_ns) != (stamp.size, stamp.mtime_ns):
                changed.append(path)
        return self._snapshot.enqueue(changed)

    def _await_others(self) -> Iterator[Event]:
        """Report the files that another run was at work on, once it is done with them."""
        theirs, self._theirs = self._theirs, []
        for path in theirs:
            while self._job.turns.is_claimed(self._job.kb, path):
                self._token.check()
                self._token.wait(0.1)
            row = self._job.tools.catalog.files.get(self._job.kb, path)
            if row is not None and row.status is FileStatus.QUEUED:
                self._later.append(path)
            elif row is not None:
                yield self.counted(file_done(row, is_new=False))
