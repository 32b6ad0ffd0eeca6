"""What the engine asks of a model, whoever made it."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.language import language, scripts
from desktop_rag.models.model_card import EvidenceWeights

Vectors = npt.NDArray[np.float32]


class LanguageSupport(Enum):
    """What a text's vector is worth: nothing, or as much as words."""

    NONE = "none"
    GOOD = "good"


def script_support(scripts_known: Collection[str], text: str) -> LanguageSupport:
    """Return what a model's vector is worth that was trained on some scripts, and no others.

    A Chinese question with an English name in it is Chinese: its vector would be noise.
    """
    reads = not scripts(text).isdisjoint(scripts_known)
    if reads and ("cjk" in scripts_known or language(text) == "en"):
        return LanguageSupport.GOOD
    return LanguageSupport.NONE


class Embedder(Protocol):
    """Turns texts into unit vectors of `dimensions` numbers.

    `fingerprint` names model, weights and number format: vectors of two fingerprints are never
    compared.
    """

    fingerprint: str
    dimensions: int
    max_tokens: int

    def trust(self, text: str) -> LanguageSupport:
        """Say what a text's vector is worth; `NONE` in a script that the model was not shown."""
        ...

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a text, in their order: shape `(len(texts), dimensions)`."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector: shape `(dimensions,)`."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens, special ones not counted."""
        ...


@runtime_checkable
class CalibratedEmbedder(Protocol):
    """An embedder of which it was measured what its cosines are worth; see `ModelCard`."""

    @property
    def cosine_weight(self) -> float:
        """What a cosine of 1 counts in fusion beside all of a question's words; 0: ranks decide."""
        ...

    @property
    def evidence(self) -> Mapping[str, EvidenceWeights]:
        """What words and cosine count for an answer, by what was measured."""
        ...


@runtime_checkable
class MultiHeadEmbedder(Protocol):
    """An embedder that also gives what each attention head of its last layer saw.

    A vector is that of all heads, one behind the other, each `dimensions / heads` numbers, and is
    scaled to length one as a whole: how much a head saw stays comparable to the others.
    """

    @property
    def heads(self) -> int:
        """How many heads there are; 0: this model does not give what they saw."""
        ...

    def head_vectors(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return a vector a text, in their order: shape `(len(texts), dimensions)`."""
        ...

    def query_with_heads(self, text: str) -> tuple[Vectors, Vectors]:
        """Return a question's vector, as `embed_query` does, and its heads', in one run.

        Shape `(dimensions,)` each.
        """
        ...


class TokenEmbedder(Embedder, Protocol):
    """Gives a vector for each token as well."""

    def token_vectors(
        self, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[Vectors]:
        """Return, for each text, its tokens' unit vectors: shape `(tokens, dimensions)`."""
        ...

    def token_weights(self, text: str) -> Vectors:
        """Return what each row of a text's `token_vectors` counts: shape `(tokens,)`."""
        ...

    def shortened(self, text: str) -> str:
        """Return a text that fits the model: one that is too long loses its middle."""
        ...


class Reranker(Protocol):
    """Scores passages against a query; a higher score is a better passage.

    `rank_weight` is of one that was trained with the first stage's opinion beside it: what the
    logarithm of the fused rank takes from a score. None: the settings say how the two are mixed.
    """

    name: str
    rank_weight: float | None

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth; `NONE` where it cannot be read."""
        ...

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text, each independent of the others in the call."""
        ...


@runtime_checkable
class TimedReranker(Protocol):
    """A reranker that knows how fast it reads."""

    def count_in(self, seconds: float, query: str, texts: Sequence[str]) -> int | None:
        """Return how many texts, the first of these, it scores in so many seconds.

        None where it has not read enough yet to know.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat; `role` is `system`, `user` or `assistant`.

    A last message of the assistant is a beginning that the model continues.
    """

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """How one call generates. `schema` is a JSON schema that the reply must fit.

    `logprobs` asks for the probability of each token, `alternatives` with it for so many of the
    likeliest tokens at each place, at most 20; `stop` ends the reply where one of the texts would
    come. `raw` has the last message's text continued as it stands, outside the model's template.
    `sentences` is how many of a reply are wanted: whoever reads it stops it when the next one
    begins; 0: all.
    """

    max_tokens: int = 1024
    temperature: float = 0.0
    think: bool = False
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    alternatives: int = 0
    raw: bool = False
    schema: dict[str, object] | None = None
    sentences: int = 0


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """The next text of a reply; `tokens` pairs each token with its probability if asked for.

    `alternatives` are, if asked for, a row a token: what could stand in its place, the token itself
    included, in the same pairs.
    """

    text: str
    tokens: tuple[tuple[str, float], ...] = ()
    alternatives: tuple[tuple[tuple[str, float], ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ReplyEnd:
    """The end of a reply. Counts are None where the server did not report them.

    `reason` is `stop`, `length`, or `sentences` where whoever read it had enough. `notices` are
    sentences that the user should see: the prompt was cut by the server, a beginning could not be
    continued as asked.
    """

    prompt_tokens: int | None
    answer_tokens: int | None
    reason: str
    seconds: float
    notices: tuple[str, ...] = ()


class TokenBudget(Protocol):
    """As much of a language model as composing a prompt asks of it."""

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""
        ...

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes."""
        ...


class ChatModel(Protocol):
    """A language model that streams its replies."""

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""
        ...

    @property
    def parameters(self) -> int | None:
        """How many parameters the model has, about; None where its server does not say."""
        ...

    def chat(
        self, messages: Sequence[Message], how: GenerationOptions, token: CancelToken
    ) -> Generator[ReplyPiece | ReplyEnd, None, None]:
        """Yield pieces as they come, and `ReplyEnd` last. Closed early, it stops the model.

        Raises `Cancelled` within 0.5 s of the token's cancel, `ModelUnavailable` when the server
        or the model is missing or breaks off.
        """
        ...

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes, calibrated by what the server reported."""
        ...
