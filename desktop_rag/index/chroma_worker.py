"""The process that holds Chroma's folders: what it is asked, and what it answers.

Requests and replies are msgpack of the two forms below; `chroma_process` is who asks.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock, Timeout

from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.phrases import Phrase, dump
from desktop_rag.core.safe_traceback import format_error
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.chroma import ChromaIndex

READY = b"ready"
BUSY = b"busy"
REMEDY = "It can be rebuilt."
_REFUSED = frozenset({
    "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.bind",
    "socket.gethostbyname", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """What a folder's index is asked: a method of `ChromaIndex` and its arguments.

    `ids` and `documents` are int64 numbers, `vectors` float32, as bytes; `texts` and `metadata`
    are one a row.
    """

    verb: str
    folder: str
    ids: bytes = b""
    documents: bytes | None = None
    vectors: bytes = b""
    k: int = 0
    is_new: bool = False
    texts: list[str] = field(default_factory=list)
    metadata: list[dict[str, int | str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of it: int64 `ids`, `numbers`; or `what` is damaged, with its remedy.

    `numbers` are float64 scores or shares, or float32 vectors. `trace` is for the log: where an
    error came from that is not known.
    """

    ids: bytes = b""
    numbers: bytes = b""
    what: str = ""
    remedy: str = ""
    trace: str = ""


def serve(pipe: Connection, lock: str, seconds: float) -> None:
    """Answer requests, until the parent closes its end of the pipe or dies."""
    import msgspec

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is for the parent, which ends this one
    if sys.platform != "win32":
        with suppress(PermissionError):
            os.setsid()  # away from the terminal, whose signals are the parent's, too
    sys.addaudithook(_refuse)
    folders = _Folders()
    held = FileLock(lock)
    try:
        Path(lock).parent.mkdir(parents=True, exist_ok=True)
        try:
            held.acquire(timeout=seconds)
        except Timeout:
            pipe.send_bytes(BUSY)
            return
        pipe.send_bytes(READY)
        while True:
            request = msgspec.msgpack.decode(pipe.recv_bytes(), type=Request)
            pipe.send_bytes(msgspec.msgpack.encode(folders.answer(request)))
    except (EOFError, OSError):
        return  # the parent has gone, or has had enough
    finally:
        folders.close()
        held.release()


def _refuse(event: str, _: tuple[Any, ...]) -> None:
    """Refuse what has nothing to do with files: nobody sees this process's connections."""
    if event in _REFUSED:
        raise PermissionError(event)


class _Folders:
    """The indexes that the process has open, by their folders."""

    def __init__(self) -> None:
        self._opened: dict[str, ChromaIndex] = {}

    def answer(self, request: Request) -> Reply:
        """Carry out a request."""
        try:
            if request.verb == "open":
                if (before := self._opened.pop(request.folder, None)) is not None:
                    before.close()
                self._opened[request.folder] = ChromaIndex.in_folder(Path(request.folder))
                return Reply()
            if request.verb == "close":
                self._opened.pop(request.folder).close()
                return Reply()
            if request.verb == "erase_deleted":
                self._opened.pop(request.folder).erase_deleted()
                self._opened[request.folder] = ChromaIndex.in_folder(Path(request.folder))
                return Reply()
            if request.verb == "scrub":
                self._opened[request.folder].scrub(None if request.k < 0 else request.k)
                return Reply()
            return _carried_out(self._opened[request.folder], request)
        except StoreDamaged as error:
            return Reply(what=dump(error.what), remedy=dump(error.remedy))
        except Exception as error:  # noqa: BLE001 - of Chroma's own: the index is not to be trusted
            told = Phrase("The vector index cannot be read ({0}).", type(error).__name__)
            return Reply(what=dump(told), remedy=REMEDY, trace=format_error(error))

    def close(self) -> None:
        """Close what is open."""
        for index in self._opened.values():
            with suppress(StoreDamaged):
                index.close()


def _carried_out(index: ChromaIndex, request: Request) -> Reply:
    """Ask an index what a request asks."""
    ids = unpack_ids(request.ids)
    reply = Reply()
    match request.verb:
        case "add":
            index.add(_records(ids, request), is_new=request.is_new)
        case "update":
            index.update(dict(zip(ids, request.metadata, strict=True)))
        case "delete":
            index.delete(ids)
        case "nearest":
            among = request.documents
            documents_asked = None if among is None else {DocumentId(n) for n in unpack_ids(among)}
            vector = np.frombuffer(request.vectors, "<f4")
            hits = index.nearest(vector, request.k, documents_asked)
            scores = np.array([score for _, score in hits], "<f8").tobytes()
            reply = Reply(pack_numbers([chunk for chunk, _ in hits]), scores)
        case "count":
            reply = Reply(pack_numbers([index.count()]))
        case "ids":
            reply = Reply(pack_numbers(index.ids()))
        case "vectors":
            found = index.vectors(ids)
            reply = Reply(pack_numbers(found), pack_floats(list(found.values())))
        case "reach":
            asked = np.frombuffer(request.vectors, "<f4").reshape(request.k, -1)
            share = index.reach(asked)
            reply = Reply(numbers=np.array([share], "<f8").tobytes())
        case "probe":
            index.probe(request.k)
        case unknown:
            raise ValueError(unknown)
    return reply


def _records(ids: Sequence[ChunkId], request: Request) -> Iterator[VectorRecord]:
    """Yield the chunks of a request to add them."""
    documents = map(DocumentId, unpack_ids(request.documents or b""))
    vectors = np.frombuffer(request.vectors, "<f4").reshape(len(ids), -1)
    rows = zip(ids, documents, vectors, request.texts, request.metadata, strict=True)
    return (VectorRecord(*row) for row in rows)


def pack_numbers(ids: Collection[int]) -> bytes:
    """Return numbers as int64."""
    return np.fromiter(ids, "<i8", len(ids)).tobytes()


def pack_floats(vectors: Sequence[npt.NDArray[np.floating[Any]]]) -> bytes:
    """Return vectors as float32, one after the other."""
    return b"".join(np.asarray(each, "<f4").tobytes() for each in vectors)


def unpack_ids(raw: bytes) -> list[ChunkId]:
    """Return what `pack_numbers` made; a ValueError for other bytes."""
    return [ChunkId(number) for number in np.frombuffer(raw, "<i8").tolist()]


def unpack_scores(raw: bytes) -> list[float]:
    """Return float64 numbers; a ValueError for other bytes, and for what is no number."""
    found = np.frombuffer(raw, "<f8")
    if not np.isfinite(found).all():
        raise ValueError(raw)
    return [float(each) for each in found]
