"""What Word's styles say of a paragraph: that it is a heading, a list's item, or numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from desktop_rag.parsing.formats.xml_tree import attribute

HEADING_NAME = re.compile(r"(?:heading|berschrift|titre|titolo|标题|標題)[ _]*(\d)", re.IGNORECASE)
_LIST_NAME = re.compile(r"list(?: (?:bullet|number|continue|paragraph))?(?: \d)?", re.IGNORECASE)
_TITLES = {"title": 1, "subtitle": 2}
_LONGEST_CHAIN = 20  # of styles, each based on the next


class WordStyles:
    """The styles of a document, none if they are lost: then a style's id counts as its name."""

    def __init__(self, root: etree._Element | None) -> None:
        self._styles = {
            attribute(style, "styleId"): style
            for style in (root.iter("{*}style") if root is not None else ())
        }
        self._levels: dict[str, int] = {}

    def level(self, paragraph: etree._Element) -> int:
        """Return a heading's level from 1, 0 for what is none."""
        own = _outline(paragraph)
        if own is not None:
            return own
        style = style_of(paragraph)
        if style not in self._levels:
            self._levels[style] = self._style_level(style)
        return self._levels[style]

    def is_list(self, paragraph: etree._Element) -> bool:
        """Say whether a paragraph's style is one of the lists' own."""
        return _LIST_NAME.fullmatch(self._name(style_of(paragraph))) is not None

    def numbering(self, paragraph: etree._Element) -> tuple[str, etree._Element] | None:
        """Return what numbers a paragraph by its style, and that style; None of an unnumbered."""
        for key in self._chain(style_of(paragraph)):
            found = self._styles[key].find("{*}pPr/{*}numPr")
            if found is not None and found.find("{*}numId") is not None:
                return key, found
        return None

    def numbering_of(self, key: str) -> etree._Element | None:
        """Return the numbering that a style of lists names."""
        style = self._styles.get(key)
        return None if style is None else style.find("{*}pPr/{*}numPr")

    def _style_level(self, key: str) -> int:
        """Return the level that the nearest style gives, by its name or its outline level."""
        for each in self._chain(key) if key in self._styles else iter((key,)):
            name = self._name(each)
            match = HEADING_NAME.search(name)
            if match and match.group(1) != "0":
                return int(match.group(1))
            if name.lower() in _TITLES:
                return _TITLES[name.lower()]
            outline = _outline(self._styles[each]) if each in self._styles else None
            if outline is not None:
                return outline
        return 0

    def _chain(self, key: str) -> Iterator[str]:
        """Yield a style and those that it is based on."""
        for _ in range(_LONGEST_CHAIN):
            if key not in self._styles:
                return
            yield key
            base = self._styles[key].find("{*}basedOn")
            key = "" if base is None else attribute(base, "val")

    def _name(self, key: str) -> str:
        name = self._styles[key].find("{*}name") if key in self._styles else None
        return key if name is None else attribute(name, "val")


def style_of(paragraph: etree._Element) -> str:
    """Return the id of a paragraph's style, or nothing."""
    style = paragraph.find("{*}pPr/{*}pStyle")
    return "" if style is None else attribute(style, "val")


def _outline(element: etree._Element) -> int | None:
    """Return the heading level that an element states, 0 for body text; None if it is silent."""
    outline = element.find("{*}pPr/{*}outlineLvl")
    level = "" if outline is None else attribute(outline, "val")
    if len(level) != 1 or not level.isdecimal():
        return None
    return 0 if level == "9" else int(level) + 1
