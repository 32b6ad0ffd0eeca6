"""The rows by which several workers divide the files of one folder among them, on a Chroma server.

They lie in a collection of their own, as metadata:

    folder-<folder>           what a folder is called, and its path in the rows of its files
    <name>-<attempt>          a lease: who is at work on a file, or why nobody needs to be
    worker-<worker>           a worker's heartbeat: a number that it counts up while it lives

A lease is named by the file's place in the folder, its size and time, how it is read, and the
attempt. Chroma adds no row whose id is there, whoever asks at the same time: of those who add a
lease the first has it. When its worker is dead, the next attempt's lease is added beside it.

Anybody with the right to write may have written them: length and range of each value belong to its
type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from desktop_rag.catalog.exchange.file_format import AnyPath, Count, Digest, Label, Text
from desktop_rag.core import codec
from desktop_rag.core.phrases import dump, load
from desktop_rag.core.types import FileStatus
from desktop_rag.index.chroma_server import FoundRows, ServerCollection
from desktop_rag.sharing.shared_rows import digest
from desktop_rag.sharing.shared_store import place_of

_LONGEST = 10_000
_PER_LISTING = 2000  # rows of one request
T = TypeVar("T", bound=Struct)


class FolderRow(Struct, frozen=True):
    """A folder that workers divide: its files' rows have paths below `root`."""

    label: Label
    root: AnyPath
    kind: Literal["folder"] = "folder"


class LeaseRow(Struct, frozen=True):
    """A worker's lease of a file; one that failed stays, with its status and reason (a phrase)."""

    folder: Digest
    name: Digest
    attempt: Count
    worker: Digest
    status: Annotated[Text, Meta(max_length=20)] = ""
    reason: Annotated[Text, Meta(max_length=_LONGEST)] = ""
    kind: Literal["lease"] = "lease"

    @property
    def key(self) -> str:
        """Its id on the server."""
        return lease_key(self.name, self.attempt)

    def sentence(self) -> str:
        """Return why the file failed."""
        try:
            return load(codec.decode(json.loads(self.reason or '""'), str))
        except ValueError:
            return ""


class HeartbeatRow(Struct, frozen=True):
    """How often a worker has said that it lives."""

    worker: Digest
    beats: Annotated[int, Meta(ge=0, le=1 << 62)]
    kind: Literal["heartbeat"] = "heartbeat"


def lease_key(name: str, attempt: int) -> str:
    """Return the id of a file's lease."""
    return f"{name}-{attempt}"


def failed(row: LeaseRow, status: FileStatus, reason: str) -> LeaseRow:
    """Return a lease that says why its file can't be read."""
    told = json.dumps(dump(reason), ensure_ascii=False)
    if len(told) > _LONGEST:
        told = '""'
    return LeaseRow(row.folder, row.name, row.attempt, row.worker, status.value, told)


class LeaseRows:
    """The collection. Each method makes requests, harmless if made again."""

    def __init__(self, collection: ServerCollection) -> None:
        self._collection = collection

    def put_folder(self, folder: str, row: FolderRow) -> FolderRow:
        """Write what a folder is unless that is known; return what it is."""
        key = f"folder-{folder}"
        self._collection.add([key], [place_of(key)], [_as_metadata(row)])
        return self._named([key], FolderRow).get(key, row)

    def add(self, rows: Sequence[LeaseRow]) -> None:
        """Write leases; where one is there, that one stays."""
        keys = [each.key for each in rows]
        self._collection.add(keys, [place_of(each) for each in keys], _all_metadata(rows))

    def put(self, rows: Sequence[LeaseRow]) -> None:
        """Write leases in the place of what is there."""
        keys = [each.key for each in rows]
        self._collection.upsert(keys, [place_of(each) for each in keys], _all_metadata(rows))

    def get(self, keys: Sequence[str]) -> dict[str, LeaseRow]:
        """Return the leases that are there, by id."""
        found = self._named(keys, LeaseRow)
        return {key: row for key, row in found.items() if row.key == key}

    def of_folder(self, folder: str) -> list[LeaseRow]:
        """Return all leases of a folder."""
        where = {"folder": folder}
        pages = self._collection.rows(["metadatas"], where, per=_PER_LISTING)
        found = {key: row for page in pages for key, row in _read(page, LeaseRow)}
        return [row for key, row in found.items() if row.key == key]

    def beat(self, worker: str, beats: int) -> None:
        """Write a worker's heartbeat."""
        key = _beat_key(worker)
        self._collection.upsert([key], [place_of(key)], [_as_metadata(HeartbeatRow(worker, beats))])

    def beats(self) -> dict[str, int]:
        """Return every worker's heartbeat."""
        where = {"kind": "heartbeat"}
        pages = self._collection.rows(["metadatas"], where, per=_PER_LISTING)
        return {row.worker: row.beats for page in pages for _, row in _read(page, HeartbeatRow)}

    def delete(self, keys: Iterable[str]) -> None:
        """Take leases out."""
        self._collection.delete(list(keys))

    def delete_beats(self, workers: Iterable[str]) -> None:
        """Take workers' heartbeats out."""
        self._collection.delete([_beat_key(each) for each in workers])

    def _named(self, keys: Sequence[str], kind: type[T]) -> dict[str, T]:
        pages = self._collection.get(keys, ["metadatas"])
        return {key: row for page in pages for key, row in _read(page, kind)}


def _beat_key(worker: str) -> str:
    return f"worker-{worker}"


def _read(page: FoundRows, kind: type[T]) -> Iterable[tuple[str, T]]:
    """Yield the rows that are of a kind."""
    for key, metadata in zip(page.ids, page.metadatas or (), strict=False):
        try:
            yield key, codec.decode(dict(metadata or {}), kind)
        except ValueError:
            continue


def _as_metadata(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


def _all_metadata(rows: Iterable[Struct]) -> list[Mapping[str, Any]]:
    return [_as_metadata(each) for each in rows]


def folder_key(shared_name: str, label: str) -> str:
    """Return as whom workers write the files of a folder: it is one writer, whoever works."""
    return digest("folder", shared_name, label)
