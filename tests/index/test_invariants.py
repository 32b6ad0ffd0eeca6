"""Whatever is done in whatever order: nothing is lost, doubled or left behind."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import FileStatus, KbId
from tests.catalog.stored_documents import MODEL, document, put

CONTENTS = {
    "a": document("shared", "only in a"),
    "b": document("shared", "only in b", "and this"),
    "c": document("all its own"),
}
PATHS = st.sampled_from(["/d/1", "/d/2", "/d/3"])
BASES = st.sampled_from(["one", "two"])
STAMP = FileStamp(1, 1, "h")
ACTS = st.one_of(
    st.tuples(st.just("store"), BASES, PATHS, st.sampled_from(sorted(CONTENTS))),
    st.tuples(st.just("fail"), BASES, PATHS),
    st.tuples(st.just("remove"), BASES, PATHS),
    st.tuples(st.just("enqueue"), BASES, PATHS),
    st.tuples(st.just("move"), BASES, PATHS, PATHS),
    st.tuples(st.just("delete"), BASES),
)


@contextmanager
def opened() -> Iterator[Catalog]:
    with tempfile.TemporaryDirectory() as folder:
        catalog = Catalog.open(Path(folder))
        try:
            yield catalog
        finally:
            catalog.close()


def act(catalog: Catalog, told: dict[tuple[str, str], str], what: str, *rest: str) -> None:
    """Do one thing to the catalog, and to `told`: which content each file should have."""
    base = rest[0]
    kb = catalog.kbs.ensure(base).id
    if what == "store":
        put(catalog, kb, rest[1], CONTENTS[rest[2]])
        told[base, rest[1]] = rest[2]
    elif what == "fail":
        catalog.files.record(FileRead(kb, rest[1], STAMP), FileStatus.CORRUPT, "No.")
        told.pop((base, rest[1]), None)
    elif what == "remove":
        catalog.files.remove(kb, [rest[1]])
        told.pop((base, rest[1]), None)
    elif what == "enqueue":
        catalog.files.enqueue(kb, [rest[1]])
    elif what == "move":
        known = catalog.files.get(kb, rest[1]) is not None
        catalog.files.move(kb, rest[1], rest[2], STAMP)
        if known and rest[1] != rest[2]:
            moved = told.pop((base, rest[1]), None)
            told.pop((base, rest[2]), None)
            told |= {(base, rest[2]): moved} if moved else {}
    else:
        catalog.kbs.delete(base)
        for key in [key for key in told if key[0] == base]:
            del told[key]


def replayed(catalog: Catalog, kb: KbId) -> set[int]:
    """The chunks that an index holds which was told all of the outbox, in order."""
    held: set[int] = set()
    for entry in catalog.outbox.pending(kb, Reader.WORDS, -1):
        (held.discard if entry.action == "delete" else held.add)(entry.chunk_id)
    return held


@settings(max_examples=50, deadline=None)
@example([("store", "one", "/d/1", "a"), ("move", "one", "/d/2", "/d/1")])
@example(
    [("store", "one", "/d/1", "a"), ("enqueue", "one", "/d/2"), ("move", "one", "/d/2", "/d/1")]
)
@given(st.lists(ACTS, max_size=14))
def test_the_catalog_holds_what_its_files_have_and_the_outbox_tells_it(acts: list[Any]) -> None:
    with opened() as catalog:
        told: dict[tuple[str, str], str] = {}
        for each in acts:
            act(catalog, told, *each)
        read = catalog.database.read()
        for base in catalog.kbs.all():
            contents = {told[key] for key in told if key[0] == base.name}
            ids = catalog.documents.chunk_ids(base.id)
            assert len(ids) == sum(len(CONTENTS[c].chunks) for c in contents) == base.chunks
            assert replayed(catalog, base.id) == set(ids)
            assert catalog.embeddings.ids(base.id, MODEL) == ids
        contents = set(told.values())
        keys = {chunk.embed_key for c in contents for chunk in CONTENTS[c].chunks}
        assert {row[0] for row in read.execute("SELECT embed_key FROM embeddings")} == keys
        assert read.execute("SELECT count(*) FROM documents").fetchone() == (len(contents),)
        assert read.execute("PRAGMA foreign_key_check").fetchall() == []
