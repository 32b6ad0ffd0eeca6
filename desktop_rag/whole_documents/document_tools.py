"""What has a model write of whole documents, beside the tools of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.core.events import PassagesFound
from desktop_rag.core.types import Passage
from desktop_rag.generation.citation_support import CitedText, ClaimReader, cite_sentences
from desktop_rag.generation.extractive_compression import CompressedPassages
from desktop_rag.generation.packing import tokens_of
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import Generated, Steps
from desktop_rag.strategies.research_tools import ResearchTools

_TOKENS_A_SENTENCE = 60
_LEAST_ROOM = 256  # tokens of passages in a call


@dataclass(frozen=True, slots=True)
class WritingTask:
    """One call: rules, and passages of which `shorter` may be told; `known` have their numbers.

    Where it is `shown` its tokens are the answer's. `sentences` is how many are asked for.
    """

    purpose: str
    rules: str
    passages: tuple[Passage, ...]
    sentences: int
    shorter: CompressedPassages = field(default_factory=dict)
    known: tuple[Passage, ...] = ()
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote; number n in it is `sources[n - 1]`."""

    reply: Generated
    sources: tuple[Passage, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the model wrote it to its end."""
        return self.reply.reason == "stop"


@dataclass(frozen=True, slots=True)
class DocumentTools(ResearchTools):
    """The tools of an answer over whole documents."""

    def compose(self, task: WritingTask) -> Steps[Written]:
        """Call the model once; `ModelUnavailable` where nothing comes."""
        self.token.check()
        composer = replace(self._composer(), shorter=task.shorter, order="given")
        prompt = composer.filled(task.rules, task.passages, known=task.known)
        most = min(composer.answer_tokens, 64 + _TOKENS_A_SENTENCE * task.sentences)
        options = GenerationOptions(most, self.engine.settings.ollama.temperature)
        if task.shown:  # its numbers can be followed from the first token on
            self.tally.shown = prompt.sources
            kept = frozenset(int(each.chunk_id) for each in prompt.sources)
            yield PassagesFound("", prompt.sources, kept)
        reply = yield from self._call(prompt, task.purpose, options, shown=task.shown)
        return Written(reply, prompt.sources)

    def passages_room(self, rules: str) -> int:
        """Return how many tokens of passages fit a call by these rules."""
        empty = self._composer().filled(rules, ())
        left = self.room(empty.messages) - self._composer().answer_tokens
        return max(_LEAST_ROOM, left)

    def size(self, passages: Sequence[Passage], shorter: CompressedPassages) -> int:
        """Return how many tokens passages take in a prompt."""
        return tokens_of(passages, self._model().estimate_tokens, shorter)

    def checked(
        self, written: Written, *, by_meaning: bool, sources: Sequence[Passage] = ()
    ) -> CitedText:
        """Tie what was written to quotes of its sources; by words alone where it is not an answer.

        `sources` stand in place of its own.
        """
        look = ClaimReader(self.read, self.question.text) if by_meaning else ClaimReader()
        embedder = self.engine.embedder if by_meaning else None
        unfinished = not written.is_whole
        told = tuple(sources) or written.sources
        return cite_sentences(written.reply.text, told, embedder, look, unfinished=unfinished)
