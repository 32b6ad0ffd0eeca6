"""Chroma holds the vectors of large knowledge bases only: they grow into it."""

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
from desktop_rag.index.builder import IndexBuilder, IndexProblem, IndexProblemCode
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.manifest import IndexFolder
from tests.catalog.stored_documents import IDENTITY, document, many, put, vector
from tests.conftest import REPOSITORY
from tests.index.index_checks import assert_complete, half

_LIMIT = 60


def opened(home: Path, catalog: Catalog, exact_upto: int = _LIMIT) -> IndexManager:
    return IndexManager(home, catalog, IDENTITY, exact_upto=exact_upto)


def outgrown(home: Path, catalog: Catalog, kb: KbId) -> IndexManager:
    """Indexes of a knowledge base that was small when they were opened, and has 150 chunks now."""
    indexes = opened(home, catalog)
    indexes.open_all()
    put(catalog, kb, "/d/a", many("a", 150))
    indexes.of(kb).sync()
    return indexes


def halves(home: Path, kb: KbId) -> set[str]:
    """What lies in a knowledge base's folder, by the first word of its name."""
    return {each.name.partition("-")[0] for each in (home / "indexes" / str(kb)).iterdir()}


def test_a_small_knowledge_base_has_no_folder_of_chromas(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", _LIMIT - 1))
    indexes.of(kb).sync()
    assert_complete(catalog, indexes, kb)
    assert not indexes.of(kb).is_outgrown()
    indexes.of(kb).grow()
    assert halves(home, kb) == {"in", "lexical"}
    indexes.close()
    assert halves(home, kb) == {"in", "lexical", "sealed.json"}


def test_a_small_knowledge_base_needs_no_chroma_in_memory(home: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from desktop_rag.catalog.facade import Catalog\n"
        "from desktop_rag.index.indexes import IndexManager\n"
        "from tests.catalog.stored_documents import IDENTITY, many, put, vector\n"
        "catalog = Catalog.open(Path(sys.argv[1]))\n"
        "kb = catalog.kbs.ensure('default').id\n"
        "for _ in range(2):\n"
        "    indexes = IndexManager(Path(sys.argv[1]), catalog, IDENTITY)\n"
        "    indexes.open_all()\n"
        "    put(catalog, kb, '/d/a', many('a', 40))\n"
        "    indexes.of(kb).sync()\n"
        "    assert len(indexes.of(kb).dense(vector('x'), 50)) == 40\n"
        "    assert indexes.of(kb).check() is None\n"
        "    indexes.of(kb).rebuild()\n"
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
        indexes.of(kb).sync()
        assert_complete(catalog, indexes, kb)
    assert "dense" not in halves(home, kb)
    assert indexes.of(kb).is_outgrown()

    indexes.of(kb).grow()
    assert not indexes.of(kb).is_outgrown()
    made = half(home, kb, "dense")
    assert_complete(catalog, indexes, kb)
    put(catalog, kb, "/d/d", many("d", 10))
    catalog.files.remove(kb, ["/d/a"])
    indexes.of(kb).sync()
    assert_complete(catalog, indexes, kb)

    monkeypatch.setattr("desktop_rag.index.flat.nearest_in_blocks", None)  # Chroma answers
    assert len(indexes.of(kb).dense(vector("x"), 200)) == 90
    indexes.close()
    again = opened(home, catalog)
    assert again.open_all() == {}
    assert half(home, kb, "dense") == made
    assert len(again.of(kb).dense(vector("x"), 200)) == 90
    again.close()


def test_what_waits_to_be_told_is_there_once(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = outgrown(home, catalog, kb)
    put(catalog, kb, "/d/b", many("b", 20))
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/c", many("c", 70))
    indexes.of(kb).grow()
    indexes.of(kb).sync()
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
        indexes.of(kb).grow(check)
    assert halves(home, kb) == before
    assert indexes.of(kb).is_outgrown()
    assert_complete(catalog, indexes, kb)
    indexes.of(kb).grow()
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
        indexes.of(kb).sync()
        indexes.of(kb).purge()

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks == 100:
            other = threading.Thread(target=change)
            other.start()
            other.join(30.0)
            assert not other.is_alive(), "it waits for the half that is being made"

    indexes.of(kb).grow(check)
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
            indexes.of(kb).rebuild()
        elif looks == 50:
            catalog.kbs.delete("default")
            indexes.of(kb).drop()

    indexes.of(kb).grow(check)
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
        ((IndexFolder, "save"), OSError(28, "No space left on device")),
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
            indexes.of(kb).grow()
    assert not isinstance(told.value, StoreDamaged)
    assert "dense" not in halves(home, kb)
    assert_complete(catalog, indexes, kb)
    indexes.of(kb).grow()
    assert_complete(catalog, indexes, kb)
    indexes.close()


@pytest.mark.parametrize("damage", ["", "cut", "unsealed", "deleted"])
def test_chroma_that_a_small_one_has_is_kept_sound_until_all_is_made_anew(
    catalog: Catalog, kb: KbId, home: Path, damage: str
) -> None:
    first = opened(home, catalog, exact_upto=0)
    put(catalog, kb, "/d/a", many("a", 20))
    first.of(kb).sync()
    first.close()
    dense = half(home, kb, "dense")
    if damage == "cut":
        (dense / "chroma.sqlite3").write_bytes(b"no")
    elif damage == "unsealed":
        (home / "indexes" / str(kb) / "sealed.json").unlink()
    elif damage == "deleted":
        (dense / "chroma.sqlite3").unlink()
    indexes = opened(home, catalog)
    is_broken = damage in ("cut", "deleted")
    assert indexes.open_all() == ({kb: IndexProblem(IndexProblemCode.ALTERED)} if is_broken else {})
    assert dense.exists() is not is_broken
    put(catalog, kb, "/d/b", many("b", 10))
    indexes.of(kb).sync()
    assert_complete(catalog, indexes, kb)
    indexes.of(kb).rebuild()
    assert halves(home, kb) == {"in", "lexical"}
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_words_are_compared_one_by_one_after_an_unclean_end_without_chroma(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    first = opened(home, catalog)
    put(catalog, kb, "/d/a", document("apples", "pears"))
    first.of(kb).sync()
    first.close()
    (home / "indexes" / str(kb) / "sealed.json").unlink()
    with catalog.database.write() as connection:  # as many chunks, others
        connection.execute("UPDATE chunks SET id = id + 1000")
    catalog.close()
    again = Catalog.open(home)
    indexes = opened(home, again)
    assert indexes.open_all() == {kb: IndexProblem(IndexProblemCode.WORDS_DIFFER)}
    assert_complete(again, indexes, kb)
    indexes.close()
    again.close()
