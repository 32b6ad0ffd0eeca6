"""Errors put into a text by rule, to be corrected: other figures, and names of other documents."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

_FIGURE = re.compile(r"(?<![\dA-Za-z.,_-])\d(?:[\d.,]*\d)?(?![\dA-Za-z_-])")  # in Chinese, too
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+){1,2}\b")
_MOST = 2  # alterations of a text
_KNOWN = 200  # names that are kept for others


@dataclass(frozen=True, slots=True)
class Alteration:
    """A part of a text, and what stands in its place."""

    right: str
    wrong: str

    def is_corrected(self, told: str) -> bool:
        """Say whether a text has the right one, and not the wrong one."""
        return _stands(self.right, told) and not _stands(self.wrong, told)


def altered_text(
    text: str, names: list[str], dice: random.Random
) -> tuple[str, tuple[Alteration, ...]]:
    """Return a text with up to two figures or names altered, and what was; none where it has none.

    `names` are those of texts before this one; its own are added. A figure of one digit is left as
    it is: that may be a number in a list.
    """
    figures = [found for found in _FIGURE.finditer(text) if len(_digits(found[0])) > 1]
    own = list(_NAME.finditer(text))
    others = [each for each in names if each not in text]
    places = [(each, _other_figure(each[0], dice)) for each in figures]
    if others:
        places += [(each, dice.choice(others)) for each in own]
    names.extend(each[0] for each in own if each[0] not in names)
    del names[:-_KNOWN]
    unique = [each for each in places if text.count(each[0][0]) == 1 and each[1] not in text]
    chosen = dice.sample(unique, min(_MOST, len(unique)))
    made = text
    for found, other in sorted(chosen, key=lambda each: -each[0].start()):
        made = made[: found.start()] + other + made[found.end() :]
    return made, tuple(Alteration(found[0], other) for found, other in chosen)


def _other_figure(figure: str, dice: random.Random) -> str:
    """Return a figure of the same length, one of whose digits is another; never a leading zero."""
    at = dice.choice([n for n, sign in enumerate(figure) if sign.isdigit()])
    allowed = "123456789" if at == 0 else "0123456789"
    return figure[:at] + dice.choice(allowed.replace(figure[at], "")) + figure[at + 1 :]


def _digits(figure: str) -> str:
    return "".join(filter(str.isdigit, figure))


def _stands(part: str, text: str) -> bool:
    """Say whether a part stands in a text, a figure not as a part of another one."""
    if part[0].isdigit():
        return re.search(rf"(?<![\d.,]){re.escape(part)}(?![\d]|[.,]\d)", text) is not None
    return part in text
