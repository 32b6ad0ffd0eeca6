"""The pictures that Word and PowerPoint show, by the names that the parts have for them."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping

from lxml import etree

from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.xml_tree import descendants

_ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp")
_RELATION = "}embed", "}id"


class PackagePictures:
    """Finds a package's pictures where its parts show them."""

    def __init__(self, archive: zipfile.ZipFile, pictures: EmbeddedPictures) -> None:
        self._archive, self._pictures = archive, pictures
        self._linked: dict[str, dict[str, str]] = {}

    def texts(self, part: str, element: etree._Element) -> Iterator[str]:
        """Yield what was recognised on the pictures in an element of a part, each once."""
        if part not in self._linked:
            named = ooxml_text.targets(self._archive, part)
            self._linked[part] = {
                key: name for key, name in named.items() if name.lower().endswith(_ENDINGS)
            }
        for name in _names(element, self._linked[part]):
            if text := self._pictures.member_text(self._archive, name):
                yield text


def _names(element: etree._Element, linked: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the parts whose pictures an element shows, in order."""
    for each in descendants(element, "blip", "imagedata") if linked else ():
        for key, value in each.attrib.items():
            if str(key).endswith(_RELATION) and str(value) in linked:
                yield linked[str(value)]
