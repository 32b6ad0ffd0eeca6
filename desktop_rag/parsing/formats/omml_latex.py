"""Turn the formulas of Word and PowerPoint, Office Math Markup, into LaTeX.

Greek letters and operators stay the Unicode characters that they are; only what has a shape
(fractions, roots, scripts, sums, matrices) becomes a command. A formula that is nested too deeply
or grows too long is none: `UnreadableFormula`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from lxml import etree

from desktop_rag.parsing.formats.xml_tree import attribute, children, local

GAP = "[formula]"  # what stands in the text for a formula that could not be read
_NEXT_ROW = r" \\ "
_DEEPEST = 60
_LONGEST = 8000  # characters of one formula

_OFF = frozenset(("0", "false", "off"))
_INVISIBLE = re.compile("[\u200b\u2061-\u2064\ufeff]")
_SPECIAL = re.compile(r"[\\{}#$%&]")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_STYLED_LETTER = re.compile("[\U0001d400-\U0001d7ff]+")
_ENDS_IN_NAME = re.compile(r"\\[A-Za-z]+\Z")
# What needs no braces to carry scripts: a sign, a number, a name, what stands in parentheses.
_ONE_TOKEN = re.compile(r"[^\\{}^_\s]|\d+(?:[.,]\d+)*|\\[A-Za-z]+|\([^()]*\)|\[[^\[\]]*\]")
_NUMBER = re.compile(r"\\#(\([^()]*\))\Z")  # of an equation, at the end of its row
_TALL = re.compile(r"\\(?:d?frac|sum|prod|i+nt|oint|begin|overset|underset|over|under|big)")
_FUNCTIONS = frozenset(
    (
        "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det",
        "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log",
        "max", "min", "sec", "sin", "sinh", "sup", "tan", "tanh",
    )
)  # fmt: skip
_TAKES_LIMITS = re.compile(r"\\(?:lim|liminf|limsup|max|min|sup|inf|det|gcd|sum|prod)")
_OPERATORS = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint",
    "∮": r"\oint", "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar",
    "\u0305": "overline", "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u030c": "check",
    "\u20d7": "vec", "\u20db": "dddot", "^": "hat", "~": "tilde", "→": "vec", "¯": "bar",
}  # fmt: skip
_BRACES = {"⏟": r"\underbrace", "⏞": r"\overbrace"}
_SCRIPTS = {
    "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf",
    "monospace": "mathtt",
}  # fmt: skip

Writer = Callable[[etree._Element, int], str]  # noqa: SLF001


class UnreadableFormula(ValueError):
    """A formula is nested too deeply, or too long."""


def latex_of(element: etree._Element) -> str:
    """Return an `oMath` between `$`, an `oMathPara` between `$$`; nothing of an empty one."""
    is_displayed = local(element) == "oMathPara"
    formulas = children(element, "oMath") if is_displayed else iter((element,))
    mark = "$$" if is_displayed else "$"
    written = [_inner(formula, 0).strip() for formula in formulas]
    return " ".join(f"{mark}{each}{mark}" for each in written if each)


def _node(element: etree._Element, depth: int) -> str:
    if depth > _DEEPEST:
        raise UnreadableFormula
    name = local(element)
    if name.endswith("Pr"):
        return ""
    made = _WRITERS.get(name, _inner)(element, depth + 1)
    if len(made) > _LONGEST:
        raise UnreadableFormula
    return made


def _inner(element: etree._Element, depth: int) -> str:
    return _joined(_node(child, depth) for child in children(element))


def _joined(pieces: Iterable[str]) -> str:
    """Return pieces side by side; a letter after a command's name is parted from it."""
    made = ""
    for piece in pieces:
        parted = " " if piece[:1].isalpha() and _ENDS_IN_NAME.search(made) else ""
        made += parted + piece
    return made


def _part(element: etree._Element, name: str, depth: int) -> str:
    """Return what a part of a structure says, as its numerator."""
    return _joined(_inner(child, depth).strip() for child in children(element, name))


def _property(element: etree._Element, name: str, default: str = "") -> str:
    """Return the value of one of an element's properties; `default` where it is not given."""
    for properties in children(element, f"{local(element)}Pr"):
        for found in children(properties, name):
            return attribute(found, "val")
    return default


def _is_on(element: etree._Element, name: str) -> bool:
    return _property(element, name, "off") not in _OFF


def _braced(text: str) -> str:
    return "{" + text + "}"


def _script(mark: str, text: str) -> str:
    """Return a subscript or superscript, in braces if it is longer than one letter or digit."""
    if not text:
        return ""
    return mark + (text if len(text) == 1 and text.isalnum() else _braced(text))


def _base(text: str) -> str:
    return text if _ONE_TOKEN.fullmatch(text) else _braced(text)


def _run(element: etree._Element, depth: int) -> str:
    del depth
    pieces = (child.text or "" for child in children(element, "t"))
    text = _INVISIBLE.sub("", "".join(pieces))
    text = _STYLED_LETTER.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    text = _SPECIAL.sub(_escaped, text.replace("\xa0", " "))
    properties = next(children(element, "rPr"), None)
    found = {} if properties is None else {
        local(each): attribute(each, "val") for each in children(properties)
    }  # fmt: skip
    return _styled(text, found)


def _escaped(match: re.Match[str]) -> str:
    return r"\backslash " if match.group() == "\\" else f"\\{match.group()}"


def _styled(text: str, properties: dict[str, str]) -> str:
    if not text.strip():
        return " " if text else ""
    if "nor" in properties and properties["nor"] not in _OFF:
        return text if not _LETTERS.search(text) else rf"\text{{{text}}}"
    style, script = properties.get("sty", "i"), _SCRIPTS.get(properties.get("scr", ""))
    if script and text.isalnum():
        return rf"\{script}{{{text}}}"
    if style in {"b", "bi"} and text.isalnum():
        return rf"\{'mathbf' if style == 'b' else 'boldsymbol'}{{{text}}}"
    return _LETTERS.sub(_upright, text) if style == "p" else text


def _upright(match: re.Match[str]) -> str:
    """Return a word in upright letters: a function's name, or a unit's."""
    word = match.group()
    is_last = match.end() == len(match.string)
    if word in _FUNCTIONS:
        return f"\\{word}" if is_last else f"\\{word} "
    return rf"\mathrm{{{word}}}"


def _fraction(element: etree._Element, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    kind = _property(element, "type", "bar")
    if kind in {"lin", "skw"}:
        return f"{_base(above)}/{_base(below)}"
    if kind == "noBar":
        return rf"{{{above} \atop {below}}}"
    return rf"\frac{{{above}}}{{{below}}}"


def _scripts(element: etree._Element, depth: int) -> str:
    base = _part(element, "e", depth)
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    scripts = _script("_", below) + _script("^", above)
    return "{}" + scripts + base if local(element) == "sPre" else _base(base) + scripts


def _radical(element: etree._Element, depth: int) -> str:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg", depth)
    return (rf"\sqrt[{degree}]" if degree else r"\sqrt") + _braced(_part(element, "e", depth))


def _n_ary(element: etree._Element, depth: int) -> str:
    sign = _property(element, "chr", "∫")
    below = "" if _is_on(element, "subHide") else _part(element, "sub", depth)
    above = "" if _is_on(element, "supHide") else _part(element, "sup", depth)
    operator = _OPERATORS.get(sign, sign) + _script("_", below) + _script("^", above)
    return f"{operator} {_part(element, 'e', depth)}".rstrip()


def _delimited(element: etree._Element, depth: int) -> str:
    begin, end = _property(element, "begChr", "("), _property(element, "endChr", ")")
    arguments = list(children(element, "e"))
    only = _only_child(arguments[0]) if len(arguments) == 1 else None
    if only is not None and begin == "{" and not end and local(only) == "eqArr":
        return rf"\begin{{cases}}{_NEXT_ROW.join(_equations(only, depth))}\end{{cases}}"
    if only is not None and (begin, end) == ("(", ")") and _is_stack(only):
        return rf"\binom{{{_part(only, 'num', depth)}}}{{{_part(only, 'den', depth)}}}"
    separator = _fence(_property(element, "sepChr", "|"))
    inside = separator.join(_inner(each, depth).strip() for each in arguments)
    if not _TALL.search(inside):
        return _joined((_fence(begin), inside, _fence(end)))
    left, right = _fence(begin) or ".", _fence(end) or "."
    return _joined((rf"\left{left} ", inside, rf" \right{right}"))


def _fence(sign: str) -> str:
    return _SPECIAL.sub(_escaped, sign)


def _only_child(argument: etree._Element) -> etree._Element | None:
    """Return what an element consists of, if that is one structure."""
    inside = [each for each in children(argument) if not local(each).endswith("Pr")]
    return inside[0] if len(inside) == 1 else None


def _is_stack(element: etree._Element) -> bool:
    return local(element) == "f" and _property(element, "type") == "noBar"


def _equations(element: etree._Element, depth: int) -> Iterator[str]:
    for each in children(element, "e"):
        row = _NUMBER.sub(r"\\quad \1", _inner(each, depth + 1).strip())
        yield row.replace(r"\&", "&")


def _equation_array(element: etree._Element, depth: int) -> str:
    rows = list(_equations(element, depth))
    if len(rows) == 1:
        return rows[0].replace("&", "")
    return rf"\begin{{aligned}}{_NEXT_ROW.join(rows)}\end{{aligned}}"


def _matrix(element: etree._Element, depth: int) -> str:
    rows = _NEXT_ROW.join(
        " & ".join(_inner(cell, depth).strip() for cell in children(row, "e"))
        for row in children(element, "mr")
    )
    return rf"\begin{{matrix}}{rows}\end{{matrix}}"


def _function(element: etree._Element, depth: int) -> str:
    name, argument = _part(element, "fName", depth), _part(element, "e", depth)
    if _LETTERS.fullmatch(name) and name in _FUNCTIONS:
        name = f"\\{name}"
    return f"{name} {argument}" if argument[:1].isalnum() else _joined((name, argument))


def _accent(element: etree._Element, depth: int) -> str:
    sign, base = _property(element, "chr", "\u0302"), _part(element, "e", depth)
    if not sign:
        return base
    known = _ACCENTS.get(sign)
    return rf"\{known}{{{base}}}" if known else rf"\overset{{{sign}}}{{{base}}}"


def _bar(element: etree._Element, depth: int) -> str:
    is_above = _property(element, "pos", "bot") == "top"
    return rf"\{'overline' if is_above else 'underline'}{{{_part(element, 'e', depth)}}}"


def _limit(element: etree._Element, depth: int) -> str:
    base, limit = _part(element, "e", depth), _part(element, "lim", depth)
    is_above = local(element) == "limUpp"
    if base in _FUNCTIONS:
        base = f"\\{base}"
    if _TAKES_LIMITS.fullmatch(base) or base.startswith(tuple(_BRACES.values())):
        return base + _script("^" if is_above else "_", limit)
    return rf"\{'overset' if is_above else 'underset'}{{{limit}}}{{{base}}}"


def _grouped(element: etree._Element, depth: int) -> str:
    sign, base = _property(element, "chr", "⏟"), _part(element, "e", depth)
    if sign in _BRACES or not sign:
        return _BRACES.get(sign, "") + (_braced(base) if sign else base)
    is_above = _property(element, "pos", "bot") == "top"
    return rf"\{'overset' if is_above else 'underset'}{{{sign}}}{{{base}}}"


def _boxed(element: etree._Element, depth: int) -> str:
    return rf"\boxed{{{_part(element, 'e', depth)}}}"


def _phantom(element: etree._Element, depth: int) -> str:
    """Return what is shown of a formula that may only keep room free."""
    is_hidden = _property(element, "show", "1") in _OFF
    return "" if is_hidden else _part(element, "e", depth)


_WRITERS: dict[str, Writer] = {
    "r": _run, "f": _fraction, "sSup": _scripts, "sSub": _scripts, "sSubSup": _scripts,
    "sPre": _scripts, "rad": _radical, "nary": _n_ary, "d": _delimited, "m": _matrix,
    "eqArr": _equation_array, "func": _function, "acc": _accent, "bar": _bar, "limLow": _limit,
    "limUpp": _limit, "groupChr": _grouped, "borderBox": _boxed, "phant": _phantom,
}  # fmt: skip
