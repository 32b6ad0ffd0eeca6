"""Documents, vectors and catalogs that the store's tests are told in."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewChunk, NewDocument
from desktop_rag.core.types import (
    BlockKind,
    Box,
    DocumentId,
    KbId,
    Locator,
    LocatorKind,
    ModelIdentity,
)

DIMENSIONS = 32
MODEL = "model-1"
IDENTITY = ModelIdentity(MODEL, DIMENSIONS)


def vector(text: str, model: str = MODEL) -> np.ndarray:
    """The same unit vector for the same text, every time."""
    made = np.random.default_rng(int(_hash(f"{model}{text}"), 16)).standard_normal(DIMENSIONS)
    return (made / np.linalg.norm(made)).astype(np.float32)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def vectors(new: NewDocument, model: str = MODEL) -> dict[str, np.ndarray]:
    return {c.embed_key: vector(c.text, model).astype(np.float16) for c in new.chunks}


def document(*texts: str, recipe: str = "r1", title: str = "A title") -> NewDocument:
    """A document whose chunks are these texts, one line and one page each."""
    chunks, at = [], 0
    for ordinal, text in enumerate(texts):
        end = at + len(text)
        box = Box(10.0, 20.0 + ordinal, 90.0, 30.0 + ordinal, at, end)
        chunks.append(
            NewChunk(
                ordinal=ordinal,
                kind=BlockKind.TEXT,
                text=text,
                context=title,
                section="",
                locator=Locator(LocatorKind.PAGE, ordinal + 1, at, end, (box,)),
                big=(at, end),
                embed_key=_hash(f"{title}\n{text}"),
            )
        )
        at = end + 1
    body = "\n".join(texts)
    return NewDocument(_hash(body), recipe, title, body, len(texts), (), tuple(chunks))


def put(catalog: Catalog, kb: KbId, path: str, new: NewDocument, model: str = MODEL) -> DocumentId:
    """Store a document for a file, as the indexer does."""
    read = FileRead(kb, path, FileStamp(len(new.text), 1, new.content_hash), 0.1)
    return catalog.documents.store(read, new, vectors(new, model), model)


def many(name: str, count: int) -> NewDocument:
    """A document of `count` different chunks."""
    return document(*(f"{name} passage number{n} of subject{n % 7}" for n in range(count)))


def bytes_hold(folder: Path, text: str) -> list[str]:
    """Every file below the folder whose bytes hold the text, in UTF-8."""
    wanted = text.encode()
    return [
        str(file.relative_to(folder))
        for file in sorted(folder.rglob("*"))
        if file.is_file() and wanted in file.read_bytes()
    ]
