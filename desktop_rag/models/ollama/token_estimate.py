"""How many tokens a text takes, without the model's tokenizer: by script, learnt as it goes."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Sequence

_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_FAR = re.compile(r"[^\x00-\u024f]")  # all that is not of the Latin alphabets
_DENSE = re.compile(r"[0-9!-/:-@\[-`{-~]")

# Tokens a character takes at first; later each script has a factor, set by what was counted.
_RATES = {"cjk": 1.0, "other": 0.5, "dense": 0.75, "latin": 0.25}
# What a character may take at most with a tokenizer that was hardly taught its script, over the
# rates above; measured with SmolLM2, whose tokenizer knows English and little else.
_MOST = {"cjk": 1.8, "other": 2.0, "dense": 1.5, "latin": 1.15}
# Of a text's tokens that a script must make up to be doubted; the signs within a text in words are
# counted with these.
_DOUBTED = {"cjk": 0.2, "other": 0.2, "dense": 0.6, "latin": 0.2}
_PER_MESSAGE = 6  # the template's marks around a message
_LEAST = 60  # tokens; shorter prompts say more about the template than about the text
_SHARE = 0.6  # of a prompt that one script must make up to learn from it
_LOWEST, _HIGHEST = 0.4, 2.5


class TokenEstimate:
    """Estimates tokens. Safe to use from several threads."""

    def __init__(self) -> None:
        self._factors: dict[str, float] = {}
        self._lock = threading.Lock()

    def of(self, text: str) -> int:
        """Return about how many tokens a text takes, rounded up."""
        return math.ceil(sum(self._parts(text).values()))

    def at_most(self, text: str) -> int:
        """Return how many tokens a text takes at most, where its scripts were not counted yet."""
        parts = self._parts(text)
        total = sum(parts.values())
        doubted = {
            script
            for script, count in parts.items()
            if script not in self._factors and count >= _DOUBTED[script] * total
        }
        most = (count * (_MOST[each] if each in doubted else 1.0) for each, count in parts.items())
        return math.ceil(sum(most))

    def of_prompt(self, texts: Sequence[str]) -> int:
        """Return about how many tokens these messages take with the template around them."""
        return sum(self.of(text) + _PER_MESSAGE for text in texts)

    def is_calibrated(self, texts: Sequence[str]) -> bool:
        """Whether the script that most of this is in has been counted before."""
        return self._main_script(texts) in self._factors

    def learn(self, texts: Sequence[str], counted: int) -> None:
        """Set the factor of the script that makes up most of a prompt by the server's count."""
        script = self._main_script(texts)
        expected = sum(self._parts("\n".join(texts)).values())
        plain = counted - _PER_MESSAGE * len(texts)
        if not script or expected < _LEAST or plain <= 0:
            return
        with self._lock:
            weight = 0.5 if script in self._factors else 1.0
            wanted = self._factors.get(script, 1.0) * (plain / expected) ** weight
            self._factors[script] = min(_HIGHEST, max(_LOWEST, wanted))

    def _main_script(self, texts: Sequence[str]) -> str:
        """Return the script that makes up most of the tokens, empty where none does."""
        parts = self._parts("\n".join(texts))
        script = max(parts, key=lambda each: parts[each])
        return script if parts[script] >= _SHARE * sum(parts.values()) else ""

    def _parts(self, text: str) -> dict[str, float]:
        """Return the tokens by script."""
        cjk = len(_CJK.findall(text))
        counts = {
            "cjk": cjk,
            "other": len(_FAR.findall(text)) - cjk,
            "dense": len(_DENSE.findall(text)),
        }
        counts["latin"] = len(text) - sum(counts.values())
        return {
            script: count * _RATES[script] * self._factors.get(script, 1.0)
            for script, count in counts.items()
        }
