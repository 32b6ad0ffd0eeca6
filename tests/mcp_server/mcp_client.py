"""A client by the protocol's own library, which starts `desktop-rag mcp` as others do."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.system.terminal import Terminal

T = TypeVar("T")
_SECONDS = 120.0


def in_session(terminal: Terminal, scenario: Callable[[Client], Awaitable[T]], *words: str) -> T:
    """Start the server as a client's configuration says, and run a scenario with the client."""
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "desktop_rag", "mcp", *words],
        env=dict(os.environ)
        | {"DESKTOP_RAG_HOME": str(terminal.home), "OLLAMA_HOST": terminal.ollama},
    )

    async def run() -> T:
        with anyio.fail_after(_SECONDS):
            async with Client(stdio_client(started)) as client:
                return await scenario(client)

    return anyio.run(run)


async def used(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool gives."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Return the sentence with which a tool fails."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content
    (told,) = result.content
    return str(getattr(told, "text", ""))
