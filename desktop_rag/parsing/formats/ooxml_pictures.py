"""The pictures in Word's and PowerPoint's packages that may hold text, for its recognition.

They are numbered from 1 in the order in which the text shows them, as the pages of a scan are;
the parser and the recogniser count alike. Each counts once, however often it is shown; icons and
drawings (EMF, WMF) do not count.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from lxml import etree

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, raise_the_disks, repaired_archive
from desktop_rag.parsing.formats.xml_tree import descendants
from desktop_rag.parsing.ocr.page_pictures import PagePicture, picture_in, picture_size
from desktop_rag.parsing.ocr.recognized_page import LEAST_CONFIDENCE, Recognized

_LEAST_WIDTH, _LEAST_HEIGHT = 200, 60  # pixels: less holds a word at most
_MOST_PICTURES = 200
_MOST_LOOKED_AT = 2000  # parts, icons among them
_LARGEST = 100_000_000  # bytes of one
_ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp")
_RELATION = "}embed", "}id"


class PackagePictures:
    """A package's pictures: which wait to be recognised, and what was found on the others."""

    def __init__(
        self, archive: zipfile.ZipFile, parts: Iterable[str], recognized: Recognized
    ) -> None:
        self._linked = _linked(archive, parts)
        self._numbers, self._is_cut = _numbered(archive, self._linked)
        self._recognized = recognized
        self._given: set[int] = set()

    @property
    def unread(self) -> tuple[int, ...]:
        """The numbers of those that were not looked at yet."""
        return tuple(sorted(set(self._numbers.values()) - self._recognized.keys()))

    @property
    def notes(self) -> list[str]:
        """What to say of pictures that are too many to be looked at."""
        if not self._is_cut:
            return []
        told = "Text is looked for on the first {0} pictures only; the file shows more."
        return [Phrase(told, len(set(self._numbers.values())))]

    def texts(self, part: str, element: etree._Element) -> Iterator[str]:
        """Yield what was recognised on the pictures in an element of a part, each once."""
        for name in _shown(element, self._linked.get(part, {})):
            number = self._numbers.get(name, 0)
            page = self._recognized.get(number)
            if page is None or number in self._given:
                continue
            self._given.add(number)
            text = "\n".join(line.text for line in page.lines)
            is_text = count_characters(text) >= MINIMUM_CHARACTERS
            if is_text and page.confidence >= LEAST_CONFIDENCE:
                yield text


def package_picture(path: Path, number: int) -> PagePicture:
    """Return a picture of a Word or PowerPoint file by its number; a `FileProblem` without one."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            words = [n for n, kind in ooxml_text.word_parts(archive).items() if kind == "document"]
            linked = _linked(archive, words[:1] or ooxml_text.slide_parts(archive))
            for name, found in _numbered(archive, linked)[0].items():
                if found == number:
                    with archive.open(name) as file:
                        return picture_in(file)
    except DAMAGE as error:
        raise_the_disks(error)
        raise file_problems.corrupt("The picture is damaged.") from error
    raise file_problems.corrupt(Phrase("The document has no picture {0}.", number))


def _linked(archive: zipfile.ZipFile, parts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the pictures that each part refers to, by its own names for them."""
    made: dict[str, dict[str, str]] = {}
    for part in parts:
        named = ooxml_text.targets(archive, part)
        pictures = {key: name for key, name in named.items() if name.lower().endswith(_ENDINGS)}
        if pictures:
            made[part] = pictures
    return made


def _numbered(
    archive: zipfile.ZipFile, linked: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, int], bool]:
    """Return the numbers of the pictures by their parts, and whether there are more.

    Parts of the same content share a number.
    """
    shown: dict[str, None] = {}
    for part, names in linked.items():
        root = ooxml_text.text_root(archive, part)
        shown.update(dict.fromkeys(_shown(root, names) if root is not None else ()))
    known: dict[tuple[int, int], int] = {}
    found: dict[str, int] = {}
    count = 0
    for name in islice(shown, _MOST_LOOKED_AT):
        info = archive.NameToInfo.get(name)
        if info is None or info.file_size > _LARGEST:
            continue
        content = (info.CRC, info.file_size)
        if content not in known:
            is_wanted = _may_hold_text(archive, name)
            if is_wanted and count == _MOST_PICTURES:
                return found, True
            count += is_wanted
            known[content] = count if is_wanted else 0
        if known[content]:
            found[name] = known[content]
    return found, len(shown) > _MOST_LOOKED_AT


def _may_hold_text(archive: zipfile.ZipFile, name: str) -> bool:
    try:
        with archive.open(name) as file:
            width, height = picture_size(file)
    except FileProblem:
        return False
    except DAMAGE as error:
        raise_the_disks(error)
        return False
    return width >= _LEAST_WIDTH and height >= _LEAST_HEIGHT


def _shown(element: etree._Element, linked: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the parts whose pictures an element shows, in order."""
    for each in descendants(element, "blip", "imagedata"):
        for key, value in each.attrib.items():
            if str(key).endswith(_RELATION) and str(value) in linked:
                yield linked[str(value)]
