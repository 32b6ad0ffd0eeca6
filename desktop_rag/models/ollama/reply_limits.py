"""Bounds for what is read of a server's replies: whoever answers, memory and time are ours.

A reply that is one JSON object may have some megabytes; of a stream, a line and the whole may. No
reply is unpacked, and none is read in a charset of its own choice: Ollama's are JSON in UTF-8.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

import httpx

from desktop_rag.models.ollama.server_errors import malformed_reply

_log = logging.getLogger(__name__)

NO_COMPRESSION = {"Accept-Encoding": "identity"}
"""The header that asks for replies as they are."""

_MEGABYTE = 1024 * 1024
_STREAMED = ("/api/chat", "/api/generate", "/api/pull", "/v1/chat/completions", "/v1/completions")
_JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class ReplyBounds:
    """The most bytes of a reply, and of a line of it."""

    whole: int
    line: int


# 32 vectors of 4,096 numbers, the largest reply that is usual, take 3 MB. Of a stream, a line with
# one token takes 150 bytes; the longest answer that can be asked for has 32,768 of them.
OBJECT = ReplyBounds(8 * _MEGABYTE, 8 * _MEGABYTE)
STREAM = ReplyBounds(128 * _MEGABYTE, _MEGABYTE)
ERROR = ReplyBounds(64 * 1024, 64 * 1024)


Refuse = Callable[[str], Exception]
"""Returns the error of a reply beyond its bounds, for an address."""


async def limit_reply(response: httpx.Response, refuse: Refuse = malformed_reply) -> None:
    """Hold a reply to its bounds; a hook that httpx calls between the headers and the body."""
    refused = partial(_refused, refuse, _address(response.request.url))
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise refused("a packed reply")
    bounds = _bounds(response)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > bounds.whole:
        raise refused("a reply of too many bytes")
    response.headers["content-type"] = _JSON
    source = cast("httpx.AsyncByteStream", response.stream)
    response.stream = _Bounded(source, bounds, refused)


def _bounds(response: httpx.Response) -> ReplyBounds:
    if not response.is_success:
        return ERROR
    return STREAM if response.request.url.path.endswith(_STREAMED) else OBJECT


class _Bounded(httpx.AsyncByteStream):
    """A body that breaks off where it grows beyond its bounds."""

    def __init__(self, source: httpx.AsyncByteStream, bounds: ReplyBounds, refused: Refuse) -> None:
        self._source = source
        self._bounds = bounds
        self._refused = refused

    async def __aiter__(self) -> AsyncIterator[bytes]:
        whole = line = 0
        async for chunk in self._source:
            whole += len(chunk)
            line = len(chunk) - 1 - end if (end := chunk.rfind(b"\n")) >= 0 else line + len(chunk)
            if whole > self._bounds.whole or line > self._bounds.line:
                raise self._refused("a reply that does not end")
            yield chunk

    async def aclose(self) -> None:
        await self._source.aclose()


def _address(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}"


def _refused(refuse: Refuse, url: str, what: str) -> Exception:
    _log.warning("refused %s", what)
    return refuse(url)
