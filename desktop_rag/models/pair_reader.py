"""A small encoder that reads a query and a passage together, and says all that is asked of both.

Trained by `training/train.py`: how well the passage fits (Nogueira & Cho 2019), where an answer
stands in it or that none does (Devlin et al. 2019, SQuAD 2.0), and what EfficientRAG asks for
(Zhuang et al. 2024): which tokens are of use, whether the passage leads on, and which tokens make
the next query.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.language import is_english
from desktop_rag.models.model_card import ModelCard, read_model_card
from desktop_rag.models.onnx_model import OnnxModel
from desktop_rag.models.protocols import LanguageSupport, script_support
from desktop_rag.models.reranker_speed import RerankerSpeed

_START, _STOP, _USEFUL, _KEPT = range(4)
_LONGEST = 30  # tokens of an answer
_WIDEST_GAP = 16  # characters between two tokens that follow one another: more was cut out
_BYTES = 4  # of a token, in every script about as many
TAGS = ("CONTINUE", "FINISH", "TERMINATE", "POSITIVE")
"""Of a passage: leads on, is the last hop, is irrelevant, is relevant at an unknown hop."""

T = TypeVar("T")
CharRange = tuple[int, int]
"""The first character, and the one after the last."""
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """Where in a passage the best answer stands; `margin` is by how much that beats "no answer"."""

    place: CharRange
    margin: float


@dataclass(frozen=True, slots=True)
class PairReading:
    """What was said of one pair: the score, and logits of each token `(length, 4)`, of tags `(4,)`.

    `asked` and `told` are where the tokens of query and passage stand in their texts: what was cut
    off is not among them.
    """

    score: float
    marks: Floats
    tags: Floats
    asked: tuple[CharRange, ...]
    told: tuple[CharRange, ...]

    @property
    def tag(self) -> str:
        """The passage's most likely tag."""
        return TAGS[int(self.tags.argmax())]

    @property
    def irrelevance(self) -> float:
        """The probability in [0, 1] that the passage is irrelevant to the query (TERMINATE)."""
        shares = np.exp(self.tags - self.tags.max())
        return float(shares[TAGS.index("TERMINATE")] / shares.sum())

    def answer(self) -> AnswerSpan | None:
        """Return the best answer of at most 30 tokens; None of a passage without words."""
        if not self.told:
            return None
        first = len(self.asked) + 2
        starts = self.marks[first : first + len(self.told), _START]
        stops = self.marks[first : first + len(self.told), _STOP]
        sums = starts[:, None] + stops[None, :]
        inside = np.triu(np.tril(np.ones_like(sums, bool), _LONGEST - 1))
        begin, end = divmod(int(np.where(inside, sums, -np.inf).argmax()), len(self.told))
        nowhere = self.marks[0, _START] + self.marks[0, _STOP]
        place = (self.told[begin][0], self.told[end][1])
        return AnswerSpan(place, float(sums[begin, end] - nowhere))

    def margin_in(self, place: CharRange) -> float:
        """Return by how much the best answer that stands in a stretch beats "no answer".

        Minus infinity where the stretch was cut off, or has no word.
        """
        first = len(self.asked) + 2
        at = [n for n, (begin, end) in enumerate(self.told) if place[0] <= begin < end <= place[1]]
        if not at:
            return -float("inf")
        marks = self.marks[first + at[0] : first + at[-1] + 1]
        sums = marks[:, _START][:, None] + marks[:, _STOP][None, :]
        inside = np.triu(np.tril(np.ones_like(sums, bool), _LONGEST - 1))
        return float(sums[inside].max() - self.marks[0, _START] - self.marks[0, _STOP])

    def usefulness(self) -> list[tuple[CharRange, float]]:
        """Return how much each token of the passage helps to answer the query, as a logit."""
        logits = self.marks[len(self.asked) + 2 :, _USEFUL]
        return [(place, float(logits[at])) for at, place in enumerate(self.told)]

    def useful(self) -> list[CharRange]:
        """Return the stretches of the passage that help to answer the query."""
        return _stretches(self.marks[len(self.asked) + 2 :, _USEFUL], self.told)

    def kept(self) -> tuple[list[CharRange], list[CharRange]]:
        """Return the stretches of query and passage that make the next query."""
        said = self.marks[:, _KEPT]
        return _stretches(said[1:], self.asked), _stretches(said[len(self.asked) + 2 :], self.told)


class PairReader:
    """Reads pairs, each by itself, so that nothing depends on what is read beside it.

    `rank_weight` is what the natural logarithm of a passage's fused rank takes from its score: it
    was trained with the first stage's opinion beside it. Safe to use from several threads.
    """

    def __init__(self, folder: Path, threads: int = 0, speed_file: Path | None = None) -> None:
        self.card: ModelCard = read_model_card(folder)
        self.name = self.card.name
        self.rank_weight: float | None = self.card.rank_weight
        self._loaded = OnnxModel(self.card, threads)
        self._speed = RerankerSpeed(self._loaded.threads, self.name, speed_file)

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth."""
        if self.card.languages == {"en"} and not is_english(text):
            return LanguageSupport.NONE
        return script_support(self.card.scripts, text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text; see `Reranker`."""
        return [each.score for each in self.read(query, texts, token)]

    def count_in(self, seconds: float, query: str, texts: Sequence[str]) -> int | None:
        """Return how many of the first texts are read in a time; see `TimedReranker`."""
        most = _BYTES * self.card.max_tokens
        asked = len(query.encode())
        sizes = [min(asked + len(text.encode()), most) for text in texts]
        return self._speed.count_in(seconds, sizes)

    def score_pairs(
        self, pairs: Sequence[tuple[str, str]], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a pair of query and text, each independent of the others."""
        parts = self._loaded.get()
        asked = parts.tokenizer.encode_batch([each for each, _ in pairs], add_special_tokens=False)
        told = parts.tokenizer.encode_batch([each for _, each in pairs], add_special_tokens=False)
        waiting = [
            parts.pool.submit(self._run, *each, token) for each in zip(asked, told, strict=True)
        ]
        return [each.result().score for each in waiting]

    def read(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[PairReading]:
        """Return what is said of a query and each text.

        A query may fill half of what the model reads, or what a short text leaves of it; a longer
        one loses its middle, so that the question at its beginning is read, and the conclusion that
        a draft behind it ends with. A text is cut to the rest. Raises `ModelUnavailable` if a file
        is missing or damaged.
        """
        parts = self._loaded.get()
        asked = parts.tokenizer.encode(query, add_special_tokens=False)
        told = parts.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        waiting = [parts.pool.submit(self._run, asked, each, token) for each in told]
        return [each.result() for each in waiting]

    def _run(self, asked: Any, told: Any, token: CancelToken | None) -> PairReading:
        if token is not None:
            token.check()
        parts, most = self._loaded.get(), self.card.max_tokens
        begin, end = parts.marks
        kept = min(len(asked.ids), max(most // 2, most - 3 - len(told.ids)))
        more = most - kept - 3
        ids = [begin, *_both_ends(asked.ids, kept), end, *told.ids[:more], end]
        of_passage = np.zeros((1, len(ids)), np.int64)
        of_passage[0, kept + 2 :] = 1
        fed = parts.fed(ids) | {"token_type_ids": of_passage}
        begun = time.thread_time()
        score, marks, tags = parts.session.run(None, fed)
        self._speed.note(_BYTES * len(ids), time.thread_time() - begun)
        places = tuple(_both_ends(asked.offsets, kept)), tuple(told.offsets[:more])
        return PairReading(float(score[0]), marks[0], tags[0], *places)


def _both_ends(tokens: Sequence[T], kept: int) -> list[T]:
    """Return as many tokens as are kept, half of them from each end."""
    last = len(tokens) - kept // 2
    return [*tokens[: kept - kept // 2], *tokens[max(last, kept - kept // 2) :]]


def _stretches(logits: Floats, places: Sequence[CharRange]) -> list[CharRange]:
    """Join the tokens whose logit is above 0, where they follow one another in the text."""
    found: list[CharRange] = []
    before = -2
    for at, (begin, end) in enumerate(places):
        if logits[at] <= 0:
            continue
        if before == at - 1 and begin - found[-1][1] <= _WIDEST_GAP:
            begin = found.pop()[0]  # noqa: PLW2901 - one stretch with the token before
        found.append((begin, end))
        before = at
    return found
