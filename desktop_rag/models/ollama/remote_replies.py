"""Replies of the `ollama` package with what it leaves out: where else a reply was made.

The package is imported when the first is asked for, as everywhere: it takes a while.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ollama import ChatResponse, GenerateResponse


@cache
def chat_reply() -> type[ChatResponse]:
    """Return the form of a part of `/api/chat`, with `remote_host` and `remote_model`."""
    from ollama import ChatResponse

    class RemoteChatResponse(ChatResponse):
        remote_host: str | None = None
        remote_model: str | None = None

    return RemoteChatResponse


@cache
def text_reply() -> type[GenerateResponse]:
    """Return the form of a part of `/api/generate`, with `remote_host` and `remote_model`."""
    from ollama import GenerateResponse

    class RemoteGenerateResponse(GenerateResponse):
        remote_host: str | None = None
        remote_model: str | None = None

    return RemoteGenerateResponse
