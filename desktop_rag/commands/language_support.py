"""Whether the built-in models read the languages of a knowledge base."""

from __future__ import annotations

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import KbId
from desktop_rag.models.model_loader import is_built_in
from desktop_rag.models.protocols import LanguageSupport
from desktop_rag.workspace import Workspace

_MUCH = 0.3
_LOOKED_AT = 60  # passages
_READ = 400  # characters of each
_LETTERS = 40  # a passage with fewer says little about its language


def has_unsupported_languages(workspace: Workspace, kb: KbId, token: CancelToken) -> bool:
    """Say whether much of a knowledge base is in languages that the built-in models do not read.

    Looks at some passages, evenly. Who chose another model knows better: then it is False.
    """
    if not is_built_in(workspace.settings.models.embedder):
        return False
    documents = workspace.catalog.documents
    ids = documents.chunk_ids(kb)
    some = ids[:: -(-len(ids) // _LOOKED_AT) or 1]
    texts = [chunk.text[:_READ] for chunk in documents.get_chunks(some).values()]
    telling = [text for text in texts if sum(map(str.isalpha, text)) >= _LETTERS]
    unread = 0
    for text in telling:
        token.check()
        unread += workspace.models.embedder.trust(text) is LanguageSupport.NONE
    return unread > _MUCH * len(telling)
