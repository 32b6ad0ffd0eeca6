"""Whose word a document is: this program's, which read a file, or that of an import.

What an import says of a document is kept apart from what was read here, even of the same content:
its recipe, and the keys of its embeddings, end with the number of the knowledge base it came with.
So whatever looks for a document or for a vector by content never finds what an import brought, and
the other way round. When a file of the import is read here, what was read takes its place.
"""

from __future__ import annotations

from desktop_rag.core.types import KbId

RECOGNIZED = "+ocr"
"""What a recipe ends with whose pages went through text recognition where they held no text."""

OPENED = "+archive"
"""What a recipe ends with of a file that was looked into if it is an archive."""

MARK = "#"
"""What stands in the recipe of an import's document, and in no other."""

IS_OWN = f"instr(documents.recipe, '{MARK}') = 0"
"""The condition, in SQL, that a document was read here."""

ORIGINAL_RECIPE = f"substr(recipe, 1, instr(recipe || '{MARK}', '{MARK}') - 1)"
"""A document's recipe, in SQL, as it was where it was made."""


def recognized(recipe: str) -> str:
    """Return the recipe of a document whose unread pages were recognised."""
    return f"{recipe}{RECOGNIZED}"


def opened(recipe: str) -> str:
    """Return the recipe of a file that is looked into if it is an archive."""
    return f"{recipe}{OPENED}"


def imported(name: str, kb: KbId) -> str:
    """Return a recipe or a key as it is kept of what came with an imported knowledge base."""
    return f"{name}{MARK}{kb}"


def original(name: str) -> str:
    """Return a recipe or a key as it was where it was made."""
    return name.partition(MARK)[0]
