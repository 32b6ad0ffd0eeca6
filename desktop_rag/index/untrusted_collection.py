"""Whether a collection's description names code: whoever wrote a folder, or runs a server, may."""

from __future__ import annotations

from typing import Any

_NO_FUNCTION: tuple[Any, ...] = (None, {"type": "legacy"}, {"type": "unknown"})
"""What a description says of a collection that was made without an embedding function."""


def names_embedding_function(*description: Any) -> bool:
    """Say whether a collection's description names a function that Chroma's client would build.

    Whoever wrote the folder, or runs the server, chooses its name and settings, among them code to
    be fetched and run (CVE-2026-45829, -45833; Chroma 1.5.9 builds it in `add`, `upsert`, `update`,
    `search` and wherever `configuration` or `schema` is read). So this reads the description as it
    came, decoded JSON, and is to be asked before anything else is asked of the collection.
    """
    pending: list[Any] = list(description)
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending.extend(part)
        elif isinstance(part, dict):
            if part.get("embedding_function") not in _NO_FUNCTION:
                return True
            pending.extend(part.values())
    return False
