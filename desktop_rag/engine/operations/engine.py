"""What questions share in a workspace, as yet without a language model."""

from __future__ import annotations

from desktop_rag.engine.strategies import registry
from desktop_rag.engine.strategies.engine import Engine
from desktop_rag.engine.workspace import Workspace


def engine_of(workspace: Workspace) -> Engine:
    """Return the parts that research a question here; strategies find each other by name."""
    models = workspace.models
    return Engine(
        workspace.retriever,
        models.embedder,
        None,
        workspace.settings,
        models.reader,
        registry.plain,
    )
