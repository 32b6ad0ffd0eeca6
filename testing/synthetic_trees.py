"""A tree over a document of any length, as RAPTOR makes one, without a document."""

from __future__ import annotations

import random

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import DerivedOutline
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId
from desktop_rag.gui.controllers.document_tree import DocumentTree, document_tree

_EACH = 8  # nodes that a node stands over
_SHARED = 0.1  # of nodes stand under a second one, too
_MOST_TOPS = 11


def made_outline(leaves: int) -> DerivedOutline:
    """Return the outline of a document of so many chunks; the same for the same number."""
    chance = random.Random(leaves)
    texts: list[DerivedText] = []
    below: list[int] = list(range(1, leaves + 1))
    level = 1
    while level == 1 or len(below) > _MOST_TOPS:
        groups = [below[at : at + _EACH] for at in range(0, len(below), _EACH)]
        for each in range(len(below)):
            if chance.random() < _SHARED:
                other = groups[chance.randrange(len(groups))]
                other += [below[each]] * (below[each] not in other)
        made = [_text(len(texts) + at + 1, level, under) for at, under in enumerate(groups)]
        texts += made
        below = [each.derived_id for each in made]
        level += 1
    return DerivedOutline(DocumentId(1), "raptor", tuple(texts), tuple(map(DerivedId, below)))


def made_tree(leaves: int) -> DocumentTree:
    """Return the tree of a document of so many chunks."""
    return document_tree(made_outline(leaves))


def _text(number: int, level: int, under: list[int]) -> DerivedText:
    text = f"Summary {number} of layer {level}: {len(under)} parts on harbours and ferries."
    sources = tuple(map(ChunkId, under)) if level == 1 else ()
    children = () if level == 1 else tuple(map(DerivedId, under))
    return DerivedText(DerivedId(number), DocumentId(1), text, level, sources, children)
