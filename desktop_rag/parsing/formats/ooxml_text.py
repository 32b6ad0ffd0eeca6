"""Read the parts of Word's and PowerPoint's packages: paragraphs with their formulas, relations,
what is damaged.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from lxml import etree

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing.formats import eq_field, omml_latex, symbol_font
from desktop_rag.parsing.formats.latex_notation import (
    DEEPEST,
    EQUATION_EDITORS,
    GAP,
    UnreadableFormula,
    gap_notes,
)
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, is_well_formed, raise_the_disks
from desktop_rag.parsing.formats.xml_tree import attribute, local, whole_text
from desktop_rag.parsing.metadata_values import iso_date, keywords, one_line, people
from desktop_rag.parsing.table_blocks import clean

_Formula = TypeVar("_Formula")

_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_WORD_PARTS = re.compile(
    r"word/(document|header|footer|footnotes|endnotes|comments)\d*\.xml", re.IGNORECASE
)
_LINKS = "_rels/document.xml.rels"
# What says something, or says what is a heading or numbered.
_MISSED = re.compile(
    r".*/(?:styles|numbering|footnotes|endnotes|comments|header\d*|footer\d*"
    r"|(?:notesSlides|charts|diagrams|comments)/[^/]+)\.xml",
    re.IGNORECASE,
)
# What is read of slides only where a link leads to it.
_OF_SLIDES = re.compile(r"ppt/(?:notesslides|charts|diagrams|comments)/[^/]+\.xml")
_SLIDE = re.compile(r"ppt/slides/slide(\d{1,6})\.xml", re.IGNORECASE)
_MATH = frozenset(("oMath", "oMathPara"))
_FIELDS = frozenset(("fldChar", "instrText", "fldSimple"))
_NESTED = re.compile(r"\A\s*EQ\s*", re.IGNORECASE)
# What is inside of a paragraph and no text of its own: paragraphs in its boxes, how it looks.
_NO_TEXT = frozenset(("p", "tbl", "pPr", "rPr", "endParaRPr", "sectPr", "rt"))
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

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


def damaged_parts(archive: zipfile.ZipFile, mains: Iterable[str]) -> list[str]:
    """Return the XML parts that can't be read, and those missing without which text is lost.

    `mains` are left out: what holds the main text is told of by itself.
    """
    names = {name.lower() for name in archive.namelist()}
    found = [name for name in archive.namelist() if not _is_sound(archive, name)]
    linked: list[str] = []
    for name in archive.namelist():
        folder, _, rest = name.rpartition("_rels/")
        if rest.endswith(".rels"):
            linked += targets(archive, folder + rest[: -len(".rels")]).values()
    found += [each for each in linked if each.lower() not in names and _MISSED.fullmatch(each)]
    reached = {each.lower() for each in linked}
    found += [name for name in names - reached if _OF_SLIDES.fullmatch(name)]
    if "word/styles.xml" in names and f"word/{_LINKS}" not in names:
        found.append(f"word/{_LINKS}")
    return [name for name in dict.fromkeys(found) if name not in set(mains)]


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


def word_parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the names of a Word package's parts that hold text, each with what kind it is."""
    matches = {name: _WORD_PARTS.fullmatch(name) for name in archive.namelist()}
    return {name: match.group(1).lower() for name, match in matches.items() if match}


def slide_parts(archive: zipfile.ZipFile) -> tuple[list[str], bool]:
    """Return the names of the slides' parts in the order shown, and whether that order is sure.

    Where a link leads nowhere, a slide that no link leads to stands in its place, or an empty name
    where there is none; what is left over comes last.
    """
    slides = targets(archive, "ppt/presentation.xml")
    root = part_root(archive, "ppt/presentation.xml")
    list_ = None if root is None else root.find("{*}sldIdLst")
    shown: list[str] = []
    for element in () if list_ is None else list_.iterchildren("{*}*"):
        identity = next((v for k, v in element.attrib.items() if str(k).endswith("}id")), "")
        shown.append(slides.get(str(identity), ""))
    found = filter(None, map(_SLIDE.fullmatch, archive.namelist()))
    parts = [match.group(0) for match in sorted(found, key=_slide_number)]
    first = {name: at for at, name in reversed([*enumerate(shown)])}
    there = set(archive.namelist())
    unsure = [at for at, name in enumerate(shown) if name not in there or first[name] != at]
    has_text = list_ is not None and bool("".join(list_.itertext()).strip())  # a broken tag
    if not unsure and not has_text and (shown or not parts):
        return shown, root is not None  # what is not named was deleted
    unnamed = [name for name in parts if name not in first]
    for at, name in zip(unsure, unnamed, strict=False):
        shown[at] = name
    return [*shown, *unnamed[len(unsure) :]], False


def _slide_number(match: re.Match[str]) -> int:
    return int(match.group(1))


def targets(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    """Return what a part refers to in the package: relation id to the other part's name.

    The name is as the archive has it: upper and lower case are the same there (ECMA-376-2, 9.1.1).
    """
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
    if any(name not in archive.NameToInfo for name in found.values()):
        written = {name.lower(): name for name in archive.namelist()}
        return {key: written.get(name.lower(), name) for key, name in found.items()}
    return found


@dataclass(slots=True)
class _Field:
    """What Word computes, with what it showed when it last did."""

    code: str = ""
    is_code_read: bool = False
    result: str = ""  # of a formula; that of others is text as any


def _put(text: str, fields: list[_Field]) -> str:
    """Return text, but nothing where a field that is a formula takes it up."""
    for each in reversed(fields[-DEEPEST:]) if text else ():
        if eq_field.is_formula(each.code):
            if each.is_code_read:
                each.result += text
            else:
                each.code += text
            return ""
    return text


class ParagraphReader:
    """Reads paragraphs, formulas in them as LaTeX; counts the formulas that it can't read."""

    def __init__(self) -> None:
        self.unread_formulas = self.unread_charts = 0

    def text(self, paragraph: etree._Element) -> str:
        """Return a paragraph's own text, that of paragraphs inside of it left out."""
        return "".join(self._pieces(paragraph)).strip()

    def all_text(self, element: etree._Element) -> str:
        """Return the text of all paragraphs in an element, on one line."""
        return clean(" ".join(map(self.text, element.iter("{*}p"))))

    def _pieces(self, paragraph: etree._Element) -> Iterator[str]:
        walk = etree.iterwalk(paragraph, events=("start",), tag="{*}*")
        fields: list[_Field] = []  # that have begun
        for _, element in walk:
            name = local(element)
            if name in _MATH:
                walk.skip_subtree()
                yield _put(self._formula(omml_latex.latex_of, element), fields)
            elif name in _NO_TEXT and element is not paragraph:
                walk.skip_subtree()
            elif name in _FIELDS:
                shown = self._field(element, name, fields)
                if shown and name == "fldSimple":
                    walk.skip_subtree()  # what it showed when it was last computed
                yield _put(shown, fields)
            else:
                yield _put(self._piece(element, name), fields)
        for each in fields:  # that don't end here
            yield self._computed(each.code) + each.result

    def _piece(self, element: etree._Element, name: str) -> str:
        if name == "t":
            return symbol_font.text_of(element)
        if name == "sym":
            return symbol_font.sign_of(element)
        if is_equation_object(element):
            self.unread_formulas += 1
            return GAP
        return _SIGNS.get(name, "")

    def _field(self, element: etree._Element, name: str, fields: list[_Field]) -> str:
        """Take up what a field is told to show; return that of a formula when it ends."""
        if name == "fldSimple":
            return self._shown(_Field(attribute(element, "instr")), fields)
        if name == "instrText":
            if fields:
                fields[-1].code += element.text or ""
            return ""
        kind = attribute(element, "fldCharType")
        if kind == "begin":
            fields.append(_Field())
        elif kind == "separate" and fields:
            fields[-1].is_code_read = True
        elif kind == "end" and fields:
            return self._shown(fields.pop(), fields)
        return ""

    def _shown(self, field: _Field, fields: list[_Field]) -> str:
        """Return what a field that ended shows; of one in a formula's what belongs into that."""
        if not eq_field.is_formula(field.code):
            return ""
        if fields and not fields[-1].is_code_read and eq_field.is_formula(fields[-1].code):
            return _NESTED.sub("", field.code)
        return self._computed(field.code) or field.result

    def _computed(self, code: str) -> str:
        return self._formula(eq_field.latex_of, code) if eq_field.is_formula(code) else ""

    def _formula(self, read: Callable[[_Formula], str], formula: _Formula) -> str:
        try:
            return read(formula)
        except UnreadableFormula:
            self.unread_formulas += 1
            return GAP

    def notes(self) -> list[str]:
        """Return what to say of formulas and charts that were not read."""
        told = gap_notes(self.unread_formulas)
        if self.unread_charts:
            told.append(Phrase("Charts that are too large to be read: {0}.", self.unread_charts))
        return told


def is_equation_object(element: etree._Element) -> bool:
    """Say whether an element embeds a formula as older versions did: as a file of its editor."""
    if local(element) not in {"OLEObject", "oleObj"}:
        return False
    program = attribute(element, "ProgID") or attribute(element, "progId")
    return program.lower().startswith(EQUATION_EDITORS)


def text_root(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return a part's XML as `part_root`, without what is not shown, or is there twice.

    What was deleted or moved away stays in a file for its review; what only newer versions
    understand stands a second time in the words of older ones.
    """
    root = part_root(archive, name)
    if root is None:
        return None
    gone = [*root.iter("{*}del", "{*}moveFrom")]
    for both in root.iter("{*}AlternateContent"):
        choice, fallback = both.find("{*}Choice"), both.find("{*}Fallback")
        if choice is not None and fallback is not None:
            is_read = next(choice.iter("{*}t", "{*}tbl"), None) is not None
            gone.append(fallback if is_read else choice)
    for element in gone:
        remove(element)
    return root


def remove(element: etree._Element) -> None:
    """Take an element out of its tree."""
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def part_root(archive: zipfile.ZipFile, name: str) -> etree._Element | None:
    """Return a part's XML; None when it is missing or broken. No entity is ever expanded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(archive.read(name), parser)
    except DAMAGE as error:
        raise_the_disks(error)
        return None
