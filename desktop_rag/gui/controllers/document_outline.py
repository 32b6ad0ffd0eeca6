"""The outline of a document: its headings, and where each of them stands."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import DocumentId
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.open_document import OpenDocument

_LONGEST_TEXT = 2_000_000  # characters; of longer texts headings are told by their passages alone
_ABOVE = 400  # characters before a passage in which its heading may stand


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A heading at a level from 0: on a page, so many points from its top, or in the text."""

    title: str
    level: int
    page: int = 0
    y: float = 0.0
    start: int = 0

    @property
    def place(self) -> tuple[float, float]:
        """Where it stands among others of the same document."""
        return (self.page, self.y) if self.page else (self.start, 0.0)


@dataclass(frozen=True, slots=True)
class TextOutline:
    """The outline of a document's text."""

    document_id: DocumentId | None
    items: tuple[OutlineItem, ...]


def read_outline(folder: DataFolder, document: OpenDocument, token: CancelToken) -> TextOutline:
    """Read the headings of a document's text, in their order."""
    document_id = document.document_id
    if document_id is None:
        return TextOutline(None, ())
    catalog = folder.get(token).catalog
    sections = catalog.outlines.sections(document_id)
    length = catalog.document_queries.length(document_id) or 0
    is_read = bool(sections) and length <= _LONGEST_TEXT
    text = catalog.documents.text(document_id) if is_read else ""
    items: list[OutlineItem] = []
    for each in sections:
        # a passage may begin below its heading
        at = text.rfind(each.name, max(0, each.start - _ABOVE), each.start + len(each.name))
        items.append(OutlineItem(each.name, each.level, start=at if at >= 0 else each.start))
    return TextOutline(document_id, tuple(items))
