"""Turn the formulas of Word and PowerPoint, Office Math Markup, into LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lxml import etree

from desktop_rag.parsing.formats import latex_notation
from desktop_rag.parsing.formats.latex_notation import (
    BRACES,
    DEEPEST,
    FUNCTIONS,
    LONGEST,
    UnreadableFormula,
    accented,
    braced,
    environment,
    joined,
    limits,
    operator,
    root,
    script,
    scripts,
)
from desktop_rag.parsing.formats.symbol_font import sign_of
from desktop_rag.parsing.formats.xml_tree import attribute, children, local

_OFF = frozenset(("0", "false", "off"))
_NUMBER = re.compile(r"\\#(\([^()]*\))\Z")  # of an equation, at the end of its row
_ALPHABETS = {
    "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf",
    "monospace": "mathtt",
}  # fmt: skip

_PARTS = frozenset(("num", "den", "e", "sub", "sup", "deg", "fName", "lim", "mr"))
_GONE = frozenset(("del", "moveFrom"))  # what a review took out

Writer = Callable[[etree._Element, int], str]  # noqa: SLF001


def latex_of(element: etree._Element) -> str:
    """Return an `oMath` between `$`, an `oMathPara` between `$$`; nothing of an empty one.

    `UnreadableFormula` where one is out of bounds, or holds nothing that can be read.
    """
    is_displayed = local(element) == "oMathPara"
    formulas = children(element, "oMath") if is_displayed else iter((element,))
    mark = "$$" if is_displayed else "$"
    written = [_whole(formula) for formula in formulas]
    return " ".join(f"{mark}{each}{mark}" for each in written if each)


def _whole(formula: etree._Element) -> str:
    written = _inner(formula, 0).strip()
    if not written and next(formula.iter("{*}drawing", "{*}pict", "{*}object"), None) is not None:
        raise UnreadableFormula
    return written


def _node(element: etree._Element, depth: int) -> str:
    if depth > DEEPEST:
        raise UnreadableFormula
    name = local(element)
    if name.endswith("Pr") or name in _GONE:
        return ""
    made = _WRITERS.get(name, _inner)(element, depth + 1) + _beside(element, name, depth + 1)
    if len(made) > LONGEST:
        raise UnreadableFormula
    return made


def _beside(element: etree._Element, name: str, depth: int) -> str:
    """Return what stands in a structure where no part of it belongs, so that it is not lost."""
    if name == "r" or name not in _WRITERS:
        return ""
    return joined(_node(each, depth) for each in children(element) if local(each) not in _PARTS)


def _inner(element: etree._Element, depth: int) -> str:
    return joined(_node(child, depth) for child in children(element))


def _part(element: etree._Element, name: str, depth: int) -> str:
    """Return what a part of a structure says, as its numerator."""
    return joined(_inner(child, depth).strip() for child in children(element, name))


def _property(element: etree._Element, name: str, default: str = "") -> str:
    """Return the value of one of an element's properties; `default` where it is not given."""
    for properties in children(element, f"{local(element)}Pr"):
        for found in children(properties, name):
            return attribute(found, "val")
    return default


def _is_on(element: etree._Element, name: str) -> bool:
    return _property(element, name, "off") not in _OFF


def _run(element: etree._Element, depth: int) -> str:
    del depth
    pieces = (
        child.text or "" if local(child) == "t" else sign_of(child)
        for child in children(element, "t", "sym")
    )
    text = latex_notation.plain("".join(pieces))
    properties = next(children(element, "rPr"), None)
    found = {} if properties is None else {
        local(each): attribute(each, "val") for each in children(properties)
    }  # fmt: skip
    return _styled(text, found)


def _styled(text: str, properties: dict[str, str]) -> str:
    if not text.strip():
        return " " if text else ""
    if "nor" in properties and properties["nor"] not in _OFF:
        return latex_notation.words(text)
    style, alphabet = properties.get("sty", "i"), _ALPHABETS.get(properties.get("scr", ""))
    if alphabet and text.isalnum():
        return rf"\{alphabet}{{{text}}}"
    if style in {"b", "bi"} and text.isalnum():
        return rf"\{'mathbf' if style == 'b' else 'boldsymbol'}{{{text}}}"
    return latex_notation.upright(text) if style == "p" else text


def _fraction(element: etree._Element, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    kind = _property(element, "type", "bar")
    if kind in {"lin", "skw"}:
        return f"{latex_notation.grouped(above)}/{latex_notation.grouped(below)}"
    if kind == "noBar":
        return rf"{{{above} \atop {below}}}"
    return rf"\frac{{{above}}}{{{below}}}"


def _scripts(element: etree._Element, depth: int) -> str:
    base = _part(element, "e", depth)
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    if local(element) == "sPre":
        return "{}" + script("_", below) + script("^", above) + base
    return scripts(base, below, above)


def _radical(element: etree._Element, depth: int) -> str:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg", depth)
    return root(_part(element, "e", depth), degree)


def _n_ary(element: etree._Element, depth: int) -> str:
    sign = _property(element, "chr", "∫")
    below = "" if _is_on(element, "subHide") else _part(element, "sub", depth)
    above = "" if _is_on(element, "supHide") else _part(element, "sup", depth)
    return f"{operator(sign, below, above)} {_part(element, 'e', depth)}".rstrip()


def _delimited(element: etree._Element, depth: int) -> str:
    begin, end = _property(element, "begChr", "("), _property(element, "endChr", ")")
    arguments = list(children(element, "e"))
    only = _only_child(arguments[0]) if len(arguments) == 1 else None
    if only is not None and begin == "{" and not end and local(only) == "eqArr":
        return environment("cases", _equations(only, depth))
    if only is not None and (begin, end) == ("(", ")") and _is_stack(only):
        return rf"\binom{{{_part(only, 'num', depth)}}}{{{_part(only, 'den', depth)}}}"
    separator = latex_notation.plain(_property(element, "sepChr", "|"))
    inside = separator.join(_inner(each, depth).strip() for each in arguments)
    return latex_notation.fenced(begin, inside, end)


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
    return environment("aligned", rows)


def _matrix(element: etree._Element, depth: int) -> str:
    rows = (
        " & ".join(_inner(cell, depth).strip() for cell in children(row, "e"))
        for row in children(element, "mr")
    )
    return environment("matrix", rows)


def _function(element: etree._Element, depth: int) -> str:
    name, argument = _part(element, "fName", depth), _part(element, "e", depth)
    if name in FUNCTIONS:
        name = f"\\{name}"
    return f"{name} {argument}" if argument[:1].isalnum() else joined((name, argument))


def _accent(element: etree._Element, depth: int) -> str:
    sign, base = _property(element, "chr", "\u0302"), _part(element, "e", depth)
    return accented(sign, base) if sign else base


def _bar(element: etree._Element, depth: int) -> str:
    is_above = _property(element, "pos", "bot") == "top"
    return rf"\{'overline' if is_above else 'underline'}{{{_part(element, 'e', depth)}}}"


def _limit(element: etree._Element, depth: int) -> str:
    base, limit = _part(element, "e", depth), _part(element, "lim", depth)
    return limits(base, "", limit) if local(element) == "limUpp" else limits(base, limit, "")


def _grouped(element: etree._Element, depth: int) -> str:
    sign, base = _property(element, "chr", "⏟"), _part(element, "e", depth)
    if sign in BRACES or not sign:
        return BRACES.get(sign, "") + (braced(base) if sign else base)
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
