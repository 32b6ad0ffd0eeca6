"""The `ollama` package's client, made so that nothing of the environment gets between."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from desktop_rag.core.import_lock import IMPORT_LOCK
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.address import VARIABLE, is_loopback
from desktop_rag.models.ollama.reply_limits import NO_COMPRESSION, limit_reply

if TYPE_CHECKING:
    from ollama import AsyncClient

_CONNECT_SECONDS = 5.0


def make_client(url: str) -> AsyncClient:
    """Return a client without redirects or total time limit, and on loopback without proxies.

    What it reads has bounds. httpx would take a proxy from the environment also for 127.0.0.1, and
    hand it every prompt.
    """
    import_ollama()
    from ollama import AsyncClient

    return AsyncClient(
        url,
        timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
        trust_env=not is_loopback(url),
        follow_redirects=False,
        verify=url.startswith("https:"),
        headers=NO_COMPRESSION,
        event_hooks={"response": [limit_reply]},
    )


def keep_alive(options: Ollama) -> str | float:
    """Return how long to keep a model as Ollama takes it: seconds must be a number, not a text."""
    try:
        return float(options.keep_alive)
    except ValueError:
        return options.keep_alive


def import_ollama() -> None:
    """Import `ollama`, which makes a client of its own while it is imported.

    That one fails on an OLLAMA_HOST or a proxy (`socks5://`) that it cannot read: then the import
    is done again without them.
    """
    with IMPORT_LOCK:
        try:
            import ollama
        except (ImportError, ValueError):
            with _without_addresses():
                import ollama  # noqa: F401


@contextmanager
def _without_addresses() -> Iterator[None]:
    hidden = {
        name: os.environ.pop(name)
        for name in list(os.environ)
        if name == VARIABLE or name.lower().endswith("_proxy")
    }
    try:
        yield
    finally:
        os.environ.update(hidden)
