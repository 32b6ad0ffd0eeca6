"""What is told of questions that documents answer; see `SuggestedQuestionsRequest`."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.events import Event
from desktop_rag.core.types import DocumentId


@dataclass(frozen=True, slots=True)
class SuggestedQuestion(Event):
    """A question that a document of a knowledge base answers, in the document's language.

    `title` is what the document calls itself, or its file's name.
    """

    event = "suggested_question"
    question: str
    kb: str
    document_id: DocumentId
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class DocumentLookedAt(Event):
    """A document was looked at for questions, of which so many were kept."""

    event = "document_looked_at"
    kb: str
    document_id: DocumentId
    questions: int


@dataclass(frozen=True, slots=True)
class QuestionTried(Event):
    """A question was asked of a knowledge base; `is_kept` where its document answers it."""

    event = "question_tried"
    question: str
    kb: str
    document_id: DocumentId
    is_kept: bool
