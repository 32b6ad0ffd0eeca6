"""Chroma's folders, held by a process of their own: how it is started, asked and ended.

Chroma keeps Python's lock while it writes, takes a second to import, and may crash its process
over a damaged file. There it costs neither the window's frames nor anybody's answer: a process
that ended is started again, and what it held is compared with the catalog. Requests and replies
are bytes of known form over a pipe, which nobody else can reach; a reply is never unpickled.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.phrases import load
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.chroma import Metadata, Vector
from desktop_rag.index.chroma_worker import (
    READY,
    REMEDY,
    Reply,
    Request,
    pack_floats,
    pack_numbers,
    serve,
    unpack_ids,
    unpack_scores,
)

_log = logging.getLogger(__name__)
_ROWS = 100  # of one request, half as slow as four of 25; a search waits for one such at most
_ASKED_AT_ONCE = 10  # vectors of one request
_REST = 0.002  # seconds after each request of a writer, and while searches wait
_MOST_RESTS = 500  # for which a writer lets searches go first
_LOCK_SECONDS = 15.0  # for which a process waits until the one before has let go
_START_METHOD: Literal["spawn"] = (
    "spawn"  # a fork would have this process's memory, and its threads' locks
)
_START_SECONDS = 45.0
_ANSWER_SECONDS = 120.0  # longer than any request takes on a slow disk
_SEARCH_SECONDS = 30.0
_WRITTEN_PER_SECOND = 4e6  # bytes, on a slow disk
_TURN_SECONDS = 2.0  # for which a search waits for its turn: vectors are compared as well meanwhile
_END_SECONDS = 20.0
_PAUSE_SECONDS = 60.0  # after a start that failed


class ChromaNotStarted(UserError):
    """There is no process that could hold an index: vectors are compared instead."""


class ChromaBusy(UserError):
    """The process is at other work: vectors are compared instead."""


class ChromaEnded(StoreDamaged):
    """The process ended, or did not answer, while it held an index: its files may be damaged.

    `is_bystander` says that it was asked something else when it ended.
    """

    def __init__(self, *, is_bystander: bool) -> None:
        super().__init__("The process of the vector index ended.", REMEDY)
        self.is_bystander = is_bystander


class ChromaProcess:
    """The process that holds the Chroma folders of a data folder; started when first asked.

    Any thread may ask; requests are answered one after the other, and searches come first. `lock`
    is a file that the process holds while it lives: one that outlives its parent lets the next one
    wait, up to `lock_seconds`.
    """

    def __init__(self, lock: Path, lock_seconds: float = _LOCK_SECONDS) -> None:
        self._lock_file = lock
        self._lock_seconds = lock_seconds
        self._asking = threading.Lock()
        self._counting = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._number = 0  # of the process: what another one held is not open in this one
        self._searches = 0  # that wait for their turn
        self._held: set[str] = set()  # folders that the process has open
        self._failed_at: float | None = None
        self._is_closed = False
        self._never = threading.Event()  # `time.sleep` fails where a drill sets the clock back

    def open(self, folder: Path) -> ChromaFolder:
        """Open the index in a folder, made when it is empty.

        Raises `StoreDamaged` if it can't be read, `ChromaNotStarted` if there is no process.
        """
        with self._asking:
            if self._process is None or not self._process.is_alive():
                self._start()
            number = self._number
            self._reply(number, Request("open", str(folder)), _ANSWER_SECONDS)
            self._held.add(str(folder))
        return ChromaFolder(self, folder, number)

    def rest(self) -> None:
        """End the process where it holds no folder; the next `open` starts one."""
        with self._asking:
            if not self._held and self._process is not None and self._pipe is not None:
                self._pipe.close()
                self._process.join(_END_SECONDS)
                self._stop()

    def ask(self, number: int, request: Request) -> Reply:
        """Return the reply of the process `number`; `StoreDamaged` says why there is none."""
        for _ in range(_MOST_RESTS):
            if not self._searches:
                break
            self._never.wait(_REST)
        with self._asking:
            reply = self._reply(number, request, _seconds_of(request))
            if request.verb == "close":
                self._held.discard(request.folder)
            return reply

    def search(self, number: int, request: Request) -> Reply:
        """Return the reply to a search; `ChromaBusy` where its turn does not come."""
        if number != self._number:
            raise ChromaEnded(is_bystander=True)
        with self._counting:
            self._searches += 1
        try:
            has_turn = self._asking.acquire(timeout=_TURN_SECONDS)
        finally:
            with self._counting:
                self._searches -= 1
        if not has_turn:
            raise ChromaBusy("The vector index is at other work.", retryable=True)
        try:
            return self._reply(number, request, _SEARCH_SECONDS)
        finally:
            self._asking.release()

    def close(self) -> None:
        """End the process; it closes what it holds."""
        self._is_closed = True
        has_turn = self._asking.acquire(timeout=_END_SECONDS)
        try:
            if has_turn and self._process is not None and self._pipe is not None:
                self._pipe.close()
                self._process.join(_END_SECONDS)
            self._stop()
        finally:
            if has_turn:
                self._asking.release()

    def _reply(self, number: int, request: Request, seconds: float) -> Reply:
        import msgspec

        pipe = self._pipe
        if number != self._number or pipe is None:
            raise ChromaEnded(is_bystander=True)
        try:
            with self._limited(seconds):
                pipe.send_bytes(msgspec.msgpack.encode(request))
                reply = msgspec.msgpack.decode(pipe.recv_bytes(), type=Reply)
        except (OSError, EOFError, msgspec.MsgspecError) as error:
            self._stop()
            raise ChromaEnded(is_bystander=False) from error
        except BaseException:  # as Ctrl-C: the next request would get this one's reply
            self._stop()
            raise
        if reply.trace:
            _log.error("in Chroma's process:\n%s", reply.trace)
        if reply.what:
            raise StoreDamaged(load(reply.what), load(reply.remedy))
        return reply

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """Kill the process when its time is over: who sends to it, or hears it, waits no more."""
        process = self._process
        if process is None:
            raise EOFError
        timer = threading.Timer(seconds, _kill, (process,))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _start(self) -> None:
        """Start a process, and wait until it answers."""
        self._stop()
        failed = self._failed_at
        if self._is_closed or (failed and time.monotonic() - failed < _PAUSE_SECONDS):
            raise _not_started()
        self._failed_at = time.monotonic()
        context = multiprocessing.get_context(_START_METHOD)
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve,
            args=(theirs, str(self._lock_file), self._lock_seconds),
            name="chroma",
            daemon=True,
        )
        try:
            process.start()
        except BaseException as error:
            ours.close()
            if isinstance(error, OSError):
                raise _not_started() from error
            raise
        finally:
            theirs.close()
        self._process, self._pipe = process, ours
        self._number += 1
        try:
            with self._limited(self._lock_seconds + _START_SECONDS):
                said = ours.recv_bytes()
        except (OSError, EOFError) as error:
            self._stop()
            raise _not_started() from error
        if said != READY:
            self._stop()
            raise _not_started()
        self._failed_at = None

    def _stop(self) -> None:
        """Kill the process if it lives, and forget it."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        self._held.clear()
        if process is not None:
            _kill(process)
            process.join(_END_SECONDS)
            if process.exitcode is not None:
                process.close()
        if pipe is not None:  # last: whoever hears it in another thread is told by the end above
            pipe.close()


class ChromaFolder:
    """The index in one folder, as `ChromaIndex`, in the process `number`.

    Raises `ChromaEnded` once that process has ended.
    """

    def __init__(self, process: ChromaProcess, folder: Path, number: int) -> None:
        self._process = process
        self._folder = str(folder)
        self._number = number
        self._never = threading.Event()

    def add(self, records: Iterable[VectorRecord], *, is_new: bool = False) -> int:
        """Add chunks that are not there yet; return how many came; see `ChromaIndex.add`."""
        count = 0
        source = iter(records)
        while batch := list(islice(source, _ROWS)):
            count += len(batch)
            self._ask(
                "add",
                ids=pack_numbers([each.chunk_id for each in batch]),
                documents=pack_numbers([each.document_id for each in batch]),
                vectors=pack_floats([each.vector for each in batch]),
                texts=[each.text for each in batch],
                metadata=[each.metadata for each in batch],
                is_new=is_new,
            )
            self._never.wait(_REST)
        return count

    def update(self, places: Mapping[ChunkId, Metadata]) -> None:
        """Give chunks other metadata."""
        ids = list(places)
        for start in range(0, len(ids), _ROWS):
            some = ids[start : start + _ROWS]
            metadata = [dict(places[each]) for each in some]
            self._ask("update", ids=pack_numbers(some), metadata=metadata)
            self._never.wait(_REST)

    def delete(self, ids: Sequence[ChunkId]) -> None:
        """Take chunks out; those that are not there do not matter."""
        for start in range(0, len(ids), _ROWS):
            self._ask("delete", ids=pack_numbers(ids[start : start + _ROWS]))
            self._never.wait(_REST)

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> list[tuple[ChunkId, float]]:
        """Return up to `k` chunks and their cosine similarity, best first.

        Raises `ChromaBusy` where its turn does not come soon.
        """
        among = None if documents is None else pack_numbers(documents)
        request = Request("nearest", self._folder, b"", among, pack_floats([vector]), k)
        reply = self._process.search(self._number, request)
        with _well_formed():
            return list(zip(unpack_ids(reply.ids), unpack_scores(reply.numbers), strict=True))

    def count(self) -> int:
        """Return how many vectors Chroma believes to have; a query may reach fewer."""
        reply = self._ask("count")
        with _well_formed():
            return unpack_ids(reply.ids)[0]

    def ids(self) -> set[ChunkId]:
        """Return the chunks that Chroma believes to have."""
        reply = self._ask("ids")
        with _well_formed():
            return set(unpack_ids(reply.ids))

    def vectors(self, ids: Sequence[ChunkId]) -> dict[ChunkId, npt.NDArray[np.float32]]:
        """Return the vectors that Chroma has of some chunks."""
        found: dict[ChunkId, npt.NDArray[np.float32]] = {}
        for start in range(0, len(ids), _ROWS):
            reply = self._ask("vectors", ids=pack_numbers(ids[start : start + _ROWS]))
            with _well_formed():
                names = unpack_ids(reply.ids)
                rows = np.frombuffer(reply.numbers, "<f4").reshape(len(names) or 1, -1)
                found |= dict(zip(names, rows, strict=False))
        return found

    def reach(self, sample: Iterable[Vector]) -> float:
        """Return the share of these vectors that a query with each of them finds."""
        asked = list(sample)
        found = 0.0
        for start in range(0, len(asked), _ASKED_AT_ONCE):
            some = asked[start : start + _ASKED_AT_ONCE]
            reply = self._ask("reach", vectors=pack_floats(some), k=len(some))
            with _well_formed():
                found += unpack_scores(reply.numbers)[0] * len(some)
        return found / len(asked) if asked else 1.0

    def probe(self, dimensions: int) -> None:
        """Ask much of it: what is damaged beyond reading shows, at the price of the process."""
        self._ask("probe", k=dimensions)

    def erase_deleted(self) -> None:
        """Take the text of chunks that were deleted out of the files; see `ChromaIndex`."""
        self._ask("erase_deleted")

    def scrub(self, most: int | None) -> None:
        """Empty the room in the graphs; see `ChromaIndex`."""
        self._ask("scrub", k=-1 if most is None else most)

    def close(self) -> bool:
        """Let go of the files; return whether they are as a clean end leaves them."""
        try:
            self._ask("close")
        except StoreDamaged:
            return False
        return True

    def _ask(self, verb: str, **arguments: Any) -> Reply:
        return self._process.ask(self._number, Request(verb, self._folder, **arguments))


def _seconds_of(request: Request) -> float:
    """Return how long a request may take; rewriting a large folder takes as long as it is large."""
    if request.verb != "erase_deleted":
        return _ANSWER_SECONDS
    size = sum(file.stat().st_size for file in Path(request.folder).glob("*") if file.is_file())
    return _ANSWER_SECONDS + size / _WRITTEN_PER_SECOND


def _kill(process: BaseProcess) -> None:
    with suppress(ValueError):  # it was closed
        process.kill()


def _not_started() -> ChromaNotStarted:
    return ChromaNotStarted(
        "The process that holds the vector index could not be started.",
        "Searches compare every vector until it can; look for memory and for another Desktop RAG.",
        retryable=True,
    )


@contextmanager
def _well_formed() -> Iterator[None]:
    """Raise `StoreDamaged` for a reply that is none."""
    try:
        yield
    except (ValueError, IndexError, ZeroDivisionError) as error:
        raise StoreDamaged("The vector index cannot be read.", REMEDY) from error
