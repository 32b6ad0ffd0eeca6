"""Two-stage retrieval for a person or a program: one row a passage, no language model."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.commands.knowledge_base_choice import choose
from desktop_rag.commands.share_status import away_notices
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, ListingRow, Notice
from desktop_rag.core.requests import SearchRequest
from desktop_rag.retrieval.query import Query
from desktop_rag.workspace import Workspace


def run(workspace: Workspace, request: SearchRequest, token: CancelToken) -> Iterator[Event]:
    """Yield the passages for a query, best first; before, which knowledge base was chosen."""
    if not request.query.strip():
        raise UsageError("The query is empty.", "Write what you are looking for.")
    names = request.kbs
    if request.chooses_kb:
        chosen = choose(workspace, request.query, names, token)
        yield chosen
        names = chosen.kbs
    kbs = tuple(workspace.catalog.kbs.get(name).id for name in names)
    token.check()
    query = Query(request.query, kbs, request.k, where=request.where)
    found = workspace.retriever.search(query)
    yield from away_notices(workspace.catalog, kbs)
    yield from map(Notice, found.problems)
    for passage in found.passages:
        yield ListingRow(passage.as_json())
