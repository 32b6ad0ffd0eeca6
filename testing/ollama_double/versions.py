"""Versions of Ollama, to be compared."""

from __future__ import annotations


def numbers(version: str) -> tuple[int, ...]:
    """Return a version to be compared."""
    return tuple(int(each) for each in version.partition("-")[0].split("."))
