"""What Chroma holds of a knowledge base: a copy of the catalog's vectors, texts and places.

The catalog is the truth. Its outbox says what changed since Chroma was last told, so that nobody
who changes the knowledge base waits for it. A copy that is missing, damaged, of another model or
of an older form is made anew in the same way: an empty folder that lacks every chunk.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.embeddings import VectorRecord
from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader, net_changes
from desktop_rag.core.catalog_records import OutboxAction, OutboxEntry
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index.chroma_process import (
    ChromaBusy,
    ChromaEnded,
    ChromaFolder,
    ChromaNotStarted,
    ChromaProcess,
)
from desktop_rag.index.chroma_recall import ASKED, ENOUGH, MOST_DEPTH, measure_recall
from desktop_rag.index.flat import Hits, nearest_in_blocks
from desktop_rag.index.manifest import ChromaManifest, IndexFolder, fresh_name
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from desktop_rag.index.replica_check import ReplicaCheck
from desktop_rag.index.replica_opening import open_copy
from desktop_rag.index.replica_state import ReplicaState, state_of
from desktop_rag.index.vector_file import VectorFile

_log = logging.getLogger(__name__)
Check = Callable[[], None]
Vector = npt.NDArray[np.float32]

_FORM = 1  # of what is kept of a chunk
_ATTEMPTS = 4
_MOST_CRASHES = 2  # over one folder: it is made anew
_PER_STEP = 200  # chunks, between which others get their turn
_TURN_SECONDS = 2.0  # for which a search waits until the folder is open
_MOST_WAITING = 20_000  # changes beside which Chroma is asked: their vectors are all compared
_SCRUBBED_AT_ONCE = 16 * 2**20  # bytes of a graph
_ERASED_AT_ONCE = 2000  # chunks of a folder that is rewritten whenever some went
_ROUNDING = 1e-4  # of cosines that Chroma gives
_CHANGED = 0.2  # share of the vectors after whose change recall is measured again


class ChromaReplica:
    """Chroma's copy of one knowledge base. Any thread may feed it, and search meanwhile.

    `process` holds its folder. `wake` has
    somebody call `feed` soon. Recall is measured against `vector_file`.
    """

    def __init__(
        self,
        kb: KbId,
        catalog: Catalog,
        folder: IndexFolder,
        vector_file: VectorFile,
        process: ChromaProcess,
        *,
        wake: Callable[[], None],
    ) -> None:
        self._kb = kb
        self._catalog = catalog
        self._folder = folder
        self.vector_file = vector_file
        self._process = process
        self.wake = wake
        self._lock = threading.RLock()  # whoever changes the copy has it, a step long
        self._fingerprint = ""
        self._manifest = folder.load_chroma()
        self._handle: ChromaFolder | None = None
        self._missing: list[ChunkId] | None = None  # to be put in; None before it was compared
        self._is_verified = False
        self._is_dropped = False
        self._crashes = 0

    def follow(self, fingerprint: str) -> None:
        """Hold this model's vectors from the next `feed` on."""
        self._fingerprint = fingerprint

    def state(self) -> ReplicaState:
        """Return how far Chroma is, without asking it."""
        vectors = self._catalog.embeddings.count(self._kb, self._fingerprint)
        return state_of(self._catalog, self._kb, self._current(), vectors)

    def is_behind(self) -> bool:
        """Say whether `feed` has something to do."""
        manifest = self._current()
        if manifest is None:
            has_any = next(self._catalog.embeddings.blocks(self._kb, self._fingerprint), None)
            return has_any is not None or self._manifest is not None
        is_unverified = self._handle is not None and not self._is_verified
        return (
            not manifest.is_complete
            or is_unverified
            or bool(self._catalog.outbox.pending(self._kb, Reader.VECTORS, 1))
        )

    def feed(self, check: Check | None = None) -> None:
        """Tell Chroma all that it lacks, some two milliseconds a chunk, in short steps.

        What `check` raises now and then ends it; the next call goes on there. A process that can't
        be started leaves it to a later call. Raises a `UserError` where the folder cannot be
        written.
        """
        try:
            for _ in range(_ATTEMPTS):
                if not self.is_behind():
                    return
                require_disk_space(self._catalog.database.path.parent)
                if self._is_fed(check):
                    return
        except OSError as error:
            raise self._folder.unwritable() from error
        finally:
            self._bound_outbox()
        raise self._folder.unwritable()

    def is_open(self) -> bool:
        """Say whether Chroma can be asked without waiting until it has opened its folder."""
        return self._handle is not None

    def is_asked(self) -> bool:
        """Say whether searches ask it: not where too few of the nearest are named."""
        manifest = self._manifest
        return manifest is None or manifest.recall is None or manifest.recall >= ENOUGH

    def warm_up(self) -> None:
        """Open the folder, and have Chroma read its graph: the first search takes long."""
        if self._current() is not None and (sample := self._check().sample(1)):
            self.nearest(self._fingerprint, sample[0], 1)

    def nearest(
        self,
        model: str,
        vector: Vector,
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> Hits | None:
        """Return up to `k` chunks and their cosine similarity to a vector of `model`, best first.

        Chroma names candidates; their order, and what it has not been told of yet, come from the
        catalog's vectors. None where Chroma cannot be asked now: every vector is to be compared.
        """
        manifest = self._current()
        if manifest is None or not manifest.is_complete or manifest.fingerprint != model:
            return None
        if not self.is_asked():
            return None
        waiting = self._catalog.outbox.pending(self._kb, Reader.VECTORS, _MOST_WAITING)
        if len(waiting) == _MOST_WAITING:
            return None
        room = k * manifest.depth + sum(each.action is OutboxAction.DELETE for each in waiting)
        handle = self._handle
        try:
            handle = self._opened_soon()
            if handle is None or self._manifest is None or self._manifest.folder != manifest.folder:
                return None  # another copy was begun since
            named = handle.nearest(vector, room, documents)
        except StoreDamaged as error:
            with suppress(OSError):
                self._recover(error, handle)
            self.wake()
            return None
        except (UserError, OSError) as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
            return None
        new = {each.chunk_id for each in waiting}
        old = [hit for hit in named if hit[0] not in new]
        least = old[k - 1][1] - _ROUNDING if len(old) > k else -1.0
        ids = new | {chunk_id for chunk_id, score in old if score >= least}
        blocks = self._catalog.embeddings.blocks(self._kb, model, ids)
        return nearest_in_blocks(blocks, vector, k, documents)

    def check(self) -> IndexProblem | None:
        """Return what is wrong with what Chroma was told, every id compared.

        The next `feed` mends it.
        """
        if self.is_behind() or self._current() is None:
            return None
        with self._lock:
            try:
                problem = self._check().problem(self._open(), thorough=True)
            except ChromaNotStarted as error:
                return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)
            except StoreDamaged as error:
                self._recover(error)
                return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)
            if problem is None:
                self._note(checked_at=time.time())
                return None
            self._note(is_complete=False)
        self.wake()
        return problem

    def erase(self) -> None:
        """Take the text of chunks that went out of Chroma's files now.

        A folder of which that cannot be done is deleted, and made anew when it is fed.
        """
        with self._lock:
            manifest = self._manifest
            if manifest is None:
                return
            try:
                entries = self._catalog.outbox.pending(self._kb, Reader.VECTORS, -1)
                _, gone, _ = net_changes(entries)
                if self._current() is None:
                    self._discard()
                elif gone or manifest.deleted:
                    handle = self._open()
                    handle.delete(gone)
                    handle.erase_deleted()
                    self._note(deleted=0, held=handle.count())
                    self._scrub(None)
            except (UserError, OSError) as error:
                _log.warning("Knowledge base %d: %s", self._kb, error)
                self._discard()

    def compare(self) -> None:
        """Have the next `feed` compare every id with the catalog's, as after vectors were added."""
        with self._lock:
            self._missing = None
            self._note(is_complete=False)
        self.wake()

    def discard(self) -> None:
        """Delete the copy; the next `feed` makes it anew."""
        with self._lock:
            self._discard()

    def drop(self) -> None:
        """Delete the copy for good: its knowledge base goes."""
        with self._lock:
            self._is_dropped = True
            self._discard()

    def release(self) -> None:
        """Let go of the folder or the connection, sealed as cleanly ended."""
        with self._lock:
            handle, manifest, self._handle = self._handle, self._manifest, None
            self._is_verified = False
            if handle is None or manifest is None:
                return
            with suppress(OSError):  # unsealed, it is looked at more closely next time
                if handle.close():
                    self._folder.seal_chroma(manifest.folder)

    def _current(self) -> ChromaManifest | None:
        """Return what is held, if it is of this model and form, and was told of all."""
        manifest = self._manifest
        if manifest is None or self._is_dropped:
            return None
        if (manifest.fingerprint, manifest.form) != (self._fingerprint, _FORM):
            return None
        position = self._catalog.outbox.position(self._kb, Reader.VECTORS)
        return manifest if position is not None else None

    def _bound_outbox(self) -> None:
        """Let the outbox keep no more for Chroma than what to make the copy anew takes."""
        if self._catalog.outbox.count(self._kb, Reader.VECTORS) > _MOST_WAITING + self._held():
            with self._lock:
                self._catalog.outbox.unfollow(self._kb, Reader.VECTORS)

    def _is_fed(self, check: Check | None) -> bool:
        """Tell Chroma what it lacks; return False where it has to be opened or made anew."""
        try:
            while True:
                if check is not None:
                    check()
                with self._lock:
                    if self._is_dropped:
                        return True
                    if not self._step():
                        break
            with suppress(ChromaBusy):  # the next time
                self._measure(check)
            with self._lock:
                self._scrub(_SCRUBBED_AT_ONCE)
        except ChromaNotStarted as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
        except StoreDamaged as error:
            self._recover(error)
            return False
        return True

    def _step(self) -> bool:
        """Do the next thing that is to be done; return False when there is none."""
        handle = self._open()
        manifest = self._manifest
        if manifest is None:
            return False
        if not manifest.is_complete:
            self._compare(handle)
            return True
        if entries := self._catalog.outbox.pending(self._kb, Reader.VECTORS, _PER_STEP):
            self._tell(handle, entries)
            return True
        if not self._is_verified:
            self._verify(handle)
            return True
        if manifest.deleted and (
            manifest.held <= _ERASED_AT_ONCE or manifest.deleted * 5 > manifest.held
        ):
            handle.erase_deleted()
            self._note(deleted=0)
        return False

    def _open(self) -> ChromaFolder:
        """Return Chroma, opened; empty and under a new name where what there is cannot be used."""
        if self._manifest is not None and self._current() is None:
            self._discard()
        if self._handle is not None:
            return self._handle
        manifest = self._manifest
        if manifest is None:
            manifest = ChromaManifest(fresh_name("dense"), self._fingerprint, _FORM)
            self._folder.save_chroma(manifest)
            self._manifest = manifest
            self._catalog.outbox.follow(self._kb, Reader.VECTORS)
        self._missing, self._is_verified = None, False
        dimensions = self._catalog.embeddings.dimensions(self._fingerprint)
        opened, is_as_left = open_copy(self._folder, manifest.folder, self._process, dimensions)
        self._handle = opened
        if not is_as_left:
            self._note(is_complete=False)
        return opened

    def _opened_soon(self) -> ChromaFolder | None:
        """Return Chroma to be searched, or None where that would take long."""
        if self._handle is not None and self._is_verified:
            return self._handle
        if not self._lock.acquire(timeout=_TURN_SECONDS):
            return None
        try:
            handle = self._open()
            manifest = self._manifest
            if manifest is not None and manifest.is_complete:
                if handle.count() == manifest.held:
                    return handle
                self._note(is_complete=False)  # another program emptied it
        finally:
            self._lock.release()
        self.wake()
        return None

    def _compare(self, handle: ChromaFolder) -> None:
        """Compare all ids with the catalog's, or put in some of those that are missing."""
        if self._missing is None:
            held = handle.ids()
            wanted = set(self._catalog.embeddings.ids(self._kb, self._fingerprint))
            self._note(held=len(held & wanted), deleted=self._deleted() + len(held - wanted))
            handle.delete(sorted(held - wanted))
            self._missing = sorted(wanted - held, reverse=True)
        elif self._missing:
            ids = self._missing[-_PER_STEP:]
            handle.add(self._records(ids), is_new=True)
            del self._missing[-_PER_STEP:]
            self._note(held=self._held() + len(ids))
        else:
            self._missing, self._crashes = None, 0
            self._is_verified = True
            self._check().require_reach(handle)
            self._note(is_complete=True, held=handle.count(), checked_at=time.time())

    def _tell(self, handle: ChromaFolder, entries: Sequence[OutboxEntry]) -> None:
        """Apply some of the outbox, harmlessly if again."""
        added, gone, moved = net_changes(entries)
        self._note(deleted=self._deleted() + len(gone))
        handle.delete(gone)
        handle.add(self._records(added))
        handle.update({each.chunk_id: each.metadata for each in self._records(moved)})
        self._note(held=handle.count(), changed=self._changed() + len(added) + len(gone))
        self._catalog.outbox.done(self._kb, Reader.VECTORS, require_advance(entries[-1].seq, 0))

    def _verify(self, handle: ChromaFolder) -> None:
        """Look, once after the folder was opened, whether it holds what it should."""
        problem = self._check().problem(handle, thorough=False)
        if problem is not None and problem.code is IndexProblemCode.VECTORS_UNREACHABLE:
            raise StoreDamaged(problem.text)
        self._is_verified = True
        if problem is not None:
            _log.warning("Knowledge base %d: %s", self._kb, problem.text)
            self._note(is_complete=False)

    def _measure(self, check: Check | None) -> None:
        """Measure recall against the exact answer, if much has changed since the last time."""
        manifest, handle = self._manifest, self._handle
        if manifest is None or handle is None or not manifest.held:
            return
        is_final = manifest.recall is not None and (
            manifest.recall >= ENOUGH or manifest.depth >= MOST_DEPTH
        )
        if is_final and manifest.changed <= _CHANGED * manifest.measured:
            return
        if asked := self._check().sample(ASKED):
            found = measure_recall(handle, asked, self.vector_file.blocks(), manifest.held, check)
            with self._lock:
                self._note(recall=found.share, depth=found.depth, measured=manifest.held, changed=0)

    def _recover(self, error: StoreDamaged, asked: ChromaFolder | None = None) -> None:
        """Let go of a folder whose process ended, to be opened again; delete a damaged one.

        Nothing is done where it was `asked` before it was let go of.
        """
        _log.warning("Knowledge base %d: %s", self._kb, error)
        with self._lock:
            if asked is not None and self._handle is not asked:
                return
            if isinstance(error, ChromaEnded):
                self._handle, self._missing = None, None
                self._crashes += 0 if error.is_bystander else 1
                if self._crashes <= _MOST_CRASHES:
                    self._note(is_complete=False)  # to be compared by every id
                    return
            self._crashes = 0
            self._discard()

    def _discard(self) -> None:
        """Delete the copy, and let the outbox keep nothing for it."""
        handle = self._handle
        self._handle, self._manifest, self._missing = None, None, None
        if handle is not None:
            handle.close()
        self._folder.forget_chroma()
        self._catalog.outbox.unfollow(self._kb, Reader.VECTORS)

    def _records(self, ids: Iterable[ChunkId]) -> Iterator[VectorRecord]:
        return self._catalog.embeddings.records(self._kb, self._fingerprint, ids)

    def _check(self) -> ReplicaCheck:
        return ReplicaCheck(self._kb, self._catalog, self._fingerprint)

    def _changed(self) -> int:
        return self._manifest.changed if self._manifest is not None else 0

    def _held(self) -> int:
        return self._manifest.held if self._manifest is not None else 0

    def _scrub(self, most: int | None) -> None:
        """Empty the room in graphs of up to so many bytes, where anything of a text may lie."""
        if self._handle is not None:
            self._handle.scrub(most)

    def _deleted(self) -> int:
        return self._manifest.deleted if self._manifest is not None else 0

    def _note(self, **changes: Any) -> None:
        """Write down what changed of the copy."""
        if self._manifest is not None:
            self._manifest = replace(self._manifest, **changes)
            self._folder.save_chroma(self._manifest)
