"""The alarm for a prompt that the server cut: it does so silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_rag.core.phrases import Phrase
from desktop_rag.models.ollama.token_estimate import TokenEstimate

_MARGIN = 8  # tokens: a prompt that comes this near to the context has been cut to fit
_SLACK = 100  # tokens that an estimate may always be wrong by
_SHORT, _SHORT_CALIBRATED = 0.6, 0.8  # a count below this share of the estimate is suspicious


class TruncationDetector:
    """Compares what the server counted with what was sent, and teaches the estimate.

    A count that is missing, or small because the server had the beginning of the prompt cached,
    is not truncation.
    """

    def __init__(self, num_ctx: int, estimate: TokenEstimate) -> None:
        self._num_ctx = num_ctx
        self._estimate = estimate
        self._before = ""

    def notice(
        self, texts: Sequence[str], counted: int | None, in_force: Callable[[], int | None]
    ) -> str:
        """Return the sentence for the user, empty when all was taken in.

        `in_force` asks the server for the loaded model's context; only called on suspicion.
        """
        expected = self._estimate.of_prompt(texts)
        fresh = expected * self._new_share("\n".join(texts))
        if counted is None:
            return ""
        if not self._is_suspicious(texts, counted, expected):
            self._estimate.learn(texts, counted)
            return ""
        context = in_force()
        if self._was_cut(counted, expected, fresh, context):
            return self._sentence(counted, expected, context or self._num_ctx)
        return ""

    def _is_suspicious(self, texts: Sequence[str], counted: int, expected: int) -> bool:
        share = _SHORT_CALIBRATED if self._estimate.is_calibrated(texts) else _SHORT
        short = counted < share * expected and counted < expected - _SLACK
        return short or counted >= self._num_ctx - _MARGIN

    def _was_cut(self, counted: int, expected: int, fresh: float, context: int | None) -> bool:
        if counted >= min(context or self._num_ctx, self._num_ctx) - _MARGIN:
            return True
        if context is not None:
            return expected > context
        return counted < _SHORT * fresh

    def _new_share(self, text: str) -> float:
        """Return which share of a prompt the prompt before did not begin with."""
        shared = _common(self._before, text)
        self._before = text
        return 1.0 - shared / max(1, len(text))

    def _sentence(self, counted: int, expected: int, context: int) -> str:
        if counted >= expected:
            return Phrase(
                "The prompt filled Ollama's context of {0} tokens, and part of it may "
                "have been cut off. Use fewer passages, or raise the context length.",
                f"{context:,}",
            )
        asked = (
            ""
            if context >= self._num_ctx
            else Phrase(", not the {0} asked for", f"{self._num_ctx:,}")
        )
        return Phrase(
            "Ollama took in only {0} of about {1} prompt tokens: its context holds "
            "{2}{3}. Use fewer passages, or raise the context length in the settings.",
            f"{counted:,}",
            f"{expected:,}",
            f"{context:,}",
            asked,
        )


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning, halving the range: prompts are long."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
