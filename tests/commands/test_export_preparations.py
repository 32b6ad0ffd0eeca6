"""What was derived from documents goes with an exported knowledge base, and is checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_rag.core.catalog_records import NewDerivedText, PreparedStep
from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import PrepareRequest
from desktop_rag.core.types import DocumentId
from desktop_rag.workspace import Workspace
from tests.commands.export_files import (
    Parts,
    documents,
    done,
    dump,
    exported,
    imported,
    indexed,
    opened,
    packed,
    parts_of,
    with_fields,
)

WAY = "hypothetical_questions"
PREPARATIONS, PREPARED, DERIVED = "preparations.jsonl", "prepared.jsonl", "derived.jsonl"


def tree(workspace: Workspace) -> None:
    """Derive a tree of two levels from the longest document, as by a way of a newer version."""
    catalog = workspace.catalog
    kb = catalog.kbs.get("default").id
    catalog.preparations.request(kb, "tree")
    read = catalog.database.read()
    (number,) = read.execute(
        "SELECT id FROM documents ORDER BY chunk_count DESC, id LIMIT 1"
    ).fetchone()
    document = DocumentId(number)
    chunks = [each.chunk_id for each in catalog.documents.chunks(document)]
    leaves = [NewDerivedText(f"leaf {n}", (chunk,), 1) for n, chunk in enumerate(chunks)]
    step = PreparedStep(document, "tree", "tree:1:", 0, 1, is_done=False)
    made = catalog.preparations.store(step, leaves, None, "")
    assert made is not None
    top = NewDerivedText("top", tuple(chunks), 2, tuple(made))
    last = PreparedStep(document, "tree", "tree:1:", 1, 2, is_done=True)
    assert catalog.preparations.store(last, [top], None, "")


def derived(workspace: Workspace) -> list[tuple[Any, ...]]:
    """What is derived, by contents instead of numbers."""
    read = workspace.catalog.database.read()
    rows = read.execute(
        "SELECT content_hash, way, level, derived_texts.text, (SELECT group_concat(ordinal) FROM "
        "(SELECT ordinal FROM derived_sources JOIN chunks ON chunks.id = chunk_id "
        "WHERE derived_id = derived_texts.id ORDER BY ordinal)), (SELECT count(*) FROM "
        "derived_children WHERE parent_id = derived_texts.id) FROM derived_texts "
        "JOIN documents ON documents.id = document_id ORDER BY 1, 2, 3, 4"
    )
    return list(rows.fetchall())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Workspace]]:
    folder = tmp_path_factory.mktemp("good")
    with opened(folder / "home") as (workspace, _):
        indexed(workspace, documents(folder / "docs"))
        done(workspace, PrepareRequest("default", WAY, model=""))
        tree(workspace)
        exported(workspace, folder / "good.ragkb")
        yield folder / "good.ragkb", workspace


def test_what_was_derived_is_there_again_and_only_its_vectors_are_made(
    good: tuple[Path, Workspace], tmp_path: Path
) -> None:
    file, before = good
    with opened(tmp_path / "home") as (workspace, counting):
        imported(workspace, file)
        assert derived(workspace) == derived(before)
        kb = workspace.catalog.kbs.get("default").id
        assert {each.way for each in workspace.catalog.preparations.all(kb)} == {WAY, "tree"}
        done(workspace, PrepareRequest("default", action="resume"))
        texts = [row[3] for row in derived(workspace) if row[1] == WAY]
        assert sorted(counting.embedded) == sorted(texts)
        assert derived(workspace) == derived(before), "nothing is derived anew"
        exported(workspace, tmp_path / "back.ragkb")
        again, first = parts_of(tmp_path / "back.ragkb"), parts_of(file)
        assert {name: again[name] for name in (PREPARATIONS, PREPARED, DERIVED)} == {
            name: first[name] for name in (PREPARATIONS, PREPARED, DERIVED)
        }


CHANGES: dict[str, Callable[[Parts], Parts]] = {
    "a way twice": lambda parts: (
        parts | {PREPARATIONS: parts[PREPARATIONS].splitlines(True)[0] * 2}
    ),
    "a way that is none": with_fields(PREPARATIONS, way="../way"),
    "a document that is not there": with_fields(PREPARED, document=99),
    "a way that is not asked for": with_fields(PREPARED, way="other"),
    "fewer texts": with_fields(PREPARED, texts=0),
    "more texts": with_fields(PREPARED, texts=1 << 20),
    "a chunk that is not there": with_fields(DERIVED, sources=[99]),
    "no chunk": with_fields(DERIVED, sources=[]),
    "a child that comes later": with_fields(DERIVED, children=[0]),
    "an empty text": with_fields(DERIVED, text=""),
    "another field": with_fields(DERIVED, more=1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_file_is_refused_with_no_trace(
    good: tuple[Path, Workspace], tmp_path: Path, change: Callable[[Parts], Parts]
) -> None:
    file, workspace = good
    after = change(parts_of(file))
    assert after != parts_of(file)
    before = dump(workspace)
    with pytest.raises(UserError, match="damaged"):
        imported(workspace, packed(tmp_path / "bad.ragkb", after), "other")
    assert dump(workspace) == before


def test_an_export_of_the_form_before_is_read(good: tuple[Path, Workspace], tmp_path: Path) -> None:
    parts = parts_of(good[0])
    manifest = json.loads(parts["manifest.json"])
    manifest["format"] = 3
    for member in (PREPARATIONS, PREPARED, DERIVED, "adaptation.jsonl"):
        del parts[member], manifest["counts"][member]
    parts["manifest.json"] = json.dumps(manifest).encode()
    with opened(tmp_path / "home") as (workspace, _):
        imported(workspace, packed(tmp_path / "old.ragkb", parts))
        assert workspace.catalog.kbs.get("default").chunks > 0
        assert derived(workspace) == []
        vectors = workspace.catalog.preparations.vectors(
            workspace.catalog.kbs.get("default").id, WAY, "any"
        )
        assert [np.shape(each) for block in vectors for each in block] == []
