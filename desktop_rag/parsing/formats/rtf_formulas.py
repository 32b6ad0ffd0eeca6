r"""Formulas of RTF as elements of Office Math: `{\mf{\mnum …}{\mden …}}` is an `f`."""

from __future__ import annotations

from lxml import etree

from desktop_rag.parsing.formats import eq_field
from desktop_rag.parsing.formats.latex_notation import (
    EQUATION_EDITORS,
    GAP,
    LONGEST,
    UnreadableFormula,
)
from desktop_rag.parsing.formats.omml_latex import latex_of
from desktop_rag.parsing.formats.xml_tree import children, local

_STYLES = {
    "sty": ("p", "b", "i", "bi"),
    "scr": ("roman", "script", "fraktur", "double-struck", "sans-serif", "monospace"),
}


def begun(word: bytes) -> etree._Element:
    """Return a formula to be filled, or a paragraph of such, as a word begins it."""
    return etree.Element(word[1:].decode("ascii"))


def part_of(outer: etree._Element, word: bytes) -> etree._Element:
    """Return a new part, which a group in a formula begins with a word of `m` and its name."""
    return etree.SubElement(outer, word[1:].decode("ascii"))


def set_property(element: etree._Element, word: bytes, number: int | None) -> None:
    """Say how a run looks, by the number of its style or of its letters."""
    name = word[1:].decode("ascii")
    known = _STYLES.get(name, ())
    value = known[number] if number is not None and 0 <= number < len(known) else "on"
    properties = next(children(element, "rPr"), None)
    if properties is None:
        properties = etree.SubElement(element, "rPr")
    etree.SubElement(properties, name, val=value)


def add_text(element: etree._Element, text: str) -> None:
    """Add text to a part; of what is out of bounds no more than tells so."""
    held = element.text or ""
    if len(held) <= LONGEST:
        element.text = held + "".join(each for each in text if each.isprintable())


def written(formula: etree._Element) -> str:
    """Return a formula that is complete as LaTeX, or the gap for one that can't be read."""
    for element in list(formula.iter()):
        text, element.text = element.text or "", None
        outer = element.getparent()
        if outer is not None and local(outer).endswith("Pr"):
            if text and element.get("val") in {None, "on"}:
                element.set("val", text.strip())
        elif text:
            _add_run(element, text)
    if local(formula) == "oMathPara":
        _name_formulas(formula)
    try:
        return latex_of(formula)
    except UnreadableFormula:
        return GAP


def _name_formulas(paragraph: etree._Element) -> None:
    """Make formulas of what stands in a paragraph of such, and in none of them."""
    for each in [each for each in children(paragraph) if not local(each).endswith("Pr")]:
        if local(each) != "oMath":
            formula = etree.Element("oMath")
            paragraph.replace(each, formula)
            formula.append(each)


def said_by(code: str, kind: bytes) -> str:
    """Return the formula that a field computes, or a gap for an object that is one."""
    if kind == b"objclass":
        return GAP if code.strip().lower().startswith(EQUATION_EDITORS) else ""
    try:
        return eq_field.latex_of(code) if eq_field.is_formula(code) else ""
    except UnreadableFormula:
        return GAP


def _add_run(element: etree._Element, text: str) -> None:
    run = element if local(element) == "r" else etree.SubElement(element, "r")
    etree.SubElement(run, "t").text = text
