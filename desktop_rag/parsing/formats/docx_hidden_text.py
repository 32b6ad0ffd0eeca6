"""Take out of a Word file the text that Word does not show: runs hidden or without size."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, raise_the_disks

_MARK = re.compile(rb"<\w*:?vanish\b|<\w*:?sz\s[^<>]*val\s*=\s*[\"'][012][\"']")
_OFF = frozenset(("0", "false", "off"))
_SMALLEST = 2  # half points: no letter of one point is meant to be read
# Below this share of visible text a file is one that Word would show empty: it is read whole.
_LEAST_SHOWN = 0.1


@contextmanager
def without_hidden_runs(path: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Give the path of a Word file without hidden text, its own if there is none, and a note."""
    changed: dict[str, bytes] = {}
    shown = hidden = 0
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if ooxml_text.is_word_text(name) and (root := _marked(archive, name)) is not None:
                gone = _hidden_runs(root)
                hidden += sum(map(_length, gone))
                for run in gone:
                    _remove(run)
                shown += _length(root)
                changed[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
        if not hidden:
            yield path, ()
            return
        if shown < (shown + hidden) * _LEAST_SHOWN:
            yield path, ("Most of the document's text is hidden; it was read as well.",)
            return
        with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
            copy = Path(folder) / f"shown{path.suffix}"
            _copy(archive, copy, changed)
            yield copy, ("Text that the document hides was not read.",)


def _marked(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return a part's XML if there may be hidden text in it."""
    try:
        is_marked = _MARK.search(archive.read(name))
    except DAMAGE as error:
        raise_the_disks(error)
        return None
    return ooxml_text.part_root(archive, name) if is_marked else None


def _hidden_runs(root: etree._Element) -> list[etree._Element]:
    """Return the hidden runs; a paragraph's mark may be hidden without its text."""
    return [run for run in root.iter("{*}r") if _is_hidden(run.find("{*}rPr"))]


def _is_hidden(properties: etree._Element | None) -> bool:
    if properties is None:
        return False
    vanish = properties.find("{*}vanish")
    if vanish is not None and _value(vanish) not in _OFF:
        return True
    size = properties.find("{*}sz")
    value = "" if size is None else _value(size)
    return value.isdecimal() and len(value) < 4 and int(value) <= _SMALLEST


def _value(element: etree._Element) -> str:
    return next((str(v) for k, v in element.attrib.items() if str(k).endswith("val")), "").lower()


def _length(element: etree._Element) -> int:
    return sum(len(each.text or "") for each in element.iter("{*}t"))


def _remove(run: etree._Element) -> None:
    parent = run.getparent()
    if parent is not None:
        parent.remove(run)


def _copy(archive: zipfile.ZipFile, target: Path, changed: dict[str, bytes]) -> None:
    """Write an archive anew with some parts changed, leaving out those that can't be read."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
        for name in dict.fromkeys(archive.namelist()):
            try:
                copy.writestr(name, changed[name] if name in changed else archive.read(name))
            except DAMAGE as error:
                raise_the_disks(error)
                continue
