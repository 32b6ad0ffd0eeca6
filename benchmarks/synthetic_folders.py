"""Folders with many small text files, and catalogs that have read them: nothing is embedded.

The first file is indexed for real; what the others' rows have to say is taken from it.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from benchmarks.synthetic_bases import made_text, sentences_of
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewChunk, NewDocument
from desktop_rag.core.filesystem import content_hash
from desktop_rag.core.paths import canonical
from desktop_rag.core.requests import IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import BlockKind, KbId, Locator, LocatorKind
from desktop_rag.workspace import Workspace

KB = "default"
_PER_FOLDER = 200


def write(folder: Path, files: int, words: int = 40, seed: int = 5) -> list[Path]:
    """Write so many files of so many words into subfolders; return their paths, the first first."""
    chance, sentences = random.Random(seed), sentences_of(None)
    made = []
    for number in range(files):
        path = folder / f"{number // _PER_FOLDER:03}" / f"note-{number:06}.txt"
        if number % _PER_FOLDER == 0:
            path.parent.mkdir(parents=True)
        path.write_text(f"Note {number}. {made_text(chance, sentences, words)}\n", encoding="utf-8")
        made.append(path)
    return made


def know(data_dir: Path, folder: Path, paths: list[Path]) -> None:
    """Make a data folder that follows `folder` and has read these files, indexes and all."""
    workspace = open_workspace(data_dir, Settings())
    try:
        kb = _follow(workspace, folder, paths)
        recipe = (
            workspace.catalog.database.read().execute("SELECT recipe FROM documents").fetchone()
        )
        fingerprint = workspace.models.embedder.fingerprint
        spread = np.random.default_rng(7)
        for path in paths[1:]:
            document = _document(path, str(recipe[0]))
            vector = spread.normal(size=workspace.models.embedder.dimensions)
            unit = (vector / np.linalg.norm(vector)).astype(np.float16)
            at = path.stat()
            stamp = FileStamp(at.st_size, at.st_mtime_ns, document.content_hash)
            read = FileRead(kb, canonical(path), stamp)
            by_key = {document.chunks[0].embed_key: unit}
            workspace.catalog.documents.store(read, document, by_key, fingerprint)
        workspace.indexes.of(kb).sync()
    finally:
        workspace.close()


def _follow(workspace: Workspace, folder: Path, paths: list[Path]) -> KbId:
    """Index the first file for real, and put the folder on the list of what is followed."""
    only = IndexRequest(KB, (str(paths[0]),))
    for _ in index_files.run(workspace, only, CancelToken()):
        pass
    kb = workspace.catalog.kbs.get(KB).id
    workspace.catalog.kbs.add_source(kb, canonical(folder), is_folder=True)
    return kb


def _document(path: Path, recipe: str) -> NewDocument:
    text = path.read_text(encoding="utf-8").strip()
    span = (0, len(text))
    place = Locator(LocatorKind.LINE, 1, *span)
    key = f"bench {path.name}"
    chunk = NewChunk(0, BlockKind.TEXT, text, path.stem, "", place, span, key)
    made = content_hash(str(path), CancelToken())
    return NewDocument(made, recipe, path.stem, text, None, (), (chunk,))
