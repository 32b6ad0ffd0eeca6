"""What may be wrong with a knowledge base's indexes, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.core.phrases import Phrase


class IndexProblemCode(StrEnum):
    """What may be wrong with a knowledge base's indexes."""

    MISSING = "missing"
    OUTDATED = "outdated"
    DAMAGED = "damaged"
    UNTOLD = "untold"
    UNEMBEDDED = "unembedded"
    VECTORS_INCOMPLETE = "vectors_incomplete"
    VECTORS_DIFFER = "vectors_differ"
    VECTORS_UNREACHABLE = "vectors_unreachable"
    WORDS_INCOMPLETE = "words_incomplete"
    WORDS_DIFFER = "words_differ"


_TEXTS = {
    IndexProblemCode.MISSING: "The indexes are missing or of another embedding model.",
    IndexProblemCode.OUTDATED: "The indexes are missing or of another embedding model.",
    IndexProblemCode.UNTOLD: "The indexes still have to be told of {0} changes.",
    IndexProblemCode.UNEMBEDDED: "Some chunks have no vector of the embedding model in use.",
    IndexProblemCode.VECTORS_INCOMPLETE: "The vector index holds {0} of {1} chunks.",
    IndexProblemCode.VECTORS_DIFFER: "The vector index holds other chunks than the catalog.",
    IndexProblemCode.VECTORS_UNREACHABLE: "The vector index does not find chunks that it holds.",
    IndexProblemCode.WORDS_INCOMPLETE: "The word index holds {0} of {1} chunks.",
    IndexProblemCode.WORDS_DIFFER: "The word index holds other chunks than the catalog.",
}


@dataclass(frozen=True, slots=True)
class IndexProblem:
    """What is wrong with a knowledge base's indexes; `detail` is what the store said of damage."""

    code: IndexProblemCode
    held: int = 0
    wanted: int = 0
    detail: str = ""

    @property
    def text(self) -> str:
        """The problem as a sentence."""
        if self.code is IndexProblemCode.DAMAGED:
            return self.detail
        if self.code is IndexProblemCode.UNTOLD:
            return Phrase(_TEXTS[self.code], self.wanted)
        return Phrase(_TEXTS[self.code], self.held, self.wanted)
