"""Turn the formulas of web pages, e-books and OpenDocument, MathML, into LaTeX.

Where a page says itself how a formula is written in LaTeX, that is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
_ROWS = frozenset(("mtr", "mlabeledtr"))
_SIGNS = {
    "plus": "+", "minus": "-", "times": "·", "eq": "=", "neq": "≠", "lt": "<", "gt": ">",
    "leq": "≤", "geq": "≥", "approx": "≈", "in": "∈", "subset": "⊆", "union": "∪",
    "intersect": "∩", "and": "∧", "or": "∨", "implies": "⇒", "equivalent": "≡",
}  # fmt: skip
_SIDES = frozenset(("mprescripts", "none"))

Writer = Callable[[etree._Element, int], str]  # noqa: SLF001


def latex_of(element: etree._Element) -> str:
    """Return a `math` between `$`, one on a line of its own between `$$`; nothing of an empty one.

    A formula out of bounds is the gap that says so.
    """
    mark = "$$" if attribute(element, "display") == "block" else "$"
    try:
        written = _stated(element) or _inner(element, 0).strip() or _content(element)
    except UnreadableFormula:
        return GAP
    if not written and next(element.iter("{*}mglyph", "{*}ci", "{*}cn"), None) is not None:
        return GAP
    return f"{mark}{written}{mark}" if written else ""


def _content(element: etree._Element) -> str:
    """Return a formula that is only given by its meaning, in an annotation."""
    return joined(
        _inner(each, 0)
        for each in element.iter("{*}annotation-xml")
        if "content" in attribute(each, "encoding").lower()
    ).strip()


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
    made = _WRITERS.get(name, _any)(element, depth + 1)
    if len(made) > LONGEST:
        raise UnreadableFormula
    return made


def _inner(element: etree._Element, depth: int) -> str:
    return joined(_node(child, depth) for child in children(element))


def _parts(element: etree._Element, depth: int, count: int) -> list[str]:
    """Return what the first children say, as numerator and denominator; nothing of missing ones."""
    inside = children(element)
    made = [_node(child, depth).strip() for child in islice(inside, count)]
    made += [""] * (count - len(made))
    made[-1] = joined((made[-1], *(_node(child, depth) for child in inside)))  # one too many
    return made


def _any(element: etree._Element, depth: int) -> str:
    """Return what an element that is not known here says, its own text included."""
    pieces = [latex_notation.plain((element.text or "").strip())]
    for child in children(element):
        pieces += [_node(child, depth), latex_notation.plain((child.tail or "").strip())]
    return joined(pieces)


def _applied(element: etree._Element, depth: int) -> str:
    """Return a function of content markup with its arguments, a sign between them."""
    inside = list(children(element))
    name = local(inside[0]).lower() if inside else ""
    parts = [_node(child, depth).strip() for child in inside[1:]]
    if name == "divide" and len(parts) == 2:
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if name == "power" and len(parts) == 2:
        return scripts(parts[0], "", parts[1])
    if name == "root" and len(parts) == 1:
        return root(parts[0], "")
    if (sign := _SIGNS.get(name)) is not None:
        said = sign.join(parts) if len(parts) > 1 else sign + "".join(parts)
        outer = element.getparent()
        return f"({said})" if outer is not None and local(outer) == "apply" else said
    called = _node(inside[0], depth).strip() if inside else ""
    called = called or (rf"\{name}" if name in FUNCTIONS else latex_notation.upright(name))
    return f"{called}({', '.join(parts)})"


def _token(element: etree._Element, depth: int) -> str:
    del depth
    glyphs = " ".join(attribute(each, "alt") for each in element.iter("{*}mglyph"))
    text = latex_notation.plain(" ".join((whole_text(element), glyphs)).strip())
    name = local(element).lower()
    if name in {"mtext", "ms"}:
        return latex_notation.words(text)
    if name == "mo" and text in OPERATORS:
        return OPERATORS[text] + " "
    if name in {"mi", "mo"} and len(text) > 1:
        return f"\\{text}" if text in FUNCTIONS else latex_notation.upright(text)
    return text


def _glyph(element: etree._Element, depth: int) -> str:
    del depth
    return latex_notation.words(latex_notation.plain(attribute(element, "alt")))


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
        " & ".join(_row(row, depth)) if local(row) in _ROWS else _node(row, depth).strip()
        for row in children(element)
    )
    return environment("matrix", rows)


def _row(row: etree._Element, depth: int) -> Iterator[str]:
    for cell in children(row):
        is_cell = local(cell) == "mtd"
        yield (_inner(cell, depth) if is_cell else _node(cell, depth)).strip()


_WRITERS: dict[str, Writer] = {
    **dict.fromkeys(_TOKENS, _token), "mspace": _space, "mfrac": _fraction, "msqrt": _square_root,
    "mroot": _root, "apply": _applied, "mglyph": _glyph,
    "mmultiscripts": _many_scripts, "mfenced": _fenced, "mtable": _table,
    **dict.fromkeys(("msub", "msup", "msubsup", "munder", "mover", "munderover"), _scripts),
}  # fmt: skip
