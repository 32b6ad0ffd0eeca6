"""Propositions: the facts of a chunk, each a sentence that stands alone, with a vector of its own.

Chen et al. 2023, "Dense X Retrieval: What Retrieval Granularity Should We Use?", arXiv 2312.06648:
what is found is the proposition, what is returned the passage around it. The paper's propositions
come from a model that was trained for it; here the reader's own language model writes them.
Without one they are the chunk's sentences, with title and heading before them; lists of references
state nothing, and are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import BlockKind
from desktop_rag.preparation.base import (
    ListPrompt,
    PreparationTools,
    Preparing,
    SourceDocument,
)

_MOST = 16  # propositions of a chunk
_SHORTEST = 16  # characters of a sentence that says something; a Chinese one counts double
_REFERENCES = re.compile(
    r"(?:[\dIVX]+[.\s]+)?"
    r"(?:references|bibliography|works cited|external links|参考文献|参考资料)\s*$",
    re.IGNORECASE,
)
_PROMPT = ListPrompt("propositions", most=_MOST, batch=8, batch_by_rules=128)


@dataclass(frozen=True, slots=True)
class PropositionPreparer:
    """Breaks each chunk down into facts that stand alone."""

    name: ClassVar[str] = "propositions"
    title: ClassVar[str] = "Propositions"
    effect: ClassVar[str] = "Each fact of a passage is found by itself."
    paper: ClassVar[str] = "Dense X Retrieval: Chen et al. 2023, arXiv 2312.06648"
    version: ClassVar[int] = 2
    calls_per_chunk: ClassVar[float] = 1.0

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Write propositions chunk by chunk."""
        return _PROMPT.steps(document, begin, tools, propositions_by_rules)


def propositions_by_rules(chunk: StoredChunk) -> list[str]:
    """Return a chunk's sentences with what they are about before them.

    None of a chunk that has only one, whose own vector says as much, nor of tables, code and lists
    of references.
    """
    heading = chunk.section.rpartition(" > ")[2].strip()
    if chunk.kind not in (BlockKind.TEXT, BlockKind.LIST) or _REFERENCES.match(heading):
        return []
    told = [" ".join(each.of(chunk.text).split()) for each in sentences(chunk.text)]
    told = [each for each in told if _weight(each) >= _SHORTEST][:_MOST]
    if len(told) < 2:
        return []
    about = " › ".join(dict.fromkeys(each for each in (chunk.title, heading) if each))
    return [f"{about}: {each}" if about else each for each in told]


def _weight(text: str) -> int:
    return len(text) + sum("\u4e00" <= sign <= "\u9fff" for sign in text)
