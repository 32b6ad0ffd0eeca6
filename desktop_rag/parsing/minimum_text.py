"""How much text a file must hold to be worth reading: decided here, and nowhere else."""

from __future__ import annotations

import re

MINIMUM_CHARACTERS = 20

_SPACE = re.compile(r"\s+")
_FIRST_WIDE = "\u2e80"  # from here on: Chinese, Japanese, Korean


def count_characters(text: str) -> int:
    """Count characters that are no space; a wide one says as much as two letters."""
    shown = _SPACE.sub("", text)
    return len(shown) + sum(char >= _FIRST_WIDE for char in shown)
