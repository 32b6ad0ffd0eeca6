"""Consent, kept per knowledge base: the addresses to which its passages may be sent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.catalog.database import Database
from desktop_rag.core.types import KbId


@dataclass(frozen=True, slots=True)
class ConsentRecord:
    """One consent: a knowledge base by its name, an address, and when it was given."""

    kb: str
    place: str
    when: float


class Consents:
    """The catalog's consents; they go with their knowledge base."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[ConsentRecord]:
        """Return every consent, by knowledge base and address."""
        rows = self._database.read().execute(
            "SELECT name, host, given FROM consents JOIN knowledge_bases ON id = kb "
            "ORDER BY name, host"
        )
        return [ConsentRecord(*row) for row in rows]

    def places(self, kb: KbId) -> frozenset[str]:
        """Return the addresses to which a knowledge base's passages may be sent."""
        rows = self._database.read().execute("SELECT host FROM consents WHERE kb = ?", (kb,))
        return frozenset(row[0] for row in rows)

    def common(self, kbs: Sequence[KbId]) -> frozenset[str]:
        """Return the addresses to which the passages of all these knowledge bases may be sent."""
        return frozenset.intersection(*(self.places(kb) for kb in kbs)) if kbs else frozenset()

    def any_places(self) -> frozenset[str]:
        """Return the addresses that some knowledge base may use: those may be called at all."""
        rows = self._database.read().execute("SELECT DISTINCT host FROM consents")
        return frozenset(row[0] for row in rows)

    def give(self, kb: KbId, place: str) -> None:
        """Keep a consent."""
        with self._database.write() as tx:
            tx.execute(
                "INSERT INTO consents (kb, host, given) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (kb, place, time.time()),
            )

    def revoke(self, kb: KbId, place: str) -> None:
        """Take a consent back; no copy of the catalog may bring it again."""
        with self._database.write() as tx:
            tx.execute("DELETE FROM consents WHERE kb = ? AND host = ?", (kb, place))
        self._database.forget()
