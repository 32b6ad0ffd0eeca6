"""The version of the program."""

from __future__ import annotations


def installed() -> str:
    """Return the version that was installed; looked up only when asked for."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("desktop-rag")
    except PackageNotFoundError:
        return "(not installed)"
