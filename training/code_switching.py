"""Questions with words of another language, by CC-CEDICT, and Chinese in its other letters.

A reader that is shown a question half in Chinese beside an English passage learns to match words of
two languages (Qin et al. 2020, "CoSDA-ML").
"""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from desktop_rag.core.language import FUNCTION_WORDS

_LINE = re.compile(r"(\S+) (\S+) \[.*?\] /(.*)/$")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_PLAIN = re.compile(r"(?:to |a |an |the )?([A-Za-z][A-Za-z' -]*)$")
_NO_MEANING = re.compile(r"surname |see |old variant|variant of|abbr|CL:|used |classifier")
_REMARK = re.compile(r"\s*\([^)]*\)\s*")
_WORD = re.compile(r"[A-Za-z][A-Za-z']+")
_LONGEST, _CHOICES, _ENDINGS = 6, 3, ("", "s", "es", "d", "ed", "ing")
_SHARE = 0.7  # of the words that the dictionary knows


class Dictionary:
    """CC-CEDICT's words in both directions, and its traditional letters in simplified ones."""

    def __init__(self, path: Path) -> None:
        self._english: dict[str, str] = {}
        chinese: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        letters: dict[str, Counter[str]] = defaultdict(Counter)
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for found in filter(None, map(_LINE.match, lines)):
                old, new, told = found.groups()
                for one, other in zip(old, new, strict=False):
                    letters[one][other] += 1
                if not _HAN.fullmatch(old) or len(old) > _LONGEST:
                    continue
                for sense, gloss in enumerate(told.split("/")):
                    plain = _PLAIN.match(_REMARK.sub(" ", gloss).strip())
                    if plain is None or len(plain[1].split()) > 3 or _NO_MEANING.match(gloss):
                        continue
                    self._english.setdefault(old, plain[1].strip())
                    self._english.setdefault(new, plain[1].strip())
                    rare = sense + 2 * (len(old) != 2)
                    chinese[plain[1].strip().casefold()].append((rare, old, new))
        self._chinese = {word: sorted(each)[:_CHOICES] for word, each in chinese.items()}
        self._letters = str.maketrans(
            {one: each.most_common(1)[0][0] for one, each in letters.items()}
        )

    def simplified(self, text: str) -> str:
        """Return a Chinese text in simplified letters, as many as it has."""
        return text.translate(self._letters)

    def in_chinese(self, text: str, dice: random.Random) -> str:
        """Return an English text with most of its words in Chinese, all in one of both scripts."""
        is_old = dice.random() < 1 / 3

        def said(found: re.Match[str]) -> str:
            word = found[0].casefold()
            known = self._stem(word)
            if known is None or word in FUNCTION_WORDS or dice.random() > _SHARE:
                return found[0]
            _, old, new = dice.choice(self._chinese[known])
            return old if is_old else new

        return _WORD.sub(said, text)

    def in_english(self, text: str, dice: random.Random) -> str:
        """Return a Chinese text with most of its words in English."""

        def said(found: re.Match[str]) -> str:
            run, at, words = found[0], 0, []
            while at < len(run):
                length = next(
                    (n for n in range(_LONGEST, 0, -1) if run[at : at + n] in self._english), 1
                )
                word = run[at : at + length]
                is_told = word in self._english and dice.random() < _SHARE
                words.append(f" {self._english[word]} " if is_told else word)
                at += length
            return "".join(words)

        return " ".join(_HAN.sub(said, text).split())

    def _stem(self, word: str) -> str | None:
        for ending in _ENDINGS:
            if word.endswith(ending):
                stem = word.removesuffix(ending)
                for each in (stem, f"{stem}e"):
                    if len(each) > 2 and each in self._chinese:
                        return each
        return None
