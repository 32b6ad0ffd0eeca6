"""Take out of a Word file the text that Word does not show: runs hidden or without size."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from desktop_rag.parsing.formats.ooxml_text import remove
from desktop_rag.parsing.formats.xml_tree import attribute

_OFF = frozenset(("0", "false", "off"))
_SMALLEST = 2  # half points: no letter of one point is meant to be read
# Below this share of visible text a file is one that Word would show empty: it is read whole.
_LEAST_SHOWN = 0.1


def remove_hidden_runs(roots: Sequence[etree._Element]) -> tuple[str, ...]:
    """Take the hidden runs out of a file's parts; return a note if there are any.

    Nothing is taken out where hardly anything would be left.
    """
    runs = [run for root in roots for run in root.iter("{*}r") if _is_hidden(run.find("{*}rPr"))]
    hidden = sum(map(_length, runs))
    if not hidden:
        return ()
    whole = sum(map(_length, roots))
    if whole - hidden < whole * _LEAST_SHOWN:
        return ("Most of the document's text is hidden; it was read as well.",)
    for run in runs:
        remove(run)
    return ("Text that the document hides was not read.",)


def _is_hidden(properties: etree._Element | None) -> bool:
    """Say whether a run is hidden; a paragraph's mark may be without its text."""
    if properties is None:
        return False
    vanish = properties.find("{*}vanish")
    if vanish is not None and attribute(vanish, "val").lower() not in _OFF:
        return True
    size = properties.find("{*}sz")
    value = "" if size is None else attribute(size, "val")
    return value.isdecimal() and len(value) < 4 and int(value) <= _SMALLEST


def _length(element: etree._Element) -> int:
    return sum(len(each.text or "") for each in element.iter("{*}t"))
