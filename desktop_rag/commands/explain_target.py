"""What a user points at: a passage by its number or its words, a file, or what is not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from desktop_rag.catalog.documents import Documents
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow, StoredChunk
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.phrases import KbName, Phrase, joined, parts_of
from desktop_rag.core.requests import ExplainRequest
from desktop_rag.core.search_pattern import search_pattern
from desktop_rag.core.types import ChunkId, DocumentId, FileStatus, KbId
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.indexing.source_paths import is_at_or_below_any, resolve_path
from desktop_rag.workspace import Workspace

_LIKELY = 50  # chunks that share most words with what is looked for: it is rarely elsewhere
_LONGEST = 200  # characters that are looked for
_LEAST = 3
_STRETCH = 1_000_000  # characters looked through at a time
_LONGEST_HIT = 2000  # characters, white space and broken words counted


@dataclass(frozen=True, slots=True)
class TargetChunks:
    """The chunks that may be meant, the first one rather, and their file."""

    path: str
    chunks: tuple[StoredChunk, ...]


@dataclass(frozen=True, slots=True)
class TargetMissing:
    """Nothing of it is in the index: why, and what to do."""

    path: str
    what: str
    remedy: str


def find_target(
    workspace: Workspace, request: ExplainRequest, kbs: tuple[KbId, ...], token: CancelToken
) -> TargetChunks | TargetMissing:
    """Find what a request names; a `UsageError` where it names nothing."""
    if request.passage is not None:
        return _numbered(workspace, ChunkId(request.passage), kbs)
    if request.path:
        return _in_file(workspace, request, kbs)
    if len("".join(request.text.split())) < _LEAST:
        what = "Nothing says which passage is meant."
        raise UsageError(what, "Give some of its words, its number or its file.")
    return _anywhere(workspace, request.text, kbs, token)


def _numbered(
    workspace: Workspace, chunk_id: ChunkId, kbs: tuple[KbId, ...]
) -> TargetChunks | TargetMissing:
    documents = workspace.catalog.documents
    found = documents.get_chunks([chunk_id]).get(chunk_id)
    if found is None:
        what = Phrase("There is no passage {0} in the index, or no longer.", chunk_id)
        raise UserError(what, "Search for it, or open its file's passages, again.")
    paths = documents.paths([found.document_id], kbs).get(found.document_id, ())
    if paths:
        return TargetChunks(paths[0], (found,))
    for name, kb in workspace.catalog.kbs.names().items():
        if at := documents.paths([found.document_id], [kb]).get(found.document_id, ()):
            return _elsewhere(at[0], name)
    raise UserError("The passage's file was taken out.", "Add it again.")


def _elsewhere(path: str, base: str) -> TargetMissing:
    what = Phrase("“{0}” is in another knowledge base: “{1}”.", PurePath(path).name, KbName(base))
    return TargetMissing(path, what, Phrase("Ask “{0}”, or move the file.", KbName(base)))


def _in_file(
    workspace: Workspace, request: ExplainRequest, kbs: tuple[KbId, ...]
) -> TargetChunks | TargetMissing:
    files, path = workspace.catalog.files, request.path
    if all(files.get(kb, path) is None for kb in kbs):
        path = resolve_path(path)
    rows = [row for kb in kbs if (row := files.get(kb, path)) is not None]
    if not rows:
        return _unknown(workspace, path, kbs)
    read = next((row for row in rows if row.document_id is not None), None)
    if read is None or read.document_id is None:
        return _unread(rows[0])
    if not request.text.strip():
        chunks = tuple(workspace.catalog.documents.chunks(read.document_id))
        return TargetChunks(path, chunks) if chunks else _unread(read)
    if found := _with_words(workspace, read.document_id, request.text):
        return TargetChunks(path, (found,))
    return _not_in_text(workspace, read, read.document_id)


def _unknown(workspace: Workspace, path: str, kbs: tuple[KbId, ...]) -> TargetMissing:
    """Say why a knowledge base does not have a file at all."""
    catalog, name = workspace.catalog, PurePath(path).name
    for kb in kbs:
        if is_at_or_below_any(path, set(catalog.choices.excluded(kb))):
            what = Phrase("“{0}” was excluded from this knowledge base.", name)
            return TargetMissing(path, what, "Include it again: it is among the excluded files.")
    for base, kb in catalog.kbs.names().items():
        if kb not in kbs and catalog.files.get(kb, path) is not None:
            return _elsewhere(path, base)
    if not Path(path).exists():
        return TargetMissing(
            path,
            Phrase("There is no file “{0}” there.", name),
            "Check how its path is written.",
        )
    if Path(path).is_dir():
        return TargetMissing(
            path, Phrase("“{0}” is a folder.", name), "Name one of the files in it."
        )
    for kb in kbs:
        if any(is_at_or_below(path, source.path) for source in catalog.kbs.sources(kb)):
            what = Phrase(
                "The folder of “{0}” is followed, but this file is passed over there.", name
            )
            remedy = "Look for changes; if it stays away, its name is among the ignored ones."
            return TargetMissing(path, what, remedy)
    return TargetMissing(
        path, Phrase("“{0}” is not in this knowledge base.", name), "Add the file."
    )


def _unread(row: FileRow) -> TargetMissing:
    """Say what became of a file of which nothing was read."""
    if row.status is FileStatus.QUEUED:
        waits = Phrase("“{0}” waits to be read.", PurePath(row.path).name)
        return TargetMissing(row.path, waits, "Wait until it is read, or have it read first.")
    what, *remedy = parts_of(row.reason)
    return TargetMissing(
        row.path, what or "No text was found in the file.", joined(*remedy) or _LOOK
    )


_LOOK = "Open the file to see whether there is text in it, and read it again."


def _not_in_text(workspace: Workspace, row: FileRow, document_id: DocumentId) -> TargetMissing:
    notes = workspace.catalog.documents.notes(document_id)
    what = Phrase("These words are not in what was read of “{0}”.", PurePath(row.path).name)
    remedy = "Open its passages to see what was read; words in pictures need OCR."
    return TargetMissing(row.path, joined(what, *notes), remedy)


def _anywhere(
    workspace: Workspace, text: str, kbs: tuple[KbId, ...], token: CancelToken
) -> TargetChunks | TargetMissing:
    for document_id in _likely_first(workspace, text, kbs):
        token.check()
        if found := _with_words(workspace, document_id, text):
            paths = workspace.catalog.documents.paths([document_id], kbs)
            return TargetChunks(paths[document_id][0], (found,))
    unread = sum(_unread_files(workspace, kb) for kb in kbs)
    what = "No file that was read has these words."
    if not unread:
        return TargetMissing("", what, "Check how they are written, or add the file that has them.")
    remedy = Phrase("They may be in one of the {0} files that could not be read.", f"{unread:,}")
    return TargetMissing("", what, remedy)


def _likely_first(workspace: Workspace, text: str, kbs: tuple[KbId, ...]) -> Iterator[DocumentId]:
    """Yield every document, each once: those first that share most words with a text."""
    catalog, seen = workspace.catalog, set()
    for kb in kbs:
        hits = workspace.indexes.of(kb).lexical(text, _LIKELY)
        chunks = catalog.documents.get_chunks([chunk_id for chunk_id, _ in hits])
        likely = [chunks[each].document_id for each, _ in hits if each in chunks]
        every = [row.document_id for row in catalog.files.under(kb)]
        for document_id in (*likely, *every):
            if document_id is not None and document_id not in seen:
                seen.add(document_id)
                yield document_id


def _with_words(workspace: Workspace, document_id: DocumentId, text: str) -> StoredChunk | None:
    """Return the chunk of a document that has most of some words, however a page has set them."""
    wanted = search_pattern(text[:_LONGEST])
    documents = workspace.catalog.documents
    hit = _first_hit(documents, document_id, wanted) if wanted is not None else None
    if hit is None:
        return _with_all(documents.each_chunk(document_id), text)
    start, end = hit
    touching = (
        (min(end, each.locator.end or 0) - max(start, each.locator.start or 0), each)
        for each in documents.each_chunk(document_id)
    )
    best = max(touching, key=lambda each: each[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def _first_hit(
    documents: Documents, document_id: DocumentId, wanted: re.Pattern[str]
) -> tuple[int, int] | None:
    """Return where a text has some words first; it is read stretch by stretch."""
    start = 0
    while text := documents.text(document_id, start, start + _STRETCH + _LONGEST_HIT):
        hit = wanted.search(text)
        if hit is not None and hit.start() < _STRETCH:
            return start + hit.start(), start + hit.end()
        start += _STRETCH
    return None


def _with_all(chunks: Iterable[StoredChunk], text: str) -> StoredChunk | None:
    """Return the first chunk that has every one of some words, wherever they stand in it."""
    wanted = set(search_terms(text))
    has_all = (each for each in chunks if wanted <= set(search_terms(each.text)))
    return next(has_all, None) if len(wanted) > 1 else None


def _unread_files(workspace: Workspace, kb: KbId) -> int:
    read = (FileStatus.READY, FileStatus.EMPTY, FileStatus.UNSUPPORTED)
    counts = workspace.catalog.files.counts(kb)
    return sum(count for status, count in counts.items() if status not in read)
