"""Requests to a server that speaks OpenAI's protocol: bounded, without proxies and redirects."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import httpx

from desktop_rag.models.ollama.address import is_loopback
from desktop_rag.models.ollama.reply_limits import NO_COMPRESSION, limit_reply
from desktop_rag.models.openai_compatible.server_errors import (
    malformed_reply,
    not_compatible,
    reported,
)

_CONNECT_SECONDS = 5.0
_DATA, _ERROR, _END = "data:", "error:", "[DONE]"


def make_client(url: str) -> httpx.AsyncClient:
    """Return a client without redirects or total time limit, and on loopback without proxies."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(None, connect=_CONNECT_SECONDS),
        trust_env=not is_loopback(url),
        follow_redirects=False,
        verify=url.startswith("https:"),
        headers=NO_COMPRESSION,
        event_hooks={"response": [partial(limit_reply, refuse=malformed_reply)]},
    )


def base_address(url: str) -> str:
    """Return an address without the `/v1` at its end that people copy along."""
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


async def get_object(client: httpx.AsyncClient, url: str, path: str) -> dict[str, Any]:
    """Return the object at a path.

    Raises what the server reports, and `TypeError` where there is no object.
    """
    reply = await client.get(base_address(url) + path)
    if not reply.is_success:
        raise reported(reply.text, reply.status_code, url)
    told = reply.json()
    if not isinstance(told, dict):
        raise TypeError(f"{path} gave no object")
    return told


async def stream_events(
    client: httpx.AsyncClient, url: str, path: str, body: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a stream of server-sent events, up to `[DONE]` or its end.

    Raises what the server reports instead, or within.
    """
    model = str(body.get("model", ""))
    async with client.stream("POST", base_address(url) + path, json=dict(body)) as reply:
        if not reply.is_success:
            await reply.aread()
            raise reported(reply.text, reply.status_code, url, model)
        async for line in reply.aiter_lines():
            found = _read_line(line, url, model)
            if found is None:
                continue
            if found == _END:
                return
            yield json.loads(found) if isinstance(found, str) else found


def _read_line(line: str, url: str, model: str) -> str | dict[str, Any] | None:
    """Return what a line holds: an event, `[DONE]`, or None for what is no data."""
    text = line.strip()
    if text.startswith("<"):
        raise not_compatible(url)
    is_bare = text.startswith("{")  # no event: some report so, with status 200
    if is_bare or text.startswith(_ERROR):
        raise reported(text.removeprefix(_ERROR).strip(), 200, url, model)
    if not text.startswith(_DATA):
        return None
    data = text.removeprefix(_DATA).strip()
    if data == _END:
        return _END
    event = json.loads(data)
    if not isinstance(event, dict):
        raise TypeError("an event is no object")
    if event.get("error"):
        raise reported(data, 200, url, model)
    return event
