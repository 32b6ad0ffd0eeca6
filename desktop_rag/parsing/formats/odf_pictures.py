"""The pictures that OpenDocument shows: files in its package, or Base64 in its flat form."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lxml import etree

from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures, decoded
from desktop_rag.parsing.formats.ooxml_package import repaired_archive
from desktop_rag.parsing.formats.xml_tree import attribute, children


class OdfPictures:
    """Finds a file's pictures where its content shows them; `archive` is the package, if any."""

    def __init__(self, pictures: EmbeddedPictures, archive: zipfile.ZipFile | None = None) -> None:
        self._pictures, self._archive = pictures, archive

    def text(self, image: etree._Element) -> str:
        """Return what was recognised on the picture that an element shows, once."""
        held = next(children(image, "binary-data"), None)
        if held is not None:
            return self._pictures.text(decoded(held.text or ""))
        return self.named_text(attribute(image, "href"))

    def named_text(self, address: str) -> str:
        """Return what was recognised on a picture in the package, once."""
        if self._archive is None:
            return ""
        return self._pictures.member_text(self._archive, address.removeprefix("./").lstrip("#"))


@contextmanager
def odf_pictures(path: Path, pictures: EmbeddedPictures | None) -> Iterator[OdfPictures]:
    """Give what finds the pictures of a file that is whole enough to be read."""
    counted = pictures or EmbeddedPictures()
    with path.open("rb") as file:
        is_package = file.read(2) == b"PK"
    if not is_package:
        yield OdfPictures(counted)
        return
    with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
        yield OdfPictures(counted, archive)
