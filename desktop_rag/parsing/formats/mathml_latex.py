"""Turn the formulas of web pages, e-books and OpenDocument, MathML, into LaTeX.

Where a page says itself how a formula is written in LaTeX, that is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from lxml import etree

from desktop_rag.parsing.formats import latex_notation
from desktop_rag.parsing.formats.latex_notation import (
    DEEPEST,
    FUNCTIONS,
    GAP,
    LONGEST,
    OPERATORS,
    UnreadableFormula,
    accented,
    environment,
    joined,
    limits,
    operator,
    root,
    script,
    scripts,
)
from desktop_rag.parsing.formats.xml_tree import attribute, children, local, whole_text

_TEX = frozenset(("application/x-tex", "application/x-latex", "tex", "latex"))
_IS_LATEX = re.compile(r"[\\^_{]")  # else it may be how the formula is said in words
_DISPLAY_STYLE = re.compile(r"\A\{\\(?:display|text)style\s?(.*)\}\Z", re.DOTALL)
_SPACE = re.compile(r"\s+")
_NOT_SHOWN = frozenset(("annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark"))
_TOKENS = frozenset(("mi", "mn", "mo", "mtext", "ms"))
_SIDES = frozenset(("mprescripts", "none"))

Writer = Callable[[etree._Element, int], str]  # noqa: SLF001


def latex_of(element: etree._Element) -> str:
    """Return a `math` between `$`, one on a line of its own between `$$`; nothing of an empty one.

    A formula out of bounds is the gap that says so.
    """
    mark = "$$" if attribute(element, "display") == "block" else "$"
    try:
        written = _stated(element) or _inner(element, 0).strip()
    except UnreadableFormula:
        return GAP
    return f"{mark}{written}{mark}" if written else ""


def _stated(element: etree._Element) -> str:
    """Return the LaTeX that a formula was made of, if it carries that."""
    given = attribute(element, "alttext")
    stated = given if _IS_LATEX.search(given) else ""
    for each in element.iter("{*}annotation"):
        if attribute(each, "encoding").lower() in _TEX:
            stated = each.text or stated
    stated = _SPACE.sub(" ", stated).strip()
    match = _DISPLAY_STYLE.match(stated)
    stated = (match.group(1) if match else stated).strip()
    return stated if len(stated) <= LONGEST else ""


def _node(element: etree._Element, depth: int) -> str:
    if depth > DEEPEST:
        raise UnreadableFormula
    name = local(element).lower()
    if name in _NOT_SHOWN:
        return ""
    made = _WRITERS.get(name, _inner)(element, depth + 1)
    if len(made) > LONGEST:
        raise UnreadableFormula
    return made


def _inner(element: etree._Element, depth: int) -> str:
    return joined(_node(child, depth) for child in children(element))


def _parts(element: etree._Element, depth: int, count: int) -> list[str]:
    """Return what the first children say, as numerator and denominator; nothing of missing ones."""
    made = [_node(child, depth).strip() for child in islice(children(element), count)]
    return made + [""] * (count - len(made))


def _token(element: etree._Element, depth: int) -> str:
    del depth
    text = latex_notation.plain(whole_text(element))
    name = local(element).lower()
    if name in {"mtext", "ms"}:
        return latex_notation.words(text)
    if name == "mo" and text in OPERATORS:
        return OPERATORS[text] + " "
    if name in {"mi", "mo"} and len(text) > 1:
        return f"\\{text}" if text in FUNCTIONS else latex_notation.upright(text)
    return text


def _space(element: etree._Element, depth: int) -> str:
    del element, depth
    return " "


def _fraction(element: etree._Element, depth: int) -> str:
    above, below = _parts(element, depth, 2)
    if attribute(element, "linethickness") in {"0", "0px", "0pt", "0em"}:
        return rf"{{{above} \atop {below}}}"
    return rf"\frac{{{above}}}{{{below}}}"


def _square_root(element: etree._Element, depth: int) -> str:
    return root(_inner(element, depth).strip(), "")


def _root(element: etree._Element, depth: int) -> str:
    inside, degree = _parts(element, depth, 2)
    return root(inside, degree)


def _scripts(element: etree._Element, depth: int) -> str:
    name = local(element).lower()
    base, first, second = _parts(element, depth, 3)
    below, above = ("", first) if name in {"msup", "mover"} else (first, second)
    sign = whole_text(next(iter(children(element)), element))
    if sign in OPERATORS:
        return operator(sign, below, above) + " "
    is_beside = name in {"msub", "msup", "msubsup"}
    if base.removeprefix("\\") in FUNCTIONS:
        return (scripts if is_beside else limits)(base, below, above) + " "
    if is_beside:
        return scripts(base, below, above)
    if not below and latex_notation.is_accent(above):
        return accented(above, base)
    return limits(base, below, above)


def _many_scripts(element: etree._Element, depth: int) -> str:
    """Return scripts before and behind a sign: pairs, those before it last."""
    base = ""
    sides: list[list[str]] = [[], []]
    side = 0
    for at, child in enumerate(children(element)):
        name = local(child).lower()
        if name == "mprescripts":
            side = 1
        elif at == 0:
            base = _node(child, depth).strip()
        else:
            sides[side].append("" if name in _SIDES else _node(child, depth).strip())
    behind, before = (script("_", "".join(s[::2])) + script("^", "".join(s[1::2])) for s in sides)
    return ("{}" + before if before else "") + base + behind


def _fenced(element: etree._Element, depth: int) -> str:
    begin = element.get("open", "(")
    end = element.get("close", ")")
    separators = (element.get("separators", ",")).split() or [""]
    parts = [_node(child, depth).strip() for child in children(element)]
    inside = latex_notation.plain(separators[0]).join(parts)
    return latex_notation.fenced(begin, inside, end)


def _table(element: etree._Element, depth: int) -> str:
    rows = (
        " & ".join(_inner(cell, depth).strip() for cell in children(row, "mtd"))
        for row in children(element, "mtr", "mlabeledtr")
    )
    return environment("matrix", rows)


_WRITERS: dict[str, Writer] = {
    **dict.fromkeys(_TOKENS, _token), "mspace": _space, "mfrac": _fraction, "msqrt": _square_root,
    "mroot": _root, "mmultiscripts": _many_scripts, "mfenced": _fenced, "mtable": _table,
    **dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), _scripts),
}  # fmt: skip
