"""Looks at a knowledge base's indexes: what they find, and whether that is all."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.index.indexes import IndexManager
from tests.catalog.stored_documents import DIMENSIONS, MODEL, vector


def opened(home: Path, catalog: Catalog, model: str = MODEL) -> IndexManager:
    """Indexes of which Chroma is asked, however small they are."""
    return IndexManager(home, catalog, ModelIdentity(model, DIMENSIONS), exact_upto=0)


def half(home: Path, kb: KbId, name: str) -> Path:
    """The one folder in use of a half."""
    (found,) = (home / "indexes" / str(kb)).glob(f"{name}-*")
    return found


def first_text(catalog: Catalog, indexes: IndexManager, kb: KbId, query: str) -> str:
    hits = indexes.of(kb).lexical(query, 1)
    return catalog.documents.get_chunks([hits[0][0]])[hits[0][0]].text if hits else ""


def nearest_text(catalog: Catalog, indexes: IndexManager, kb: KbId, text: str) -> str:
    hits = indexes.of(kb).dense(vector(text), 1)
    return catalog.documents.get_chunks([hits[0][0]])[hits[0][0]].text if hits else ""


def assert_complete(catalog: Catalog, indexes: IndexManager, kb: KbId) -> None:
    """Every chunk is found by its own vector and by its own words, and nothing else is."""
    ids = set(catalog.documents.ids(kb))
    assert {i for i, _ in indexes.of(kb).dense(vector("x"), len(ids) + 10)} == ids
    for chunk in catalog.documents.get_chunks(list(ids)[::17]).values():
        assert nearest_text(catalog, indexes, kb, chunk.text) == chunk.text
        assert first_text(catalog, indexes, kb, chunk.text) == chunk.text
    assert indexes.of(kb).check() is None
