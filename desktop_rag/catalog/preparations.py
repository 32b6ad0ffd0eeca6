"""What knowledge bases are prepared for, and the texts derived from their documents for that.

A way (`hypothetical_questions`, `raptor` …) is asked for of a knowledge base; what is made for it
belongs to documents. So a document in two knowledge bases is prepared once, a new file is one
document more that waits, and with a document everything goes that was made of it. A derived text
leads to the chunks it was made from; it is never a source itself.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.database import Database
from desktop_rag.catalog.garbage_collection import drop_derived_texts
from desktop_rag.core.catalog_records import (
    DerivedText,
    NewDerivedText,
    PendingDocument,
    Preparation,
    PreparedDocument,
    PreparedState,
    PreparedStep,
)
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId, KbId
from desktop_rag.core.unicode import valid_text

_STORED = np.dtype("<f2")
_PER_READ = 2000
_OF_BASE = "document_id IN (SELECT document_id FROM files WHERE kb = ?1)"
_IS_DONE = (
    "EXISTS (SELECT 1 FROM prepared_documents AS made WHERE made.document_id = documents.id "
    "AND made.way = ?2 AND made.recipe = ?3 AND made.is_done)"
)


class Preparations:
    """The catalog's preparations and derived texts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, kb: KbId | None = None) -> list[Preparation]:
        """Return what knowledge bases are prepared for, or what one is."""
        rows = self._database.read().execute(
            "SELECT kb, way, model, is_paused FROM preparations WHERE kb = ?1 OR ?1 IS NULL "
            "ORDER BY kb, way",
            (kb,),
        )
        return [
            Preparation(KbId(number), way, model, bool(paused))
            for number, way, model, paused in rows
        ]

    def find(self, kb: KbId, way: str) -> Preparation | None:
        """Return what is kept of one way of a knowledge base; None where it is not asked for."""
        return next((each for each in self.all(kb) if each.way == way), None)

    def request(self, kb: KbId, way: str, model: str = "") -> None:
        """Have a knowledge base prepared for a way, from now on; one that is paused goes on.

        With another model than before, all of it is made anew.
        """
        with self._database.write() as tx:
            tx.execute(
                "INSERT INTO preparations (kb, way, model) VALUES (?, ?, ?) "
                "ON CONFLICT (kb, way) DO UPDATE SET is_paused = 0, model = excluded.model",
                (kb, way, model),
            )

    def pause(self, kb: KbId, way: str) -> None:
        """Do no more for a way until it is asked for again; what there is can be used."""
        with self._database.write() as tx:
            tx.execute("UPDATE preparations SET is_paused = 1 WHERE kb = ? AND way = ?", (kb, way))

    def remove(self, kb: KbId, way: str) -> None:
        """Prepare a knowledge base for a way no longer; delete what no other one needs."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM preparations WHERE kb = ? AND way = ?", (kb, way))
            drop_derived_texts(tx)
        self._database.forget()

    def state(self, kb: KbId, way: str, recipe: str) -> PreparedState:
        """Return how far a knowledge base is prepared for a way by this recipe."""
        read = self._database.read()
        total, done, waiting = read.execute(
            f"SELECT count(*), coalesce(sum({_IS_DONE}), 0), "  # noqa: S608 - ours
            f"coalesce(sum(CASE WHEN {_IS_DONE} THEN 0 ELSE chunk_count END), 0) "
            "FROM documents INDEXED BY documents_details "
            f"WHERE {_OF_BASE.replace('document_id', 'id', 1)}",
            (kb, way, recipe),
        ).fetchone()
        (texts,) = read.execute(
            "SELECT coalesce(sum(texts), 0) FROM prepared_documents "  # noqa: S608 - ours
            f"WHERE way = ?2 AND recipe = ?3 AND {_OF_BASE}",
            (kb, way, recipe),
        ).fetchone()
        return PreparedState(total, done, texts, waiting)

    def coverage(self, kbs: Iterable[KbId], way: str) -> tuple[int, int]:
        """Return how many documents of knowledge bases are wholly prepared, and how many are."""
        done, total = (
            self._database.read()
            .execute(
                "SELECT coalesce(sum(EXISTS (SELECT 1 FROM prepared_documents AS made WHERE "
                "made.document_id = documents.id AND way = ?2 AND is_done)), 0), count(*) "
                "FROM documents INDEXED BY documents_details WHERE id IN "
                "(SELECT document_id FROM files WHERE kb IN (SELECT value FROM json_each(?1)))",
                (json.dumps(list(kbs)), way),
            )
            .fetchone()
        )
        return done, total

    def changes(self, kb: KbId) -> int:
        """Return how often a knowledge base has changed in what derived vectors depend on.

        Triggers count (migration 16), so this takes no time, whatever the base holds.
        """
        found = self._database.read().execute(
            "SELECT revision FROM knowledge_bases WHERE id = ?", (kb,)
        )
        row = found.fetchone()
        return -1 if row is None else int(row[0])

    def revision(self, kb: KbId, way: str, fingerprint: str) -> tuple[int, ...]:
        """Return figures that change when other vectors of derived texts are to be searched.

        The first is how many there are.
        """
        found: tuple[int, ...] = (
            self._database.read()
            .execute(
                "SELECT count(*), coalesce(max(id), 0), coalesce(sum(id), 0) "  # noqa: S608 - ours
                "FROM derived_texts JOIN derived_vectors ON derived_id = id AND fingerprint = ?3 "
                f"WHERE way = ?2 AND {_OF_BASE}",
                (kb, way, fingerprint),
            )
            .fetchone()
        )
        return found

    def text_revision(self, kb: KbId, way: str, fingerprint: str) -> tuple[int, ...]:
        """Return figures that change when other derived texts, or vectors, are there."""
        found: tuple[int, ...] = (
            self._database.read()
            .execute(
                "SELECT count(*), coalesce(max(id), 0), coalesce(sum(id), 0) "  # noqa: S608 - ours
                f"FROM derived_texts WHERE way = ?2 AND {_OF_BASE}",
                (kb, way),
            )
            .fetchone()
        )
        return *found, *self.revision(kb, way, fingerprint)

    def pending(self, kb: KbId, way: str, recipe: str) -> list[PendingDocument]:
        """Return the documents that are not wholly prepared by this recipe, begun ones first."""
        rows = self._database.read().execute(
            "SELECT id, title, chunk_count, coalesce((SELECT position FROM prepared_documents "  # noqa: S608 - ours
            "WHERE document_id = documents.id AND way = ?2 AND recipe = ?3), 0) AS at "
            f"FROM documents WHERE {_OF_BASE.replace('document_id', 'id', 1)} AND NOT {_IS_DONE} "
            "ORDER BY at = 0, id",
            (kb, way, recipe),
        )
        return [PendingDocument(DocumentId(number), *told) for number, *told in rows]

    def position(self, document_id: DocumentId, way: str, recipe: str) -> int | None:
        """Return where a document's preparation goes on; None where all of it is there."""
        row = (
            self._database.read()
            .execute(
                "SELECT position, is_done FROM prepared_documents "
                "WHERE document_id = ? AND way = ? AND recipe = ?",
                (document_id, way, recipe),
            )
            .fetchone()
        )
        return 0 if row is None else None if row[1] else int(row[0])

    def store(
        self,
        step: PreparedStep,
        texts: Sequence[NewDerivedText],
        vectors: npt.NDArray[np.float16] | None,
        fingerprint: str,
    ) -> list[DerivedId] | None:
        """Store what a step of a document's preparation made, with a vector each; return the ids.

        The first step by a new recipe takes the place of all that the old one made. None, and
        nothing is stored, where the document is gone, nobody asks for the way any more (or it is
        paused), or another run has come further meanwhile.
        `vectors` may be None: then they are made later (`without_vector`).
        """
        with self._database.write() as tx:
            if not _is_needed(tx, step.document_id, step.way) or not _begin(tx, step):
                return None
            ids = [insert_derived(tx, step, each) for each in texts]
            if vectors is not None:
                _insert_vectors(tx, zip(ids, vectors, strict=True), fingerprint)
            tx.execute(
                "UPDATE prepared_documents SET position = ?, is_done = ?, texts = texts + ? "
                "WHERE document_id = ? AND way = ?",
                (step.position, step.is_done, len(ids), step.document_id, step.way),
            )
        return ids

    def texts_of(self, document_id: DocumentId, way: str) -> list[DerivedText]:
        """Return what was derived from a document for a way, lowest level first."""
        return self._texts("derived_texts.document_id = ?1 AND way = ?2", (document_id, way))

    def texts_in(self, kb: KbId, way: str) -> list[DerivedText]:
        """Return what was derived for a way from the documents of a knowledge base."""
        return self._texts(f"way = ?2 AND {_OF_BASE}", (kb, way))

    def get(self, ids: Iterable[DerivedId]) -> dict[DerivedId, DerivedText]:
        """Return derived texts by their numbers; those that are gone are left out."""
        where = "derived_texts.id IN (SELECT value FROM json_each(?1))"
        found = self._texts(where, (json.dumps(list(ids)),))
        return {each.derived_id: each for each in found}

    def documents(self, kb: KbId, way: str) -> list[PreparedDocument]:
        """Return the documents of a knowledge base that texts were derived from, by title."""
        rows = self._database.read().execute(
            "SELECT id, title, made.recipe, texts FROM prepared_documents AS made "  # noqa: S608
            f"JOIN documents ON id = document_id WHERE way = ?2 AND texts > 0 AND {_OF_BASE} "
            "ORDER BY title COLLATE NOCASE, id",
            (kb, way),
        )
        return [PreparedDocument(DocumentId(number), *told) for number, *told in rows]

    def tops(self, kb: KbId, way: str) -> dict[DerivedId, DocumentId]:
        """Return derived texts for a way that no other one was made from, and their documents."""
        rows = self._database.read().execute(
            "SELECT id, document_id FROM derived_texts "  # noqa: S608 - ours
            f"WHERE way = ?2 AND {_OF_BASE} AND NOT EXISTS "
            "(SELECT 1 FROM derived_children WHERE child_id = derived_texts.id) ORDER BY id",
            (kb, way),
        )
        return {DerivedId(number): DocumentId(document) for number, document in rows}

    def led_to(self, chunks: Iterable[ChunkId], way: str) -> set[ChunkId]:
        """Return which of some chunks any derived text for a way leads to."""
        rows = self._database.read().execute(
            "SELECT DISTINCT chunk_id FROM derived_sources JOIN derived_texts ON id = derived_id "
            "WHERE way = ? AND chunk_id IN (SELECT value FROM json_each(?))",
            (way, json.dumps(list(chunks))),
        )
        return {ChunkId(number) for (number,) in rows}

    def vectors_of(
        self, ids: Iterable[DerivedId], fingerprint: str
    ) -> dict[DerivedId, npt.NDArray[np.float16]]:
        """Return the vectors of derived texts by this model; those without one are left out."""
        rows = self._database.read().execute(
            "SELECT derived_id, vector FROM derived_vectors "
            "WHERE derived_id IN (SELECT value FROM json_each(?)) AND fingerprint = ?",
            (json.dumps(list(ids)), fingerprint),
        )
        return {DerivedId(number): np.frombuffer(vector, _STORED) for number, vector in rows}

    def without_vector(
        self, kb: KbId, way: str, fingerprint: str, limit: int = 1000
    ) -> dict[DerivedId, str]:
        """Return up to `limit` derived texts that have no vector of this model, by number."""
        rows = self._database.read().execute(
            "SELECT id, text FROM derived_texts "  # noqa: S608 - ours
            f"WHERE way = ?2 AND {_OF_BASE} AND NOT EXISTS (SELECT 1 FROM derived_vectors "
            "WHERE derived_id = derived_texts.id AND fingerprint = ?3) ORDER BY id LIMIT ?4",
            (kb, way, fingerprint, limit),
        )
        return {DerivedId(number): text for number, text in rows}

    def add_vectors(
        self, vectors: Mapping[DerivedId, npt.NDArray[np.float16]], fingerprint: str
    ) -> None:
        """Store vectors of derived texts that are still there."""
        with self._database.write() as tx:
            _insert_vectors(tx, vectors.items(), fingerprint)

    def vectors(
        self, kb: KbId, way: str, fingerprint: str
    ) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float16]]]:
        """Yield numbers of derived texts, their documents' and their vectors, in blocks.

        Shapes `(n,)`, `(n,)` and `(n, dimensions)`; by number.
        """
        last = 0
        while True:
            rows = (
                self._database.read()
                .execute(
                    "SELECT id, document_id, vector FROM derived_texts "  # noqa: S608 - ours
                    "JOIN derived_vectors ON derived_id = id AND fingerprint = ?3 "
                    f"WHERE way = ?2 AND {_OF_BASE} AND id > ?4 ORDER BY id LIMIT ?5",
                    (kb, way, fingerprint, last, _PER_READ),
                )
                .fetchall()
            )
            if not rows:
                return
            last = require_advance(rows[-1][0], last)
            ids, documents, stored = zip(*rows, strict=True)
            matrix = np.frombuffer(b"".join(stored), _STORED).reshape(len(rows), -1)
            yield np.array(ids, np.int64), np.array(documents, np.int64), matrix

    def _texts(self, where: str, values: tuple[object, ...]) -> list[DerivedText]:
        rows = self._database.read().execute(
            "SELECT id, document_id, text, level, "  # noqa: S608 - ours
            "(SELECT json_group_array(chunk_id) FROM derived_sources WHERE derived_id = id), "
            "(SELECT json_group_array(child_id) FROM derived_children WHERE parent_id = id) "
            f"FROM derived_texts WHERE {where} ORDER BY level, id",
            values,
        )
        return [
            DerivedText(
                DerivedId(number),
                DocumentId(document_id),
                text,
                level,
                tuple(ChunkId(each) for each in sorted(json.loads(sources))),
                tuple(DerivedId(each) for each in sorted(json.loads(children))),
            )
            for number, document_id, text, level, sources, children in rows
        ]


def _is_needed(tx: sqlite3.Connection, document_id: DocumentId, way: str) -> bool:
    found = tx.execute(
        "SELECT 1 FROM preparations JOIN files USING (kb) "
        "WHERE way = ? AND document_id = ? AND NOT is_paused",
        (way, document_id),
    )
    return found.fetchone() is not None


def _begin(tx: sqlite3.Connection, step: PreparedStep) -> bool:
    """Make sure that a document's row is there, of this recipe, and stands where a step begins."""
    found = tx.execute(
        "SELECT recipe, position FROM prepared_documents WHERE document_id = ? AND way = ?",
        (step.document_id, step.way),
    ).fetchone()
    if found is not None and found[0] == step.recipe:
        return bool(found[1] == step.begin)
    for table in ("derived_texts", "prepared_documents"):
        tx.execute(
            f"DELETE FROM {table} WHERE document_id = ? AND way = ?",  # noqa: S608 - ours
            (step.document_id, step.way),
        )
    insert_prepared(tx, replace(step, position=0, is_done=False), 0)
    return step.begin == 0


def insert_preparation(tx: sqlite3.Connection, new: Preparation) -> None:
    """Insert what a knowledge base is prepared for, which it was not before."""
    tx.execute(
        "INSERT INTO preparations (kb, way, model, is_paused) VALUES (?, ?, ?, ?)",
        (new.kb, new.way, new.model, new.is_paused),
    )


def insert_prepared(tx: sqlite3.Connection, step: PreparedStep, texts: int) -> None:
    """Insert how far a document is prepared: up to the end of a step, with so many texts."""
    tx.execute(
        "INSERT INTO prepared_documents (document_id, way, recipe, position, texts, is_done) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (step.document_id, step.way, step.recipe, step.position, texts, step.is_done),
    )


def insert_derived(tx: sqlite3.Connection, step: PreparedStep, new: NewDerivedText) -> DerivedId:
    """Insert a derived text of a document and way; return its number."""
    (number,) = tx.execute(
        "INSERT INTO derived_texts (document_id, way, level, text) VALUES (?, ?, ?, ?) "
        "RETURNING id",
        (step.document_id, step.way, new.level, valid_text(new.text)),
    ).fetchone()
    tx.executemany(
        "INSERT INTO derived_sources (derived_id, chunk_id) VALUES (?, ?)",
        [(number, chunk) for chunk in dict.fromkeys(new.sources)],
    )
    tx.executemany(
        "INSERT INTO derived_children (parent_id, child_id) VALUES (?, ?)",
        [(number, child) for child in dict.fromkeys(new.children)],
    )
    return DerivedId(number)


def _insert_vectors(
    tx: sqlite3.Connection,
    vectors: Iterable[tuple[DerivedId, npt.NDArray[np.float16]]],
    fingerprint: str,
) -> None:
    tx.executemany(
        "INSERT OR REPLACE INTO derived_vectors (derived_id, fingerprint, vector) "
        "SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM derived_texts WHERE id = ?1)",
        [(number, fingerprint, np.asarray(v, _STORED).tobytes()) for number, v in vectors],
    )
