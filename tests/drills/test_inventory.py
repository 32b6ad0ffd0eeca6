"""What a census has Chroma asked for: its answers, whichever vectors a sound graph leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import VectorSearch
from desktop_rag.index import flat
from desktop_rag.index.flat import Hits
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.index.vector_file import VectorFile
from desktop_rag.workspace import Workspace
from testing.narrowing import present
from tests.catalog.stored_documents import IDENTITY, MODEL, many, put, vector
from tests.drills.inventory import _complete

QUESTION = vector("question")


@pytest.fixture
def space(tmp_path: Path) -> Iterator[SimpleNamespace]:
    """A knowledge base of 30 chunks."""
    catalog = Catalog.open(tmp_path)
    put(catalog, catalog.kbs.ensure("default").id, "/d/a", many("a", 30))
    indexes = IndexManager(tmp_path, catalog, IDENTITY, exact_upto=0)
    indexes.open_all()
    indexes.of(catalog.kbs.ensure("default").id).replica.feed()
    yield SimpleNamespace(catalog=catalog, indexes=indexes)
    indexes.close()
    catalog.close()


def searched(space: SimpleNamespace) -> tuple[KnowledgeBaseIndex, Hits]:
    """Return the index, and what a comparison of every vector finds."""
    kb = space.catalog.kbs.ensure("default").id
    return space.indexes.of(kb), flat.nearest_in_blocks(
        space.catalog.embeddings.blocks(kb, MODEL), QUESTION, 20
    )


def leave_out(monkeypatch: pytest.MonkeyPatch, index: KnowledgeBaseIndex, hits: Hits) -> list[int]:
    """Let Chroma's graph miss some vectors; return, for each question asked, how many it found."""
    ask, found, missed = index.replica.nearest, [], dict(hits)

    def less(model: str, question: Any, k: int, documents: Any = None) -> Any:
        hits = present(ask(model, question, k + len(missed), documents))
        rest = [hit for hit in hits if hit[0] not in missed]
        found.append(len(rest[:k]))
        return rest[:k]

    monkeypatch.setattr(index.replica, "nearest", less)
    return found


def test_a_vector_that_the_graph_misses_changes_no_answer(
    space: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, wanted = searched(space)
    found = leave_out(monkeypatch, index, wanted[3:4])
    short = _complete(cast("Workspace", space))
    hits = index.dense(QUESTION, 20).hits
    assert found == [20]
    assert [chunk for chunk, _ in hits] == [chunk for chunk, _ in wanted]
    assert [s for _, s in hits] == pytest.approx([s for _, s in wanted], abs=1e-5)
    assert not short


def test_a_graph_that_misses_many_is_told_of(
    space: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, wanted = searched(space)
    leave_out(monkeypatch, index, wanted[:5])
    monkeypatch.setattr(VectorFile, "knows_nearer", lambda *_: False)
    short = _complete(cast("Workspace", space))
    index.dense(QUESTION, 20)
    assert short == ["default: Chroma misses 5 of 20 vectors"]


def test_where_the_search_itself_sees_that_many_are_missed_nothing_is_told(
    space: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, wanted = searched(space)
    index.feed()
    leave_out(monkeypatch, index, wanted[:5])
    short = _complete(cast("Workspace", space))
    found = index.dense(QUESTION, 20)
    assert (found.hits, found.by) == (wanted, VectorSearch.EXACT)
    assert not short


def test_what_chroma_scores_otherwise_stays_so(
    space: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, wanted = searched(space)
    monkeypatch.setattr(
        index.replica, "nearest", lambda *_: [(chunk, s - 0.1) for chunk, s in wanted]
    )
    _complete(cast("Workspace", space))
    assert index.dense(QUESTION, 20).hits[0][1] == pytest.approx(wanted[0][1] - 0.1)
