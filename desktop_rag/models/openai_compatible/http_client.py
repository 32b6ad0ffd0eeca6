"""Requests to a server that speaks OpenAI's protocol: bounded, without proxies and redirects."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

import httpx

from desktop_rag.models.ollama.address import is_loopback
from desktop_rag.models.ollama.reply_limits import NO_COMPRESSION, limit_reply
from desktop_rag.models.ollama.reply_values import mapping
from desktop_rag.models.openai_compatible.server_errors import (
    malformed_reply,
    not_compatible,
    reported,
)

_CONNECT_SECONDS = 5.0
_REFUSED = (400, 422)
_IN_TROUBLE = (408, 429, 500, 502, 503, 504)
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


async def get_object(client: httpx.AsyncClient, url: str, path: str) -> dict[str, Any]:
    """Return the object at a path.

    Raises what the server reports, and `TypeError` where there is no object.
    """
    reply = await client.get(url + path)
    if not reply.is_success:
        raise reported(reply.text, reply.status_code, url)
    told = reply.json()
    if not isinstance(told, dict):
        raise TypeError(f"{path} gave no object")
    return told


async def answers_as_ollama(client: httpx.AsyncClient, url: str) -> bool:
    """Say whether a server lists its models at Ollama's own path, and in Ollama's form.

    llama.cpp answers there, too, and adds OpenAI's list. Raises what a server in trouble reports:
    then it is not known.
    """
    reply = await client.get(url + "/api/tags")
    if reply.status_code in _IN_TROUBLE:
        raise reported(reply.text, reply.status_code, url)
    try:
        told = reply.json() if reply.is_success else None
    except (ValueError, RecursionError):
        return False
    return isinstance(told, dict) and "models" in told and not {"data", "object"} & told.keys()


async def stream_events(
    client: httpx.AsyncClient, url: str, path: str, body: Mapping[str, Any]
) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a stream of server-sent events, up to `[DONE]` or its end.

    Raises what the server reports instead, or within.
    """
    model = str(body.get("model", ""))
    async with client.stream("POST", url + path, json=dict(body)) as reply:
        if not reply.is_success:
            await reply.aread()
            raise reported(reply.text, reply.status_code, url, model)
        async for line in _lines(reply):
            found = _read_line(line, url, model)
            if found is None:
                continue
            if found == _END:
                return
            yield json.loads(found) if isinstance(found, str) else found


async def _lines(reply: httpx.Response) -> AsyncIterator[str]:
    """Yield the lines of a reply, which line feeds alone end: JSON may hold other separators.

    How long one may be is bounded by `limit_reply`.
    """
    waiting = bytearray()
    async for chunk in reply.aiter_bytes():
        first, *others = chunk.split(b"\n")
        waiting += first
        for each in others:
            yield waiting.decode(errors="replace")
            waiting = bytearray(each)
    yield waiting.decode(errors="replace")


def _read_line(line: str, url: str, model: str) -> str | dict[str, Any] | None:
    """Return what a line holds: an event, `[DONE]`, or None for what is no data."""
    text = line.strip()
    if text.startswith("<"):
        raise not_compatible(url)
    is_bare = text.startswith("{")  # no event: some report so, with status 200
    if is_bare or text.startswith(_ERROR):
        told = text.removeprefix(_ERROR).strip()
        raise reported(told, _status_within(told), url, model)
    if not text.startswith(_DATA):
        return None
    data = text.removeprefix(_DATA).strip()
    if data == _END:
        return _END
    event = json.loads(data)
    if not isinstance(event, dict):
        raise TypeError("an event is no object")
    if event.get("error"):
        raise reported(data, _status_within(data), url, model)
    return event


def _status_within(told: str) -> int:
    """Return the status of a refused request that an error within a stream tells, or 200."""
    try:
        event = json.loads(told)
    except (ValueError, RecursionError):
        return 200
    outer = event if isinstance(event, dict) else {}
    inner = mapping(outer.get("error"))
    told_status = (each.get(name) for each in (inner, outer) for name in ("code", "status"))
    return next((each for each in told_status if each in _REFUSED), 200)
