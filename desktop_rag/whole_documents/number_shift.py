"""Moves the numbers of sources in a reply up as it streams: others have the lower ones already."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\[(\d{1,3})\]")
_BEGUN = re.compile(r"\[\d{0,3}$")


class NumberShift:
    """Adds `by` to every `[n]` of a text that comes piece by piece."""

    def __init__(self, by: int) -> None:
        self._by = by
        self._held = ""

    def feed(self, text: str) -> str:
        """Take the next text; return what can be shown."""
        text = self._held + text
        begun = _BEGUN.search(text) if self._by else None
        at = begun.start() if begun is not None else len(text)
        self._held = text[at:]
        return self._shifted(text[:at])

    def end(self) -> str:
        """Return what was held back and is no number."""
        held, self._held = self._held, ""
        return held

    def _shifted(self, text: str) -> str:
        if not self._by:
            return text
        return _NUMBER.sub(lambda found: f"[{int(found[1]) + self._by}]", text)
