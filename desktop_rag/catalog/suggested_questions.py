"""Questions that were made of documents, to be suggested to whoever asks a knowledge base.

Each was tried in its knowledge base, so that a document in two of them has questions in each. They
go with their document, and with the last file that has it there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.catalog.column_values import text_list
from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import PendingDocument
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.core.unicode import shown_path, valid_text

_NEWEST = """
    SELECT document_id, max(changed_at) AS since, min(path) AS path FROM files
    WHERE kb = ?1 AND document_id IS NOT NULL AND status <> 'queued'
    GROUP BY document_id ORDER BY since DESC, document_id DESC LIMIT ?2
"""


@dataclass(frozen=True, slots=True)
class DocumentQuestions:
    """The questions of one document, the best first, with what it is called."""

    document_id: DocumentId
    title: str
    path: str
    questions: tuple[str, ...]


class SuggestedQuestions:
    """The catalog's suggested questions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def looked_at(self, kb: KbId, recipe: str, most: int) -> list[tuple[PendingDocument, int]]:
        """Return the `most` newest documents, newest first, each with how many questions it has.

        Of one that this recipe has not looked at yet that is -1.
        """
        rows = self._database.read().execute(
            "SELECT newest.document_id, title, chunk_count, "  # noqa: S608 - ours
            f"coalesce(json_array_length(questions), -1) FROM ({_NEWEST}) AS newest "
            "JOIN documents INDEXED BY documents_details ON documents.id = newest.document_id "
            "LEFT JOIN suggested_questions AS made ON made.kb = ?1 "
            "AND made.document_id = newest.document_id AND made.recipe = ?3 "
            "ORDER BY since DESC, newest.document_id DESC",
            (kb, most, recipe),
        )
        return [
            (PendingDocument(DocumentId(number), title, chunks), questions)
            for number, title, chunks, questions in rows
        ]

    def store(
        self, kb: KbId, document_id: DocumentId, recipe: str, questions: Sequence[str]
    ) -> None:
        """Keep a document's questions in place of earlier ones; nothing where it is gone."""
        listed = json.dumps([valid_text(each) for each in questions], ensure_ascii=False)
        with self._database.write() as tx:
            tx.execute(
                "INSERT OR REPLACE INTO suggested_questions (kb, document_id, recipe, questions) "
                "SELECT ?1, ?2, ?3, ?4 "
                "WHERE EXISTS (SELECT 1 FROM files WHERE kb = ?1 AND document_id = ?2)",
                (kb, document_id, recipe, listed),
            )

    def newest(self, kb: KbId, most: int) -> list[DocumentQuestions]:
        """Return the `most` newest documents that have questions, newest first."""
        rows = self._database.read().execute(
            "SELECT files.document_id, documents.title, min(path), questions, "
            "max(changed_at) AS since "
            "FROM suggested_questions AS made JOIN files USING (kb, document_id) "
            "JOIN documents ON documents.id = files.document_id "
            "WHERE made.kb = ?1 AND questions <> '[]' "
            "GROUP BY files.document_id ORDER BY since DESC, files.document_id DESC LIMIT ?2",
            (kb, most),
        )
        return [
            DocumentQuestions(DocumentId(number), title, shown_path(path), text_list(questions))
            for number, title, path, questions, _ in rows
        ]

    def asked(self, questions: Iterable[str]) -> set[str]:
        """Return those of the questions that stand in a kept conversation, as they are."""
        rows = self._database.read().execute(
            "SELECT DISTINCT trim(messages.text) FROM messages JOIN chats ON chats.id = chat_id "
            "WHERE role = 'user' AND deleted IS NULL "
            "AND trim(messages.text) IN (SELECT value FROM json_each(?))",
            (json.dumps(list(questions)),),
        )
        return {text for (text,) in rows}
