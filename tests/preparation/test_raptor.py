from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.preparation.raptor import FEWEST, LAYERS
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.research_context import ResearchContext
from testing.fake_retriever import FakeRetriever
from testing.indexed_texts import IndexedTexts
from testing.ollama_double import OllamaDouble
from tests.preparation.tree_setup import PreparedBase, covered, pages, parents, roots

MANY = 140
MODEL = "llama3.2:3b"


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def base(library: IndexedTexts) -> PreparedBase:
    return PreparedBase(library)


def test_every_chunk_is_under_the_top_and_sources_are_those_of_the_children(
    base: PreparedBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._TOKENS", 400)
    document = base.library.put("/long.pdf", *pages(MANY), title="Yearbook")
    base.prepare()
    tree, chunks = base.tree(document), base.library.catalog.documents.chunks(document)
    by_id = {each.derived_id: each for each in tree}
    top = list(roots(tree))
    assert 1 <= len(top) <= FEWEST
    assert len({each.level for each in top}) == 1
    assert 2 <= top[0].level <= LAYERS
    assert covered(top) == {each.chunk_id for each in chunks}
    for each in tree:
        below = [by_id[child] for child in each.children]
        assert bool(below) is (each.level > 1)
        assert all(child.level == each.level - 1 for child in below)
        if below:
            assert set(each.sources) == covered(below)
        assert len(each.sources) > 1
        assert each.text.startswith("Yearbook: ")
    assert all(parents(tree)[each.derived_id] for each in tree if each not in top)


def test_there_are_no_more_layers_than_five(
    base: PreparedBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._TOKENS", 200)
    monkeypatch.setattr("desktop_rag.preparation.raptor.FEWEST", 1)
    document = base.library.put("/long.pdf", *pages(100))
    base.prepare()
    assert max(each.level for each in base.tree(document)) <= LAYERS
    assert base.run().state().done == 1


def test_the_same_document_gives_the_same_tree(tmp_path: Path, embedder: OnnxEmbedder) -> None:
    shapes = []
    for name in ("one", "other"):
        library = IndexedTexts(tmp_path / name, embedder)
        base = PreparedBase(library)
        document = library.put("/long.pdf", *pages(MANY))
        base.prepare()
        shapes.append(base.shape(document))
        library.close()
    assert shapes[0] == shapes[1]


def test_a_run_that_was_stopped_after_any_batch_goes_on_to_the_same_tree(
    tmp_path: Path, embedder: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.raptor._BATCH_WITHOUT", 3)
    library = IndexedTexts(tmp_path, embedder)
    base = PreparedBase(library)
    document = library.put("/long.pdf", *pages(MANY))
    count = len(base.prepare())
    whole = base.shape(document)
    assert count > 5
    for stopped in range(1, count):
        library.catalog.preparations.remove(library.kb, "raptor")
        assert len(base.batches(stopped)) == stopped
        assert 0 < len(base.tree(document)) < len(whole)
        assert len(base.prepare()) == count - stopped
        assert base.shape(document) == whole
    library.close()


def test_clusters_that_come_out_otherwise_on_going_on_leave_no_chunk_out(
    base: PreparedBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.raptor._BATCH_WITHOUT", 3)
    document = base.library.put("/long.pdf", *pages(MANY))
    base.batches(2)
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._SEED", 7)
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._LEAST_SHARE", 0.9)
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._TOKENS", 400)
    base.prepare()
    chunks = base.library.catalog.documents.chunks(document)
    assert covered(list(roots(base.tree(document)))) >= {each.chunk_id for each in chunks}
    assert base.run().state().done == 1


def test_what_has_eleven_chunks_or_fewer_is_done_without_a_summary(base: PreparedBase) -> None:
    one = base.library.put("/one.pdf", "A single paragraph about the tides of the harbour.")
    few = base.library.put("/few.pdf", *pages(FEWEST))
    more = base.library.put("/more.pdf", *pages(FEWEST + 1))
    base.prepare()
    assert base.tree(one) == base.tree(few) == []
    tree = base.tree(more)
    assert tree
    assert {each.level for each in tree} == {1}
    assert base.run().state().done == 3


def test_a_chinese_document_is_summed_up_in_its_own_sentences(base: PreparedBase) -> None:
    told = pages(60, chinese=True)
    document = base.library.put("/年鉴.pdf", *told, title="年鉴")
    base.prepare()
    tree = base.tree(document)
    assert tree
    for each in tree:
        assert each.text.startswith("年鉴: ")
        made = [part for part in each.text.removeprefix("年鉴: ").split("。") if part]
        assert len(made) > 1
        assert all(any(part in page for page in told) for part in made)


def test_a_tree_goes_with_its_document_and_only_a_changed_one_is_made_anew(
    base: PreparedBase,
) -> None:
    kept = base.library.put("/kept.pdf", *pages(40), title="Kept")
    changed = base.library.put("/changed.pdf", *pages(40, chinese=True), title="Before")
    base.prepare()
    before = base.tree(kept)
    later = base.library.put("/changed.pdf", *pages(44, chinese=True), title="After", mtime=9.0)
    assert base.tree(changed) == []
    assert base.run().state().done == 1
    base.prepare()
    assert base.tree(kept) == before
    assert all(each.text.startswith("After: ") for each in base.tree(later))
    base.library.catalog.files.remove(base.library.kb, ["/kept.pdf"])
    assert base.tree(kept) == []


def test_a_model_writes_the_summaries_from_fenced_passages(
    library: IndexedTexts, double: OllamaDouble
) -> None:
    chat = OllamaChat(double.url, MODEL, Settings().ollama)
    engine = ResearchContext(FakeRetriever(), library.embedder, chat, Settings())
    calls = ModelTools(engine, Question("", "", "en"), CancelToken())
    base = PreparedBase(library, calls, MODEL)
    document = library.put("/long.pdf", *pages(60), title="Yearbook")
    double.otherwise = "Harbours, bakeries and courts\nare told of."
    base.prepare()
    tree = base.tree(document)
    assert {each.text for each in tree} == {"Yearbook: Harbours, bakeries and courts are told of."}
    assert len(double.chats) == len(tree)
    below = [each for each in tree if each.level == 1]
    for asked, made in zip(double.chats, below, strict=False):
        assert asked.prompt.count("</passage_") == len(made.sources)


def test_a_small_model_is_told_the_most_central_passages_that_fit(
    library: IndexedTexts, double: OllamaDouble
) -> None:
    settings = replace(Settings().ollama, num_ctx=2048)
    chat = OllamaChat(double.url, MODEL, settings)
    engine = ResearchContext(FakeRetriever(), library.embedder, chat, Settings())
    calls = ModelTools(engine, Question("", "", "en"), CancelToken())
    library.put("/long.pdf", *[each * 4 for each in pages(30)])
    double.otherwise = "A summary."
    PreparedBase(library, calls, MODEL).prepare()
    assert double.chats
    for asked in double.chats:
        assert asked.prompt.count("</passage_") >= 1
        assert chat.estimate_tokens(asked.prompt) < 2048


def test_what_a_model_writes_nothing_for_is_summed_up_by_its_sentences(
    library: IndexedTexts, double: OllamaDouble
) -> None:
    chat = OllamaChat(double.url, MODEL, Settings().ollama)
    engine = ResearchContext(FakeRetriever(), library.embedder, chat, Settings())
    calls = ModelTools(engine, Question("", "", "en"), CancelToken())
    document = library.put("/long.pdf", *pages(20), title="Yearbook")
    double.otherwise = " "
    base = PreparedBase(library, calls, MODEL)
    base.prepare()
    assert base.tree(document)
    assert all(len(each.text) > len("Yearbook: ") + 40 for each in base.tree(document))
