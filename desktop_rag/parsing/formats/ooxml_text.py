"""Look into Office packages directly: every paragraph of text, wherever it stands.

This is the safety net under the library that reads them: what it leaves out is found here.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator

from lxml import etree

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import LocatorKind
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, is_well_formed, raise_the_disks
from desktop_rag.parsing.formats.xml_tree import local, whole_text
from desktop_rag.parsing.metadata_values import iso_date, keywords, one_line, people
from desktop_rag.parsing.parsed_document import BlockLocator

_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_WORD_PARTS = re.compile(
    r"word/(document|header|footer|footnotes|endnotes|comments)\d*\.xml", re.IGNORECASE
)
_LINKS = "_rels/document.xml.rels"
_SLIDE = re.compile(r"ppt/slides/slide(\d{1,6})\.xml", re.IGNORECASE)
_PART_NAMES = {"document": "body"}


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


_TEXTS = frozenset(
    ("footnotes", "endnotes", "comments", "header", "footer", "charts", "notes", "diagrams")
)


def damaged(archive: zipfile.ZipFile) -> list[str]:
    """Return the names of the XML parts that can't be read, or that are referred to but missing."""
    names = {name.lower() for name in archive.namelist()}
    found = [name for name in archive.namelist() if not _is_sound(archive, name)]
    for name in archive.namelist():
        folder, _, rest = name.rpartition("_rels/")
        if rest.endswith(".rels"):
            targets = _targets(archive, folder + rest[: -len(".rels")]).values()
            found += [each for each in targets if each.lower() not in names and "." in each]
    if "[content_types].xml" not in names:
        found.append("[Content_Types].xml")
    return found if is_linked(archive) else [*found, f"word/{_LINKS}"]


def is_linked(archive: zipfile.ZipFile) -> bool:
    """Say whether a Word document still refers to the styles that lie beside it."""
    names = {name.lower() for name in archive.namelist()}
    return "word/styles.xml" not in names or f"word/{_LINKS}" in names


def _is_sound(archive: zipfile.ZipFile, name: str) -> bool:
    if not name.lower().endswith((".xml", ".rels")):
        return True  # a picture, a font: none of the text
    try:
        with archive.open(name) as source:
            return is_well_formed(source)
    except DAMAGE as error:
        raise_the_disks(error)
        return False


def damage_notes(parts: Iterable[str], *, is_saved: bool = False) -> list[str]:
    """Return what to say of damaged parts beside the main text; `is_saved`: of the archive, too."""
    notes = ["The file is damaged; what could be saved of it was read."] if is_saved else []
    called = {_called(part) for part in parts}
    if sides := ", ".join(sorted(called - _TEXTS)):
        notes.append(Phrase("A part of the file is damaged ({0}); its text was read.", sides))
    if lost := ", ".join(sorted(called & _TEXTS)):
        notes.append(Phrase("A part of the file is damaged and was not read ({0}).", lost))
    return notes


def _called(part: str) -> str:
    name = part.lower()
    for end, called in _CALLED:
        if name.endswith(end):
            return called
    return next((c for folder, c in _CALLED_BY_FOLDER if folder in f"/{name}"), "details")


def title(archive: zipfile.ZipFile) -> str:
    """Return the title in the package's properties, or nothing."""
    root = part_root(archive, "docProps/core.xml")
    found = None if root is None else root.find(_TITLE)
    return " ".join((found.text or "").split()) if found is not None else ""


def metadata(archive: zipfile.ZipFile) -> DocumentMetadata:
    """Return what the package's properties say."""
    root = part_root(archive, "docProps/core.xml")
    if root is None:
        return NO_METADATA
    told = {local(each): whole_text(each) for each in root.iterchildren("{*}*")}
    return DocumentMetadata(
        authors=people(told.get("creator")),
        keywords=keywords(told.get("keywords"), told.get("category")),
        subject=one_line(told.get("subject")),
        created=iso_date(told.get("created")),
        modified=iso_date(told.get("modified")),
    )


def is_word_text(name: str) -> bool:
    """Say whether a part of a Word package holds text that is read."""
    return _WORD_PARTS.fullmatch(name) is not None


def word_paragraphs(archive: zipfile.ZipFile) -> Iterator[tuple[BlockLocator, str]]:
    """Yield each paragraph of a Word package with the part it stands in."""
    for name in archive.namelist():
        match = _WORD_PARTS.fullmatch(name)
        root = part_root(archive, name) if match else None
        if match and root is not None:
            part = match.group(1).lower()
            place = BlockLocator(LocatorKind.PART, _PART_NAMES.get(part, part))
            for text in _paragraphs(root):
                yield place, text


def slide_parts(archive: zipfile.ZipFile) -> list[str]:
    """Return the names of the slides' parts in the order in which they are shown."""
    targets = _targets(archive, "ppt/presentation.xml")
    root = part_root(archive, "ppt/presentation.xml")
    shown = []
    for element in root.iter("{*}sldId") if root is not None else ():
        for key, value in element.attrib.items():
            if str(key).endswith("}id") and str(value) in targets:
                shown.append(targets[str(value)])
    if shown:
        return shown
    found = filter(None, map(_SLIDE.fullmatch, archive.namelist()))  # the order is lost
    return [match.group(0) for match in sorted(found, key=_slide_number)]


def _slide_number(match: re.Match[str]) -> int:
    return int(match.group(1))


def slide_paragraphs(
    archive: zipfile.ZipFile, slides: list[str]
) -> Iterator[tuple[BlockLocator, str]]:
    """Yield each paragraph of the slides, and of their notes, diagrams, charts and comments."""
    wanted = ("ppt/notesSlides/", "ppt/diagrams/data", "ppt/charts/", "ppt/comments/")
    for number, slide in enumerate(slides, start=1):
        place = BlockLocator(LocatorKind.SLIDE, number)
        beside = [t for t in _targets(archive, slide).values() if t.startswith(wanted)]
        for part in [slide, *beside]:
            root = part_root(archive, part)
            if root is not None:
                for text in _paragraphs(root):
                    yield place, text


def _targets(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    """Return what a part refers to in the package: relation id to the other part's name."""
    folder, name = posixpath.split(part)
    root = part_root(archive, f"{folder}/_rels/{name}.rels")
    if root is None:
        return {}
    found = {}
    for each in root.iter(_RELATIONS):
        if each.get("TargetMode") == "External":
            continue  # a link out of the file
        target = posixpath.normpath(posixpath.join(folder, str(each.get("Target"))))
        found[str(each.get("Id"))] = target.lstrip("/")
    return found


def _paragraphs(root: etree._Element) -> Iterator[str]:
    """Yield the text of each paragraph, those inside of other paragraphs by themselves."""
    for paragraph in root.iter("{*}p"):
        text = paragraph_text(paragraph)
        if text:
            yield text


def paragraph_text(paragraph: etree._Element) -> str:
    """Return a paragraph's own text, that of paragraphs inside of it left out."""
    return "".join(_runs(paragraph)).strip()


def _runs(paragraph: etree._Element) -> Iterator[str]:
    for element in paragraph.iter("{*}t", "{*}tab", "{*}br"):
        if next(element.iterancestors("{*}p")) is not paragraph:
            continue
        yield (element.text or "") if etree.QName(element).localname == "t" else " "


def part_root(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return a part's XML; None when it is missing or broken. No entity is ever expanded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(archive.read(name), parser)
    except DAMAGE as error:
        raise_the_disks(error)
        return None
