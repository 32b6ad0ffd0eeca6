"""The file of a large knowledge base's vectors: in step with the catalog, or made anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.types import KbId, VectorSearch
from desktop_rag.index import vector_file
from desktop_rag.index.flat import nearest_in_blocks
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.manifest import IndexFolder
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from desktop_rag.index.vector_file import VectorFile
from testing.timeouts import eventually
from tests.catalog.stored_documents import IDENTITY, MODEL, document, many, put, vector
from tests.index.index_checks import chroma_process, opened


class StoppedError(Exception):
    """Somebody stopped it."""


def made(home: Path, catalog: Catalog, kb: KbId, model: str = MODEL) -> VectorFile:
    """The file as another start of the program finds it."""
    file = VectorFile(kb, catalog, IndexFolder(home / "indexes" / str(kb)))
    file.follow(model)
    return file


def only_the_file(monkeypatch: pytest.MonkeyPatch, catalog: Catalog) -> None:
    """Let every read of vectors fail that asks the catalog for all of them."""
    read = catalog.embeddings.blocks

    def blocks(kb: KbId, model: str, ids: object = None, **how: object) -> object:
        assert ids is not None, "the catalog is read whole"
        return read(kb, model, ids, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(type(catalog.embeddings), "blocks", lambda _, *a, **k: blocks(*a, **k))


def assert_in_step(
    file: VectorFile, catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives what the catalog gives, and reads no more than what it was not told of there."""
    asked = vector("question")
    wanted = nearest_in_blocks(catalog.embeddings.blocks(kb, MODEL), asked, 10_000)
    assert len(wanted) == len(catalog.documents.chunk_ids(kb))
    with monkeypatch.context() as narrowed:
        only_the_file(narrowed, catalog)
        assert file.is_usable()
        assert nearest_in_blocks(file.blocks(), asked, 10_000) == wanted


def rows_of(home: Path, kb: KbId) -> list[int]:
    """The numbers of the chunks in the file, in its order; 0 for one that went."""
    (folder,) = (home / "indexes" / str(kb)).glob("vectors-*")
    return np.fromfile(folder / "chunks", "<i8").reshape(-1, 2)[:, 0].tolist()


def test_a_file_that_is_begun_anew_while_its_changes_are_looked_up_is_not_read(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", many("a", 30))
    file = made(home, catalog, kb)
    file.feed()
    put(catalog, kb, "/d/b", many("b", 10))
    look_up = type(catalog.outbox).pending

    def pending(*asked: object, **how: object) -> object:
        found = look_up(*asked, **how)  # type: ignore[arg-type]
        monkeypatch.undo()
        file.discard()
        monkeypatch.setattr(file, "_filled", lambda _: (_ for _ in ()).throw(StoppedError))
        with pytest.raises(StoppedError):
            file.feed()
        return found

    monkeypatch.setattr(type(catalog.outbox), "pending", pending)
    found = nearest_in_blocks(file.blocks(), vector("question"), 100)
    assert {chunk for chunk, _ in found} == set(catalog.documents.chunk_ids(kb))


def test_it_is_written_and_follows_what_comes_and_goes(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", many("a", 300))
    file = made(home, catalog, kb)
    assert not file.is_usable()
    file.feed()
    assert_in_step(file, catalog, kb, monkeypatch)
    put(catalog, kb, "/d/b", many("b", 40))
    gone = set(catalog.documents.chunk_ids(kb))
    put(catalog, kb, "/d/a", many("a", 290))  # ten went, and 290 came
    gone -= set(catalog.documents.chunk_ids(kb))
    assert_in_step(file, catalog, kb, monkeypatch)
    file.feed()
    assert catalog.outbox.count(kb, Reader.VECTOR_FILE) == 0
    assert_in_step(file, catalog, kb, monkeypatch)
    assert not gone & set(rows_of(home, kb))
    assert_in_step(made(home, catalog, kb), catalog, kb, monkeypatch)
    assert file.check()


def test_a_document_that_joins_another_knowledge_base_is_there_under_its_old_numbers(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = catalog.kbs.create("other").id
    put(catalog, other, "/d/a", many("a", 30))
    put(catalog, kb, "/d/b", many("b", 30))
    file = made(home, catalog, kb)
    file.feed()
    put(catalog, kb, "/e/a", many("a", 30))
    for _ in range(2):
        assert_in_step(file, catalog, kb, monkeypatch)
        file.feed()
    catalog.files.remove(kb, ["/e/a"])
    put(catalog, kb, "/e/a", many("a", 30))  # went and came in one go
    file.feed()
    assert_in_step(file, catalog, kb, monkeypatch)


def test_writing_that_is_stopped_anywhere_goes_on_and_nothing_is_there_twice(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_file, "_BLOCKS_AT_ONCE", 1)
    monkeypatch.setattr(vector_file, "_PER_STEP", 50)
    monkeypatch.setattr("desktop_rag.catalog.embeddings._PER_READ", 100)
    put(catalog, kb, "/d/a", many("a", 350))
    steps = iter([None, None, StoppedError(), *[None] * 99])

    def check() -> None:
        if (found := next(steps)) is not None:
            raise found

    file = made(home, catalog, kb)
    with pytest.raises(StoppedError):
        file.feed(check)
    assert len(rows_of(home, kb)) == 200
    assert not file.is_usable()
    assert file.check(), "one that is not written to its end is no other one"
    assert len(rows_of(home, kb)) == 200
    put(catalog, kb, "/d/b", many("b", 120))
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/a", many("a", 350))
    again = made(home, catalog, kb)
    again.feed(check)
    assert_in_step(again, catalog, kb, monkeypatch)
    held = [each for each in rows_of(home, kb) if each]
    assert sorted(held) == sorted(catalog.documents.chunk_ids(kb))


@pytest.mark.parametrize("step", ["_append", "_overwrite", "save", "done"])
def test_a_kill_between_two_writes_costs_nothing(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """What is written and not noted is written over; what is not forgotten comes again."""
    put(catalog, kb, "/d/a", many("a", 60))
    file = made(home, catalog, kb)
    file.feed()
    put(catalog, kb, "/d/b", many("b", 30))
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/c", many("c", 30))

    def killed(*_: object) -> None:
        raise StoppedError

    with monkeypatch.context() as broken:
        if step == "save":
            broken.setattr(IndexFolder, "save_vectors", killed)
        elif step == "done":
            broken.setattr(type(catalog.outbox), "done", killed)
        else:
            whole, calls = getattr(vector_file, step), iter([True, False])

            def half(path: Path, *given: object) -> None:
                if not next(calls):
                    killed()
                whole(path, *given)

            broken.setattr(vector_file, step, half)
        with pytest.raises(StoppedError):
            file.feed()
    again = made(home, catalog, kb)
    assert_in_step(again, catalog, kb, monkeypatch)
    again.feed()
    assert_in_step(again, catalog, kb, monkeypatch)
    assert again.check()
    held = [each for each in rows_of(home, kb) if each]
    assert len(held) == len(set(held)) == 60


def test_one_that_is_older_than_the_outbox_remembers_is_not_believed(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the power went before the note was on the disk, and the catalog's change was."""
    put(catalog, kb, "/d/a", many("a", 40))
    file = made(home, catalog, kb)
    file.feed()
    before = (home / "indexes" / str(kb) / "vectors.json").read_bytes()
    put(catalog, kb, "/d/b", many("b", 40))
    file.feed()
    (home / "indexes" / str(kb) / "vectors.json").write_bytes(before)
    again = made(home, catalog, kb)
    assert not again.is_usable()
    again.feed()
    assert_in_step(again, catalog, kb, monkeypatch)


def test_of_another_model_or_cut_short_or_deleted_it_is_made_anew(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", many("a", 40))
    file = made(home, catalog, kb)
    file.feed()
    assert not made(home, catalog, kb, "another").is_usable()
    (folder,) = (home / "indexes" / str(kb)).glob("vectors-*")
    (folder / "vectors").write_bytes((folder / "vectors").read_bytes()[:-1])
    assert not file.is_usable()
    file.feed()
    assert_in_step(file, catalog, kb, monkeypatch)
    (folder,) = (home / "indexes" / str(kb)).glob("vectors-*")
    (folder / "chunks").unlink()
    assert nearest_in_blocks(file.blocks(), vector("question"), 99)  # from the catalog
    file.feed()
    assert_in_step(file, catalog, kb, monkeypatch)
    (home / "indexes" / str(kb) / "vectors.json").write_text("[]", encoding="utf-8")
    assert not made(home, catalog, kb).is_usable()


def test_vectors_of_what_went_are_overwritten_and_too_many_of_them_have_it_written_anew(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    put(catalog, kb, "/d/a", many("a", 100))
    first = put(catalog, kb, "/d/b", document("plums"))
    (chunk,) = catalog.documents.chunks(first)
    (block,) = catalog.embeddings.blocks(kb, MODEL, [chunk.chunk_id])
    raw = block.vectors[0].tobytes()
    file = made(home, catalog, kb)
    file.feed()
    (folder,) = (home / "indexes" / str(kb)).glob("vectors-*")
    assert raw in (folder / "vectors").read_bytes()
    catalog.files.remove(kb, ["/d/b"])
    file.feed()
    assert raw not in (folder / "vectors").read_bytes()
    put(catalog, kb, "/d/c", many("c", 10))
    catalog.files.remove(kb, ["/d/a"])
    file.feed()
    assert not folder.exists()
    assert len(rows_of(home, kb)) == 10


def test_other_chunks_than_the_catalogs_are_seen_and_mended(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 40))
    indexes.of(kb).sync()
    indexes.of(kb).feed()
    assert indexes.of(kb).check() is None
    (folder,) = (home / "indexes" / str(kb)).glob("vectors-*")
    numbers = np.fromfile(folder / "chunks", "<i8")
    numbers[0] = 4711
    numbers.tofile(folder / "chunks")
    assert indexes.of(kb).check() == IndexProblem(IndexProblemCode.VECTORS_DIFFER)
    indexes.of(kb).feed()
    assert indexes.of(kb).check() is None
    assert_in_step(made(home, catalog, kb), catalog, kb, monkeypatch)
    indexes.close()


def test_it_is_compared_until_chroma_has_opened_its_folder_and_then_chroma_is_asked(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    indexes.of(kb).feed()
    indexes.close()
    again = opened(home, catalog)
    index = again.of(kb)
    index.open()
    with monkeypatch.context() as narrowed:
        only_the_file(narrowed, catalog)
        first = index.dense(vector("x"), 50)
    assert first.by is VectorSearch.EXACT
    assert eventually(lambda: index.dense(vector("x"), 50).by is VectorSearch.CHROMA, 30)
    assert index.dense(vector("x"), 50).hits == first.hits
    again.close()


def test_a_small_knowledge_base_has_none(catalog: Catalog, kb: KbId, home: Path) -> None:
    large = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 10))
    large.of(kb).sync()
    large.of(kb).feed()
    large.close()
    assert list((home / "indexes" / str(kb)).glob("vectors*"))
    small = IndexManager(home, catalog, IDENTITY, exact_upto=10, process=chroma_process())
    small.of(kb).open()
    small.of(kb).feed()
    small.close()
    assert not list((home / "indexes" / str(kb)).glob("vectors*"))
    assert catalog.outbox.position(kb, Reader.VECTOR_FILE) is None


@pytest.mark.parametrize("sampled", [10_000, 30])
def test_it_knows_what_an_answer_leaves_out(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch, sampled: int
) -> None:
    monkeypatch.setattr(vector_file, "_SAMPLED", sampled)
    first = put(catalog, kb, "/d/a", many("a", 200))
    put(catalog, kb, "/d/b", many("b", 100))
    file, asked = made(home, catalog, kb), vector("question")
    assert not file.knows_nearer([], asked, 50), "there is no file yet"
    file.feed()
    whole = nearest_in_blocks(file.blocks(), asked, 300)
    assert not file.knows_nearer(whole[:50], asked, 50)
    assert not file.knows_nearer(whole, asked, 400), "there are no more"
    assert file.knows_nearer(whole[50:100], asked, 50)
    assert file.knows_nearer(whole[:20], asked, 50), "there are more"
    alone = nearest_in_blocks(file.blocks(), asked, 200, {first})
    assert not file.knows_nearer(alone[:50], asked, 50, {first})
    assert file.knows_nearer(alone[50:100], asked, 50, {first})


def test_what_comes_and_goes_is_known_of_an_answer_too(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    put(catalog, kb, "/d/a", many("a", 40))
    file, asked = made(home, catalog, kb), vector("question")
    file.feed()
    before = nearest_in_blocks(file.blocks(), asked, 100)
    assert not file.knows_nearer(before, asked, 100)
    put(catalog, kb, "/d/b", many("b", 40))
    catalog.files.remove(kb, ["/d/a"])
    file.feed()
    assert file.knows_nearer(before, asked, 100)
    assert not file.knows_nearer(nearest_in_blocks(file.blocks(), asked, 100), asked, 100)


def test_all_are_compared_where_chroma_s_graph_misses_some(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", many("a", 300))
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=chroma_process())
    index, asked = indexes.of(kb), vector("question")
    index.sync()
    index.feed()
    whole = index.dense(asked, 50)
    assert whole.by is VectorSearch.CHROMA
    named = index.replica.nearest

    def partly(*given: object) -> object:
        hits = named(*given)  # type: ignore[arg-type]
        return hits and hits[20:]

    monkeypatch.setattr(index.replica, "nearest", partly)
    answer = index.dense(asked, 50)
    assert answer.by is VectorSearch.EXACT
    assert [chunk for chunk, _ in answer.hits] == [chunk for chunk, _ in whole.hits]
    indexes.close()
