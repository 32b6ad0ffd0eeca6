"""Take out of a web page what it does not show, so that it is not quoted as if it were visible.

Styles of elements and the simple rules of embedded style sheets count (`.class`, `#id`, `tag` and
their pairs); longer selectors, linked sheets and what scripts do are not known. What only screen
readers leave out (`aria-hidden`) is visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lxml import etree

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_BRACED = re.compile(r"([^{}]*)([{}]|\Z)")
_ALWAYS = re.compile(r"@(?:media\s+(?:only\s+)?(?:screen|all)|layer[^{}]*)\Z", re.IGNORECASE)
_DEEPEST = 4
_SIMPLE = re.compile(r"([a-z][\w-]*|\*)?(?:([.#])([\w-]+))?", re.IGNORECASE)
_NOTHING = re.compile(r"[+-]?0*(?:\.0*)?(?:px|pt|em|rem|%|ex|vh|vw)?")
_FAR = re.compile(r"-\d{3,}(?:\.\d*)?(?:px|pt)?|-\d{2,}(?:\.\d*)?(?:em|rem)")
_TOLD = re.compile(
    r"(?:^|;)\s*(display|visibility|font-size|opacity|position|left|top|text-indent|mso-hide|color"
    r"|background|background-color|overflow|height|max-height|width|max-width)\s*:([^;]*)"
)
_LARGEST_SHEET = 500_000
_SILENT = frozenset(("script", "style", "template", "head", "noscript", "title"))

Style = dict[str, str]


@dataclass(slots=True)
class _Rules:
    """The simple rules of a page, by the tag, class or id that they begin with, in their order."""

    found: dict[str, list[tuple[str, Style]]] = field(default_factory=dict)

    def add_sheet(self, text: str) -> None:
        """Add the rules of a style sheet."""
        for selectors, declarations in _rules_of(_COMMENT.sub(" ", text[:_LARGEST_SHEET])):
            style = _style(declarations)
            for selector in selectors.split(",") if style else ():
                match = _SIMPLE.fullmatch(selector.strip())
                if match and match.group(0):
                    tag, mark, name = match.groups()
                    key = f"{mark}{name}" if mark else tag.lower()
                    self.found.setdefault(key, []).append(((tag or "*").lower(), style))

    def style_of(self, element: Any) -> Style:
        """Return an element's style: by its tag, classes and id, then its own; importance first."""
        classes = [f".{each}" for each in (element.get("class") or "").split()]
        keys = ["*", element.tag.lower(), *classes, f"#{element.get('id')}"]
        made: Style = {}
        for key in keys if self.found else ():
            for tag, style in self.found.get(key, ()):
                if tag in {"*", element.tag.lower()}:
                    _lay_over(made, style)
        _lay_over(made, _style(element.get("style") or ""))
        return made


def _lay_over(made: Style, style: Style) -> None:
    for name, value in style.items():
        if "!important" not in made.get(name, "") or "!important" in value:
            made[name] = value


@lru_cache(2048)
def _style(declarations: str) -> Style:
    return {name: value.strip() for name, value in _TOLD.findall(declarations.lower())}


def _rules_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and declarations that always apply to a screen."""
    heads: list[str] = []
    for piece, brace in _BRACED.findall(text):
        if brace == "{":
            heads.append(piece.rpartition(";")[2].strip())
        elif brace == "}" and heads:
            head = heads.pop()
            is_rule = len(heads) <= _DEEPEST and not head.startswith("@")
            if is_rule and all(map(_ALWAYS.match, heads)):
                yield head, piece


def remove_hidden(root: Any, least_shown: float) -> tuple[Any, int]:
    """Return a page without what it hides, and how many characters that were.

    Where less than the share `least_shown` of its text would be left (all of it is shown by a
    script, say), the page stays as it is, and the number is that of the hidden ones, negative.
    """
    rules = _Rules()
    for sheet in root.iter("style"):
        rules.add_sheet(sheet.text or "")
    whole = _length(root)
    gone, blanked = _hidden(root, rules)
    lost = sum(_length(each) for each in gone)
    lost += sum(len((getattr(each, part) or "").strip()) for each, part in blanked)
    if whole - lost <= whole * least_shown:
        return root, -lost
    for each, part in blanked:
        setattr(each, part, " ")
    for each in gone:
        if lost:
            _drop(each)
        else:
            each.clear(keep_tail=True)  # there are pictures in it at most
    return root, lost


def _hidden(root: Any, rules: _Rules) -> tuple[list[Any], list[tuple[Any, str]]]:
    """Return the elements that are hidden whole, and the texts that are by what is inherited.

    A child may show itself again under `visibility: hidden` and `font-size: 0`, never under the
    others.
    """
    gone: list[Any] = []
    blanked: list[tuple[Any, str]] = []
    states: list[tuple[bool, bool]] = [(False, False)]
    skipped: Any = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if event == "end":
            if skipped is element:
                skipped = None
            elif skipped is None:
                states.pop()
            if skipped is None and any(states[-1]) and (element.tail or "").strip():
                blanked.append((element, "tail"))
            continue
        if skipped is not None:
            continue
        style = rules.style_of(element)
        if _is_gone(element, style):
            gone.append(element)
            skipped = element
            continue
        states.append(_inherited(style, states[-1]))
        if any(states[-1]) and (element.text or "").strip() and element.tag not in _SILENT:
            blanked.append((element, "text"))
    return gone, blanked


def _is_gone(element: Any, style: Style) -> bool:
    """Say whether an element and all in it is hidden."""
    if element.tag in _SILENT:
        return False
    hidden = element.get("hidden")
    value = {name: each.replace("!important", "").strip() for name, each in style.items()}
    if hidden is not None and hidden.lower() != "until-found" and "display" not in value:
        return True
    if value.get("display") == "none" or value.get("mso-hide") == "all":
        return True
    if _is_nothing(value.get("opacity")):
        return True
    if value.get("position") in {"absolute", "fixed"} and any(
        _FAR.fullmatch(value.get(side, "")) for side in ("left", "top")
    ):
        return True
    if _FAR.fullmatch(value.get("text-indent", "")):
        return True
    if value.get("overflow") == "hidden" and any(
        _is_nothing(value.get(size)) for size in ("height", "max-height", "width", "max-width")
    ):
        return True
    ground = value.get("background-color") or value.get("background")
    return bool(ground) and value.get("color") == ground


def _inherited(style: Style, above: tuple[bool, bool]) -> tuple[bool, bool]:
    """Return whether text is invisible, and whether it has no size."""
    visibility, size = style.get("visibility", ""), style.get("font-size", "")
    is_invisible = visibility.startswith(("hidden", "collapse")) if visibility else above[0]
    no_size = _is_nothing(size.replace("!important", "").strip()) if size else above[1]
    return is_invisible, no_size


def _is_nothing(size: str | None) -> bool:
    return bool(size) and "0" in str(size) and _NOTHING.fullmatch(str(size)) is not None


def _length(root: Any) -> int:
    """Return how many characters of text an element holds."""
    length = 0
    for each in root.iter():
        if isinstance(each.tag, str) and each.tag not in _SILENT:
            length += len((each.text or "").strip())
        if each is not root:
            length += len((each.tail or "").strip())
    return length


def _drop(element: Any) -> None:
    """Take an element out of its tree, leaving the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + " " + tail
    else:
        parent.text = (parent.text or "") + " " + tail
    parent.remove(element)
