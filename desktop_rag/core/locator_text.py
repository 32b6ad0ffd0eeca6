"""A place in a document in words: `page 3`, `sheet Budget A2:F40`."""

from __future__ import annotations

from typing import Any

from desktop_rag.core.sanitize import sanitize_name


def format_locator(locator: dict[str, Any]) -> str:
    """Return a locator, as `Locator.as_json` gives it, in words."""
    cells = f" {locator['cells']}" if locator.get("cells") else ""
    return sanitize_name(f"{locator.get('kind', '')} {locator.get('value', '')}{cells}".strip())
