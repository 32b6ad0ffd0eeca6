"""Signs of the font Symbol as Unicode: Word keeps Greek letters and operators as its numbers."""

from __future__ import annotations

import re

from lxml import etree

from desktop_rag.parsing.formats.xml_tree import attribute, children

_FONT = "symbol"
_PRIVATE = 0xF000  # where Word keeps the signs of fonts that are no text
_IN_PRIVATE_USE = re.compile("[\uf020-\uf0ff]")
_STRETCHES = {
    0x40: "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|―↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑",
    0xF1: "⟩∫",
}
_SIGNS = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−",
    **{first + at: sign for first, signs in _STRETCHES.items() for at, sign in enumerate(signs)},
}  # fmt: skip


def sign_of(element: etree._Element) -> str:
    """Return the sign of a `sym` of Word's in the font Symbol; nothing of other fonts'."""
    number = attribute(element, "char")
    if attribute(element, "font").lower() != _FONT or not re.fullmatch("[0-9A-Fa-f]{1,4}", number):
        return ""
    return _sign(int(number, 16))


def text_of(element: etree._Element) -> str:
    """Return the text of a `t`, in its run's font."""
    text = element.text or ""
    if not _IN_PRIVATE_USE.search(text) or not _is_in_symbol(element.getparent()):
        return text
    return _IN_PRIVATE_USE.sub(lambda match: _sign(ord(match.group())), text)


def _sign(number: int) -> str:
    code = number - _PRIVATE if number >= _PRIVATE else number
    return _SIGNS.get(code, chr(code) if 0x20 <= code < 0x7F else "")


def _is_in_symbol(run: etree._Element | None) -> bool:
    for properties in children(run, "rPr") if run is not None else ():
        for fonts in children(properties, "rFonts", "latin", "sym"):
            named = attribute(fonts, "ascii") or attribute(fonts, "typeface")
            if named.lower() == _FONT:
                return True
    return False
