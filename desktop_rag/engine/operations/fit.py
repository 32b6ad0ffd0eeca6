"""How well the embedding model fits the languages of a knowledge base."""

from __future__ import annotations

from desktop_rag.core.types import KbId
from desktop_rag.engine.workspace import Workspace

MUCH = 0.3
"""The share of passages that the model does not read from which on the user is told."""

_LOOKED_AT = 200
_LETTERS = 40  # a passage with fewer says little about its language


def unread_share(workspace: Workspace, kb: KbId) -> float:
    """Return the share in [0, 1] of a knowledge base's passages that the model was not trained on.

    Looks at some of those that are embedded, evenly; 0 where none has enough letters to tell.
    """
    embedder, catalog = workspace.models.embedder, workspace.catalog
    ids = catalog.embeddings.ids(kb, embedder.fingerprint)
    some = ids[:: max(1, len(ids) // _LOOKED_AT)]
    texts = [chunk.text for chunk in catalog.documents.get_chunks(some).values()]
    telling = [text for text in texts if sum(map(str.isalpha, text)) >= _LETTERS]
    return sum(not embedder.reads(text) for text in telling) / max(len(telling), 1)
