"""Put LaTeX where a web page's formulas stand, once each, however a script or a site shows them.

Pages have a formula as MathML, as LaTeX in a script that MathJax reads, as the boxes that MathJax
and KaTeX make of either, or as a picture with LaTeX as its description; often as two of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from lxml import etree, html

from desktop_rag.parsing.formats.latex_notation import GAP, LONGEST
from desktop_rag.parsing.formats.mathml_latex import latex_of

_PREFIXED = re.compile(r"\w+:([A-Za-z][\w-]*)", re.ASCII)  # a name that an element can have
_MATH = ("math", "m:math", "mml:math")  # as pages and e-books name it
_DRAWN = frozenset(  # classes of what scripts and sites draw a formula in
    (
        "katex", "MathJax", "MathJax_Display", "MathJax_CHTML", "MathJax_SVG", "MathJax_MathML",
        "mjx-chtml", "mwe-math-element", "ztext-math", "mathquill-rendered-math",
    )
)  # fmt: skip
_PREVIEWS = frozenset(("MathJax_Preview",))
_PICTURED = frozenset(("latex", "tex", "math", "equation", "equation_image"))
_WIKIPEDIAS = "mwe-math-"  # what the class of a formula's picture begins with there
_BLOCKS = frozenset(
    (
        "p", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "td", "th", "blockquote", "pre",
        "section", "article", "figure", "h1", "h2", "h3", "h4", "h5", "h6",
    )
)  # fmt: skip
_SOURCES = ("data-tex", "data-latex", "data-mathml")
_SERVED = re.compile(
    r"codecogs\.com/|/equation\?tex=|/math/render/|mathtex\.cgi|mimetex\.cgi|quicklatex\.com|"
    r"chart\.googleapis\.com/chart\?cht=tx",
    re.IGNORECASE,
)
_TEX_SCRIPT = re.compile(r"\Amath/(?:tex|latex)", re.IGNORECASE)
_IS_LATEX = re.compile(r"[\\^_{}=+<>]|\A\s*\S\s*\Z")
_STYLED = re.compile(r"\A\{\\(?:display|text)style\s?(.*)\}\Z", re.DOTALL)
_FENCES = (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"))


def write_formulas(root: Any) -> int:
    """Replace a page's formulas by their LaTeX; return how many leave a gap.

    Pages hide MathML from the eye behind a picture of it, so this comes before hidden text goes.
    """
    drawings = _drawings(root)
    gaps = _tell_scripts(root, drawings)
    for drawn in _outermost(root, drawings.__contains__):
        gaps += _replace(drawn, _of_drawn(drawn))
    for formula in _outermost(root, _is_math):
        gaps += _replace(_alone(formula), _of_math(formula))
    for picture in list(root.iter("img")):
        if _is_pictured(picture) or _SERVED.search(picture.get("src") or ""):
            gaps += _replace(picture, _of_picture(picture))
    return gaps


def _replace(place: Any, written: str | None) -> bool:
    """Put text in an element's place, nothing where that is None; say whether it is a gap."""
    parent = place.getparent()
    if written is None or parent is None:
        return False
    made = html.Element("span")
    made.text, made.tail = written, place.tail
    parent.replace(place, made)
    return written == GAP


def _outermost(root: Any, is_one: Callable[[Any], bool]) -> list[Any]:
    """Return the elements of a kind that stand in none of that kind."""
    found = []
    walk = etree.iterwalk(root, events=("start",))
    for _, each in walk:
        if is_one(each):
            found.append(each)
            walk.skip_subtree()
    return found


def _is_math(element: Any) -> bool:
    return element.tag in _MATH


@dataclass(slots=True)
class _Held:
    """What was met up to a place of a page, or what an element holds."""

    blocks: int = 0  # elements that a formula has none of: paragraphs, tables, a division's text
    formulas: int = 0  # written as MathML
    sources: int = 0  # said by attributes


def _drawings(root: Any) -> set[Any]:
    """Return the elements in which one formula is drawn, and nothing else stands."""
    found: set[Any] = set()
    met, begun, above = _Held(), list[tuple[Any, _Held]](), 0
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, each in walk:
        if event == "end":
            above -= _is_source(each)
            if begun and begun[-1][0] is each:
                _, before = begun.pop()
                if _is_one_formula(each, before, met):
                    found.add(each)
            continue
        if _is_drawn(each):
            begun.append((each, replace(met)))
        if each.tag in _MATH:
            met.formulas += 1
            walk.skip_subtree()
        met.blocks += each.tag in _BLOCKS or (each.tag == "div" and _has_own_text(each))
        met.sources += above == 0 and _is_source(each)
        above += _is_source(each)
    return found


def _is_one_formula(element: Any, before: _Held, after: _Held) -> bool:
    """Say whether an element holds one formula at most, and no text beside it."""
    formulas = after.formulas - before.formulas
    if after.blocks > before.blocks or formulas > 1 or after.sources - before.sources > 1:
        return False
    return not (formulas and _has_own_text(element))


def _is_source(element: Any) -> bool:
    return any(element.get(name) for name in _SOURCES)


def _has_own_text(element: Any) -> bool:
    """Say whether text stands in an element itself, in none of those inside of it."""
    return any((text or "").strip() for text in (element.text, *(each.tail for each in element)))


def _classes(element: Any) -> frozenset[str]:
    return frozenset((element.get("class") or "").split())


def _is_drawn(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return False
    return element.tag == "mjx-container" or not _DRAWN.isdisjoint(_classes(element))


def _is_pictured(picture: Any) -> bool:
    classes = _classes(picture)
    return bool(classes & _PICTURED) or any(each.startswith(_WIKIPEDIAS) for each in classes)


def _tell_scripts(root: Any, drawings: set[Any]) -> int:
    """Make text of the scripts that hold a formula, and take out what was drawn of them.

    Returned is how many of them leave a gap.
    """
    gaps = 0
    for script in list(root.iter("script")):
        kind = script.get("type") or ""
        if not _TEX_SCRIPT.match(kind):
            continue
        before = script.getprevious()
        while before is not None and not (before.tail or "").strip():
            further = before.getprevious()
            if not (before in drawings or not _PREVIEWS.isdisjoint(_classes(before))):
                break
            before.drop_tree()
            before = further
        mark = "$$" if "display" in kind else "$"
        gaps += _replace(script, _marked(script.text or "", mark))
    return gaps


def _marked(source: str, mark: str) -> str:
    """Return LaTeX between marks, without those that it was given in; a gap for too much of it."""
    text = " ".join(source.split())
    for begin, end in _FENCES:
        if len(text) > len(begin + end) and text.startswith(begin) and text.endswith(end):
            text = text[len(begin) : -len(end)].strip()
            break
    styled = _STYLED.match(text)
    text = (styled.group(1) if styled else text).strip()
    if len(text) > LONGEST:
        return GAP
    return f"{mark}{text}{mark}" if text else ""


def _of_drawn(drawn: Any) -> str | None:
    """Return the LaTeX of what a script drew; None where its own text is all that there is."""
    formula = next(drawn.iter(*_MATH), None)
    if formula is not None:
        return _of_math(formula)
    for name in ("data-tex", "data-latex", "alttext"):
        given = next((each.get(name) for each in drawn.iter() if each.get(name)), None)
        if given:
            return _marked(given, "$")
    for each in drawn.iter():
        if given := each.get("data-mathml"):
            return _of_source(given)
    if any((each.get("alt") or "").strip() for each in drawn.iter("img")):
        return None  # as pictures are
    return None if drawn.text_content().strip() else GAP


def _of_source(source: str) -> str:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(source.encode()[: LONGEST * 20], parser)
    except etree.XMLSyntaxError:
        return GAP
    return GAP if root is None else latex_of(root) or GAP


def _of_math(formula: Any) -> str:
    for each in formula.iter("*"):
        if prefixed := _PREFIXED.fullmatch(each.tag):
            each.tag = prefixed.group(1)
    return latex_of(formula)


def _alone(formula: Any) -> Any:
    """Return the outermost of the spans that hold nothing but a formula."""
    place, parent = formula, formula.getparent()
    while parent is not None and parent.tag == "span" and len(parent) == 1:
        if (parent.text or "").strip() or (place.tail or "").strip():
            break
        place, parent = parent, parent.getparent()
    return formula if parent is None else place


def _of_picture(picture: Any) -> str | None:
    """Return what is said of a formula's picture, or what its address asks a server to draw."""
    said = (picture.get("alt") or picture.get("data-formula") or picture.get("title") or "").strip()
    if not said:
        address = _query(picture.get("src") or "")
        asked = _asked(address)
        query = "" if "=" in address[:4] else address
        said = next(iter(asked.get("tex") or asked.get("chl") or ()), unquote(query))
    if not said:
        return GAP
    return _marked(said, "$") if _IS_LATEX.search(said) else said


def _query(address: str) -> str:
    """Return what an address asks for; nothing of one that is none."""
    try:
        return urlsplit(address).query
    except ValueError:
        return ""


def _asked(query: str) -> dict[str, list[str]]:
    try:
        return parse_qs(query)
    except ValueError:
        return {}
