"""Open an OpenDocument file, a zip of XML or one flat XML file, and tell which kind it is."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from lxml import etree

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.latex_notation import GAP
from desktop_rag.parsing.formats.mathml_latex import latex_of
from desktop_rag.parsing.formats.odf_encryption import MANIFEST, locked_problem
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    is_disk_error,
    raise_the_disks,
    repaired_archive,
)
from desktop_rag.parsing.formats.xml_tree import (
    LARGEST,
    attribute,
    children,
    descendants,
    local,
    read_tree,
    whole_text,
)
from desktop_rag.parsing.metadata_values import iso_date, keywords, names, one_line

_PARTS = ("content.xml", "styles.xml", "meta.xml")
_OBJECT_TAG = b"draw:object"
_OBJECT = re.compile(r"(?:\./)?([^/]+)/content\.xml")
_NAMED_OBJECT = re.compile(r"(?:\./)?(Obj[^/]+)")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_EDITOR = "Equation Native".encode("utf-16-le")
_IS_FORMULA = re.compile(rb"<(?:\w+:)?math[\s>]")
_MATH = b"math"
_HEAD = 2000  # bytes in which an object says that it is a formula
_LARGEST_FORMULA = 1_000_000  # bytes
_MOST_FORMULAS = 5000
_BODIES = frozenset(("text", "presentation", "spreadsheet", "drawing", "chart", "database"))
_MOST_ANCESTORS = 20
SAVED = "The file is damaged; what could be saved of it was read."
HIDDEN = "Text that the document hides was not read."


@dataclass(frozen=True, slots=True)
class OdfFile:
    """The trees of an OpenDocument file, that of its content first; `notes` tell of damage.

    `formulas` are those that are objects of their own in the package, by their folder, as LaTeX.
    """

    roots: tuple[etree._Element, ...]
    notes: tuple[str, ...] = ()
    formulas: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The title in the file's own description."""
        found = next(self.all("title"), None)
        return whole_text(found) if found is not None else ""

    @property
    def metadata(self) -> DocumentMetadata:
        """What the file says of itself."""
        return described(self.roots[1:])

    def all(self, *names: str) -> Iterator[etree._Element]:
        """Yield the elements of some names, of the descriptions and styles before the content."""
        for root in reversed(self.roots):
            yield from descendants(root, *names)

    def body(self, name: str) -> etree._Element:
        """Return the body of a kind (`text`, `presentation`); `corrupt` when there is none."""
        for root in self.roots:
            for body in descendants(root, "body"):
                found = next(body.iterchildren(f"{{*}}{name}"), None)
                if found is not None:
                    return found
                if not any(local(child) in _BODIES for child in children(body)):
                    return body  # as the format was before it was OpenDocument
        raise file_problems.corrupt("The document is damaged.")


def described(roots: Iterable[etree._Element]) -> DocumentMetadata:
    """Return what the trees of an OpenDocument file's description say."""
    told: dict[str, list[str]] = {}
    for root in roots:
        for meta in islice(descendants(root, "meta"), 1):
            for each in children(meta):
                told.setdefault(local(each), []).append(whole_text(each))
    return DocumentMetadata(
        authors=names((told.get("initial-creator") or told.get("creator") or [])[:1]),
        keywords=keywords(*told.get("keyword", ())),
        subject=one_line(" ".join(told.get("subject", ()))),
        created=iso_date("".join(told.get("creation-date", ())[:1])),
        modified=iso_date("".join(told.get("date", ())[:1])),
    )


def open_odf(path: Path) -> OdfFile:
    """Return a file's trees; `encrypted`, or `corrupt` when it has no content."""
    notes: list[str] = []
    formulas: dict[str, str] = {}
    if not zipfile.is_zipfile(path) and not _begins_as_zip(path):
        parts = [path.read_bytes()]
    else:
        parts = package_parts(path, _PARTS, notes)
        formulas = _formulas(path) if _OBJECT_TAG in parts[0] else {}
    roots = []
    for at, raw in enumerate(parts):
        root, is_whole = read_tree(raw) if raw else (None, True)
        if root is None and at == 0:
            raise file_problems.corrupt("The document is damaged.")
        if not is_whole and SAVED not in notes:
            notes.append(SAVED)
        roots += [] if root is None else [root]
    return OdfFile(tuple(roots), tuple(notes), formulas)


def _formulas(path: Path) -> dict[str, str]:
    """Return the formulas among a package's objects, by their folder; gaps for unreadable ones."""
    found: dict[str, str] = {}
    with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
        for info in archive.infolist():
            match = _OBJECT.fullmatch(info.filename) or _NAMED_OBJECT.fullmatch(info.filename)
            if not match:
                continue
            is_read = info.file_size <= _LARGEST_FORMULA and len(found) < _MOST_FORMULAS
            raw = _part(archive, info.filename, []) if is_read else b""
            if formula := _formula_in(raw) if is_read else _unread(archive, info):
                found[match.group(1)] = formula
    return found


def _formula_in(raw: bytes) -> str:
    """Return the formula that an object is, a gap if it can't be read; nothing of another object.

    Objects of other programs are compound files; one of Office's old editor has a part that tells.
    """
    if raw.startswith(_COMPOUND):
        return GAP if _OLD_EDITOR in raw else ""
    root, is_whole = read_tree(raw) if _MATH in raw[:_HEAD] else (None, True)
    if root is None or local(root) != "math":
        return "" if is_whole else GAP
    written = formula_of(root)
    return written if is_whole else written or GAP


def _unread(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
    """Return a gap for an object that is a formula and not looked into."""
    try:
        with archive.open(info) as source:
            return GAP if _IS_FORMULA.search(source.read(_HEAD)) else ""
    except DAMAGE as error:
        raise_the_disks(error)
        return ""


def formula_of(root: etree._Element) -> str:
    """Return a formula as part of its sentence; that it is on its own line is not known here."""
    root.attrib.pop("display", None)
    return latex_of(root)


def package_parts(path: Path, names: tuple[str, ...], notes: list[str]) -> list[bytes]:
    """Return parts of a package, empty those that can't be read; adds to the notes on damage."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            notes += [SAVED] if whole != path else []
            known = {name.lower(): name for name in archive.namelist()}
            if MANIFEST.lower() in known:
                manifest = archive.read(known[MANIFEST.lower()])
                if b"encryption-data" in manifest:
                    raise locked_problem(manifest)
            return [_part(archive, known.get(name.lower(), ""), notes) for name in names]
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The document is damaged.") from error


def _part(archive: zipfile.ZipFile, name: str, notes: list[str]) -> bytes:
    if not name:
        return b""
    if archive.getinfo(name).file_size > LARGEST:
        raise file_problems.too_large("The file holds more XML than is read at once.")
    try:
        return archive.read(name)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        if name == "content.xml":
            return _beginning(archive, name, notes)
        return b""


def _beginning(archive: zipfile.ZipFile, name: str, notes: list[str]) -> bytes:
    """Return what can be read of a damaged part until its damage."""
    pieces = []
    try:
        with archive.open(name) as source:
            while piece := source.read(4096):
                pieces.append(piece)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
    notes += [SAVED] if SAVED not in notes else []
    return b"".join(pieces)


def _begins_as_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"PK"


class OdfStyles:
    """What styles say of the text under them: hidden or not, and whether it is a heading."""

    def __init__(self, file: OdfFile) -> None:
        self._parents: dict[str, str] = {}
        self._hidden: set[str] = set()
        for style in file.all("style"):
            name = attribute(style, "name")
            self._parents[name] = attribute(style, "parent-style-name")
            for properties in descendants(style, "text-properties", "section-properties"):
                if attribute(properties, "display") == "none":
                    self._hidden.add(name)

    def ancestors(self, name: str) -> Iterator[str]:
        """Yield a style's name and those of the styles that it is made of."""
        for _ in range(_MOST_ANCESTORS):
            if not name:
                return
            yield name
            name = self._parents.get(name, "")

    def is_hidden(self, element: etree._Element) -> bool:
        """Say whether an element's style hides it."""
        if not self._hidden:
            return False
        return not self._hidden.isdisjoint(self.ancestors(attribute(element, "style-name")))

    def level(self, element: etree._Element) -> int:
        """Return the level of the heading that a paragraph's style makes of it, 0 for none."""
        for name in self.ancestors(attribute(element, "style-name")):
            if name == "Title":
                return 1
            start, _, number = name.replace("_20_", " ").rpartition(" ")
            if start == "Heading" and number.isdecimal() and len(number) == 1:
                return int(number)
        return 0
