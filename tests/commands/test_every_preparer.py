"""What a user does with a prepared knowledge base, for each way there is of preparing one.

No language model: what is derived is made by rules and by the built-in models.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import prepare
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.events import IndexProgress, ListingRow
from desktop_rag.core.requests import PrepareRequest, RemoveRequest
from desktop_rag.core.settings import Settings
from desktop_rag.preparation.registry import PREPARERS
from desktop_rag.workspace import Workspace
from tests.commands.export_files import done, exported, imported, indexed
from tests.preparation.tree_setup import pages

KB = "default"
WAYS = [kind.name for kind in PREPARERS]
SALES = "region,month,sales\n" + "".join(
    f"{region},{month},{100 + 7 * month}\n" for region in ("North", "South") for month in range(9)
)
LONG, CHINESE, TABLE = "subjects.md", "茶桥医.md", "sales.csv"
CHANGED = "# Ferries\n\nThe ferry Sula of Oslo Havn runs on electricity. “Crew” means all on board."


@contextmanager
def opened(home: Path) -> Iterator[Workspace]:
    workspace = open_workspace(home, Settings())
    try:
        yield workspace
    finally:
        workspace.close()


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Workspace]:
    """An opened data folder that has read three documents, in `tmp_path / "docs"`."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / LONG).write_text("# Subjects\n\n" + "\n\n".join(pages(24)), encoding="utf-8")
    chinese = "# 三题\n\n" + "\n\n".join(pages(12, chinese=True))
    (docs / CHINESE).write_text(chinese, encoding="utf-8")
    (docs / TABLE).write_text(SALES, encoding="utf-8")
    with opened(tmp_path / "home") as workspace:
        indexed(workspace, docs)
        yield workspace


def prepared(workspace: Workspace, way: str) -> dict[str, Any]:
    """Prepare to the end; return what there is then."""
    events = done(workspace, PrepareRequest(KB, way, model=""))
    return [each.values for each in events if isinstance(each, ListingRow)][-1]


def derived(workspace: Workspace, way: str) -> list[tuple[Any, ...]]:
    """What is derived, with what it leads to and whether it has a vector, without numbers."""
    read = workspace.catalog.database.read()
    rows = read.execute(
        "SELECT content_hash, level, derived_texts.text, (SELECT group_concat(ordinal) FROM "
        "(SELECT ordinal FROM derived_sources JOIN chunks ON chunks.id = chunk_id "
        "WHERE derived_id = derived_texts.id ORDER BY ordinal)), (SELECT count(*) FROM "
        "derived_children WHERE parent_id = derived_texts.id), EXISTS (SELECT 1 FROM "
        "derived_vectors WHERE derived_id = derived_texts.id AND fingerprint = ?) "
        "FROM derived_texts JOIN documents ON documents.id = document_id WHERE way = ? "
        "ORDER BY 1, 2, 3, 4",
        (workspace.models.embedder.fingerprint, way),
    )
    return list(rows.fetchall())


def numbers(workspace: Workspace, way: str) -> dict[str, set[int]]:
    """The numbers of derived texts by the files they were made of."""
    read = workspace.catalog.database.read()
    rows = read.execute(
        "SELECT path, derived_texts.id FROM files LEFT JOIN derived_texts "
        "ON derived_texts.document_id = files.document_id AND way = ?",
        (way,),
    )
    found: dict[str, set[int]] = {}
    for path, number in rows:
        found.setdefault(Path(path).name, set()).update([number] if number else [])
    return found


def leavings(workspace: Workspace) -> dict[str, int]:
    """How many rows there are of each table that preparing fills."""
    read = workspace.catalog.database.read()
    tables = ("derived_texts", "derived_sources", "derived_children", "derived_vectors")
    return {
        table: read.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in (*tables, "prepared_documents")
    }


@pytest.mark.parametrize("way", WAYS)
def test_a_run_that_is_stopped_again_and_again_ends_at_the_same_texts(
    space: Workspace, way: str
) -> None:
    row = prepared(space, way)
    whole = derived(space, way)
    assert (row["state"], row["prepared"], row["texts"]) == ("ready", 3, len(whole))
    assert whole
    done(space, PrepareRequest(KB, way, action="remove"))
    assert set(leavings(space).values()) == {0}
    for _ in range(200):
        try:
            stopped_at_first_progress(space, way)
        except Cancelled:
            continue
        break
    assert prepared(space, way)["state"] == "ready"
    assert derived(space, way) == whole


def stopped_at_first_progress(space: Workspace, way: str) -> None:
    """Prepare until something is stored, then stop; end without a stop where nothing is left."""
    token = CancelToken()
    for event in prepare.run(space, PrepareRequest(KB, way, model=""), token):
        if isinstance(event, IndexProgress) and event.done:
            token.cancel()


@pytest.mark.parametrize("way", WAYS)
def test_only_a_changed_file_is_prepared_anew_and_a_removed_one_takes_all(
    space: Workspace, tmp_path: Path, way: str
) -> None:
    prepared(space, way)
    before = numbers(space, way)
    (tmp_path / "docs" / CHINESE).write_text(CHANGED, encoding="utf-8")
    indexed(space, tmp_path / "docs")
    after = numbers(space, way)
    assert (after[LONG], after[TABLE]) == (before[LONG], before[TABLE])
    assert not after[CHINESE] & before[CHINESE]
    assert prepared(space, way)["state"] == "ready"
    for name in (LONG, CHINESE, TABLE):
        done(space, RemoveRequest(KB, (str(tmp_path / "docs" / name),)))
    assert set(leavings(space).values()) == {0}


@pytest.mark.parametrize("way", WAYS)
def test_an_export_carries_it_and_another_embedder_makes_vectors_only(
    space: Workspace, tmp_path: Path, way: str
) -> None:
    prepared(space, way)
    whole = derived(space, way)
    exported(space, tmp_path / "all.ragkb")
    with opened(tmp_path / "other") as other:
        imported(other, tmp_path / "all.ragkb")
        assert prepared(other, way)["state"] == "ready"
        assert derived(other, way) == whole
        kept = numbers_of_texts(other)
        with other.catalog.database.write() as tx:
            tx.execute("UPDATE derived_vectors SET fingerprint = 'another'")
        assert prepared(other, way)["state"] == "ready"
        assert derived(other, way) == whole
        assert numbers_of_texts(other) == kept, "no text was derived anew"


def numbers_of_texts(workspace: Workspace) -> list[int]:
    read = workspace.catalog.database.read()
    return [number for (number,) in read.execute("SELECT id FROM derived_texts ORDER BY id")]
