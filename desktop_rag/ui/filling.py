"""Filling values into a translated sentence: a value that holds `%2` itself stays as it is."""

from __future__ import annotations

import re

_GAP = re.compile(r"%([1-9])")


def filled(text: str, *values: object) -> str:
    """Return a sentence with its %1, %2 and so on filled in, all at once."""

    def value(found: re.Match[str]) -> str:
        number = int(found[1])
        return str(values[number - 1]) if number <= len(values) else found[0]

    return _GAP.sub(value, text)
