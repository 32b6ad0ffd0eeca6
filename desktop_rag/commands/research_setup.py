"""What questions share in a workspace, as yet without a language model."""

from __future__ import annotations

from desktop_rag.strategies import registry
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.workspace import Workspace


def research_context_of(workspace: Workspace) -> ResearchContext:
    """Return the parts that research a question here; strategies find each other by name."""
    models = workspace.models
    return ResearchContext(
        workspace.retriever,
        models.embedder,
        None,
        workspace.settings,
        models.readers,
        registry.make_default,
        prepared=workspace.catalog.preparations.coverage,
        tables=workspace.tables,
    )
