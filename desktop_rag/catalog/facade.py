"""The catalog: the SQLite file that is the truth, and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop_rag.catalog.chats import Chats, Drafts
from desktop_rag.catalog.citation_redaction import CitationRedaction
from desktop_rag.catalog.cited_documents import CitedDocuments
from desktop_rag.catalog.consents import Consents
from desktop_rag.catalog.database import Database, migration_scripts
from desktop_rag.catalog.document_metadata import MetadataTable
from desktop_rag.catalog.document_outlines import DocumentOutlines
from desktop_rag.catalog.document_queries import DocumentQueries, TitledChunks
from desktop_rag.catalog.documents import Documents
from desktop_rag.catalog.embeddings import Embeddings
from desktop_rag.catalog.evaluation_questions import EvaluationQuestions
from desktop_rag.catalog.evaluation_runs import EvaluationRuns
from desktop_rag.catalog.file_rules import FileRules
from desktop_rag.catalog.files import Files
from desktop_rag.catalog.index_health import IndexHealthQueries
from desktop_rag.catalog.kept_answers import KeptAnswers
from desktop_rag.catalog.knowledge_bases import KnowledgeBases
from desktop_rag.catalog.long_documents import LongDocuments
from desktop_rag.catalog.named_documents import NamedDocuments
from desktop_rag.catalog.notes import UserNotes
from desktop_rag.catalog.outbox import Outbox
from desktop_rag.catalog.preparations import Preparations
from desktop_rag.catalog.recognized_pages import RecognizedPages
from desktop_rag.catalog.recovery.coordinator import Check, finish_replacement, is_damaged
from desktop_rag.catalog.retriever_adaptations import RetrieverAdaptations
from desktop_rag.catalog.reusable_answers import ReusableAnswers
from desktop_rag.catalog.schema import KeyOf
from desktop_rag.catalog.shares import Shares
from desktop_rag.catalog.suggested_questions import SuggestedQuestions
from desktop_rag.catalog.table_chunks import TableChunks
from desktop_rag.core import paths


@dataclass(frozen=True, slots=True)
class Catalog:
    """An opened catalog. Every thread may read; writes wait for each other."""

    database: Database
    kbs: KnowledgeBases
    files: Files
    documents: Documents
    metadata: MetadataTable
    embeddings: Embeddings
    outbox: Outbox
    chats: Chats
    consents: Consents
    drafts: Drafts
    quotes: CitationRedaction
    choices: FileRules
    document_queries: DocumentQueries
    cited: CitedDocuments
    long_texts: LongDocuments
    named: TitledChunks
    named_documents: NamedDocuments
    outlines: DocumentOutlines
    questions: EvaluationQuestions
    measured: EvaluationRuns
    shares: Shares
    recognized: RecognizedPages
    health: IndexHealthQueries
    preparations: Preparations
    tables: TableChunks
    answered: ReusableAnswers
    kept: KeptAnswers
    adaptations: RetrieverAdaptations
    notes: UserNotes
    suggestions: SuggestedQuestions

    @classmethod
    def open(cls, data_dir: Path) -> Catalog:
        """Open the data folder's catalog, made or migrated as needed; the folder becomes private.

        Raises, with nothing changed, `CatalogDamaged`, or `StoreDamaged` at a newer version.
        """
        path = paths.make_private(data_dir) / paths.CATALOG
        finish_replacement(path)
        database = Database(path)
        chats, questions = Chats(database), EvaluationQuestions(database)
        notes = UserNotes(database)
        documents, document_queries = Documents(database), DocumentQueries(database)
        return cls(
            database=database,
            kbs=KnowledgeBases(database),
            files=Files(database),
            metadata=MetadataTable(database),
            documents=documents,
            embeddings=Embeddings(database),
            outbox=Outbox(database),
            chats=chats,
            consents=Consents(database),
            drafts=Drafts(database),
            quotes=CitationRedaction(database, chats, questions),
            choices=FileRules(database),
            document_queries=document_queries,
            cited=CitedDocuments(database, documents, document_queries),
            long_texts=LongDocuments(database),
            named=TitledChunks(database),
            named_documents=NamedDocuments(database),
            outlines=DocumentOutlines(database),
            questions=questions,
            measured=EvaluationRuns(database),
            shares=Shares(database),
            recognized=RecognizedPages(database),
            health=IndexHealthQueries(database),
            preparations=Preparations(database),
            tables=TableChunks(database),
            answered=ReusableAnswers(database),
            kept=KeptAnswers(database),
            adaptations=RetrieverAdaptations(database),
            notes=notes,
            suggestions=SuggestedQuestions(database),
        )

    def is_damaged(self, key_of: KeyOf | None = None, check: Check = lambda: None) -> bool:
        """Say whether the file is damaged; every page and row is read."""
        return is_damaged(self.database.path, migration_scripts(), key_of, check)

    def close(self) -> None:
        """Close the file; harmless when called again."""
        self.database.close()
