"""Chroma holds the vectors of large knowledge bases only: they grow into it, and out of it."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import Cancelled, StoreDamaged, UserError
from desktop_rag.core.types import KbId
from desktop_rag.index.builder import IndexBuilder
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.manifest import IndexFolders
from tests.catalog.stored_documents import DIMENSIONS, MODEL, document, many, put, vector
from tests.conftest import REPOSITORY
from tests.index.index_checks import assert_complete, half

_LIMIT = 60


def opened(home: Path, catalog: Catalog, exact_upto: int = _LIMIT) -> IndexManager:
    return IndexManager(home, catalog, MODEL, DIMENSIONS, exact_upto=exact_upto)


def outgrown(home: Path, catalog: Catalog, kb: KbId) -> IndexManager:
    """Indexes of a knowledge base that was small when they were opened, and has 150 chunks now."""
    indexes = opened(home, catalog)
    indexes.open_all()
    put(catalog, kb, "/d/a", many("a", 150))
    indexes.sync(kb)
    return indexes


def halves(home: Path, kb: KbId) -> set[str]:
    """What lies in a knowledge base's folder, by the first word of its name."""
    return {each.name.partition("-")[0] for each in (home / "indexes" / str(kb)).iterdir()}


def test_a_small_knowledge_base_has_no_folder_of_chromas(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", _LIMIT - 1))
    indexes.sync(kb)
    assert_complete(catalog, indexes, kb)
    assert not indexes.is_outgrown(kb)
    indexes.grow(kb)
    assert halves(home, kb) == {"in", "lexical"}
    indexes.close()
    assert halves(home, kb) == {"in", "lexical", "sealed.json"}


def test_a_small_knowledge_base_needs_no_chroma_in_memory(home: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from desktop_rag.catalog.facade import Catalog\n"
        "from desktop_rag.index.indexes import IndexManager\n"
        "from tests.catalog.stored_documents import DIMENSIONS, MODEL, many, put, vector\n"
        "catalog = Catalog.open(Path(sys.argv[1]))\n"
        "kb = catalog.kbs.ensure('default').id\n"
        "for _ in range(2):\n"
        "    indexes = IndexManager(Path(sys.argv[1]), catalog, MODEL, DIMENSIONS)\n"
        "    indexes.open_all()\n"
        "    put(catalog, kb, '/d/a', many('a', 40))\n"
        "    indexes.sync(kb)\n"
        "    assert len(indexes.dense(kb, vector('x'), 50)) == 40\n"
        "    assert indexes.check(kb) == 'ok'\n"
        "    indexes.rebuild(kb)\n"
        "    indexes.close()\n"
        "assert 'chromadb' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, str(home)], check=True, cwd=REPOSITORY, timeout=60)


def test_one_that_grows_is_answered_before_and_after(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog)
    for name in "abc":
        put(catalog, kb, f"/d/{name}", many(name, 40))
        indexes.sync(kb)
        assert_complete(catalog, indexes, kb)
    assert "dense" not in halves(home, kb)
    assert indexes.is_outgrown(kb)

    indexes.grow(kb)
    assert not indexes.is_outgrown(kb)
    made = half(home, kb, "dense")
    assert_complete(catalog, indexes, kb)
    put(catalog, kb, "/d/d", many("d", 10))
    catalog.files.remove(kb, ["/d/a"])
    indexes.sync(kb)
    assert_complete(catalog, indexes, kb)

    monkeypatch.setattr("desktop_rag.index.flat.nearest_in_blocks", None)  # Chroma answers
    assert len(indexes.dense(kb, vector("x"), 200)) == 90
    indexes.close()
    again = opened(home, catalog)
    assert again.open_all() == {}
    assert half(home, kb, "dense") == made
    assert len(again.dense(kb, vector("x"), 200)) == 90
    again.close()


def test_what_waits_to_be_told_is_there_once(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = outgrown(home, catalog, kb)
    put(catalog, kb, "/d/b", many("b", 20))
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/c", many("c", 70))
    indexes.grow(kb)
    indexes.sync(kb)
    assert len(catalog.documents.ids(kb)) == 90
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_growing_that_is_stopped_leaves_all_as_it_was(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = outgrown(home, catalog, kb)
    before = halves(home, kb)
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 90:
            raise Cancelled

    with pytest.raises(Cancelled):
        indexes.grow(kb, check)
    assert halves(home, kb) == before
    assert indexes.is_outgrown(kb)
    assert_complete(catalog, indexes, kb)
    indexes.grow(kb)
    assert_complete(catalog, indexes, kb)
    assert "dense" in halves(home, kb)
    indexes.close()


def test_what_changes_meanwhile_is_in_it_and_waits_for_nobody(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = outgrown(home, catalog, kb)
    looks = 0

    def change() -> None:
        """What another lane does: a removal, another file, and a rewrite of the words."""
        put(catalog, kb, "/d/d", many("d", 90))
        catalog.files.remove(kb, ["/d/a"])
        indexes.sync(kb)
        indexes.purge(kb)

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 100:
            other = threading.Thread(target=change)
            other.start()
            other.join(30.0)
            assert not other.is_alive(), "it waits for the half that is being made"

    indexes.grow(kb, check)
    assert looks >= 100
    half(home, kb, "dense")
    assert len(catalog.documents.ids(kb)) == 90
    assert_complete(catalog, indexes, kb)
    indexes.close()


@pytest.mark.parametrize("change", ["rebuild", "drop"])
def test_a_half_that_nobody_needs_any_more_is_not_put_in_use(
    catalog: Catalog, kb: KbId, home: Path, change: str
) -> None:
    indexes = outgrown(home, catalog, kb)
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 50 and change == "rebuild":
            indexes.rebuild(kb)
        elif looks == 50:
            catalog.kbs.delete("default")
            indexes._of(kb).drop()

    indexes.grow(kb, check)
    if change == "rebuild":
        half(home, kb, "dense")
        assert_complete(catalog, indexes, kb)
    else:
        assert not (home / "indexes" / str(kb) / "in-use.json").exists()
    indexes.close()


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (
            (IndexBuilder, "build_dense"),
            StoreDamaged("The vector index cannot be read.", "Rebuild it."),
        ),
        ((IndexFolders, "save"), OSError(28, "No space left on device")),
    ],
)
def test_a_folder_that_cannot_be_written_is_said_with_what_to_do(
    catalog: Catalog,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: tuple[type[Any], str],
    error: Exception,
) -> None:
    kb = catalog.kbs.ensure("default").id

    def full(*_: object) -> None:
        raise error

    indexes = outgrown(home, catalog, kb)

    with monkeypatch.context() as broken:
        broken.setattr(*step, full)
        with pytest.raises(UserError, match="cannot be written") as told:
            indexes.grow(kb)
    assert not isinstance(told.value, StoreDamaged)
    assert "dense" not in halves(home, kb)
    assert_complete(catalog, indexes, kb)
    indexes.grow(kb)
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_one_that_shrinks_to_nine_tenths_leaves_chroma_at_the_next_start(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    for name, count in (("a", 15), ("b", 5), ("c", 55)):
        put(catalog, kb, f"/d/{name}", many(name, count))
    indexes.grow(kb)
    indexes.close()

    catalog.files.remove(kb, ["/d/a"])
    indexes = opened(home, catalog)
    assert indexes.open_all() == {}
    half(home, kb, "dense")  # 60 of 60
    indexes.close()

    catalog.files.remove(kb, ["/d/b"])
    indexes = opened(home, catalog)
    assert indexes.open_all() == {}
    half(home, kb, "dense")  # 55: it may grow again soon
    indexes.close()

    catalog.files.remove(kb, ["/d/c"])
    put(catalog, kb, "/d/d", many("d", 54))
    indexes = opened(home, catalog)
    assert indexes.open_all() == {}, "nothing was damaged"
    assert halves(home, kb) == {"in", "lexical"}
    assert_complete(catalog, indexes, kb)
    indexes.close()


@pytest.mark.parametrize("damage", ["cut", "unsealed", "deleted"])
def test_chromas_half_of_a_small_one_goes_whatever_state_it_is_in(
    catalog: Catalog, kb: KbId, home: Path, damage: str
) -> None:
    first = opened(home, catalog, exact_upto=0)
    put(catalog, kb, "/d/a", many("a", 20))
    first.sync(kb)
    first.close()
    dense = half(home, kb, "dense")
    if damage == "cut":
        (dense / "chroma.sqlite3").write_bytes(b"no")
    elif damage == "unsealed":
        (home / "indexes" / str(kb) / "sealed.json").unlink()
    else:
        (dense / "chroma.sqlite3").unlink()
    indexes = opened(home, catalog)
    assert indexes.open_all() == {}
    assert not dense.exists()
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_words_are_compared_one_by_one_after_an_unclean_end_without_chroma(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    first = opened(home, catalog)
    put(catalog, kb, "/d/a", document("apples", "pears"))
    first.sync(kb)
    first.close()
    (home / "indexes" / str(kb) / "sealed.json").unlink()
    with catalog.database.write() as connection:  # as many chunks, others
        connection.execute("UPDATE chunks SET id = id + 1000")
    catalog.close()
    again = Catalog.open(home)
    indexes = opened(home, again)
    assert "other chunks" in indexes.open_all()[kb]
    assert_complete(again, indexes, kb)
    indexes.close()
    again.close()
