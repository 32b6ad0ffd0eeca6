"""The catalog: the SQLite file that is the truth, and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.core import paths
from desktop_rag.store.chats import Chats
from desktop_rag.store.choices import Choices
from desktop_rag.store.consents import Consents
from desktop_rag.store.database import Database, scripts
from desktop_rag.store.documents import Documents
from desktop_rag.store.drafts import Drafts
from desktop_rag.store.embeddings import Embeddings
from desktop_rag.store.files import Files
from desktop_rag.store.kbs import KnowledgeBases
from desktop_rag.store.long_texts import LongTexts
from desktop_rag.store.measured import MeasuredRuns
from desktop_rag.store.named import NamedChunks
from desktop_rag.store.outbox import Outbox
from desktop_rag.store.questions import Questions
from desktop_rag.store.quotes import Quotes
from desktop_rag.store.recovery.recover import Check, damage, finish
from desktop_rag.store.recovery.tables import KeyOf
from desktop_rag.store.stretches import Stretches


@dataclass(frozen=True, slots=True)
class Catalog:
    """An opened catalog. Every thread may read; writes wait for each other."""

    database: Database
    kbs: KnowledgeBases
    files: Files
    documents: Documents
    embeddings: Embeddings
    outbox: Outbox
    chats: Chats
    consents: Consents
    drafts: Drafts
    quotes: Quotes
    choices: Choices
    stretches: Stretches
    long_texts: LongTexts
    named: NamedChunks
    questions: Questions
    measured: MeasuredRuns

    @classmethod
    def open(cls, data_dir: Path) -> Catalog:
        """Open the data folder's catalog, made or migrated as needed; the folder becomes private.

        Raises, with nothing changed, `CatalogDamaged`, or `StoreDamaged` at a newer version.
        """
        path = paths.make_private(data_dir) / paths.CATALOG
        finish(path)
        database = Database(path)
        chats, questions = Chats(database), Questions(database)
        return cls(
            database=database,
            kbs=KnowledgeBases(database),
            files=Files(database),
            documents=Documents(database),
            embeddings=Embeddings(database),
            outbox=Outbox(database),
            chats=chats,
            consents=Consents(database),
            drafts=Drafts(database),
            quotes=Quotes(database, chats, questions),
            choices=Choices(database),
            stretches=Stretches(database),
            long_texts=LongTexts(database),
            named=NamedChunks(database),
            questions=questions,
            measured=MeasuredRuns(database),
        )

    def damage(self, key_of: KeyOf | None = None, check: Check = lambda: None) -> str:
        """Return what is wrong in the file, empty when it is sound; every page and row is read."""
        return damage(self.database.path, scripts(), key_of, check)

    def close(self) -> None:
        """Close the file; harmless when called again."""
        self.database.close()
