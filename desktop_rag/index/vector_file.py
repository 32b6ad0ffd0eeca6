"""The vectors of a large knowledge base in one file, in the order in which they came.

The catalog keeps a vector under the hash of its text: a million of them lie at as many places of
the disk, and take minutes to read. Here they lie one after the other, are read in blocks, and all
compared in a second or two, while Chroma starts or where it cannot answer. The catalog is the
truth; its outbox says what changed. What is missing, cut short or of another model is made anew.

    indexes/<base>/vectors-<letters>/vectors   float16, a row each, as the catalog has them
    indexes/<base>/vectors-<letters>/chunks    int64, number of the chunk (0: gone) and document
    indexes/<base>/vectors.json                `VectorManifest`
"""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.embeddings import VectorBlock
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader, net_changes
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index.builder import Check
from desktop_rag.index.flat import FlatIndex, Hits
from desktop_rag.index.manifest import IndexFolder, VectorManifest, fresh_name

Rows: TypeAlias = npt.NDArray[np.float16]
Numbers: TypeAlias = npt.NDArray[np.int64]

_VECTOR, _CHUNK = np.dtype("<f2"), np.dtype("<i8")
_PER_BLOCK = 16_384  # rows that are compared at once
_PER_STEP = 4000  # entries of the outbox
_BLOCKS_AT_ONCE = 10  # of the catalog's, after which what was written is noted
_MOST_WAITING = 20_000  # changes beside which the file is used: their vectors are the catalog's
_MOST_GONE = 0.2  # share of rows without a chunk, above which the file is written anew
_ROUNDING = 1e-4  # of cosines
_SAMPLED = 16_384  # rows in memory by which another's answer is judged: 25 MB of 384 numbers each


class VectorFile:
    """The file of one knowledge base's vectors. Any thread may read, while one writes."""

    def __init__(self, kb: KbId, catalog: Catalog, folder: IndexFolder) -> None:
        self._kb = kb
        self._catalog = catalog
        self._folder = folder
        self._lock = threading.RLock()  # whoever writes has it
        self._fingerprint = ""
        self._manifest = folder.load_vectors()
        self._sample: tuple[VectorManifest, FlatIndex] | None = None

    def follow(self, fingerprint: str) -> None:
        """Hold this model's vectors from the next `feed` on."""
        self._fingerprint = fingerprint

    def is_usable(self) -> bool:
        """Say whether `blocks` reads the file, and not the catalog."""
        return self._pending(self._current()) is not None

    def blocks(self) -> Iterator[VectorBlock]:
        """Return every vector as the catalog has them now; from the catalog where there is no file.

        They come in no particular order.
        """
        before = self._current()
        pending = self._pending(before)
        manifest = self._current()  # read later: an entry told of since is in both, and counts once
        is_other = manifest is None or before is None or manifest.folder != before.folder
        if pending is None or manifest is None or is_other:
            return self._catalog.embeddings.blocks(self._kb, self._fingerprint)
        newer = self._catalog.embeddings.blocks(self._kb, self._fingerprint, pending)
        return chain(self._read(manifest, pending), newer)

    def knows_nearer(
        self,
        hits: Hits,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> bool:
        """Say whether the file has a chunk that is nearer than the last of `hits` and not in them.

        Rows that are spread evenly over the file are compared. Of n rows, of which m nearer ones
        are missed, one is met with a probability of 1 - (1 - 16,384 / n)^m.
        """
        sample, pending = self._sampled(), self._pending(self._current())
        if sample is None or pending is None:
            return False
        named = {chunk for chunk, _ in hits} | pending  # what went may still have its row
        least = hits[-1][1] + _ROUNDING if len(hits) >= k else -np.inf
        best = sample.nearest(vector, k + len(pending), documents)
        return any(score > least and chunk not in named for chunk, score in best)

    def feed(self, check: Check | None = None) -> None:
        """Write what is missing, and empty the rows of what went.

        What `check` raises now and then ends it; the next call goes on there. An OSError says that
        the folder cannot be written.
        """
        require_disk_space(self._catalog.database.path.parent)
        with self._lock:
            manifest = self._begun()
            while not manifest.is_complete:
                _call(check)
                manifest = self._filled(manifest)
            while entries := self._catalog.outbox.pending(self._kb, Reader.VECTOR_FILE, _PER_STEP):
                _call(check)
                added, gone, _ = net_changes(entries)
                manifest = self._emptied(manifest, gone)
                manifest = self._appended(manifest, added)
                last = require_advance(entries[-1].seq, 0)
                manifest = replace(manifest, told=last)
                self._save(manifest)
                self._catalog.outbox.done(self._kb, Reader.VECTOR_FILE, last)
            if manifest.gone > _MOST_GONE * manifest.rows:
                self.discard()
                self.feed(check)

    def check(self) -> bool:
        """Say whether the file has the chunks that the catalog has; if not, it is deleted.

        One that is not written to its end, or was not told of all, is no other.
        """
        with self._lock:
            manifest = self._current()
            if manifest is None or self._pending(manifest) != set():
                return True
            wanted = self._catalog.embeddings.ids(self._kb, self._fingerprint)
            numbers = self._numbers(manifest)[:, 0]
            held = np.sort(numbers[numbers != 0])
            if np.array_equal(held, np.asarray(wanted, np.int64)):
                return True
            self.discard()
            return False

    def discard(self) -> None:
        """Delete the file; the next `feed` makes it anew."""
        with self._lock:
            if self._manifest is not None:
                self._manifest = self._sample = None
                self._folder.forget_vectors()
                self._catalog.outbox.unfollow(self._kb, Reader.VECTOR_FILE)

    def _current(self) -> VectorManifest | None:
        """Return what is in the file, if it is of this model, whole, and was told of all."""
        manifest = self._manifest
        if manifest is None or manifest.fingerprint != self._fingerprint:
            return None
        position = self._catalog.outbox.position(self._kb, Reader.VECTOR_FILE)
        if position is None or position > manifest.told or not self._is_whole(manifest):
            return None  # older than what the outbox forgot, or cut short
        return manifest

    def _pending(self, manifest: VectorManifest | None) -> set[ChunkId] | None:
        """Return the chunks that the file was not told of; None where it is of no use."""
        if manifest is None or not manifest.is_complete:
            return None
        found = self._catalog.outbox.pending(self._kb, Reader.VECTOR_FILE, _MOST_WAITING)
        return {each.chunk_id for each in found} if len(found) < _MOST_WAITING else None

    def _sampled(self) -> FlatIndex | None:
        """Return some rows of the file as it is now; None where there is none that is whole."""
        manifest = self._current()
        if manifest is None or not manifest.is_complete or not manifest.rows:
            return None
        held = self._sample
        if held is None or held[0] != manifest:
            step = -(-manifest.rows // _SAMPLED)
            shape = (manifest.rows, manifest.dimensions)
            rows = np.memmap(self._path(manifest) / "vectors", _VECTOR, "r", shape=shape)[::step]
            numbers = self._numbers(manifest)[::step]
            is_there = numbers[:, 0] != 0
            some = VectorBlock(numbers[is_there, 0], numbers[is_there, 1], rows[is_there])
            held = self._sample = (manifest, FlatIndex.of([some]))
        return held[1]

    def _begun(self) -> VectorManifest:
        """Return what is in the file, or in a new one."""
        manifest = self._current()
        if manifest is not None:
            return manifest
        self.discard()
        length = self._catalog.embeddings.dimensions(self._fingerprint)
        told = self._catalog.outbox.follow(self._kb, Reader.VECTOR_FILE)
        manifest = VectorManifest(fresh_name("vectors"), self._fingerprint, length, told=told)
        self._path(manifest).mkdir(parents=True)
        self._save(manifest)
        return manifest

    def _filled(self, manifest: VectorManifest) -> VectorManifest:
        """Append the next vectors of all that the catalog has."""
        last = int(self._numbers(manifest)[-1, 0]) if manifest.rows else 0
        blocks = self._catalog.embeddings.blocks(self._kb, self._fingerprint, after=ChunkId(last))
        some = list(islice(blocks, _BLOCKS_AT_ONCE))
        if some:
            manifest = self._written(manifest, some)
        manifest = replace(manifest, is_complete=not some)
        self._save(manifest)
        return manifest

    def _appended(self, manifest: VectorManifest, added: Collection[ChunkId]) -> VectorManifest:
        """Append the vectors of some chunks; those that are there already are right."""
        there = np.isin(np.asarray(added, np.int64), self._numbers(manifest)[:, 0])
        new = [chunk for chunk, is_there in zip(added, there, strict=True) if not is_there]
        blocks = self._catalog.embeddings.blocks(self._kb, self._fingerprint, new)
        return self._written(manifest, list(blocks))

    def _written(self, manifest: VectorManifest, blocks: Sequence[VectorBlock]) -> VectorManifest:
        """Append rows; what a run that was broken off wrote behind the last one goes."""
        path = self._path(manifest)
        width = manifest.dimensions * _VECTOR.itemsize
        vectors = b"".join(block.vectors.astype(_VECTOR).tobytes() for block in blocks)
        numbers = b"".join(
            np.column_stack([block.chunks, block.documents]).astype(_CHUNK).tobytes()
            for block in blocks
        )
        _append(path / "vectors", manifest.rows * width, vectors)
        _append(path / "chunks", manifest.rows * 2 * _CHUNK.itemsize, numbers)
        return replace(manifest, rows=manifest.rows + len(vectors) // width)

    def _emptied(self, manifest: VectorManifest, gone: Sequence[ChunkId]) -> VectorManifest:
        """Overwrite the rows of chunks that went."""
        if not gone or not manifest.rows:
            return manifest
        numbers = self._numbers(manifest)[:, 0]
        rows = np.flatnonzero(np.isin(numbers, np.asarray(gone, np.int64)))
        if len(rows):
            path = self._path(manifest)
            _overwrite(path / "chunks", rows.tolist(), 2 * _CHUNK.itemsize)
            _overwrite(path / "vectors", rows.tolist(), manifest.dimensions * _VECTOR.itemsize)
        return replace(manifest, gone=manifest.gone + len(rows))

    def _read(
        self, manifest: VectorManifest, without: Collection[ChunkId]
    ) -> Iterator[VectorBlock]:
        """Yield the file's vectors, without those of some chunks."""
        if not manifest.rows:
            return
        numbers = self._numbers(manifest)
        left_out = np.array([0, *without], np.int64)
        with (self._path(manifest) / "vectors").open("rb") as file:
            for start in range(0, manifest.rows, _PER_BLOCK):
                some = numbers[start : start + _PER_BLOCK]
                rows: Rows = np.fromfile(file, _VECTOR, len(some) * manifest.dimensions)
                rows = rows.reshape(len(some), manifest.dimensions)
                kept = ~np.isin(some[:, 0], left_out)
                if not kept.all():
                    some, rows = some[kept], rows[kept]
                if len(some):
                    yield VectorBlock(some[:, 0], some[:, 1], rows)

    def _numbers(self, manifest: VectorManifest) -> Numbers:
        """Return number of chunk and of document of each row."""
        path = self._path(manifest) / "chunks"
        count = 2 * manifest.rows
        return np.fromfile(path, _CHUNK, count).reshape(-1, 2) if count else _NONE

    def _is_whole(self, manifest: VectorManifest) -> bool:
        sizes = {"vectors": manifest.dimensions * _VECTOR.itemsize, "chunks": 2 * _CHUNK.itemsize}
        try:
            return all(
                (self._path(manifest) / name).stat().st_size >= manifest.rows * size
                for name, size in sizes.items()
                if manifest.rows
            )
        except OSError:
            return False

    def _path(self, manifest: VectorManifest) -> Path:
        return self._folder.index(manifest.folder)

    def _save(self, manifest: VectorManifest) -> None:
        self._folder.save_vectors(manifest)
        self._manifest = manifest


_NONE: Numbers = np.empty((0, 2), np.int64)


def _append(path: Path, at: int, data: bytes) -> None:
    """Write data behind so many bytes of a file, and on the disk."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.truncate(at)
        file.seek(at)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _overwrite(path: Path, rows: Iterable[int], width: int) -> None:
    """Write zeros over some rows of so many bytes, and on the disk."""
    with path.open("r+b") as file:
        for row in rows:
            file.seek(row * width)
            file.write(bytes(width))
        file.flush()
        os.fsync(file.fileno())


def _call(check: Check | None) -> None:
    if check is not None:
        check()
