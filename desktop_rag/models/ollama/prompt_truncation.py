"""The alarm for a prompt that the server cut: it does so silently.

Ollama leaves out the oldest messages of a chat, and cuts the middle out of a last one that is still
too long: to the whole context until 0.30.10, to about half of it since (see its source,
llm/llama_server.go, `completionPromptForRequest`). While it answers, tokens at the beginning make
room for new ones. Its counts tell of all three: they hold cached tokens, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from desktop_rag.core.phrases import Phrase
from desktop_rag.models.ollama.token_estimate import TokenEstimate

_MARGIN = 8  # tokens: a prompt that comes this near to the context has been cut to fit
_SLACK = 100  # tokens that an estimate may always be wrong by
_SHORT, _SHORT_CALIBRATED = 0.6, 0.8  # a count below this share of the estimate is suspicious
_ESTIMATE_OFF = 1.25  # the most that a calibrated estimate was seen to be short by
_KEPT = (4, 5)  # tokens that a cut prompt begins with: num_keep, and one that opens a text

RAISE_CONTEXT = "Use fewer passages, or raise the context length in the settings."
RELOAD_MODEL = "Use fewer passages, or load the model with a longer context in its server."
"""What helps where the server decides on the context."""


class TruncationDetector:
    """Compares what the server counted with what was sent, and teaches the estimate.

    `server` is what it is called in sentences, which end in `remedy`.
    """

    def __init__(
        self,
        num_ctx: int,
        estimate: TokenEstimate,
        server: str = "Ollama",
        remedy: str = RAISE_CONTEXT,
    ) -> None:
        self._num_ctx = num_ctx
        self._server, self._remedy = server, remedy
        self._estimate = estimate
        self._context: int | None = None

    def notice(
        self,
        texts: Sequence[str],
        counted: int | None,
        answered: int | None,
        in_force: Callable[[], int | None],
    ) -> str:
        """Return the sentence for the user, empty when all was taken in and stayed.

        `in_force` asks the server for the loaded model's context: at first, and on suspicion.
        """
        if counted is None:
            return ""
        expected = self._estimate.of_prompt(texts)
        if self._context is None or self._is_short(texts, counted, expected):
            self._context = in_force()
        context = min(self._context or self._num_ctx, self._num_ctx)
        if counted >= context - _MARGIN:
            return self._filled(counted, expected, context)
        if self._was_cut(texts, counted, expected, context):
            return self._cut(counted, expected, context)
        self._estimate.learn(texts, counted)
        return self._shifted(counted + (answered or 0), context)

    def _is_short(self, texts: Sequence[str], counted: int, expected: int) -> bool:
        share = _SHORT_CALIBRATED if self._estimate.is_calibrated(texts) else _SHORT
        return counted < share * expected and counted < expected - _SLACK

    def _was_cut(self, texts: Sequence[str], counted: int, expected: int, context: int) -> bool:
        """Tell whether a count is one of a cut prompt, of a prompt that may have been too long."""
        if _ESTIMATE_OFF * sum(map(self._estimate.at_most, texts)) <= context:
            return False
        is_half = any(counted == context - max((context - kept) // 2, 1) for kept in _KEPT)
        return self._is_short(texts, counted, expected) or (is_half and counted < expected)

    def _filled(self, counted: int, expected: int, context: int) -> str:
        if counted < expected:
            return self._cut(counted, expected, context)
        return Phrase(
            "The prompt filled {0}'s context of {1} tokens, and part of it may "
            "have been cut off. {2}",
            self._server,
            f"{context:,}",
            self._remedy,
        )

    def _cut(self, counted: int, expected: int, context: int) -> str:
        asked = (
            ""
            if context >= self._num_ctx
            else Phrase(", not the {0} asked for", f"{self._num_ctx:,}")
        )
        return Phrase(
            "{0} took in only {1} of about {2} prompt tokens: its context holds {3}{4}. {5}",
            self._server,
            f"{counted:,}",
            f"{expected:,}",
            f"{context:,}",
            asked,
            self._remedy,
        )

    def _shifted(self, taken: int, context: int) -> str:
        if taken <= context:
            return ""
        return Phrase(
            "Prompt and answer took {0} tokens, more than {1}'s context of {2}: while it wrote, "
            "the model lost sight of the beginning. {3}",
            f"{taken:,}",
            self._server,
            f"{context:,}",
            self._remedy,
        )
