"""Passages within one hop of a passage, and how a question is put together with what led there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from training.first_stage_cache import Stage
from training.question_sets import MULTIHOP, Passage, corpus
from training.synthetic_questions import sentences
from training.title_links import Titles

_MOST_WORDS = 60
_BY_WORDS = 8


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A corpus with its first stage and its titles: what may follow on a passage."""

    passages: Mapping[str, Passage]
    stage: Stage
    titles: Titles
    chained: bool = True
    """Whether questions are answered by several passages together."""

    @classmethod
    def of(cls, data: Path, name: str, stage: Stage) -> Neighbourhood:
        """Return a question set's corpus with a first stage over it."""
        passages = corpus(data, name)
        return cls(passages, stage, Titles(passages), name in MULTIHOP)

    def beyond(self, question: str, near: str) -> list[str]:
        """Return the passages that one passage leads to: those that it names, then by words."""
        passage = self.passages[near]
        named = (each for m in self.titles.mentioned(passage.text) for each in m.passages)
        by_words = self.stage.words_only(f"{question} {passage.read}", _BY_WORDS)
        return [each for each in dict.fromkeys([*named, *by_words]) if each != near]

    def asked(self, question: str, near: str, far: str) -> str:
        """Return the question for a second passage: with what the first one says of it."""
        return f"{question} {self._told(near, far)}"

    def _told(self, near: str, far: str) -> str:
        """Return the title and the sentences that name the other passage, else the first ones."""
        passage = self.passages[near]
        every = sentences(passage.text)
        naming = [s for s in every if any(far in m.passages for m in self.titles.mentioned(s))]
        words = f"{passage.title}: {' '.join(naming or every)}".split()
        return " ".join(words[:_MOST_WORDS])
