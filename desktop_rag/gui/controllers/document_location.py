"""Where a document is now: its file, its marks, and how both stand to what was read or cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import DocumentId, Locator, LocatorKind, UsedRows
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.open_document import FileState, LocatedDocument, OpenDocument

if TYPE_CHECKING:
    from desktop_rag.catalog.cited_documents import FoundDocument
    from desktop_rag.catalog.document_queries import CatalogFile
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.core.quote_search import QuotePlace

_HASHED = 64 * 1024 * 1024  # bytes that are read to see whether a touched file really changed


def known_contents(folder: DataFolder, token: CancelToken, contents: Sequence[str]) -> set[str]:
    """Return those of these contents that the library holds."""
    return folder.get(token).catalog.documents.known_contents(contents)


def locate_marks(folder: DataFolder, document: OpenDocument, token: CancelToken) -> LocatedDocument:
    """Find where a document and its marks are now, and how the file stands to what was read.

    A document is its content: renamed, moved, or taken out and back in it is the same. Where the
    file at its path was changed, the marks are looked for in what is there now.
    """
    from desktop_rag.catalog.cited_documents import CitedDocument

    catalog = folder.get(token).catalog
    cited = CitedDocument(document.document_id, document.path, document.content_hash)
    found = catalog.cited.find(cited)
    if found is None:
        return LocatedDocument(document, _lost(document.path), _length_of_quote(document))
    here = _here(catalog, document, found)
    if here is None:
        return LocatedDocument(document, FileState.REWRITTEN, _length_of_quote(document))
    standing = _standing_now(catalog, here, found.document_id, token)
    if standing is FileState.SAME and here.followed is not None:
        standing = here.followed
    length = catalog.document_queries.length(found.document_id) or 0
    metadata = catalog.metadata.of(found.document_id)
    tables = catalog.tables.share(found.document_id)
    content = _content(catalog, found.document_id)
    return LocatedDocument(here, standing, length, document.path, metadata, tables, content)


def locate_file(folder: DataFolder, path: str, kb: str, token: CancelToken) -> LocatedDocument:
    """Find what the index holds of a file, at best in the base named."""
    catalog = folder.get(token).catalog
    named = {each.id for each in catalog.kbs.all() if each.name == kb}
    held = [
        each
        for each in catalog.document_queries.held(path)
        if each.document_id is not None and (each.kb in named or not each.is_imported)
    ]
    held.sort(key=lambda each: each.kb not in named)
    document_id = held[0].document_id if held else None
    if document_id is None:
        return LocatedDocument(OpenDocument(path, Path(path).name, None), _foreign(path))
    title = held[0].title or Path(path).name
    length = catalog.document_queries.length(document_id) or 0
    document = OpenDocument(path, title, document_id)
    metadata = catalog.metadata.of(document_id)
    standing, tables = _standing(path, held[0], token), catalog.tables.share(document_id)
    content = _content(catalog, document_id)
    return LocatedDocument(document, standing, length, "", metadata, tables, content)


def _content(catalog: Catalog, document_id: DocumentId) -> str:
    return catalog.documents.content_hashes([document_id]).get(document_id, "")


def _here(catalog: Catalog, document: OpenDocument, found: FoundDocument) -> OpenDocument | None:
    """Return a document as it is now, with the marks that are in it.

    None where it is another text, which has not the current one.
    """
    if found.document_id == document.document_id:
        marks = tuple(_exact(catalog, found.document_id, mark) for mark in document.marks)
        return replace(document, path=found.path, marks=marks)
    places = {n: _place(catalog, document, found, n) for n in range(len(document.marks))}
    known = {n: place for n, place in places.items() if place is not None}
    if document.marks and document.current not in known:
        return None
    marks = tuple(
        catalog.documents.locator_for(found.document_id, each.start, each.end)
        for each in known.values()
    )
    current = sorted(known).index(document.current) if known else 0
    followed = None
    if known and not found.is_same:
        is_similar = known[document.current].is_similar
        followed = FileState.SIMILAR if is_similar else FileState.FOUND_AGAIN
    return replace(
        document,
        path=found.path,
        title=found.title or document.title,
        document_id=found.document_id,
        marks=marks,
        current=current,
        texts=tuple(document.texts[n] for n in known) if document.texts else (),
        followed=followed,
        used=_used(document, found, marks[current] if marks else None),
    )


def _used(
    document: OpenDocument, found: FoundDocument, mark: Locator | None
) -> tuple[UsedRows, ...]:
    """Return the rows that an answer was made from where they stand as they did."""
    before = document.mark
    if not found.is_same or mark is None or before is None or mark.start != before.start:
        return ()
    return tuple(replace(each, document_id=found.document_id) for each in document.used)


def _place(
    catalog: Catalog, document: OpenDocument, found: FoundDocument, number: int
) -> QuotePlace | None:
    mark = document.marks[number]
    text = document.texts[number] if number < len(document.texts) else ""
    return catalog.cited.find_text(found.document_id, text, mark.start or 0) if text else None


def _exact(catalog: Catalog, document_id: DocumentId, mark: Locator) -> Locator:
    """Return a mark with its unit and boxes as the catalog knows them; as it is where it can't."""
    if mark.start is None or mark.end is None or (mark.boxes and mark.kind is LocatorKind.PAGE):
        return mark
    return catalog.documents.locator_for(document_id, mark.start, mark.end)


def _standing_now(
    catalog: Catalog, document: OpenDocument, document_id: DocumentId, token: CancelToken
) -> FileState:
    held = catalog.document_queries.held(document.path)
    mine = next((each for each in held if each.document_id == document_id), None)
    return _standing(document.path, mine, token)


def _standing(path: str, held: CatalogFile | None, token: CancelToken) -> FileState:
    """Say how a file stands to what was read of it; a touched file is the same if its bytes are."""
    try:
        stat = Path(path).stat()
    except OSError:
        return FileState.MISSING
    if held is None:
        return FileState.CHANGED
    stamp = held.stamp
    if stamp is None or (stamp.size, stamp.mtime_ns) == (stat.st_size, stat.st_mtime_ns):
        return FileState.SAME
    if stamp.size != stat.st_size or not stamp.content_hash or stat.st_size > _HASHED:
        return FileState.CHANGED
    from desktop_rag.core.filesystem import content_hash

    try:
        same = content_hash(path, token) == stamp.content_hash
    except OSError:
        return FileState.MISSING
    return FileState.SAME if same else FileState.CHANGED


def _lost(path: str) -> FileState:
    """Say how a document that the index does not have stands."""
    try:
        return FileState.FORGOTTEN if path and Path(path).exists() else FileState.GONE
    except OSError:
        return FileState.GONE


def _foreign(path: str) -> FileState:
    return FileState.FOREIGN if Path(path).exists() else FileState.MISSING


def _length_of_quote(document: OpenDocument) -> int:
    return len(document.quoted.text) if document.quoted is not None else 0
