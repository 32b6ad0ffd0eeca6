"""The tools of one question: searching, calling the model, answering, and a tally of all that.

Searching and generating become events here, so that no strategy can do either unseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Call, Notice, PassagesFound, SearchStarted, Token
from desktop_rag.core.types import Passage
from desktop_rag.engine.answering.compose import Composer, Prompt
from desktop_rag.engine.answering.extract import extract
from desktop_rag.engine.answering.fence import fenced
from desktop_rag.engine.answering.prompts import Prompts
from desktop_rag.engine.answering.refusal import says_not_found
from desktop_rag.engine.models.pair_reader import Reading
from desktop_rag.engine.models.protocols import (
    ChatModel,
    Finished,
    Generation,
    Message,
    Piece,
    Trust,
)
from desktop_rag.engine.strategies.base import (
    PLAIN,
    Aim,
    Generated,
    Outcome,
    Question,
    Steps,
)
from desktop_rag.engine.strategies.decisions import Schema, decided
from desktop_rag.engine.strategies.engine import Engine, Tally
from desktop_rag.engine.strategies.queries import aimed, fitting
from desktop_rag.engine.strategies.unseen import without_tokens

_WITH_MODEL = 0.5  # a model reads for itself: only half the evidence is asked for before it may


@dataclass(frozen=True, slots=True)
class Research:
    """The tools for one question; see `base.Tools`."""

    engine: Engine
    question: Question
    token: CancelToken
    tally: Tally = field(default_factory=Tally)

    def search(self, query: str, why: str, k: int, aim: Aim = PLAIN) -> Steps[tuple[Passage, ...]]:
        """Search, and keep all k that are found."""
        self.token.check()
        meant = aimed(query, self.question, k, aim)
        query = fitting(meant.text, aim.instead or self.question.text, self.engine.embedder)
        yield SearchStarted(query, why)
        found = self.engine.retriever.search(replace(meant, text=query))
        self.token.check()
        self.tally.searches += 1
        self.tally.evidence = max(self.tally.evidence, found.evidence)
        for problem in found.problems:
            if problem not in self.tally.problems:
                self.tally.problems.append(problem)
                yield Notice(problem)
        kept = frozenset(int(passage.chunk_id) for passage in found.passages)
        yield PassagesFound(query, found.passages, kept)
        return found.passages

    def generate(
        self, messages: Sequence[Message], purpose: str, how: Generation | None = None
    ) -> Steps[Generated]:
        """Call the model out of sight."""
        chosen = how or Generation(temperature=self.engine.settings.ollama.temperature)
        return self._call(Prompt(tuple(messages)), purpose, chosen, shown=False)

    def decide(
        self, messages: Sequence[Message], purpose: str, schema: Schema
    ) -> Steps[dict[str, Any] | None]:
        """Have the model choose; a reply that breaks the form is asked for again once."""
        return decided(self.generate, messages, purpose, schema)

    def think(self, passages: Sequence[Passage], purpose: str) -> Steps[Generated]:
        """Write a chain of thought, without the model's own thinking mode."""
        return self.write(passages, purpose, Prompts(self.question.language).text("draft"))

    def write(
        self,
        passages: Sequence[Passage],
        purpose: str,
        rules: str,
        so_far: str = "",
        how: Generation | None = None,
    ) -> Steps[Generated]:
        """Write by rules of the strategy's own, out of sight."""
        composer = self._composer()
        prompt = composer.write(rules, passages, so_far)
        return self._call(prompt, purpose, how or self._how(composer), shown=False)

    def go_on(
        self,
        passages: Sequence[Passage],
        purpose: str,
        how: Generation | None = None,
        manner: str = "brief",
    ) -> Steps[Generated]:
        """Write the answer's next part out of sight, its passages numbered for good."""
        composer = self._composer()
        prompt = composer.go_on(passages, manner, self.tally.written, self.tally.shown)
        self.tally.shown = prompt.sources
        return self._call(prompt, purpose, how or self._how(composer), shown=False)

    def keep(self, text: str) -> Steps[None]:
        """Show a text as the answer's next part."""
        self.tally.written += text
        yield Token(text)

    def written(self, *, unfinished: bool = False) -> Steps[Outcome]:
        """Return what was kept as the answer; without evidence, or any text, a refusal."""
        yield from ()
        text, sources = self.tally.written.strip(), self.tally.shown
        only = self.engine.settings.answering.only_documents
        if not text or (only and (says_not_found(text) or not self._enough(sources))):
            return self._refusal()
        return Outcome(text, sources, unfinished=unfinished)

    def read(self, query: str, texts: Sequence[str]) -> Sequence[Reading] | None:
        """Have the built-in reader read a query with each text."""
        reader = self.engine.reader
        if reader is None or reader.trust(query) is Trust.NONE:
            return None
        try:
            return reader.read(query, texts, self.token)
        except ModelUnavailable:
            return None

    def fenced(self, passages: Sequence[Passage]) -> str:
        """Return passages as material for a message."""
        return fenced(list(enumerate(passages, start=1)), self.question.text)

    def room(self, messages: Sequence[Message]) -> int:
        """Return how many tokens of the context messages leave, 0 where they fill it."""
        return self._composer().room(messages)

    def unseen(self, steps: Steps[Outcome]) -> Steps[Outcome]:
        """Leave the answer's tokens out, and forget them, also where the steps are stopped."""
        try:
            return (yield from without_tokens(steps))
        finally:
            self.tally.written, self.tally.shown = "", ()

    def answer(
        self, passages: Sequence[Passage], manner: str = "brief", aside: str = ""
    ) -> Steps[Outcome]:
        """Answer by generating, by quoting or by refusing."""
        if not self._enough(passages):
            return self._refusal()
        if self.engine.model is None:
            return self._quotes(passages)
        if passages and self.tally.evidence < self.engine.refuse_below:
            yield Notice("The passages that were found match the question only weakly.")
        composer = self._composer()
        prompt = composer.answer(passages, manner, aside)
        self.tally.shown = prompt.sources
        how = self._how(composer, think=self.engine.settings.ollama.think)
        try:
            reply = yield from self._call(prompt, "answer", how, shown=True)
        except ModelUnavailable as problem:
            yield Notice(f"{problem} Without it only quotes can be given.")
            return self._quotes(passages)
        if self.engine.settings.answering.only_documents and says_not_found(reply.text):
            return self._refusal()
        return Outcome(reply.text, prompt.sources, unfinished=reply.reason != "stop")

    def _call(
        self, prompt: Prompt, purpose: str, how: Generation, *, shown: bool
    ) -> Steps[Generated]:
        """Call the model once; a break in its reply ends it, with a notice, if anything came."""
        if prompt.dropped:
            yield Notice(f"Not everything fits the model's context: {'; '.join(prompt.dropped)}.")
        model = self._model()
        pieces: list[Piece] = []
        self.tally.llm_calls += 1
        reason = "broken"
        try:
            for part in model.chat(prompt.messages, how, self.token):
                if isinstance(part, Finished):
                    reason = part.reason
                    yield from self._finished(part, purpose, prompt.dropped)
                else:
                    pieces.append(part)
                    yield from self._piece(part, shown=shown)
        except ModelUnavailable as problem:
            if not any(piece.text.strip() for piece in pieces):
                raise
            yield Notice(f"{problem} What came until then is kept.")
        text = "".join(piece.text for piece in pieces).strip()
        return Generated(text, reason, tuple(t for piece in pieces for t in piece.tokens))

    def _piece(self, piece: Piece, *, shown: bool) -> Steps[None]:
        if shown and piece.text:
            self.tally.written += piece.text
            yield Token(piece.text)

    def _finished(self, end: Finished, purpose: str, dropped: tuple[str, ...]) -> Steps[None]:
        self.tally.prompt_tokens += end.prompt_tokens or 0
        self.tally.answer_tokens += end.answer_tokens or 0
        name = self._model().name
        yield Call(name, purpose, end.prompt_tokens, end.answer_tokens, dropped, end.seconds)
        for text in end.notices:
            yield Notice(text)

    def _enough(self, passages: Sequence[Passage]) -> bool:
        """Tell whether there is anything to answer from."""
        engine = self.engine
        if engine.model is None:
            return bool(passages) and self.tally.evidence >= engine.refuse_below
        if not engine.settings.answering.only_documents:
            return True
        enough = _WITH_MODEL * engine.refuse_below
        is_enough = self.tally.evidence >= enough
        return bool(passages) and (is_enough or self._may_hold_it_in_other_words(passages))

    def _may_hold_it_in_other_words(self, passages: Sequence[Passage]) -> bool:
        """Say whether a meaning that is known roughly found a passage: that counts as no evidence.

        Who set a bar of their own gets what they set.
        """
        embedder = self.engine.embedder
        if embedder is None or self.engine.settings.retrieval.refuse_below >= 0:
            return False
        is_rough = embedder.trust(self.question.text) is Trust.ROUGH
        best = passages if is_rough else passages[:1]
        return any(
            each.dense_rank is not None and (is_rough or embedder.trust(each.text) is Trust.ROUGH)
            for each in best
        )

    def _refusal(self) -> Outcome:
        return Outcome(Prompts(self.question.language).not_found, (), "refused")

    def _quotes(self, passages: Sequence[Passage]) -> Outcome:
        """Return an extract, or a refusal where even that is empty."""
        made = extract(self.question.text, passages, self.engine.embedder)
        if not made.text or self.tally.evidence < self.engine.refuse_below:
            return self._refusal()
        return Outcome(made.text, made.sources, "extracted", made.citations)

    def _how(self, composer: Composer, *, think: bool = False) -> Generation:
        temperature = self.engine.settings.ollama.temperature
        return Generation(composer.answer_tokens, temperature, think)

    def _composer(self) -> Composer:
        question = self.question
        return Composer(
            self._model(),
            self.engine.settings,
            question.text,
            question.language,
            question.history,
        )

    def _model(self) -> ChatModel:
        if self.engine.model is None:
            raise ModelUnavailable(
                "No language model is there.", "Start Ollama and get a model for it."
            )
        return self.engine.model
