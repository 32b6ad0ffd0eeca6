"""Which documents a question goes to, where it does not go to all."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.path_filter import path_filter

ONLY, EACH, SUMMARISE, COMPARE = "only", "each", "summarise", "compare"


@dataclass(frozen=True, slots=True)
class OneDocument:
    """A document that is read; `kb` is "" where the conversation's knowledge bases have it."""

    path: str
    kb: str


@dataclass(frozen=True, slots=True)
class DocumentScope:
    """Files and folders, and what is wanted of them.

    `ONLY`: questions are answered from the one path alone, a folder's with its separator behind
    it. `EACH`: the next question is asked of every document. `SUMMARISE` and `COMPARE` need no
    question.
    """

    kind: str
    paths: tuple[str, ...]

    @property
    def where(self) -> str:
        """The filter that lets only this pass; "" where all is asked."""
        return path_filter(self.paths[0]) if self.kind == ONLY and self.paths else ""
