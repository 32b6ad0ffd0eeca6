"""The knowledge bases that other programs may ask: those whose user agreed to it, no others."""

from __future__ import annotations

from collections.abc import Sequence

from mcp.server.mcpserver.exceptions import ToolError

from desktop_rag.core.requests import AskRequest, KbRequest, SearchRequest, ShowRequest
from desktop_rag.ipc.wire import Line
from desktop_rag.mcp_server.engine_calls import EngineCalls, OnLine

NONE_SERVED = (
    "No knowledge base may be asked by other programs yet. The user allows it for each one: in "
    "Desktop RAG's menu of the knowledge base, “Let other programs ask it”, or by "
    "`desktop-rag kb serve NAME on`."
)
_REFUSED = (
    "There is no knowledge base named “{name}” that other programs may ask. {others} Its user "
    "allows it in Desktop RAG's menu of the knowledge base, or by `desktop-rag kb serve NAME on`."
)


async def served_bases(calls: EngineCalls) -> list[Line]:
    """Return the rows of `kb list` of those that may be asked, by name."""
    return [row for row in await calls.lines(KbRequest("list")) if row.get("is_served")]


async def names_to_ask(calls: EngineCalls, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, all that may be asked where none is given.

    Raises a `ToolError` where one may not be asked; whether it is there at all is not told.
    """
    served = [str(row["name"]) for row in await served_bases(calls)]
    if not served:
        raise ToolError(NONE_SERVED)
    for name in names:
        if name not in served:
            others = f"These may be asked: {', '.join(served)}."
            raise ToolError(_REFUSED.format(name=name, others=others))
    return tuple(dict.fromkeys(names)) or tuple(served)


async def lines_of_served(
    calls: EngineCalls,
    request: AskRequest | SearchRequest | ShowRequest,
    on_line: OnLine | None = None,
) -> list[Line]:
    """Return the lines of a request, unless a consent was taken back while it ran."""
    lines = await calls.lines(request, on_line)
    await names_to_ask(calls, request.kbs)
    return lines
