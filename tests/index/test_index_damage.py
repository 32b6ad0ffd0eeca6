"""Indexes that were damaged, or left by an unclean end: seen, and mended from the catalog."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import KbId
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from testing.timeouts import eventually
from tests.catalog.stored_documents import document, many, put
from tests.index import chroma_server
from tests.index.index_checks import (
    assert_complete,
    chroma_process,
    end_process,
    fed,
    half,
    nearest_text,
    opened,
)


def _delete_graph(home: Path, kb: KbId) -> None:
    (graph,) = (p for p in half(home, kb, "dense").iterdir() if p.is_dir())
    shutil.rmtree(graph)


def _cut(home: Path, kb: KbId, pattern: str) -> None:
    (file,) = half(home, kb, "dense").rglob(pattern)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _garble_graph(home: Path, kb: KbId) -> None:
    """What makes Chroma 1.5.9 end its process with a segmentation fault."""
    (file,) = half(home, kb, "dense").rglob("data_level0.bin")
    file.write_bytes(os.urandom(file.stat().st_size))


def _cut_metadata(home: Path, kb: KbId) -> None:
    _cut(home, kb, "index_metadata.pickle")


def _cut_vectors(home: Path, kb: KbId) -> None:
    _cut(home, kb, "data_level0.bin")


def _cut_database(home: Path, kb: KbId) -> None:
    _cut(home, kb, "chroma.sqlite3")


def _delete_metadata(home: Path, kb: KbId) -> None:
    (file,) = half(home, kb, "dense").rglob("index_metadata.pickle")
    file.unlink()


def _delete_dense(home: Path, kb: KbId) -> None:
    shutil.rmtree(half(home, kb, "dense"))


def _delete_words(home: Path, kb: KbId) -> None:
    shutil.rmtree(half(home, kb, "lexical"))


def _cut_words(home: Path, kb: KbId) -> None:
    (file,) = half(home, kb, "lexical").glob("*.term")
    file.write_bytes(file.read_bytes()[:10])


def _name_a_function(home: Path, kb: KbId) -> None:
    folder = half(home, kb, "dense")
    chroma_server.forge(
        folder, chroma_server.forged_schemas(chroma_server.schema_of(folder))["vectors"]
    )


def _forget_what_is_in_use(home: Path, kb: KbId) -> None:
    (home / "indexes" / str(kb) / "in-use.json").write_text("{")


def _delete_everything(home: Path, kb: KbId) -> None:
    shutil.rmtree(home / "indexes" / str(kb))


TO_CHROMA = [
    _delete_graph,
    _cut_metadata,
    _cut_vectors,
    _cut_database,
    _delete_metadata,
    _delete_dense,
    _name_a_function,
]
TO_WORDS = [_delete_words, _cut_words, _forget_what_is_in_use, _delete_everything]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cleanly closed data folder whose vectors have reached Chroma's graph (1,000 and more)."""
    home = tmp_path_factory.mktemp("filled") / "home"
    catalog = Catalog.open(home)
    kb = catalog.kbs.ensure("default").id
    put(catalog, kb, "/d/a", many("a", 1100))
    indexes = opened(home, catalog)
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    catalog.close()
    return home


def mended(
    home: Path, filled: Path, damage: Callable[[Path, KbId], None], *, is_clean: bool
) -> tuple[IndexProblem | None, bool]:
    """Damage a copy of the folder, open it; return what was wrong, and if Chroma's was kept."""
    shutil.copytree(filled, home)
    catalog = Catalog.open(home)
    kb = catalog.kbs.get("default").id
    before = half(home, kb, "dense")
    damage(home, kb)
    if not is_clean:
        for seal in (home / "indexes" / str(kb)).glob("*sealed.json"):
            seal.unlink()
    indexes = opened(home, catalog)
    found = indexes.open_all()
    text = "a passage number7 of subject0"
    assert nearest_text(catalog, indexes, kb, text) == text
    assert_complete(catalog, indexes, kb)
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    is_kept = half(home, kb, "dense") == before
    indexes.close()
    catalog.close()
    return found.get(kb), is_kept


@pytest.mark.parametrize("damage", TO_WORDS)
def test_damage_of_the_word_index_is_seen_and_mended_from_the_catalog(
    home: Path, filled: Path, damage: Callable[[Path, KbId], None]
) -> None:
    problem, _ = mended(home, filled, damage, is_clean=True)
    assert problem


@pytest.mark.parametrize("damage", TO_CHROMA)
def test_damage_of_chroma_costs_no_answer_and_it_is_made_anew(
    home: Path, filled: Path, damage: Callable[[Path, KbId], None]
) -> None:
    problem, is_kept = mended(home, filled, damage, is_clean=True)
    assert problem is None
    assert is_kept is (damage is _delete_dense)  # what is empty is filled


@pytest.mark.parametrize("damage", [_garble_graph, _cut_vectors, _delete_graph])
def test_after_an_unclean_end_a_crash_of_chroma_costs_a_child_only(
    home: Path, filled: Path, damage: Callable[[Path, KbId], None]
) -> None:
    _, is_kept = mended(home, filled, damage, is_clean=False)
    assert not is_kept


@pytest.mark.parametrize(
    "written", ["[]", "{}", '{"folder": 1, "files": 2}', '{"files": {"a": 3}}']
)
def test_a_seal_of_another_shape_counts_as_none(home: Path, filled: Path, written: str) -> None:
    def write(home: Path, kb: KbId) -> None:
        for seal in (home / "indexes" / str(kb)).glob("*sealed.json"):
            seal.write_text(written)

    assert mended(home, filled, write, is_clean=True) == (None, True)


@pytest.mark.parametrize("written", ["[]", "{}", '{"folder": "elsewhere"}', "no JSON"])
def test_a_description_of_another_shape_counts_as_none(
    home: Path, filled: Path, written: str
) -> None:
    def write(home: Path, kb: KbId) -> None:
        (home / "indexes" / str(kb) / "chroma.json").write_text(written)

    assert mended(home, filled, write, is_clean=True) == (None, False)


def test_files_that_a_copy_gave_another_time_are_probed_and_kept(home: Path, filled: Path) -> None:
    def copy_without_times(home: Path, kb: KbId) -> None:
        for file in half(home, kb, "dense").rglob("*.*"):
            os.utime(file)

    assert mended(home, filled, copy_without_times, is_clean=True) == (None, True)


def test_after_an_unclean_end_a_sound_index_is_kept(home: Path, filled: Path) -> None:
    def nothing(home: Path, kb: KbId) -> None:
        pass

    assert mended(home, filled, nothing, is_clean=False) == (None, True)


def test_after_an_unclean_end_other_ids_of_the_same_number_are_seen(
    home: Path, catalog: Catalog, kb: KbId
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    indexes = opened(home, catalog)
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    with catalog.database.write() as tx:
        tx.execute("UPDATE chunks SET id = id + 1000")
    for seal in (home / "indexes" / str(kb)).glob("*sealed.json"):
        seal.unlink()
    indexes = opened(home, catalog)
    assert indexes.open_all() == {kb: IndexProblem(IndexProblemCode.WORDS_DIFFER)}
    assert_complete(catalog, indexes, kb)
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    indexes.close()


def test_a_crash_of_chroma_costs_no_answer_and_no_rebuild(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 30))
    index = indexes.of(kb)
    index.sync()
    fed(indexes, kb)
    before = half(home, kb, "dense")
    end_process(chroma_process())
    text = "a passage number7 of subject0"
    assert nearest_text(catalog, indexes, kb, text) == text
    assert eventually(lambda: not index.replica.is_behind())  # the feeder was woken
    assert fed(indexes, kb).count() == 30
    assert_complete(catalog, indexes, kb)
    assert half(home, kb, "dense") == before
    indexes.close()
    assert opened(home, catalog).open_all() == {}


def test_what_chroma_lost_in_a_crash_is_put_in_again(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 30))
    index = indexes.of(kb)
    index.sync()
    ids = catalog.documents.chunk_ids(kb)
    fed(indexes, kb).delete(ids[:20])
    end_process(chroma_process())
    put(catalog, kb, "/d/b", document("plums"))
    index.sync()
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_damage_met_by_a_search_costs_no_answer_and_is_mended_by_the_next_feeding(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 1200))
    indexes.of(kb).sync()
    fed(indexes, kb)
    end_process(chroma_process())
    _cut_vectors(home, kb)
    text = "a passage number7 of subject0"
    assert nearest_text(catalog, indexes, kb, text) == text
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_indexes_that_are_unreadable_and_unwritable_in_mid_session_are_named(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 40))
    indexes.of(kb).sync()
    fed(indexes, kb)
    folder = home / "indexes" / str(kb)
    shutil.rmtree(folder)
    folder.write_text("something that another program put here")
    put(catalog, kb, "/d/b", document("plums"))
    for attempt in (indexes.of(kb).sync, indexes.of(kb).replica.feed):
        with pytest.raises(UserError, match="cannot be written") as told:
            attempt()
        assert str(folder) in told.value.what
        assert "Nothing is lost" in told.value.remedy
    assert nearest_text(catalog, indexes, kb, "plums") == "plums"
    folder.unlink()
    indexes.of(kb).sync()
    assert_complete(catalog, indexes, kb)
    indexes.close()
