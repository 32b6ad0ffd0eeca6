"""Graphs of entities over a real index, walked with the real embedder and reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import Preparation
from desktop_rag.core.events import Event, Notice, PassagesFound, SearchStarted, Step
from desktop_rag.core.language import language
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationRun
from desktop_rag.retrieval.query import Query
from desktop_rag.strategies.base import Question, StrategyResult
from desktop_rag.strategies.entity_graph import EntityGraphWalk
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from testing.indexed_texts import IndexedTexts
from tests.strategies.conftest import finished

WAY = "entity_graph"
QUESTION = "Where was the designer of the Halden lighthouse born?"
LIGHTHOUSE = "The Halden lighthouse was designed by Marta Ekeland in 1880. Boats pass it at night."
EKELAND = "Her father, a fisherman, took Marta Ekeland to school in Bergen, her place of birth."


@pytest.fixture
def shelf(library: IndexedTexts) -> IndexedTexts:
    """Two documents that share a name, among others that share none."""
    library.put("/docs/halden.txt", LIGHTHOUSE, title="Halden lighthouse")
    library.put("/people/ekeland.txt", EKELAND, title="A childhood")
    for n in range(20):
        library.put(f"/docs/{n}.txt", f"The bakery in street {n} sells bread.", title=f"Bread {n}")
    return library


def prepare(library: IndexedTexts) -> None:
    library.catalog.preparations.request(library.kb, WAY)
    tools = PreparationTools(library.embedder, None, CancelToken())
    run = PreparationRun(Preparation(library.kb, WAY), library.catalog, tools, RunCoordinator())
    assert list(run.run())


def ask(
    library: IndexedTexts,
    text: str = QUESTION,
    strategy: EntityGraphWalk | None = None,
    where: str = "",
    kbs: tuple[KbId, ...] = (),
) -> tuple[list[Event], StrategyResult]:
    question = Question(text, text, language(text), kbs or (library.kb,), where=where)
    engine = ResearchContext(library.retriever(), library.embedder, None, Settings())
    engine = replace(engine, prepared=library.catalog.preparations.coverage)
    chosen = strategy or EntityGraphWalk()
    return finished(chosen.run(question, ResearchTools(engine, question, CancelToken())))


def matched(events: list[Event]) -> Iterator[str]:
    yield from (str(each.text) for each in events if isinstance(each, Step))


def walked(library: IndexedTexts, text: str, where: str = "") -> list[str]:
    """Return the paths that the walk's order alone gives, best first."""
    strategy = EntityGraphWalk(reading="off", passage_weight=0.0)
    events, _ = ask(library, text, strategy, where)
    found = [each for each in events if isinstance(each, PassagesFound)][-1]
    return [each.path for each in found.passages]


def test_a_name_that_two_documents_share_leads_from_one_to_the_other(shelf: IndexedTexts) -> None:
    prepare(shelf)
    assert walked(shelf, QUESTION)[:2] == ["/docs/halden.txt", "/people/ekeland.txt"]


def test_the_steps_say_which_names_were_found_and_what_they_led_to(shelf: IndexedTexts) -> None:
    prepare(shelf)
    events, result = ask(shelf)
    told = list(matched(events))
    assert told[0] == "In the question: Halden lighthouse"
    assert any("Marta Ekeland" in each and "“A childhood”" in each for each in told)
    assert result.mode == "extracted"
    assert result.citations


def test_a_question_that_names_nothing_is_told_what_is_near_it(shelf: IndexedTexts) -> None:
    prepare(shelf)
    events, _ = ask(shelf, "where does it shine at night?")
    told = list(matched(events))
    assert told[0].startswith("Names like it: ")
    assert not any(each.startswith("In the question") for each in told)


def test_an_unprepared_base_is_told_of_and_searched_once(shelf: IndexedTexts) -> None:
    events, result = ask(shelf)
    assert [each.text for each in events if isinstance(each, Notice)]
    assert sum(isinstance(each, SearchStarted) for each in events) == 1
    assert result.mode == "extracted"


def test_an_empty_base_refuses(library: IndexedTexts) -> None:
    _, result = ask(library)
    assert result.mode == "refused"


def test_a_filter_holds_for_what_the_graph_finds(shelf: IndexedTexts) -> None:
    prepare(shelf)
    assert walked(shelf, QUESTION, "path:/docs/*") == ["/docs/halden.txt"]


def test_another_base_is_not_walked(shelf: IndexedTexts) -> None:
    other = shelf.catalog.kbs.ensure("other").id
    shelf.put("/other/a.txt", "The Halden lighthouse is red.", title="Paint", kb=other)
    prepare(shelf)
    events, _ = ask(shelf, kbs=(other,))
    found = {each.path for e in events if isinstance(e, PassagesFound) for each in e.passages}
    assert found == {"/other/a.txt"}


def test_a_new_document_is_walked_to_and_a_removed_one_is_not(shelf: IndexedTexts) -> None:
    prepare(shelf)
    shelf.put("/people/nansen.txt", "Marta Ekeland taught Olaf Nansen.", title="Teachers")
    prepare(shelf)
    assert "/people/nansen.txt" in walked(shelf, QUESTION)
    shelf.catalog.files.remove(shelf.kb, ["/people/ekeland.txt"])
    shelf.indexes.of(shelf.kb).sync()
    assert "/people/ekeland.txt" not in walked(shelf, QUESTION)


def test_chinese_names_join_documents(library: IndexedTexts) -> None:
    library.put("/a.txt", "《海港章程》由滨海设计院有限公司起草，共二十条。", title="章程")
    library.put("/b.txt", "滨海设计院有限公司的总部在青岛市的老码头旁边。", title="名录")
    library.put("/c.txt", "面包店在每天早上六点开门。", title="面包")
    prepare(library)
    assert walked(library, "起草《海港章程》的单位总部在哪里？") == ["/a.txt", "/b.txt"]


def test_what_the_search_finds_first_stays_in_front_where_the_reader_does_not_read(
    library: IndexedTexts,
) -> None:
    for n in range(6):
        library.put(
            f"/walk{n}.txt", f"滨海设计院有限公司承担了第{n}号码头的勘察工作。", title=f"码头{n}"
        )
    library.put("/tea.txt", "茶园的主人每年三月给茶树施肥。", title="茶园")
    prepare(library)
    question = "主人每年几月给茶树施肥？滨海设计院有限公司知道吗？"
    assert walked(library, question)[0] != "/tea.txt", "the walk alone goes elsewhere"
    _, result = ask(library, question)
    paths = [each.path for each in result.sources]
    assert paths[0] == "/tea.txt"
    assert len(set(paths)) == 5, "those that the walk found stand behind it"


def test_what_stands_around_an_entity_can_be_drawn(shelf: IndexedTexts) -> None:
    prepare(shelf)
    graph = shelf.retriever().graph(Query(QUESTION, (shelf.kb,), 5), WAY)
    around = graph.neighbourhood("marta ekeland", 10)
    assert around is not None
    assert len(around.chunks) == 2
    halden = next(each for each in around.neighbours if each.name == "Halden lighthouse")
    assert (halden.by, halden.weight) == ("passage", 1.0)
    assert set(halden.chunks) < set(around.chunks)
    assert graph.neighbourhood("nobody", 10) is None
