"""A document's derived texts and passages as a tree whose nodes may stand under several others."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import DerivedOutline
from desktop_rag.core.types import ChunkId


@dataclass(frozen=True, slots=True)
class TreePoint:
    """A node: a derived text, or a passage, which is known by its chunk and is of level 0.

    `children` and `parents` are places in `DocumentTree.points`; children come in the document's
    order, and parents from the left.
    """

    level: int
    content: DerivedText | ChunkId
    children: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentTree:
    """All nodes, which of them stand under no other, and how many each level has, from 0 on."""

    points: tuple[TreePoint, ...] = ()
    tops: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()

    @property
    def height(self) -> int:
        """The highest level."""
        return max(0, len(self.counts) - 1)

    def deepest(self, most: int) -> int:
        """Return the lowest level down to which no level has more nodes than that."""
        found = self.height
        while found > 0 and self.counts[found - 1] <= most:
            found -= 1
        return found


def document_tree(outline: DerivedOutline) -> DocumentTree:
    """Return the tree of an outline: the lowest derived texts stand over their passages."""
    texts = outline.texts
    chunks = sorted({chunk for each in texts if not each.children for chunk in each.sources})
    of_text = {each.derived_id: at for at, each in enumerate(texts)}
    of_chunk = {chunk: len(texts) + at for at, chunk in enumerate(chunks)}
    first = {each.derived_id: min(each.sources, default=ChunkId(0)) for each in texts}
    below: list[tuple[int, ...]] = []
    for each in texts:
        known = sorted((c for c in each.children if c in of_text), key=first.__getitem__)
        under = [of_text[child] for child in known] or [of_chunk[c] for c in each.sources]
        below.append(tuple(under))
    above: defaultdict[int, list[int]] = defaultdict(list)
    for at, children in enumerate(below):
        for child in children:
            above[child].append(at)
    points = [
        TreePoint(max(1, each.level), each, below[at], tuple(above[at]))
        for at, each in enumerate(texts)
    ]
    points += [TreePoint(0, chunk, (), tuple(above[of_chunk[chunk]])) for chunk in chunks]
    tops = tuple(of_text[each] for each in outline.tops)
    levels = Counter(each.level for each in points)
    counts = tuple(levels[level] for level in range(max(levels, default=-1) + 1))
    return DocumentTree(tuple(points), tops, counts)
