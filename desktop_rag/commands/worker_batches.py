"""One worker's share of a folder that several read onto a server: claim some files, read, send.

While it sends what was read, it reads the next. It ends when nobody has anything left to read: what
others are at work on it waits for, and takes over what the dead among them leave.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace

from msgspec import structs

from desktop_rag.catalog.shares import SharedContent
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.events import Event, FileDone, IndexDone, IndexProgress, Notice
from desktop_rag.core.filesystem import FileInfo, is_at_or_below
from desktop_rag.core.types import FileStatus
from desktop_rag.core.unicode import stored_path
from desktop_rag.indexing.progress_estimate import name_of
from desktop_rag.indexing.scratch_indexer import ScratchIndexer
from desktop_rag.sharing.leases import Leases
from desktop_rag.sharing.row_sender import RowSender, author
from desktop_rag.sharing.shared_folder import FileTask, SharedFolder, is_current
from desktop_rag.sharing.shared_rows import SharedFile, digest
from desktop_rag.sharing.shared_store import SharedStore

_GLANCE = 0.25  # seconds between looks at what is being sent
_AGAIN = 1.0  # seconds between looks at what others are at work on
_FILES = 64  # of a batch
_BYTES = 2_000_000  # of a batch, about
_SHARES = 8  # of what is left, a batch takes no more than one of so many: all end at one time
_MANY = 2000  # files, of which there are several batches in any case
_OVERHEAD = 20_000  # bytes that take as long to read as a file's opening
_WENT = "The file is no longer there."


@dataclass(frozen=True, slots=True)
class WorkerTools:
    """What a worker reads with and sends with."""

    store: SharedStore
    leases: Leases
    scratch: ScratchIndexer
    sender: RowSender
    worker: str


@dataclass(frozen=True, slots=True)
class _Read:
    """A batch that was read: its files by path, what became of each, and those that went."""

    tasks: Mapping[str, FileTask]
    told: Mapping[str, FileDone]
    removals: Sequence[FileTask]


@dataclass(slots=True)
class _Waiting:
    """What is still to be read: `free` as far as is known, or `held` by others when last seen."""

    free: deque[FileTask] = field(default_factory=deque)
    held: deque[FileTask] = field(default_factory=deque)

    def __len__(self) -> int:
        return len(self.free) + len(self.held)

    def batch(self) -> list[FileTask]:
        """Take some files; those that others have only when no others are left."""
        line = self.free or self.held
        left = sum(map(_cost, line)) if len(line) < _MANY else _BYTES * _SHARES
        limit = min(_BYTES, left / _SHARES)
        taken: list[FileTask] = []
        while line and len(taken) < _FILES:
            if taken and sum(map(_cost, taken)) + _cost(line[0]) > limit:
                break
            taken.append(line.popleft())
        return taken


class FolderWorker:
    """One worker at one folder; `run` it once."""

    def __init__(self, tools: WorkerTools, folder: SharedFolder, token: CancelToken) -> None:
        self._tools = tools
        self._folder = folder
        self._token = token
        self._waiting = _Waiting()
        self._whole: set[str] = set()
        self._lost: dict[str, float] = {}
        self._known: dict[str, SharedFile] = {}
        self._has_written = False
        self._counts: Counter[str] = Counter()
        self._chunks = self._total = 0
        self._began = time.monotonic()

    def run(self) -> Iterator[Event]:
        """Yield an outcome for each file that this worker read or took out, `IndexDone` last."""
        yield self._progress("scan")
        seen = self._tools.scratch.survey(self._folder.root, self._token)
        yield from seen.events
        files, recipe = list(seen.files.values()), self._tools.scratch.recipe
        self._compare(files, seen.unseen)
        try:
            yield from self._work()
        finally:
            self._tools.leases.abandon()
        names = self._folder.names(files, recipe)
        is_alone = self._tools.leases.sweep(names)
        if is_alone and self._has_written:  # of those who end together the last does it
            self._delete_documents()
        yield IndexDone(dict(self._counts), self._chunks, time.monotonic() - self._began)

    def _compare(self, files: Sequence[FileInfo], unseen: Sequence[str]) -> None:
        """Find out what is to be done."""
        folder, recipe = self._folder, self._tools.scratch.recipe
        records = self._tools.store.records()
        self._known = {each.path: each for each in records.files if each.writer == folder.writer}
        lost = self._tools.store.lacking(records.documents)
        self._lost = {key: records.documents[key].written for key in lost}
        there = {key: row for key, row in records.documents.items() if key not in lost}
        self._whole = {key for key, row in there.items() if row.whole}
        tasks = folder.tasks(files, replace(records, documents=there), recipe)
        if len(tasks) < len(files):
            self._counts[FileStatus.UNCHANGED.value] += len(files) - len(tasks)
        tasks += [
            folder.removal(row, recipe)
            for row in folder.missing(files, records)
            if self._has_gone(row, unseen)
        ]
        failed = self._tools.leases.failed
        self._counts.update(row.status for task in tasks if (row := failed.get(task.name)))
        wanted = [task for task in tasks if task.name not in failed]
        self._waiting.free.extend(sorted(wanted, key=self._order))
        self._total = len(wanted)

    def _order(self, task: FileTask) -> tuple[int, str]:
        """Order by size, large first, that none is left when the others end; then by worker."""
        size = 0 if task.info is None else task.info.size
        return -size.bit_length(), digest(self._tools.worker, task.name)

    def _has_gone(self, row: SharedFile, unseen: Sequence[str]) -> bool:
        """Say whether a file that was not found is there no more: it may be excluded here."""
        path = self._folder.path_here(row.path)
        if path is None:
            return True
        if any(is_at_or_below(path, each) for each in unseen):
            return False
        try:
            return self._tools.scratch.reach.look(path, self._token) is None
        except FileProblem:
            return False

    def _work(self) -> Iterator[Event]:
        """Read batch after batch; each is sent while the next is read."""
        sending: Future[list[FileDone]] | None = None
        with ThreadPoolExecutor(1, "sender") as sender:
            while self._waiting or sending is not None:
                self._token.check()
                batch = self._claimed()
                made = (yield from self._read(batch)) if batch else None
                if sending is not None:
                    yield from self._sent(sending)
                    sending = None
                if made is not None:
                    sending = sender.submit(self._send, made)
                elif not batch and self._waiting:
                    self._token.wait(_AGAIN)

    def _claimed(self) -> list[FileTask]:
        """Return files that are this worker's now; none where others have all that are left."""
        while self._waiting:
            is_last = not self._waiting.free
            batch = self._unread(self._waiting.batch())
            won = self._tools.leases.claim([each.name for each in batch])
            failed = self._tools.leases.failed
            lost = [each for each in batch if each.name not in won and each.name not in failed]
            self._waiting.held.extend(lost)
            mine = [each for each in batch if each.name in won]
            todo = self._unread(mine)  # who had one may have been done between look and claim
            done = {each.name for each in mine} - {each.name for each in todo}
            self._tools.leases.give_back(done)
            if todo or (is_last and lost):
                return todo
        return []

    def _unread(self, tasks: Sequence[FileTask]) -> list[FileTask]:
        """Return those that the server does not have by now."""
        if not tasks:
            return []
        now = self._tools.store.records_of(self._folder.writer, [each.path for each in tasks])
        rows = {each.path: each for each in now.files}
        self._known |= rows
        lost = self._lost
        documents = {k: row for k, row in now.documents.items() if lost.get(k) != row.written}
        recipe = self._tools.scratch.recipe
        return [
            task for task in tasks if not is_current(task, rows.get(task.path), documents, recipe)
        ]

    def _read(self, batch: Sequence[FileTask]) -> Generator[Event, None, _Read]:
        """Read some files into the scratch catalog."""
        tasks = {each.info.path: each for each in batch if each.info is not None}
        told: dict[str, FileDone] = {}
        for event in self._tools.scratch.read(list(tasks), self._token) if tasks else ():
            if isinstance(event, FileDone):
                told[event.path] = event
            elif isinstance(event, Notice):
                yield event
            elif isinstance(event, IndexProgress):
                yield self._progress(event.stage, event.current, event.chunks)
        return _Read(tasks, told, [each for each in batch if each.info is None])

    def _send(self, made: _Read) -> list[FileDone]:
        """Write a batch onto the server, and give its leases up; return what is to be told.

        Runs in the sender's thread.
        """
        tools = self._tools
        contents = tools.scratch.contents()
        found = {path: contents.get(stored_path(path)) for path in made.tasks}
        ready = {path: content for path, content in found.items() if content is not None}
        rows = self._put([replace(ready[p], path=made.tasks[p].path) for p in ready])
        failed = {p: each for p, each in made.told.items() if p not in ready and self._is_final(p)}
        self._withdraw(
            [*(made.tasks[path].path for path in failed), *(r.path for r in made.removals)]
        )
        tools.leases.fail({made.tasks[p].name: (e.status, e.reason) for p, e in failed.items()})
        tools.leases.give_back(each.name for each in (*made.tasks.values(), *made.removals))
        tools.scratch.forget(list(made.tasks), self._token)
        sent = {each.path for each in rows}
        told = [e for p, e in made.told.items() if p not in ready or made.tasks[p].path in sent]
        return told + [
            FileDone(self._local(each), FileStatus.DELETED, _WENT) for each in made.removals
        ]

    def _put(self, group: Sequence[SharedContent]) -> list[SharedFile]:
        """Write documents and files' rows; return the rows."""
        sending = self._tools.sender.send(group, self._whole)
        while True:
            self._token.check()
            try:
                next(sending)
            except StopIteration as end:
                rows: list[SharedFile] = end.value
                break
        self._has_written |= bool(rows)
        return rows

    def _withdraw(self, paths: Sequence[str]) -> None:
        """Say on the server of files that they went, or have no text any more."""
        there = [row for path in paths if (row := self._known.get(path)) and not row.removed]
        now = time.time()
        gone = [structs.replace(row, removed=True, author=author(), written=now) for row in there]
        if gone:
            self._tools.store.put_files(gone)
            self._has_written = True

    def _is_final(self, path: str) -> bool:
        """Say whether a file can't be read as it is; one that nobody could look at waits."""
        row = self._tools.scratch.row(path)
        return row is not None and row.status is not FileStatus.QUEUED

    def _local(self, task: FileTask) -> str:
        return self._folder.path_here(task.path) or task.path

    def _sent(self, sending: Future[list[FileDone]]) -> Iterator[Event]:
        """Yield what became of the files of a batch, once they are on the server."""
        while not sending.done():
            self._token.check()
            wait([sending], _GLANCE)
        for each in sending.result():
            self._counts[each.status.value] += 1
            self._chunks += each.chunks if each.status is FileStatus.READY else 0
            yield each
            yield self._progress("store", name_of(each.path))

    def _delete_documents(self) -> None:
        """Delete the documents that workers wrote and no file has any more.

        Nobody is at work: else a document could be one whose file's row is about to be written.
        """
        records = self._tools.store.records()
        live = records.live()
        for key, row in records.documents.items():
            self._token.check()
            if key not in live and row.writer == self._folder.writer:
                self._tools.store.delete_document(key, row)

    def _progress(self, stage: str, current: str = "", chunks: int = 0) -> IndexProgress:
        """Return how far it is: what others read counts as done when it is seen to be."""
        total, elapsed = self._total, time.monotonic() - self._began
        done = total - len(self._waiting) - len(self._tools.leases.held)
        chunks += self._chunks
        rate = chunks / elapsed if elapsed > 0 else 0.0
        return IndexProgress(done, total, current, stage, chunks, rate, None)


def _cost(task: FileTask) -> int:
    """Return about how much work a file is, in bytes."""
    return _OVERHEAD + (0 if task.info is None else task.info.size)
