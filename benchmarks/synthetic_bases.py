"""Knowledge bases of a given size, made without parsing or embedding.

Texts are made from a corpus's sentences in new combinations; their vectors are those of real
sentences, each moved by the difference of two others, because embedding 100,000 texts is not what
is measured here. So they spread as real ones do: an index of neighbours finds its way among random
directions less well.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewChunk, NewDocument
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import BlockKind, KbId, Locator, LocatorKind
from desktop_rag.workspace import Workspace

_SAMPLE = 4000  # real sentences whose vectors the others lie around
_MOVED = 0.5  # of a difference: to a cosine of about 0.85
_PER_DOCUMENT = 50
_WORDS = 150


@dataclass(frozen=True, slots=True)
class Base:
    """What is in it: `chunks` made from `passages` (JSON lines), asked `queries` times."""

    chunks: int
    passages: Path | None
    queries: int


@dataclass(frozen=True, slots=True)
class Material:
    """What chunks are made of: sentences, and the unit vectors of some of them."""

    sentences: list[str]
    centres: npt.NDArray[np.float32]


def made(base: Base, folder: Path) -> None:
    """Make a data folder that holds such a base, indexes and all, unless it is there already."""
    if (folder / "catalog.sqlite").is_file():
        return
    workspace = open_workspace(folder, Settings())
    try:
        kb = workspace.catalog.kbs.ensure("default").id
        fill(workspace, kb, base.chunks, material(workspace, base))
        workspace.indexes.of(kb).sync()
    finally:
        workspace.close()


def material(workspace: Workspace, base: Base) -> Material:
    """Read the sentences that texts are made of, and embed some."""
    sentences = sentences_of(base.passages)
    some = random.Random(3).choices(sentences, k=min(_SAMPLE, base.chunks))
    return Material(sentences, workspace.models.embedder.embed(some))


def sentences_of(passages: Path | None) -> list[str]:
    """Return sentences of at least six words."""
    if passages is None:
        samples = Path(__file__).resolve().parent.parent / "resources" / "samples"
        texts = [path.read_text(encoding="utf-8") for path in samples.glob("*.md")]
    else:
        opened = gzip.open if passages.suffix == ".gz" else open
        with opened(passages, "rt", encoding="utf-8") as lines:
            texts = [json.loads(line)["text"] for line in lines]
    found = [each.strip() for text in texts for each in text.replace("\n", " ").split(". ")]
    return [each for each in found if len(each.split()) >= 6]


def fill(workspace: Workspace, kb: KbId, chunks: int, material: Material) -> None:
    """Put so many chunks into the catalog, in documents of fifty."""
    chance, spread = random.Random(7), np.random.default_rng(7)
    fingerprint = workspace.models.embedder.fingerprint
    for number in range(chunks // _PER_DOCUMENT):
        texts = [made_text(chance, material.sentences) for _ in range(_PER_DOCUMENT)]
        made = tuple(_chunks(number, texts))
        vectors = _around(material.centres, spread, len(made))
        by_key = {chunk.embed_key: vector for chunk, vector in zip(made, vectors, strict=True)}
        title, name = f"Document {number}", f"hash{number}"
        new = NewDocument(name, "bench", title, "\n\n".join(texts), 1, (), made)
        read = FileRead(kb, f"/bench/{number}.txt", FileStamp(1, number, name))
        workspace.catalog.documents.store(read, new, by_key, fingerprint)


def made_text(chance: random.Random, sentences: list[str], least: int = _WORDS) -> str:
    """Return a text of so many words."""
    words: list[str] = []
    while len(words) < least:
        words += [*chance.choice(sentences).split(), "."]
    return " ".join(words[:least])


def _chunks(document: int, texts: list[str]) -> Iterator[NewChunk]:
    start = 0
    for ordinal, text in enumerate(texts):
        span = (start, start + len(text))
        place = Locator(LocatorKind.LINE, ordinal + 1, *span)
        key, context = f"{document}-{ordinal}", f"Document {document}"
        yield NewChunk(ordinal, BlockKind.TEXT, text, context, "", place, span, key)
        start = span[1] + 2


def _around(
    centres: npt.NDArray[np.float32], spread: np.random.Generator, count: int
) -> npt.NDArray[np.float16]:
    """Return the vectors of randomly chosen sentences, moved as others differ, at length 1."""
    first, second, third = (centres[spread.integers(len(centres), size=count)] for _ in range(3))
    moved = first + _MOVED * (second - third)
    units: npt.NDArray[np.float32] = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    return units.astype(np.float16)
