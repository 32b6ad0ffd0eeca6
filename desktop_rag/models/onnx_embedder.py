"""The built-in embedder: a sentence encoder in ONNX, on the processor, without a network."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cached_property
from pathlib import Path

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.core.phrases import Phrase
from desktop_rag.models.language_bias import LanguageBias
from desktop_rag.models.model_card import BIAS, EvidenceWeights, ModelCard, read_model_card
from desktop_rag.models.onnx_model import OnnxModel
from desktop_rag.models.protocols import LanguageSupport, Vectors, script_support

_AT_ONCE = 64  # texts whose tokens are in memory together
_FUNCTION_WORD = 0.3
"""What a function word of the query counts against a word of content; tuned on train questions."""


class OnnxEmbedder:
    """Mean pooling over a BERT's last layer, scaled to length one (Reimers & Gurevych 2019).

    Each text runs by itself, as many at a time as there are threads: nothing is padded (in 8 bits
    that is a fifth faster than batches), and a vector cannot depend on the texts beside it. Where
    the card names prefixes, the model reads one before each text (Wang et al. 2022); no length
    counts them. The files are read, and checked against the card, when something is first
    embedded or counted. Safe to use from several threads.
    """

    def __init__(self, folder: Path, threads: int = 0) -> None:
        self.card: ModelCard = read_model_card(folder)
        self.fingerprint = self.card.fingerprint
        self.dimensions = self.card.dimensions
        self.max_tokens = self.card.max_tokens
        self._loaded = OnnxModel(self.card, threads, modest=True)

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return one unit vector a passage, in their order: shape `(len(texts), dimensions)`."""
        means = self._means(texts, self.card.passage_prefix, token)
        return means if self.bias is None else self.bias.without(means, self.bias.passage)

    def embed_query(self, text: str) -> Vectors:
        """Return a question's unit vector; one that is too long is cut from its middle."""
        return self._query_means(text, ("",))[0]

    @cached_property
    def bias(self) -> LanguageBias | None:
        """What is taken out of the vectors; None where the card names none."""
        return LanguageBias.read(self.card.checked(BIAS)) if BIAS in self.card.files else None

    def token_vectors(
        self, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[Vectors]:
        """Return, for each passage, its tokens' unit vectors: shape `(tokens, dimensions)`.

        The marks at both ends and the prefix are left out, so that a text without words has no
        rows.
        """
        prefix = self._prefix_ids(self.card.passage_prefix)
        inner = (states[1 + len(prefix) : -1] for states in self._states(texts, prefix, token))
        return [states / np.linalg.norm(states, axis=1, keepdims=True) for states in inner]

    @property
    def heads(self) -> int:
        """How many attention heads the last layer has; see `MultiHeadEmbedder`."""
        return self.card.heads

    def head_vectors(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        """Return what the heads saw in each passage, on average over its tokens."""
        return self._means(texts, self.card.passage_prefix, token, self.card.head_output)

    def query_with_heads(self, text: str) -> tuple[Vectors, Vectors]:
        """Return a question's vector, and what the heads saw in it."""
        vector, heads = self._query_means(text, ("", self.card.head_output))
        return vector, heads

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's length in the model's tokens, special ones not counted."""
        encoded = self._loaded.get().tokenizer.encode_batch_fast(
            list(texts), add_special_tokens=False
        )
        return [len(each.ids) for each in encoded]

    def token_weights(self, text: str) -> Vectors:
        """Return what each row of a text's `token_vectors` counts: function words little."""
        encoded = self._loaded.get().tokenizer.encode(text, add_special_tokens=False)
        words = [_word_at(text, *span) for span in encoded.offsets[: self.max_tokens - 2]]
        return np.array([_weight(word) for word in words], np.float32)

    def trust(self, text: str) -> LanguageSupport:
        """Say what a text's vector is worth."""
        return script_support(self.card.scripts, text)

    @property
    def cosine_weight(self) -> float:
        """What a cosine of 1 counts beside all of a question's words; see `CalibratedEmbedder`."""
        return self.card.cosine_weight

    @property
    def evidence(self) -> Mapping[str, EvidenceWeights]:
        """What words and cosine count for an answer; see `CalibratedEmbedder`."""
        return self.card.evidence

    def shortened(self, text: str) -> str:
        """Return a text that fits the model: one that is too long loses its middle."""
        return self._cut(text, self.max_tokens - 2)

    def _cut(self, text: str, room: int) -> str:
        """Return a text, or as many of its tokens as there is room for, half from each end."""
        encoded = self._loaded.get().tokenizer.encode(text, add_special_tokens=False)
        if len(encoded.ids) <= room:
            return text
        half = room // 2
        return f"{text[: encoded.offsets[half - 1][1]]} {text[encoded.offsets[-half][0] :]}"

    def _means(
        self,
        texts: Sequence[str],
        prefix: str,
        token: CancelToken | None = None,
        output: str = "",
    ) -> Vectors:
        """Return the mean of each text's states, or of another output, scaled to length one."""
        out = np.zeros((len(texts), self.dimensions), np.float32)
        found = self._states(texts, self._prefix_ids(prefix), token, output)
        for place, states in enumerate(found):
            out[place] = _unit_mean(states)
        return out

    def _query_means(self, text: str, outputs: Sequence[str]) -> list[Vectors]:
        """Return the unit mean of each of a question's outputs; "" are the states."""
        prefix = self._prefix_ids(self.card.query_prefix)
        (ids,) = self._encoded([self._cut(text, self._room(prefix))], prefix)
        means = [_unit_mean(each) for each in self._outputs(ids, outputs)]
        if self.bias is None:
            return means
        (freed,) = self.bias.without(means[0][np.newaxis], self.bias.query)
        return [freed, *means[1:]]

    def _prefix_ids(self, prefix: str) -> list[int]:
        """Return a prefix's token numbers; the space behind it is the text's own beginning."""
        tokenizer = self._loaded.get().tokenizer
        ids: list[int] = tokenizer.encode(prefix.rstrip(), add_special_tokens=False).ids
        return ids

    def _room(self, prefix: list[int]) -> int:
        """Return how many tokens a text may have behind a prefix.

        The card leaves room for that of passages: a longer one takes its tokens from the text.
        """
        usual = len(self._prefix_ids(self.card.passage_prefix))
        return self.max_tokens - 2 - max(0, len(prefix) - usual)

    def _states(
        self, texts: Sequence[str], prefix: list[int], token: CancelToken | None, output: str = ""
    ) -> Iterator[Vectors]:
        """Yield each text's last hidden states, in order: shape `(tokens, dimensions)`.

        Of a model that has another `output` of that name, that. Only a few texts are given out
        ahead, so that a question never waits behind a whole file; a question itself runs here.
        """
        if len(texts) == 1:
            yield from (self._run(ids, output) for ids in self._encoded(texts, prefix))
            return
        pool, waiting = self._loaded.get().pool, deque[Future[Vectors]]()
        for ids in self._encoded(texts, prefix):
            if token is not None:
                token.check()
            waiting.append(pool.submit(self._run, ids, output))
            if len(waiting) > 2 * self._loaded.threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _encoded(self, texts: Sequence[str], prefix: list[int]) -> Iterator[list[int]]:
        """Yield the token numbers of prefix and text, which is cut off at its end where it is too
        long, with the marks at both ends.
        """
        tokenizer, most = self._loaded.get().tokenizer, self._room(prefix)
        for start in range(0, len(texts), _AT_ONCE):
            some = list(texts[start : start + _AT_ONCE])
            for ids in (each.ids for each in tokenizer.encode_batch_fast(some)):
                yield [ids[0], *prefix, *ids[1:-1][:most], ids[-1]]

    def _run(self, ids: list[int], output: str) -> Vectors:
        """Run one text; return an output."""
        return self._outputs(ids, (output,))[0]

    def _outputs(self, ids: list[int], names: Sequence[str]) -> list[Vectors]:
        """Run one text; return some outputs, "" its states: shape `(tokens, dimensions)` each."""
        parts = self._loaded.get()
        wanted = [name or parts.states for name in names]
        found: list[Vectors] = [each[0] for each in parts.session.run(wanted, parts.fed(ids))]
        for each in found:
            if each.shape[1] != self.dimensions:
                raise ModelUnavailable(
                    Phrase(
                        "The model {0} gives {1} numbers a token, not {2}.",
                        self.card.name,
                        each.shape[1],
                        self.dimensions,
                    ),
                    "Install Desktop RAG again.",
                )
        return found


def _unit_mean(states: Vectors) -> Vectors:
    mean: Vectors = states.mean(axis=0)
    return mean / np.float32(np.linalg.norm(mean))


def _word_at(text: str, begin: int, end: int) -> str:
    """Return the word that a token is a part of; a token without letters and figures itself."""
    if any(map(str.isalnum, text[begin:end])):
        while begin > 0 and text[begin - 1].isalnum():
            begin -= 1
        while end < len(text) and text[end].isalnum():
            end += 1
    return text[begin:end]


def _weight(word: str) -> float:
    if not any(map(str.isalnum, word)):
        return 0.0
    return _FUNCTION_WORD if word.casefold() in FUNCTION_WORDS else 1.0
