"""What the query vectors of knowledge bases are moved by, and what that was measured to be worth.

An adaptation belongs to one embedding model's vectors: under another model it is not applied. It
goes with its knowledge base.
"""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, fields

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.core.types import KbId

QueryMap = npt.NDArray[np.float16]
_STORED = np.dtype("<f2")  # little-endian on every machine
_FIGURES = ", ".join(each.name for each in fields(RetrieverAdaptation))


class RetrieverAdaptations:
    """The catalog's adaptations, at most one a knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, kb: KbId) -> RetrieverAdaptation | None:
        """Return what was measured of a knowledge base's adaptation, whether kept or not."""
        row = (
            self._database.read()
            .execute(f"SELECT {_FIGURES} FROM retriever_adaptations WHERE kb = ?", (kb,))  # noqa: S608 - ours
            .fetchone()
        )
        return None if row is None else RetrieverAdaptation(*row)

    def is_kept(self, kb: KbId) -> bool:
        """Say whether a knowledge base has an adaptation that was worth keeping."""
        row = self._database.read().execute(
            "SELECT query_map IS NOT NULL FROM retriever_adaptations WHERE kb = ?", (kb,)
        )
        found = row.fetchone()
        return found is not None and bool(found[0])

    def query_map(self, kb: KbId, fingerprint: str) -> QueryMap | None:
        """Return the map of a knowledge base's query vectors by this model, if one is kept.

        Shape `(dimensions, dimensions)`. One that cannot be what was stored is none.
        """
        row = (
            self._database.read()
            .execute(
                "SELECT query_map FROM retriever_adaptations "
                "WHERE kb = ? AND fingerprint = ? AND query_map IS NOT NULL",
                (kb, fingerprint),
            )
            .fetchone()
        )
        return None if row is None else unpack_query_map(row[0])

    def store(self, kb: KbId, measured: RetrieverAdaptation, query_map: QueryMap | None) -> None:
        """Keep what was measured, and the map where it is worth it, in place of what was there.

        Nothing is kept where the knowledge base was deleted meanwhile.
        """
        with self._database.write() as tx:
            if tx.execute("SELECT 1 FROM knowledge_bases WHERE id = ?", (kb,)).fetchone():
                insert_adaptation(tx, kb, measured, query_map)

    def remove(self, kb: KbId) -> None:
        """Forget a knowledge base's adaptation: its query vectors are as the model makes them."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM retriever_adaptations WHERE kb = ?", (kb,))


def insert_adaptation(
    tx: sqlite3.Connection, kb: KbId, measured: RetrieverAdaptation, query_map: QueryMap | None
) -> None:
    """Enter an adaptation within a transaction."""
    values = (kb, *astuple(measured), None if query_map is None else pack_query_map(query_map))
    places = ", ".join("?" * len(values))
    tx.execute(
        f"INSERT OR REPLACE INTO retriever_adaptations (kb, {_FIGURES}, query_map) "  # noqa: S608 - ours
        f"VALUES ({places})",
        values,
    )


def pack_query_map(query_map: QueryMap) -> bytes:
    """Return a map as it is stored and exported: float16, row by row."""
    return query_map.astype(_STORED).tobytes()


def unpack_query_map(stored: bytes) -> QueryMap | None:
    """Return a stored map; None where it is not a square of finite numbers."""
    size = round((len(stored) / _STORED.itemsize) ** 0.5)
    if not stored or size * size * _STORED.itemsize != len(stored):
        return None
    made = np.frombuffer(stored, _STORED).reshape(size, size)
    return made if bool(np.isfinite(made).all()) else None
