"""The numbers that a text says, brought to one form: in figures, in words, in Chinese numerals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import prod

from desktop_rag.core.language import content_words

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORTH = (
    {word: Decimal(n) for n, word in enumerate(_SMALL.split())}
    | {word: Decimal(10 * n) for n, word in enumerate(_TENS.split(), start=2)}
    | {"half": Decimal("0.5")}
)
_TIMES = {"dozen": 12, "hundred": 100}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_DIGITS = {each: n for n, each in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 10**3}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_WORD = f"(?:{'|'.join((*_WORTH, *_TIMES, *_SCALES))})"
_NUMBER = re.compile(
    r"百分之|(?P<figure>\d+(?:[.,]\d+)*)"
    rf"(?:[ -]?(?P<scale>{'|'.join((*_TIMES, *_SCALES))})\b|\s?(?P<myriads>[百千万萬亿億]+))?"
    rf"|\b(?P<words>{_WORD}(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and ){_WORD})*)\b"
    rf"|(?P<han>[{''.join((*_DIGITS, *_UNITS, *_MYRIADS))}]+)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[^\W぀-ヿ㐀-鿿豈-﫿가-힯]|-")  # what makes a figure part of a name or code
_COUNTED = re.compile(r"[ -]([^\W\d_぀-鿿]{2,})|\s?([个個]?[㐀-鿿])")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, as its figures say it, and what the word behind them multiplies it by."""

    value: Decimal
    scale: int = 1

    def agrees(self, other: Quantity) -> bool:
        """Tell whether two are one number; a table that counts in millions leaves the word out."""
        is_left_out = 1 in (self.scale, other.scale) and self.value == other.value
        return is_left_out or self.value * self.scale == other.value * other.scale


@lru_cache(maxsize=512)
def numbers(text: str) -> frozenset[Quantity]:
    """Return all numbers that a text says."""
    return frozenset(number for found in _NUMBER.finditer(text) for number in _read(found))


def digit_numbers(text: str) -> frozenset[Quantity]:
    """Return the numbers that a text says in figures, those in names and codes among them."""
    found = (each for each in _NUMBER.finditer(text) if each["figure"])
    return frozenset(number for each in found for number in _read(each))


def missing_numbers(wanted: Iterable[Quantity], said: Iterable[Quantity]) -> frozenset[Quantity]:
    """Return which numbers agree with none of those that are said."""
    known = frozenset(said)
    return frozenset(
        each for each in wanted if each not in known and not any(map(each.agrees, known))
    )


def unsupported_numbers(claim: str, source: str) -> frozenset[Quantity]:
    """Return the numbers of a claim that a source does not say.

    Figures that are part of a name or a code are none. One in words counts only where the source
    counts the same thing: in other sentences it may be the claim's own count.
    """
    told = set[Quantity]()
    counted = {what for _, what in _counts(source)}
    for found in _NUMBER.finditer(claim):
        if found["figure"]:
            beside = claim[: found.start()][-1:], claim[found.end("figure") :][:1]
            if not any(map(_JOINED.match, beside)):
                told.update(_read(found))
        elif _thing(claim, found) in counted:
            told.update(each for each in _read(found) if each.value > 1)
    return missing_numbers(told, numbers(source))


def _counts(text: str) -> Iterator[tuple[frozenset[Quantity], str]]:
    """Yield numbers with what they count, in a form for comparing."""
    for found in _NUMBER.finditer(text):
        what = _thing(text, found)
        if what:
            yield frozenset(_read(found)), what


def _thing(text: str, number: re.Match[str]) -> str:
    """Return the word behind a number: a noun, as a rule; "" for none."""
    found = _COUNTED.match(text, number.end())
    if found is None:
        return ""
    return found[2] or "".join(content_words(found[1]))


def _read(found: re.Match[str]) -> Iterator[Quantity]:
    if found["figure"]:
        scale = _TIMES | _SCALES
        times = scale.get((found["scale"] or "").casefold(), 1)
        times *= prod((_UNITS | _MYRIADS)[each] for each in found["myriads"] or "")
        plain = found["figure"].replace(",", "")
        parts = plain.split(".") if plain.count(".") > 1 else [plain]  # a date, a version
        yield from (Quantity(Decimal(each), times) for each in parts)
    elif found["words"]:
        yield Quantity(_in_words(found["words"].casefold()))
    elif found["han"]:
        yield Quantity(Decimal(_in_han(found["han"])))


def _in_words(text: str) -> Decimal:
    whole, part = Decimal(0), Decimal(0)
    for word in re.split(r" and |[ -]", text):
        if word in _SCALES:
            whole, part = whole + (part or Decimal(1)) * _SCALES[word], Decimal(0)
        else:
            part = (part or Decimal(1)) * _TIMES[word] if word in _TIMES else part + _WORTH[word]
    return whole + part


def _in_han(text: str) -> int:
    if all(each in _DIGITS for each in text):  # a year, as a rule
        return int("".join(str(_DIGITS[each]) for each in text))
    whole, part, digit = 0, 0, 0
    for each in text:
        if each in _DIGITS:
            digit = _DIGITS[each]
        elif each in _UNITS:
            part, digit = part + (digit or 1) * _UNITS[each], 0
        elif part + digit or not whole:
            whole, part, digit = whole + (part + digit or 1) * _MYRIADS[each], 0, 0
        else:
            whole *= _MYRIADS[each]
    return whole + part + digit
