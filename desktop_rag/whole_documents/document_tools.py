"""What has a model write of whole documents, beside the tools of a question."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import cast

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Event, PassagesFound, Token
from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.citation_support import CitedText, ClaimReader, cite_sentences
from desktop_rag.generation.extractive_compression import CompressedPassages
from desktop_rag.generation.number_extraction import digit_numbers, missing_numbers, numbers
from desktop_rag.generation.packing import tokens_of
from desktop_rag.models.protocols import Embedder, GenerationOptions, LanguageSupport
from desktop_rag.strategies.base import Generated, Steps
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.whole_documents.number_shift import NumberShift

_LEAST_WORDS = 3  # content words of a sentence that says something
_SHARED = 0.34  # share of its words that the passage has which it names
_NEAR = 0.6  # cosine from which it says in other words what a quote says
_TOKENS_A_SENTENCE = 60
_LEAST_ROOM = 256  # tokens of passages in a call


@dataclass(frozen=True, slots=True)
class WritingTask:
    """One call: rules, and passages of which `shorter` may be told; `known` are numbered already.

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
        """Call the model once; `ModelUnavailable` where nothing comes.

        What is shown of it has its numbers behind those that are known.
        """
        self.token.check()
        composer = replace(self._composer(), shorter=task.shorter, order="given")
        prompt = composer.filled(task.rules, task.passages)
        most = min(composer.answer_tokens, 64 + _TOKENS_A_SENTENCE * task.sentences)
        options = GenerationOptions(most, self.engine.settings.ollama.temperature)
        steps = self._call(prompt, task.purpose, options, shown=task.shown)
        if task.shown:  # its numbers can be followed from the first token on
            shown = (*task.known, *prompt.sources)
            self.tally.shown = shown
            yield PassagesFound("", shown, frozenset(int(each.chunk_id) for each in shown))
            steps = self._shifted(steps, len(task.known))
        reply = yield from steps
        return Written(reply, prompt.sources)

    def _shifted(self, steps: Steps[Generated], by: int) -> Steps[Generated]:
        """Show what a call writes with its numbers moved up."""
        written, numbers = self.tally.written, NumberShift(by)
        with closing(steps):
            while True:
                try:
                    event: Event | None = next(steps)
                except StopIteration as end:
                    reply, event = cast("Generated", end.value), None
                if event is not None and not isinstance(event, Token):
                    yield event
                    continue
                new = numbers.end() if event is None else numbers.feed(event.text)
                written += new
                self.tally.written = written
                if new:
                    yield Token(new)
                if event is None:
                    return reply

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
        """Tie what was written to quotes of its sources; by meaning where words tell too little.

        `sources` stand in place of its own. To compare by meaning takes as long as to embed all
        sentences of the sources: it is done where words leave more than half unsupported.
        """
        told = tuple(sources) or written.sources
        made = self._tied(written, told, None)
        embedder = self.engine.embedder if by_meaning else None
        if embedder is None or 2 * len(made.from_model) <= len(sentences(made.text)):
            return made
        return self._tied(written, told, embedder)

    def _tied(
        self, written: Written, sources: Sequence[Passage], embedder: Embedder | None
    ) -> CitedText:
        look = ClaimReader(self.read, self.question.text)
        unfinished = not written.is_whole
        text = written.reply.text
        made = cite_sentences(text, sources, embedder, look, unfinished=unfinished)
        return self._without_far(made, sources, embedder or self.engine.embedder)

    def _without_far(
        self, made: CitedText, sources: Sequence[Passage], embedder: Embedder | None
    ) -> CitedText:
        """Count sentences that have nothing of the passages that they name as unsupported.

        A small model repeats its rules, with a number behind them.
        """
        spans = sentences(made.text)
        cited: dict[int, list[Citation]] = {}
        for each in made.citations:
            cited.setdefault(each.sentence, []).append(each)
        far = {
            at
            for at, quotes in cited.items()
            if not _is_near(
                citation_markers.strip_citations(spans[at].of(made.text)),
                " ".join(sources[each.n - 1].text for each in quotes),
                [each.quote for each in quotes],
                embedder,
            )
        }
        return replace(made, from_model=tuple(sorted({*made.from_model, *far})))


def _is_near(claim: str, said: str, quotes: Sequence[str], embedder: Embedder | None) -> bool:
    """Say whether passages hold a claim's figures, and its words or its meaning."""
    words = set(content_words(claim))
    if len(words) < _LEAST_WORDS or missing_numbers(digit_numbers(claim), numbers(said)):
        return False
    shared = len(words & set(content_words(said)))
    return shared >= _SHARED * len(words) or any(_is_meant(claim, q, embedder) for q in quotes)


def _is_meant(claim: str, quote: str, embedder: Embedder | None) -> bool:
    if embedder is None or embedder.trust(claim) is LanguageSupport.NONE:
        return False
    try:
        one, other = embedder.embed([claim, quote])
    except ModelUnavailable:
        return False
    return float(one @ other) >= _NEAR
