"""The ways that there are of preparing a knowledge base."""

from __future__ import annotations

from typing import Any

from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase
from desktop_rag.preparation.base import Preparer
from desktop_rag.preparation.document_summaries import SummaryPreparer
from desktop_rag.preparation.entity_graph import EntityGraphPreparer
from desktop_rag.preparation.hypothetical_questions import HypotheticalQuestionPreparer
from desktop_rag.preparation.multi_head import MultiHeadPreparer
from desktop_rag.preparation.propositions import PropositionPreparer
from desktop_rag.preparation.raptor import RaptorPreparer
from desktop_rag.preparation.table_descriptions import TableDescriptionPreparer

PREPARERS: tuple[type[Any], ...] = (
    HypotheticalQuestionPreparer,
    PropositionPreparer,
    RaptorPreparer,
    EntityGraphPreparer,
    TableDescriptionPreparer,
    SummaryPreparer,
    MultiHeadPreparer,
)


def find(way: str) -> Preparer:
    """Return what prepares for a way; a `UsageError` when there is none of that name."""
    known = {kind.name: kind for kind in PREPARERS}
    if way not in known:
        raise UsageError(
            Phrase("Nothing is prepared for {0}.", f"{way!r}"),
            Phrase("Choose one of: {0}.", ", ".join(known)),
        )
    preparer: Preparer = known[way]()
    return preparer


def recipe(preparer: Preparer, model: str) -> str:
    """Name how texts are derived: by which version of a preparer, and which language model."""
    return f"{preparer.name}:{preparer.version}:{model}"
