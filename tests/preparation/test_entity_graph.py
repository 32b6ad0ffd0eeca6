"""Entities by rules, triples by a model, and runs that are stopped between the two."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import DerivedText, Preparation
from desktop_rag.core.entity_names import entity_key, entity_names
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import DocumentId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationRun
from desktop_rag.retrieval.query import Query
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.research_context import ResearchContext
from testing.indexed_texts import IndexedTexts
from testing.ollama_double import OllamaDouble
from testing.ollama_double.recorded import Recorded

WAY, MODEL = "entity_graph", "llama3.2:3b"
PAGES = [f"Olaf Nansen sailed the ship Vega {n} to the harbour of Bergen." for n in range(10)]


def written(request: Recorded) -> str:
    del request
    return (
        '{"triples": [{"subject": "Olaf Nansen", "relation": "sailed to", "object": "Bergen"}, '
        '{"subject": "Olaf Nansen", "relation": "", "object": "Bergen"}]}'
    )


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        running.otherwise = written
        yield running


def run(library: IndexedTexts, double: OllamaDouble | None = None) -> PreparationRun:
    model, calls = "", None
    if double is not None:
        settings = Settings()
        chat = OllamaChat(double.url, MODEL, settings.ollama)
        engine = ResearchContext(library.retriever(), library.embedder, chat, settings)
        calls = ModelTools(engine, Question("", "", "en"), CancelToken())
        model = MODEL
    library.catalog.preparations.request(library.kb, WAY, model)
    tools = PreparationTools(library.embedder, calls, CancelToken())
    return PreparationRun(
        Preparation(library.kb, WAY, model), library.catalog, tools, RunCoordinator()
    )


def stored(library: IndexedTexts, document: DocumentId) -> list[DerivedText]:
    return library.catalog.preparations.texts_of(document, WAY)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "When it rained, Marta Ekeland of Bergen flew a Boeing 747 to the United Nations.",
            ["Marta Ekeland of Bergen", "Boeing 747", "United Nations"],
        ),
        ("The pump XR-200 obeys NASA rules.", ["XR-200", "NASA"]),
        ("“Goods” means all things. A lien is a claim on them.", ["Goods", "lien"]),
        ("《海港章程》由滨海设计院有限公司起草。", ["海港章程", "滨海设计院有限公司"]),
        ("项目经理应当报告。报告由项目经理签字。", ["项目经理"]),
        ("nothing here has a name", []),
        ("", []),
    ],
)
def test_names_are_found_by_rules(text: str, names: list[str]) -> None:
    assert entity_names(text) == names


def test_names_of_one_entity_have_one_key() -> None:
    assert entity_key("The United Nations.") == entity_key("united nations") == "united nations"
    assert entity_key("“”") == entity_key("A") == ""


def test_entities_are_derived_by_rules_with_their_chunks(library: IndexedTexts) -> None:
    document = library.put("/a.pdf", *PAGES, title="Voyages (1880)")
    list(run(library).run())
    found = {each.text: each.sources for each in stored(library, document)}
    chunks = [each.chunk_id for each in library.catalog.documents.each_chunk(document)]
    assert found["Voyages"] == (chunks[0],)
    assert set(found["Olaf Nansen"]) == set(chunks)


def test_a_model_relates_entities(library: IndexedTexts, double: OllamaDouble) -> None:
    document = library.put("/a.pdf", *PAGES, title="Voyages")
    list(run(library, double).run())
    texts = stored(library, document)
    triples = [each for each in texts if each.level]
    names = {each.derived_id: each.text for each in texts}
    assert {each.text for each in triples} == {"Olaf Nansen sailed to Bergen"}
    assert {names[child] for child in triples[0].children} == {"Olaf Nansen", "Bergen"}
    graph = library.retriever().graph(Query("Bergen", (library.kb,), 5), WAY)
    around = graph.neighbourhood("Bergen", 1)
    assert around is not None
    assert [(each.name, each.by) for each in around.neighbours] == [("Olaf Nansen", "relation")]


def test_a_model_that_breaks_the_form_leaves_the_rules(
    library: IndexedTexts, double: OllamaDouble
) -> None:
    double.otherwise = "I cannot do that."
    document = library.put("/a.pdf", *PAGES[:2], title="Voyages")
    list(run(library, double).run())
    assert "Olaf Nansen" in {each.text for each in stored(library, document)}
    assert run(library, double).state().done == 1


def test_a_run_that_was_stopped_after_any_batch_goes_on_to_the_same_graph(
    library: IndexedTexts, double: OllamaDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.entity_graph._BATCH", 1)
    document = library.put("/a.pdf", *(page * 8 for page in PAGES), title="Voyages")
    count = len(list(run(library, double).run()))

    def shape() -> list[tuple[int, str, int]]:
        texts = stored(library, document)
        return sorted((each.level, each.text, len(each.children)) for each in texts)

    whole = shape()
    assert count >= 4
    for stopped in range(1, count):
        library.catalog.preparations.remove(library.kb, WAY)
        steps = run(library, double).run()
        assert len([each for each, _ in zip(steps, range(stopped), strict=False)]) == stopped
        steps.close()  # type: ignore[attr-defined]
        list(run(library, double).run())
        assert shape() == whole


def test_what_has_no_chunk_of_text_is_done(library: IndexedTexts) -> None:
    library.put("/a.pdf", "nothing here has a name", title="")
    list(run(library).run())
    assert run(library).state().done == 1
