"""Looks for servers of language models at addresses of this computer."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled, ModelUnavailable
from desktop_rag.core.remote_consent import NOWHERE
from desktop_rag.core.usual_servers import FoundServer
from desktop_rag.models.model_server import server_at
from desktop_rag.models.ollama import OllamaServer

SECONDS = 3.0
"""How long is waited for all of them: what takes longer on this computer is something else."""


def search_servers(addresses: Sequence[str], token: CancelToken) -> tuple[FoundServer, ...]:
    """Return the servers that answer at these addresses, in their order.

    All are asked at once. Only loopback is: an address of another computer finds nothing.
    """
    if not addresses:
        return ()
    ours = CancelToken()
    late = threading.Timer(SECONDS, ours.cancel)
    late.start()
    try:
        with token.waking(ours.cancel), ThreadPoolExecutor(len(addresses)) as pool:
            found = tuple(pool.map(partial(_look, token=ours), addresses))
    finally:
        late.cancel()
    token.check()
    return tuple(each for each in found if each is not None)


def _look(url: str, token: CancelToken) -> FoundServer | None:
    with suppress(ModelUnavailable, Cancelled):
        server = server_at(url, NOWHERE, token)
        models = tuple(each.name for each in server.models(token) if each.can_chat)
        return FoundServer(server.url, server.title, isinstance(server, OllamaServer), models)
    return None
