"""Count Word's numbered paragraphs: the file holds how they are numbered, never the numbers.

A clause is cited by its number (`第三条`, `2.1`), so it belongs to the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from desktop_rag.parsing.formats.docx_styles import WordStyles
from desktop_rag.parsing.formats.xml_tree import attribute, children

_LEVELS = 9
_LARGEST = 1_000_000  # a list's first number
_PLACE = re.compile(r"%([1-9])")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_CHINESE = frozenset(
    (
        "chineseCounting", "chineseCountingThousand", "taiwaneseCounting",
        "taiwaneseCountingThousand", "japaneseCounting",
    )
)  # fmt: skip
_LEGAL = {
    "chineseLegalSimplified": "零壹贰叁肆伍陆柒捌玖",
    "ideographLegalTraditional": "零壹貳參肆伍陸柒捌玖",
}
_DIGITS = "零一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How one level of a list is numbered; `style` is that of the paragraphs which are on it."""

    text: str
    form: str
    start: int
    style: str
    is_plain: bool  # all numbers in it are Arabic


@dataclass(slots=True)
class _NumberedList:
    """The levels of a list, and how far each is counted; 0 is said of one that has not begun."""

    levels: dict[int, ListLevel]
    counted: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


class WordNumbering:
    """Counts the paragraphs of a document, which have to be asked for in their order."""

    def __init__(self, root: etree._Element | None, styles: WordStyles) -> None:
        self._styles = styles
        self._lists: dict[str, _NumberedList] = {}
        self._nums: dict[str, etree._Element] = {}
        self._abstract: dict[str, etree._Element] = {}
        self._begun: set[tuple[str, int]] = set()
        for each in children(root, "abstractNum") if root is not None else ():
            self._abstract[attribute(each, "abstractNumId")] = each
        for each in children(root, "num") if root is not None else ():
            self._nums[attribute(each, "numId")] = each

    def label(self, paragraph: etree._Element) -> str | None:
        """Return a paragraph's number, nothing where it has a mark; None if it is in no list."""
        key, level = self._place(paragraph)
        if key in {"", "0"}:
            return None
        found = self._list_of(key)
        if found is None or level not in found.levels:
            return ""
        self._count(found, key, level)
        return _label(found, level)

    def _place(self, paragraph: etree._Element) -> tuple[str, int]:
        """Return the list that a paragraph belongs to, and its level from 0."""
        own = paragraph.find("{*}pPr/{*}numPr")
        key, level = _numbered(own)
        by_style = self._styles.numbering(paragraph) if not key else None
        if by_style is None:
            return key, level or 0
        style, properties = by_style
        key, of_style = _numbered(properties)
        if level is not None:
            return key, level
        found = self._list_of(key)
        of_list = [at for at, each in found.levels.items() if each.style == style] if found else []
        return key, of_list[0] if of_list else of_style or 0

    def _list_of(self, key: str) -> _NumberedList | None:
        num = self._nums.get(key)
        if num is None:
            return None
        root = self._abstract_of(num)
        if root is None:
            return None
        shared = attribute(root, "abstractNumId")
        own = {attribute(each, "ilvl"): each for each in children(num, "lvlOverride")}
        changed = {
            at: found for at, each in own.items() if (found := each.find("{*}lvl")) is not None
        }
        name = f"{shared} {key}" if changed else shared
        if name not in self._lists:
            levels = {attribute(each, "ilvl"): each for each in children(root, "lvl")} | changed
            self._lists[name] = _NumberedList(
                {int(at): _level(each) for at, each in levels.items() if at in _LEVEL_NAMES}
            )
        return self._lists[name]

    def _abstract_of(self, num: etree._Element) -> etree._Element | None:
        """Return what a list looks like, by way of its style where it only names that."""
        for _ in range(_LEVELS):
            reference = num.find("{*}abstractNumId")
            root = self._abstract.get("" if reference is None else attribute(reference, "val"))
            link = None if root is None else root.find("{*}numStyleLink")
            if link is None:
                return root
            key, _level_of_style = _numbered(self._styles.numbering_of(attribute(link, "val")))
            if key not in self._nums:
                return root
            num = self._nums[key]
        return None

    def _count(self, found: _NumberedList, key: str, level: int) -> None:
        restart = self._restart(key, level)
        before = found.counted[level]
        if restart is not None:
            found.counted[level] = restart
        else:
            found.counted[level] = found.levels[level].start if before is None else before + 1
        for above in range(level):
            if found.counted[above] is None and above in found.levels:
                found.counted[above] = found.levels[above].start
        for below in range(level + 1, _LEVELS):
            found.counted[below] = None

    def _restart(self, key: str, level: int) -> int | None:
        """Return the number at which a list begins anew, the first time that it is met."""
        if (key, level) in self._begun:
            return None
        self._begun.add((key, level))
        for each in children(self._nums[key], "lvlOverride"):
            start = each.find("{*}startOverride")
            if attribute(each, "ilvl") == str(level) and start is not None:
                return _number(attribute(start, "val"), 1)
        return None


_LEVEL_NAMES = frozenset(map(str, range(_LEVELS)))


def _numbered(properties: etree._Element | None) -> tuple[str, int | None]:
    """Return the list's id and the level that a `numPr` states."""
    if properties is None:
        return "", None
    key, level = properties.find("{*}numId"), properties.find("{*}ilvl")
    stated = "" if level is None else attribute(level, "val")
    return (
        "" if key is None else attribute(key, "val"),
        int(stated) if stated in _LEVEL_NAMES else None,
    )


def _level(element: etree._Element) -> ListLevel:
    values = {}
    for name in ("lvlText", "numFmt", "start", "pStyle"):
        found = element.find(f"{{*}}{name}")
        values[name] = "" if found is None else attribute(found, "val")
    return ListLevel(
        text=values["lvlText"],
        form=values["numFmt"] or "decimal",
        start=_number(values["start"], 0),
        style=values["pStyle"],
        is_plain=element.find("{*}isLgl") is not None,
    )


def _number(value: str, default: int) -> int:
    is_number = value.isascii() and value.isdecimal() and len(value) < 8
    return min(int(value), _LARGEST) if is_number else default


def _label(found: _NumberedList, level: int) -> str:
    own = found.levels[level]
    if own.form == "bullet":
        return ""

    def number(match: re.Match[str]) -> str:
        at = int(match.group(1)) - 1
        counted = found.counted[at]
        if counted is None or at not in found.levels:
            return ""
        return written(counted, "decimal" if own.is_plain else found.levels[at].form)

    return _PLACE.sub(number, own.text[:200]).strip()


def written(number: int, form: str) -> str:
    """Return a number as a format of Word's writes it; in digits where that is not known."""
    if form == "none":
        return ""
    if form in {"lowerLetter", "upperLetter"} and 0 < number <= 26 * 5:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters if form == "lowerLetter" else letters.upper()
    if form in {"lowerRoman", "upperRoman"} and 0 < number < 4000:
        return _roman(number) if form == "lowerRoman" else _roman(number).upper()
    if form in _CHINESE and 0 <= number < 10_000:
        return _chinese(number, _DIGITS, "十百千")
    if form in _LEGAL and 0 <= number < 10_000:
        return _chinese(number, _LEGAL[form], "拾佰仟")
    if form.startswith("decimalEnclosedCircle") and 0 < number <= 20:
        return chr(0x2460 + number - 1)
    return f"{number:02d}" if form == "decimalZero" else str(number)


def _roman(number: int) -> str:
    made = ""
    for value, letters in _ROMAN:
        made += letters * (number // value)
        number %= value
    return made


def _chinese(number: int, digits: str, units: str) -> str:
    """Return a number below ten thousand in Chinese: 十二, 一百零五."""
    made, is_gap = "", False
    for place, unit in zip((1000, 100, 10, 1), (*units[::-1], ""), strict=True):
        digit = number // place % 10
        if digit:
            made += (digits[0] if is_gap and made else "") + digits[digit] + unit
        is_gap = not digit
    is_ten = made.startswith(digits[1] + "十")
    return (made[1:] if is_ten else made) or digits[0]
