r"""Turn the formulas that Word computes from a field, `EQ \f(1,2)`, into LaTeX.

Such a field is not only for formulas: it also draws circled numbers, and readings above Chinese
words, which become text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_rag.parsing.formats import latex_notation
from desktop_rag.parsing.formats.latex_notation import (
    DEEPEST,
    LONGEST,
    UnreadableFormula,
    environment,
    fenced,
    joined,
    operator,
    root,
    script,
)

_NAME = re.compile(r"\s*EQ(?![A-Za-z])\s*", re.IGNORECASE)
_LOOK = re.compile(r"""\\\*\s*(?:"[^"]*"|\S+)\s*""")  # `\* jc2 \* "Font:SimSun"`
# A switch with what belongs to it: a command, how it is drawn, or a sign that is marked.
_SWITCH = re.compile(
    r"\\(?:(?P<bracket>[lrb]c)\\(?P<sign>.)|(?P<option>[a-z]{2}(?:\s*\d+)?)"
    r"|(?P<command>[abdfiloxrs])(?![a-z])|(?P<marked>.))",
    re.IGNORECASE | re.DOTALL,
)
_SUMS = {"su": "∑", "pr": "∏", "in": "∫"}
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_RINGS = frozenset("○〇◯")
_CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_IS_LATEX = re.compile(r"[\\^_=+<>≤≥×·/]")


def is_formula(code: str) -> bool:
    """Say whether a field's code is of this kind."""
    return _NAME.match(code) is not None


def latex_of(code: str) -> str:
    """Return what a field shows: LaTeX between `$`, or text where there is nothing to draw.

    `UnreadableFormula` where it is out of bounds or nothing of it can be read.
    """
    source = _LOOK.sub("", _NAME.sub("", code, count=1)).strip()
    if len(source) > LONGEST:
        raise UnreadableFormula
    written = joined(_Reader(source).pieces("", 0)).strip()
    if source and not written:
        raise UnreadableFormula
    return f"${written}$" if _IS_LATEX.search(written) else written


class _Reader:
    """Reads a field's code once, from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def pieces(self, ends: str, depth: int) -> Iterator[str]:
        """Yield what stands here, up to one of the signs that end it."""
        if depth > DEEPEST:
            raise UnreadableFormula
        nested = 0
        while self._at < len(self._source):
            sign = self._source[self._at]
            if sign in ends and not nested:
                return
            if sign == "\\" and (switch := _SWITCH.match(self._source, self._at)):
                self._at = switch.end()
                yield self._switched(switch, depth)
                continue
            self._at += 1
            nested += {"(": 1, ")": -1}.get(sign, 0) if ends else 0
            yield latex_notation.plain(sign)

    def _switched(self, switch: re.Match[str], depth: int) -> str:
        command = (switch["command"] or "").lower()
        if not command:
            return latex_notation.plain(switch["marked"] or "")
        options: dict[str, str] = {}
        while self._source[self._at : self._at + 1] in {"\\", " "}:
            found = _SWITCH.match(self._source, self._at)
            if found is None and self._source[self._at] == " ":
                self._at += 1
                continue
            if found is None or not (found["option"] or found["bracket"]):
                break
            name = (found["bracket"] or found["option"][:2]).lower()
            options[name] = found["sign"] or found["option"][2:].strip()
            self._at = found.end()
        return _written(command, options, self._arguments(depth + 1))

    def _arguments(self, depth: int) -> list[str]:
        """Return what stands in parentheses, parted by commas or, as in some countries, by `;`."""
        found: list[str] = []
        if self._source[self._at : self._at + 1] != "(":
            return found
        while self._source[self._at : self._at + 1] not in {")", ""}:
            self._at += 1
            found.append(joined(self.pieces(",;)", depth)).strip())
        self._at += 1
        return found


def _written(command: str, options: dict[str, str], arguments: list[str]) -> str:
    """Return a command in LaTeX; one without an argument draws nothing."""
    if not arguments:
        return ""
    if command == "f" and len(arguments) == 2:
        return rf"\frac{{{arguments[0]}}}{{{arguments[1]}}}"
    if command == "r":
        return root(arguments[-1], arguments[0] if len(arguments) > 1 else "")
    if command == "s":
        return _moved(options, arguments)
    if command == "b":
        return _bracketed(options, arguments)
    if command == "i" and len(arguments) == 3:
        kind = next((each for each in _SUMS if each in options), "in")
        return f"{operator(_SUMS[kind], *arguments[:2])} {arguments[2]}"
    if command == "a":
        return _array(options, arguments)
    return _overlaid(arguments) if command == "o" else ",".join(arguments)


def _moved(options: dict[str, str], arguments: list[str]) -> str:
    if len(arguments) > 1:
        return script("^", arguments[0]) + script("_", "".join(arguments[1:]))
    return script("_" if "do" in options else "^", arguments[0])


def _bracketed(options: dict[str, str], arguments: list[str]) -> str:
    both = options.get("bc", "")
    begin = both or options.get("lc", "" if "rc" in options else "(")
    end = _PAIRS.get(both, both) or options.get("rc", "" if "lc" in options else ")")
    return fenced(begin, ",".join(arguments), end)


def _array(options: dict[str, str], arguments: list[str]) -> str:
    digits = options.get("co", "")
    columns = max(1, int(digits)) if digits.isdecimal() and len(digits) < 4 else 1
    rows = (" & ".join(arguments[at : at + columns]) for at in range(0, len(arguments), columns))
    return environment("matrix", rows)


def _overlaid(arguments: list[str]) -> str:
    """Return signs drawn over each other; of a ring with a number that, without a reading above."""
    shown = [each for each in arguments if each not in _RINGS]
    if len(shown) < len(arguments) and len(shown) == 1:
        number = int(shown[0]) if shown[0].isdecimal() and len(shown[0]) < 3 else len(_CIRCLED)
        return _CIRCLED[number] if number < len(_CIRCLED) else f"({shown[0]})"
    bases = [each for each in shown if not each.startswith(("^", "_"))]
    return "".join(bases or shown)
