"""How many tokens a text takes, without the model's tokenizer: by script, learnt as it goes."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_OTHER = re.compile(r"[\u0250-\u2fff]")
_DENSE = re.compile(r"[0-9!-/:-@\[-`{-~]")

# Tokens a character takes at first; later each script has a factor, set by what was counted.
_RATES = {"cjk": 1.0, "other": 0.5, "dense": 0.5, "latin": 0.25}
_PER_MESSAGE = 6  # the template's marks around a message
_LEAST = 60  # tokens; shorter prompts say more about the template than about the text
_SHARE = 0.6  # of a prompt that one script must make up to learn from it
_LOWEST, _HIGHEST = 0.4, 2.5


class TokenEstimate:
    """Estimates tokens. Safe to use from several threads."""

    def __init__(self) -> None:
        self._factors = dict.fromkeys(_RATES, 1.0)
        self._lessons = 0
        self._lock = threading.Lock()

    @property
    def calibrated(self) -> bool:
        """Whether the estimates have been set right by at least one count."""
        return self._lessons > 0

    def of(self, text: str) -> int:
        """Return about how many tokens a text takes, rounded up."""
        parts = self._parts(text)
        return int(sum(parts.values()) + 0.999)

    def of_prompt(self, texts: Sequence[str]) -> int:
        """Return about how many tokens these messages take with the template around them."""
        return sum(self.of(text) + _PER_MESSAGE for text in texts)

    def learn(self, texts: Sequence[str], counted: int) -> None:
        """Set the factor of the script that makes up most of a prompt by the server's count."""
        parts = self._parts("\n".join(texts))
        expected = sum(parts.values())
        plain = counted - _PER_MESSAGE * len(texts)
        if expected < _LEAST or plain <= 0:
            return
        # Digits and marks stand among letters: they are learnt with the script around them.
        letters = {script: parts[script] for script in ("cjk", "other", "latin")}
        script = max(letters, key=lambda each: letters[each])
        if letters[script] + parts["dense"] < _SHARE * expected:
            return
        self._adjust(script, plain / expected)

    def _adjust(self, script: str, ratio: float) -> None:
        with self._lock:
            weight = 0.5 if self._lessons else 1.0
            for each in (script, "dense"):
                wanted = self._factors[each] * ratio**weight
                self._factors[each] = min(_HIGHEST, max(_LOWEST, wanted))
            self._lessons += 1

    def _parts(self, text: str) -> dict[str, float]:
        counts = {
            "cjk": len(_CJK.findall(text)),
            "other": len(_OTHER.findall(text)),
            "dense": len(_DENSE.findall(text)),
        }
        counts["latin"] = len(text) - sum(counts.values())
        return {each: n * _RATES[each] * self._factors[each] for each, n in counts.items()}
