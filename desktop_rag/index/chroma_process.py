"""Chroma's folders, held by a process of their own: what asks it, and the process itself.

Chroma keeps Python's lock while it writes, takes a second to import, and may crash its process
over a damaged file. There it costs neither the window's frames nor anybody's answer: a process
that ended is started again, and what it held is compared with the catalog. Requests and replies
are bytes of known form over a pipe, which nobody else can reach; a reply is never unpickled.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout

from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.phrases import Phrase, dump, load
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.chroma import ChromaIndex, Rows

_ROWS = 100  # of one request: some 25 ms, for which a search waits
_REST = 0.002  # seconds after each, so that a search that waits comes first
_START_SECONDS = 60.0
_ANSWER_SECONDS = 120.0  # longer than any request takes on a slow disk
_END_SECONDS = 20.0
_REMEDY = "It can be rebuilt."
_READY = b"ready"
_BUSY = b"busy"


class ChromaNotStarted(UserError):
    """There is no process that could hold an index: vectors are compared instead."""


class ChromaEnded(StoreDamaged):
    """The process ended, or did not answer, while it held an index: its files may be damaged."""


@dataclass(frozen=True, slots=True)
class _Request:
    """What a folder's index is asked: a method of `ChromaIndex` and its arguments.

    `ids` and `documents` are int64 numbers, `vectors` float32, as bytes.
    """

    verb: str
    folder: str
    ids: bytes = b""
    documents: bytes | None = None
    vectors: bytes = b""
    k: int = 0
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Reply:
    """What came of it: int64 `ids`, float64 `numbers`; or `what` is damaged, with its remedy."""

    ids: bytes = b""
    numbers: bytes = b""
    what: str = ""
    remedy: str = ""


class ChromaProcess:
    """The process that holds the Chroma folders of a data folder; started when first asked.

    Any thread may ask; requests are answered one after the other. `lock` is a file that the
    process holds while it lives: one that outlives its parent lets the next one wait, up to
    `seconds`.
    """

    def __init__(self, lock: Path, seconds: float = _START_SECONDS) -> None:
        self._lock_file = lock
        self._seconds = seconds
        self._asking = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._number = 0

    @property
    def number(self) -> int:
        """How many processes were started until now: what another one held is not open in this."""
        return self._number

    def open(self, folder: Path) -> ChromaFolder:
        """Open the index in a folder, made when it is empty.

        Raises `StoreDamaged` if it can't be read, `ChromaNotStarted` if there is no process.
        """
        with self._asking:
            if self._process is None or not self._process.is_alive():
                self._start()
            number = self._number
        opened = ChromaFolder(self, folder, number)
        self.ask(number, _Request("open", str(folder)))
        return opened

    def ask(self, number: int, request: _Request) -> _Reply:
        """Return the reply of the process `number`; `StoreDamaged` says why there is none."""
        import msgspec

        with self._asking:
            if number != self._number or self._pipe is None:
                raise ChromaEnded("The process of the vector index ended.", _REMEDY)
            try:
                self._pipe.send_bytes(msgspec.msgpack.encode(request))
                raw = self._receive(self._pipe, _ANSWER_SECONDS)
                reply = msgspec.msgpack.decode(raw, type=_Reply)
            except (OSError, EOFError, msgspec.MsgspecError) as error:
                code = self._stop()
                told = Phrase("The process of the vector index ended ({0}).", str(code))
                raise ChromaEnded(told, _REMEDY) from error
        if reply.what:
            raise StoreDamaged(load(reply.what), load(reply.remedy))
        return reply

    def close(self) -> None:
        """End the process; it closes what it holds."""
        with self._asking:
            process, pipe = self._process, self._pipe
            if process is not None and pipe is not None:
                pipe.close()
                process.join(_END_SECONDS)
                self._stop()

    def _start(self) -> None:
        """Start a process, and wait until it answers."""
        self._stop()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve,
            args=(theirs, str(self._lock_file), self._seconds),
            name="chroma",
            daemon=True,
        )
        try:
            process.start()
        except OSError as error:
            ours.close()
            raise _not_started() from error
        finally:
            theirs.close()
        self._process, self._pipe = process, ours
        self._number += 1
        try:
            said = self._receive(ours, self._seconds + _START_SECONDS)
        except (OSError, EOFError) as error:
            self._stop()
            raise _not_started() from error
        if said != _READY:
            self._stop()
            raise _not_started()

    def _receive(self, pipe: Connection, seconds: float) -> bytes:
        if not pipe.poll(seconds):
            raise EOFError
        return pipe.recv_bytes()

    def _stop(self) -> int | None:
        """Kill the process if it lives, and forget it; return how it ended."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if process is None:
            return None
        process.kill()
        process.join(_END_SECONDS)
        code = process.exitcode
        if code is not None:
            process.close()
        return code


class ChromaFolder:
    """The index in one folder, as `ChromaIndex`, in the process `number`.

    Raises `ChromaEnded` once that process has ended.
    """

    def __init__(self, process: ChromaProcess, folder: Path, number: int) -> None:
        self._process = process
        self._folder = str(folder)
        self._number = number
        self._never = threading.Event()  # `time.sleep` fails where a drill sets the clock back

    def add(self, rows: Rows, *, is_new: bool = False) -> int:
        """Add vectors that are not there yet; return how many rows came; see `ChromaIndex.add`."""
        count = 0
        source = iter(rows)
        while batch := list(islice(source, _ROWS)):
            count += len(batch)
            self._ask(
                "add",
                ids=_numbers([row[0] for row in batch]),
                documents=_numbers([row[1] for row in batch]),
                vectors=np.stack([row[2] for row in batch]).astype("<f4").tobytes(),
                is_new=is_new,
            )
            self._never.wait(_REST)
        return count

    def delete(self, ids: Sequence[ChunkId]) -> None:
        """Take chunks out; those that are not there do not matter."""
        for start in range(0, len(ids), _ROWS):
            self._ask("delete", ids=_numbers(ids[start : start + _ROWS]))
            self._never.wait(_REST)

    def nearest(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> list[tuple[ChunkId, float]]:
        """Return up to `k` chunks and their cosine similarity, best first."""
        among = None if documents is None else _numbers(documents)
        asked = vector.astype("<f4").tobytes()
        reply = self._ask("nearest", vectors=asked, k=k, documents=among)
        scores = np.frombuffer(reply.numbers, "<f8").tolist()
        return list(zip(_ids(reply.ids), scores, strict=True))

    def count(self) -> int:
        """Return how many vectors Chroma believes to have; a query may reach fewer."""
        return _ids(self._ask("count").ids)[0]

    def ids(self) -> set[ChunkId]:
        """Return the chunks that Chroma believes to have."""
        return set(_ids(self._ask("ids").ids))

    def vectors(self, ids: Sequence[ChunkId]) -> dict[ChunkId, npt.NDArray[np.float32]]:
        """Return the vectors that Chroma has of some chunks."""
        found: dict[ChunkId, npt.NDArray[np.float32]] = {}
        for start in range(0, len(ids), _ROWS):
            reply = self._ask("vectors", ids=_numbers(ids[start : start + _ROWS]))
            names = _ids(reply.ids)
            if names:
                rows = np.frombuffer(reply.numbers, "<f4").reshape(len(names), -1)
                found |= dict(zip(names, rows, strict=True))
        return found

    def reach(self, sample: Rows) -> float:
        """Return the share of these chunks that a query with their own vector finds."""
        asked = [row[2] for row in sample]
        if not asked:
            return 1.0
        reply = self._ask("reach", vectors=np.stack(asked).astype("<f4").tobytes(), k=len(asked))
        return float(np.frombuffer(reply.numbers, "<f8")[0])

    def probe(self, dimensions: int) -> None:
        """Ask much of it: what is damaged beyond reading shows, at the price of the process."""
        self._ask("probe", k=dimensions)

    def delete_collection(self) -> None:
        """Do nothing: a folder is deleted as a whole."""

    def close(self) -> bool:
        """Let go of the files; return whether they are as a clean end leaves them."""
        try:
            self._ask("close")
        except StoreDamaged:
            return False
        return True

    def _ask(self, verb: str, **arguments: Any) -> _Reply:
        return self._process.ask(self._number, _Request(verb, self._folder, **arguments))


def _not_started() -> ChromaNotStarted:
    return ChromaNotStarted(
        "The process that holds the vector index could not be started.",
        "Searches compare every vector until it can; look for memory and for another Desktop RAG.",
        retryable=True,
    )


def serve(pipe: Connection, lock: str, seconds: float) -> None:
    """Answer requests, until the parent closes its end of the pipe or dies."""
    import msgspec

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is for the parent, which ends this one
    folders = _Folders()
    held = FileLock(lock)
    try:
        Path(lock).parent.mkdir(parents=True, exist_ok=True)
        held.acquire(timeout=seconds)
        pipe.send_bytes(_READY)
        while True:
            request = msgspec.msgpack.decode(pipe.recv_bytes(), type=_Request)
            pipe.send_bytes(msgspec.msgpack.encode(folders.answer(request)))
    except Timeout:
        pipe.send_bytes(_BUSY)
    except (EOFError, OSError):
        return  # the parent has gone, or has had enough
    finally:
        folders.close()
        held.release()


class _Folders:
    """The indexes that the process has open, by their folders."""

    def __init__(self) -> None:
        self._opened: dict[str, ChromaIndex] = {}

    def answer(self, request: _Request) -> _Reply:
        """Carry out a request."""
        try:
            if request.verb == "open":
                self._opened[request.folder] = ChromaIndex.in_folder(Path(request.folder))
                return _Reply()
            if request.verb == "close":
                self._opened.pop(request.folder).close()
                return _Reply()
            return _carried_out(self._opened[request.folder], request)
        except StoreDamaged as error:
            return _Reply(what=dump(error.what), remedy=dump(error.remedy))
        except Exception as error:  # noqa: BLE001 - of Chroma's own: the index is not to be trusted
            told = Phrase("The vector index cannot be read ({0}).", type(error).__name__)
            return _Reply(what=dump(told), remedy=_REMEDY)

    def close(self) -> None:
        """Close what is open."""
        for index in self._opened.values():
            with suppress(StoreDamaged):
                index.close()


def _carried_out(index: ChromaIndex, request: _Request) -> _Reply:
    """Ask an index what a request asks."""
    ids = _ids(request.ids)
    match request.verb:
        case "add":
            documents = map(DocumentId, _ids(request.documents or b""))
            vectors = np.frombuffer(request.vectors, "<f4").reshape(len(ids), -1)
            index.add(zip(ids, documents, vectors, strict=True), is_new=request.is_new)
            return _Reply()
        case "delete":
            index.delete(ids)
            return _Reply()
        case "nearest":
            among = request.documents
            documents_asked = None if among is None else {DocumentId(n) for n in _ids(among)}
            vector = np.frombuffer(request.vectors, "<f4")
            hits = index.nearest(vector, request.k, documents_asked)
            scores = np.array([score for _, score in hits], "<f8").tobytes()
            return _Reply(ids=_numbers([chunk for chunk, _ in hits]), numbers=scores)
        case "count":
            return _Reply(ids=_numbers([index.count()]))
        case "ids":
            return _Reply(ids=_numbers(index.ids()))
        case "vectors":
            found = index.vectors(ids)
            rows = b"".join(np.asarray(each, "<f4").tobytes() for each in found.values())
            return _Reply(ids=_numbers(found), numbers=rows)
        case "reach":
            rows_asked = np.frombuffer(request.vectors, "<f4").reshape(request.k, -1)
            share = index.reach((ChunkId(0), DocumentId(0), row) for row in rows_asked)
            return _Reply(numbers=np.array([share], "<f8").tobytes())
        case _:
            index.probe(request.k)
            return _Reply()


def _numbers(ids: Collection[int]) -> bytes:
    return np.fromiter(ids, "<i8", len(ids)).tobytes()


def _ids(raw: bytes) -> list[ChunkId]:
    return [ChunkId(number) for number in np.frombuffer(raw, "<i8").tolist()]
