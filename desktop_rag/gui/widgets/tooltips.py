"""Tooltips that show a text as it is: Qt takes for HTML whatever looks like it.

Of HTML it would load pictures, from this computer and, on Windows, from any other.
"""

from __future__ import annotations

from html import escape

from desktop_rag.core.sanitize import sanitize_name


def tip(*lines: str) -> str:
    """Return lines for a tooltip, each of them as it is."""
    shown = [sanitize_name(line) for line in lines]
    if any("<" in line or "&" in line for line in shown):
        return f"<div>{'<br>'.join(map(escape, shown))}</div>"
    return "\n".join(shown)
