"""How text becomes words: the same for what is indexed and for what is asked."""

from __future__ import annotations

VERSION = 1


def words(text: str) -> list[str]:
    """Return the terms of a text in order: NFKC, case folded, English stems, CJK bigrams."""
    raise NotImplementedError
