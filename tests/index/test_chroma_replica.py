"""Chroma holds a copy of every knowledge base, which follows the catalog in the background."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileStamp
from desktop_rag.core.errors import Cancelled, UserError
from desktop_rag.core.types import ChunkId, KbId, VectorSearch
from desktop_rag.index import chroma_replica, replica_feeder
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.chroma_process import ChromaFolder
from desktop_rag.index.flat import NearestChunks
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.manifest import IndexFolder
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from testing.timeouts import eventually
from tests.catalog.stored_documents import (
    IDENTITY,
    bytes_hold,
    document,
    many,
    put,
    vector,
)
from tests.conftest import REPOSITORY
from tests.index.index_checks import assert_complete, chroma_process, fed, half, opened

_LIMIT = 60


def small(home: Path, catalog: Catalog, exact_upto: int = _LIMIT) -> IndexManager:
    return IndexManager(home, catalog, IDENTITY, exact_upto=exact_upto, process=chroma_process())


def no_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search that compares every vector fail: Chroma has to answer."""
    monkeypatch.setattr("desktop_rag.index.knowledge_base_index.nearest_in_blocks", None)


def test_a_small_knowledge_base_is_held_and_not_asked(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 40))
    indexes.of(kb).sync()
    assert indexes.of(kb).replica.state().behind == 40
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    state = indexes.of(kb).replica.state()
    assert (state.vectors, state.held, state.behind, state.recall) == (40, 40, 0, 1.0)
    monkeypatch.setattr(ChromaFolder, "nearest", None)
    assert len(indexes.of(kb).dense(vector("x"), 50).hits) == 40
    indexes.close()


def test_a_search_of_a_small_one_starts_no_process_and_imports_no_chroma(home: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "import psutil\n"
        "from desktop_rag.catalog.facade import Catalog\n"
        "from desktop_rag.index.indexes import IndexManager\n"
        "from tests.catalog.stored_documents import IDENTITY, many, put, vector\n"
        "catalog = Catalog.open(Path(sys.argv[1]))\n"
        "kb = catalog.kbs.ensure('default').id\n"
        "indexes = IndexManager(Path(sys.argv[1]), catalog, IDENTITY)\n"
        "indexes.open_all()\n"
        "put(catalog, kb, '/d/a', many('a', 40))\n"
        "indexes.of(kb).sync()\n"
        "indexes.of(kb).replica.feed()\n"
        "indexes.close()\n"
        "indexes = IndexManager(Path(sys.argv[1]), catalog, IDENTITY)\n"
        "indexes.open_all()\n"
        "assert len(indexes.of(kb).dense(vector('x'), 50).hits) == 40\n"
        "assert indexes.of(kb).replica.state().behind == 0\n"
        "children = psutil.Process().children()\n"
        "assert not [each for each in children if 'spawn_main' in ' '.join(each.cmdline())]\n"
        "indexes.close()\n"
        "assert 'chromadb' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(home)], check=True, cwd=REPOSITORY, timeout=60)


def test_one_that_grows_over_the_limit_is_answered_by_chroma_in_the_same_order(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog)
    for name in "ab":
        put(catalog, kb, f"/d/{name}", many(name, 40))
        indexes.of(kb).sync()
    compared = indexes.of(kb).dense(vector("x"), 200)
    wanted = compared.hits
    assert (len(wanted), compared.by) == (80, VectorSearch.EXACT)
    fed(indexes, kb)
    with monkeypatch.context() as only_chroma:
        no_comparison(only_chroma)
        assert indexes.of(kb).dense(vector("x"), 200) == NearestChunks(wanted, VectorSearch.CHROMA)
        assert indexes.of(kb).dense(vector("x"), 7).hits == wanted[:7]
    indexes.close()
    again = small(home, catalog)
    fed(again, kb)  # on a busy machine a process that only begins is not waited for
    no_comparison(monkeypatch)
    assert again.of(kb).dense(vector("x"), 200).hits == wanted
    again.close()


def test_what_chroma_was_not_told_of_is_found_and_what_went_is_not(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 90))
    indexes.of(kb).sync()
    fed(indexes, kb)
    put(catalog, kb, "/d/b", many("b", 10))
    first = put(catalog, kb, "/d/c", document("plums"))
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/d", many("d", 70))
    indexes.of(kb).sync()
    assert indexes.of(kb).replica.state().behind == 171
    ((found, _),) = indexes.of(kb).dense(vector("plums"), 5, {first}).hits
    assert catalog.documents.get_chunks([found])[found].text == "plums"
    no_comparison(monkeypatch)
    ids = set(catalog.documents.chunk_ids(kb))
    assert {n for n, _ in indexes.of(kb).dense(vector("x"), 500).hits} == ids
    indexes.close()


def test_a_filter_of_few_chunks_has_them_compared_and_one_of_many_has_chroma_asked(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.index.knowledge_base_index._FEW", 40)
    indexes = small(home, catalog)
    few, other = (put(catalog, kb, f"/d/{name}", many(name, 40)) for name in "ab")
    elsewhere = put(catalog, catalog.kbs.create("other").id, "/d/c", many("c", 40))
    indexes.of(kb).sync()
    fed(indexes, kb)
    found = indexes.of(kb).dense(vector("x"), 200, {few, elsewhere})
    assert (len(found.hits), found.by) == (40, VectorSearch.EXACT)
    assert {each for each, _ in found.hits} == {
        each.chunk_id for each in catalog.documents.chunks(few)
    }
    no_comparison(monkeypatch)
    both = indexes.of(kb).dense(vector("x"), 200, {few, other})
    assert (len(both.hits), both.by) == (80, VectorSearch.CHROMA)
    indexes.close()


def test_feeding_that_is_stopped_goes_on_where_it_was(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 900))
    indexes.of(kb).sync()
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 4:
            raise Cancelled

    with pytest.raises(Cancelled):
        indexes.of(kb).replica.feed(check)
    state = indexes.of(kb).replica.state()
    assert 0 < state.held < 900
    assert state.behind == 900 - state.held
    made = half(home, kb, "dense")
    assert len(indexes.of(kb).dense(vector("x"), 1000).hits) == 900
    indexes.close()
    indexes = small(home, catalog)
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    assert half(home, kb, "dense") == made
    indexes.close()


def test_what_changes_while_it_is_fed_is_there_once_and_waits_for_nobody(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 700))
    indexes.of(kb).sync()
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            put(catalog, kb, "/d/d", many("d", 90))
            catalog.files.remove(kb, ["/d/a"])
            indexes.of(kb).sync()
            indexes.of(kb).purge()

    indexes.of(kb).replica.feed(check)
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    assert len(catalog.documents.chunk_ids(kb)) == 90
    assert bytes_hold(half(home, kb, "dense"), "a passage number") == []
    assert_complete(catalog, indexes, kb)
    indexes.close()


@pytest.mark.parametrize("end", ["drop", "close"])
def test_a_base_that_is_dropped_or_closed_while_it_is_fed(
    catalog: Catalog, kb: KbId, home: Path, end: str
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 700))
    indexes.of(kb).sync()
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 3 and end == "drop":
            catalog.kbs.delete("default")
            indexes.of(kb).drop()
        elif looks == 3:
            indexes.of(kb).close()

    indexes.of(kb).replica.feed(check)
    if end == "drop":
        assert not (home / "indexes" / str(kb)).exists()
    else:
        assert_complete(catalog, indexes, kb)
    indexes.close()


def test_a_moved_file_is_under_its_new_path_there(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = small(home, catalog)
    new = document("apples", "pears")
    put(catalog, kb, "/d/a.pdf", new)
    put(catalog, kb, "/d/b.pdf", new)
    indexes.of(kb).sync()
    fed(indexes, kb)
    catalog.files.move(kb, "/d/a.pdf", "/e/c.pdf", FileStamp(1, 1, new.content_hash))
    indexes.of(kb).sync()
    fed(indexes, kb)
    assert {each["path"] for each in metadata(home, kb, indexes)} == {"/e/c.pdf"}
    indexes = small(home, catalog)
    catalog.files.remove(kb, ["/e/c.pdf"])
    indexes.of(kb).sync()
    fed(indexes, kb)
    assert {each["path"] for each in metadata(home, kb, indexes)} == {"/d/b.pdf"}


def metadata(home: Path, kb: KbId, indexes: IndexManager) -> list[dict[str, Any]]:
    """What any program finds in a copy of the folder, as Chroma's own client reads it."""
    indexes.close()
    folder = home.parent / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(half(home, kb, "dense"), folder)
    store = ChromaIndex.in_folder(folder)
    found: list[dict[str, Any]] = store._collection.get(include=["metadatas"])["metadatas"]
    store.close()
    return found


def test_another_program_reads_passages_with_text_path_and_page(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/fruit.pdf", document("apples are red", "pears are green", title="Fruit"))
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    shutil.copytree(half(home, kb, "dense"), home / "copy")
    code = (
        "import json, sys, chromadb\n"
        "collection = chromadb.PersistentClient(sys.argv[1]).get_collection('chunks')\n"
        "asked = json.loads(sys.argv[2])\n"
        "print(json.dumps(collection.query(query_embeddings=[asked], n_results=1)))\n"
    )
    asked = json.dumps(vector("pears are green").tolist())
    done = subprocess.run(
        [sys.executable, "-c", code, str(home / "copy"), asked],
        capture_output=True,
        text=True,
        check=True,
        env={"ANONYMIZED_TELEMETRY": "False"},
    )
    found = json.loads(done.stdout)
    assert found["documents"] == [["pears are green"]]
    ((place,),) = found["metadatas"]
    assert (place["path"], place["page"], place["title"]) == ("/d/fruit.pdf", 2, "Fruit")
    assert found["distances"][0][0] == pytest.approx(0.0, abs=1e-3)


def test_text_that_was_removed_is_in_no_file_of_the_indexes(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("quincesecret", 40))
    put(catalog, kb, "/d/b", many("b", 1200))
    indexes.of(kb).sync()
    fed(indexes, kb)
    assert bytes_hold(home / "indexes", "quincesecret")
    catalog.files.remove(kb, ["/d/a"])
    indexes.of(kb).sync()
    indexes.of(kb).purge()
    assert bytes_hold(home / "indexes", "quincesecret") == []
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_a_folder_of_which_nothing_can_be_erased_is_deleted(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("quincesecret", 40))
    put(catalog, kb, "/d/b", many("b", 20))
    indexes.of(kb).sync()
    fed(indexes, kb)
    catalog.files.remove(kb, ["/d/a"])
    indexes.of(kb).sync()
    with monkeypatch.context() as broken:

        def refuse(_: object) -> None:
            raise UserError("No.")

        broken.setattr(ChromaFolder, "erase_deleted", refuse)
        indexes.of(kb).purge()
    assert bytes_hold(home / "indexes", "quincesecret") == []
    assert indexes.of(kb).replica.state().behind == 20
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_a_folder_of_an_older_version_is_made_anew_while_it_answers(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    """Version 0.2 held vectors alone, of large bases, and named the folder beside tantivy's."""
    indexes = small(home, catalog, exact_upto=0)
    put(catalog, kb, "/d/a", many("a", 40))
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    folder = home / "indexes" / str(kb)
    old = half(home, kb, "dense")
    used = json.loads((folder / "in-use.json").read_text())
    (folder / "in-use.json").write_text(json.dumps(used | {"dense": old.name, "server": ""}))
    (folder / "sealed.json").write_text(json.dumps({"half": old.name, "files": {}}))
    for name in ("chroma.json", "chroma-sealed.json"):
        (folder / name).unlink()
    catalog.outbox.unfollow(kb, Reader.VECTORS)
    indexes = small(home, catalog, exact_upto=0)
    assert indexes.open_all() == {}
    assert len(indexes.of(kb).dense(vector("x"), 50).hits) == 40
    assert indexes.of(kb).replica.state().behind == 40
    assert fed(indexes, kb).count() == 40
    assert half(home, kb, "dense") != old
    indexes.close()


def test_a_form_of_another_version_is_made_anew(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 10))
    indexes.of(kb).sync()
    fed(indexes, kb)
    before = half(home, kb, "dense")
    indexes.close()
    monkeypatch.setattr(chroma_replica, "_FORM", 99)
    indexes = small(home, catalog)
    assert indexes.of(kb).replica.state().behind == 10
    assert fed(indexes, kb).count() == 10
    assert half(home, kb, "dense") != before
    indexes.close()


def test_an_outbox_of_another_catalog_is_not_trusted(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    """As after a copy of the catalog was put back: its numbers may name other chunks."""
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 10))
    indexes.of(kb).sync()
    fed(indexes, kb)
    before = half(home, kb, "dense")
    catalog.outbox.unfollow(kb, Reader.VECTORS)
    assert fed(indexes, kb).count() == 10
    assert half(home, kb, "dense") != before
    indexes.close()


def test_the_outbox_is_kept_for_who_has_not_read_it_and_no_longer(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 10))
    indexes.of(kb).sync()
    assert catalog.outbox.pending(kb, Reader.VECTORS) == []  # nobody follows yet
    fed(indexes, kb)
    put(catalog, kb, "/d/b", many("b", 5))
    indexes.of(kb).sync()
    assert catalog.outbox.count(kb, Reader.WORDS) == 0
    assert catalog.outbox.count(kb, Reader.VECTORS) == 5
    fed(indexes, kb)
    assert catalog.outbox.count(kb, Reader.VECTORS) == 0
    rows = catalog.database.read().execute("SELECT count(*) FROM outbox").fetchone()
    assert rows[0] == 0
    indexes.close()


def test_recall_is_measured_and_where_it_is_low_more_is_asked_for(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = small(home, catalog, exact_upto=0)
    put(catalog, kb, "/d/a", many("a", 300))
    indexes.of(kb).sync()
    wanted = indexes.of(kb).dense(vector("x"), 50).hits
    nearest = ChromaFolder.nearest

    def lossy(self: ChromaFolder, asked: Any, k: int, *more: Any) -> Any:
        """A graph that misses each fifth of the nearest, unless it is asked for many."""
        hits = nearest(self, asked, k, *more)
        return hits if k >= 150 else [hit for n, hit in enumerate(hits) if n % 5]

    monkeypatch.setattr(ChromaFolder, "nearest", lossy)
    fed(indexes, kb)
    state = indexes.of(kb).replica.state()
    assert state.recall == pytest.approx(1.0, abs=0.01)
    no_comparison(monkeypatch)
    assert indexes.of(kb).dense(vector("x"), 50).hits == wanted
    monkeypatch.setattr(ChromaFolder, "nearest", lambda *_: [(ChunkId(1), 0.0)])
    put(catalog, kb, "/d/b", many("b", 100))
    indexes.of(kb).sync()
    indexes.of(kb).replica.feed()
    assert indexes.of(kb).replica.state().recall == pytest.approx(1 / 50, abs=0.02)
    indexes.close()


def test_check_compares_every_id(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = small(home, catalog)
    put(catalog, kb, "/d/a", many("a", 30))
    indexes.of(kb).sync()
    handle = fed(indexes, kb)
    assert indexes.of(kb).replica.check() is None
    ids = catalog.documents.chunk_ids(kb)
    handle.delete(ids[:1])
    wanted = IndexProblem(IndexProblemCode.VECTORS_INCOMPLETE, 29, 30)
    assert indexes.of(kb).replica.check() == wanted
    assert indexes.of(kb).replica.is_behind()
    assert fed(indexes, kb).count() == 30
    handle.delete(ids[:1])
    (record,) = catalog.embeddings.records(kb, IDENTITY.fingerprint, ids[:1])
    handle.add([chroma_record(record, 9999)])
    assert indexes.of(kb).replica.check() == IndexProblem(IndexProblemCode.VECTORS_DIFFER)
    assert_complete(catalog, indexes, kb)
    indexes.close()


def chroma_record(record: Any, number: int) -> Any:
    """The same under another number."""
    return type(record)(
        ChunkId(number), record.document_id, np.asarray(record.vector), record.text, record.metadata
    )


def test_the_feeder_feeds_in_the_background_and_then_lets_the_process_end(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_feeder, "_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(replica_feeder, "_IDLE_SECONDS", 0.3)
    indexes = IndexManager(home, catalog, IDENTITY)
    put(catalog, kb, "/d/a", many("a", 30))
    indexes.of(kb).sync()
    assert eventually(lambda: indexes.of(kb).replica.state().behind == 0)
    assert eventually(lambda: indexes._process._process is None)
    assert (home / "indexes" / str(kb) / "chroma-sealed.json").exists()
    put(catalog, kb, "/d/b", many("b", 30))
    indexes.of(kb).sync()
    assert eventually(lambda: indexes.of(kb).replica.state().held == 60)
    indexes.close()


def test_an_empty_base_needs_no_folder(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = opened(home, catalog)
    indexes.of(kb).sync()
    assert not indexes.of(kb).replica.is_behind()
    indexes.of(kb).replica.feed()
    assert IndexFolder(home / "indexes" / str(kb)).load_chroma() is None
    indexes.close()
