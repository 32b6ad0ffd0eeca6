"""Look into Office packages directly: every paragraph of text, wherever it stands.

This is the safety net under the library that reads them: what it leaves out is found here.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.types import LocatorKind
from desktop_rag.engine.ingest.parse.blocks import Place
from desktop_rag.engine.ingest.parse.package import DAMAGE

_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_WORD_PARTS = re.compile(
    r"word/(document|header|footer|footnotes|endnotes|comments)\d*\.xml", re.IGNORECASE
)
_PART_NAMES = {"document": "body"}


def is_whole(path: Path) -> bool:
    """Say whether every part of the package can be unpacked and the XML among them read."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".xml")]
            return bool(names) and all(_root(archive, name) is not None for name in names)
    except DAMAGE:
        return False


# What a part is called in a sentence, by its name's end.
_CALLED = (
    ("styles.xml", "styles"), ("numbering.xml", "numbering"), ("settings.xml", "settings"),
    ("fonttable.xml", "fonts"), ("sharedstrings.xml", "shared texts"), ("workbook.xml", "workbook"),
    ("footnotes.xml", "footnotes"), ("endnotes.xml", "endnotes"), ("[content_types].xml", "types"),
    (".rels", "links between parts"), ("presentation.xml", "order of the slides"),
)  # fmt: skip
_CALLED_BY_FOLDER = (
    ("/theme/", "theme"), ("/media/", "pictures"), ("docprops/", "properties"),
    ("/comments", "comments"), ("/header", "header"), ("/footer", "footer"),
    ("/charts/", "charts"), ("/drawings/", "drawings"), ("/notesslides/", "notes"),
    ("/slidelayouts/", "layouts"), ("/slidemasters/", "masters"), ("/diagrams/", "diagrams"),
)  # fmt: skip


def damage_notes(parts: Iterable[str], *, is_saved: bool = False) -> list[str]:
    """Return what to say of damaged parts beside the main text; `is_saved`: of the archive, too."""
    notes = ["The file is damaged; what could be saved of it was read."] if is_saved else []
    called = sorted({_called(part) for part in parts})
    if called:
        notes.append(f"A part of the file is damaged ({', '.join(called)}); its text was read.")
    return notes


def _called(part: str) -> str:
    name = part.lower()
    for end, called in _CALLED:
        if name.endswith(end):
            return called
    return next((c for folder, c in _CALLED_BY_FOLDER if folder in f"/{name}"), "details")


def title(archive: zipfile.ZipFile) -> str:
    """Return the title in the package's properties, or nothing."""
    root = _root(archive, "docProps/core.xml")
    found = None if root is None else root.find(_TITLE)
    return " ".join((found.text or "").split()) if found is not None else ""


def word_paragraphs(archive: zipfile.ZipFile) -> Iterator[tuple[Place, str]]:
    """Yield each paragraph of a Word package with the part it stands in."""
    for name in archive.namelist():
        match = _WORD_PARTS.fullmatch(name)
        root = _root(archive, name) if match else None
        if match and root is not None:
            part = match.group(1).lower()
            place = Place(LocatorKind.PART, _PART_NAMES.get(part, part))
            for text in _paragraphs(root):
                yield place, text


def slide_parts(archive: zipfile.ZipFile) -> list[str]:
    """Return the names of the slides' parts in the order in which they are shown."""
    targets = _targets(archive, "ppt/presentation.xml")
    root = _root(archive, "ppt/presentation.xml")
    if root is None:
        return []
    shown = []
    for element in root.iter("{*}sldId"):
        for key, value in element.attrib.items():
            if str(key).endswith("}id") and str(value) in targets:
                shown.append(targets[str(value)])
    return shown


def slide_paragraphs(archive: zipfile.ZipFile, slides: list[str]) -> Iterator[tuple[Place, str]]:
    """Yield each paragraph of the slides, and of their notes, diagrams, charts and comments."""
    wanted = ("ppt/notesSlides/", "ppt/diagrams/data", "ppt/charts/", "ppt/comments/")
    for number, slide in enumerate(slides, start=1):
        place = Place(LocatorKind.SLIDE, number)
        beside = [t for t in _targets(archive, slide).values() if t.startswith(wanted)]
        for part in [slide, *beside]:
            root = _root(archive, part)
            if root is not None:
                for text in _paragraphs(root):
                    yield place, text


def _targets(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    """Return what a part refers to: relation id to the name of the other part."""
    folder, name = posixpath.split(part)
    root = _root(archive, f"{folder}/_rels/{name}.rels")
    if root is None:
        return {}
    found = {}
    for each in root.iter(_RELATIONS):
        target = posixpath.normpath(posixpath.join(folder, str(each.get("Target"))))
        found[str(each.get("Id"))] = target.lstrip("/")
    return found


def _paragraphs(root: etree._Element) -> Iterator[str]:
    """Yield the text of each paragraph, those inside of other paragraphs by themselves."""
    for paragraph in root.iter("{*}p"):
        text = "".join(_runs(paragraph)).strip()
        if text:
            yield text


def _runs(paragraph: etree._Element) -> Iterator[str]:
    for element in paragraph.iter("{*}t", "{*}tab", "{*}br"):
        if next(element.iterancestors("{*}p")) is not paragraph:
            continue
        yield (element.text or "") if etree.QName(element).localname == "t" else " "


def _root(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return a part's XML; None when it is missing or broken. No entity is ever expanded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(archive.read(name), parser)
    except DAMAGE:
        return None
