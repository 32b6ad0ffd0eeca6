"""Requests and lines as JSON, the one language between a data folder's owner and its clients.

Nothing is ever unpickled: what arrives is checked field by field before it becomes a request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from desktop_rag.core import codec, requests
from desktop_rag.core.errors import UsageError

PROTOCOL = 1
"""Raised when frames change; owner and client of two protocols refuse each other in words."""

VERBS: dict[str, type[requests.Request]] = {
    "index": requests.IndexRequest,
    "search": requests.SearchRequest,
    "ask": requests.AskRequest,
    "continue": requests.ContinueRequest,
    "keep": requests.KeepRequest,
    "notes": requests.NoteRequest,
    "documents": requests.DocumentsRequest,
    "explain": requests.ExplainRequest,
    "show": requests.ShowRequest,
    "remove": requests.RemoveRequest,
    "files": requests.FilesRequest,
    "kb": requests.KbRequest,
    "prepare": requests.PrepareRequest,
    "derived": requests.DerivedRequest,
    "adapt": requests.AdaptRequest,
    "describe": requests.DescribeRequest,
    "eval": requests.EvalRequest,
    "sets": requests.SetsRequest,
    "suggest": requests.SuggestedQuestionsRequest,
    "recover": requests.RecoverRequest,
    "keep_open": requests.KeepOpenRequest,
}

Line = dict[str, Any]
"""One line of the command line's `--json`."""

Frame = dict[str, Any]
"""One message on the socket: `{"line": …}`, and last `{"end": status, …}` or `{"moved": grace}`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request, and what its sender adds: `--set`, and where its environment has Ollama."""

    request: requests.Request
    overrides: dict[str, str] = field(default_factory=dict)
    ollama_host: str = ""


def pack(frame: Mapping[str, Any]) -> bytes:
    """Return a frame as one line of ASCII JSON, in which lone surrogates survive."""
    return json.dumps(frame, separators=(",", ":")).encode("ascii")


def unpack(raw: bytes) -> Frame:
    """Read a frame; a `UsageError` when it is not one."""
    try:
        frame = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise UsageError("A message could not be read.") from error
    if not isinstance(frame, dict):
        raise UsageError("A message is not an object.")
    return frame


def encode_call(call: Call) -> Frame:
    """Return a call's frame."""
    verb = next(name for name, kind in VERBS.items() if isinstance(call.request, kind))
    return {
        "verb": verb,
        "args": asdict(call.request),
        "set": call.overrides,
        "ollama_host": call.ollama_host,
    }


def decode_call(frame: Frame) -> Call:
    """Read `encode_call`'s frame; a `UsageError` for an unknown verb, field or type."""
    kind = VERBS.get(str(frame.get("verb")))
    args = frame.get("args")
    if kind is None or not isinstance(args, dict):
        raise UsageError(f"Unknown request: {frame.get('verb')!r}.")
    if unknown := set(args) - {each.name for each in fields(kind)}:
        raise UsageError(f"Unknown fields in the request: {sorted(unknown)}.")
    try:
        request = codec.decode(args, kind)
        overrides = codec.decode(frame.get("set", {}), dict[str, str])
        return Call(request, overrides, codec.decode(frame.get("ollama_host", ""), str))
    except codec.DecodeError as error:
        raise UsageError(f"A field of the request has the wrong type: {error}.") from error
