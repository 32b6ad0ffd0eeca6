"""Chains of passages over a real index, judged by the real reader, without a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Chain, Event, ModelCall, PassagesFound, SearchStarted, Step
from desktop_rag.core.language import language
from desktop_rag.core.settings import Settings
from desktop_rag.generation.prompt_delimiters import source_label
from desktop_rag.models.pair_reader import TAGS, PairReader, PairReading
from desktop_rag.strategies.base import Question, Strategy, StrategyResult
from desktop_rag.strategies.efficient_rag import EfficientRag
from desktop_rag.strategies.linked_hops import LinkedHops
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.single_pass import SinglePass
from testing.indexed_texts import IndexedTexts
from tests.strategies.conftest import finished

QUESTION = "In which town was the designer of the Halden lighthouse born?"
LIGHT = "The Halden lighthouse stands on a rock in the fjord. It was designed by Marta Ekeland."
ARCHITECT = "Marta Ekeland (1861 to 1930) was an architect. She was born in Drammen."
TOWNS = {"Oksby": "Ribe", "Lista": "Farsund", "Feistein": "Klepp", "Torungen": "Arendal"}
TOWNS |= {"Ryvingen": "Mandal", "Utsira": "Haugesund", "Svinør": "Halse", "Kjeungen": "Orkanger"}
OTHERS = {
    f"{name} lighthouse": f"The {name} lighthouse was built of stone. Its designer came from the "
    f"town of {town}, where he was born."
    for name, town in TOWNS.items()
}


@pytest.fixture
def lights(library: IndexedTexts) -> IndexedTexts:
    library.put("/docs/halden.pdf", LIGHT, title="Halden lighthouse")
    library.put("/docs/ekeland.pdf", ARCHITECT, title="Marta Ekeland")
    for title, text in OTHERS.items():
        library.put(f"/docs/{title}.pdf", text, title=title)
    return library


def research(
    library: IndexedTexts, reader: PairReader | None, text: str, k: int = 2
) -> ResearchTools:
    retriever = library.retriever(reranker="pair-reader")
    question = Question(text, text, language(text), (library.kb,), k=k)
    engine = ResearchContext(
        retriever, library.embedder, None, Settings(), (reader,) if reader else ()
    )
    return ResearchTools(engine, question, CancelToken())


def run(
    strategy: Strategy,
    library: IndexedTexts,
    reader: PairReader | None,
    text: str = QUESTION,
    k: int = 2,
) -> tuple[list[Event], StrategyResult]:
    tools = research(library, reader, text, k)
    return finished(strategy.run(tools.question, tools))


def test_the_second_hop_is_found_by_what_the_first_one_names(
    lights: IndexedTexts, reader: PairReader
) -> None:
    _, plain = run(SinglePass(), lights, reader)
    _, outcome = run(LinkedHops(), lights, reader)
    assert {each.text for each in outcome.sources} == {LIGHT, ARCHITECT}
    assert {each.text for each in plain.sources} != {LIGHT, ARCHITECT}


def test_each_hop_is_a_search_that_says_what_it_follows(
    lights: IndexedTexts, reader: PairReader
) -> None:
    events, _ = run(LinkedHops(beam=2, least=0.0), lights, reader)
    whys = [event.why for event in events if isinstance(event, SearchStarted)]
    assert whys[0] == "the question"
    assert len(whys) == 3
    assert "what “Halden lighthouse” leads to" in whys
    assert len([event for event in events if isinstance(event, PassagesFound)]) == 3
    assert not [event for event in events if isinstance(event, ModelCall)]


def test_a_first_passage_that_is_hardly_meant_is_not_followed(
    lights: IndexedTexts, reader: PairReader
) -> None:
    every, whole = run(LinkedHops(least=0.0), lights, reader)
    starts = [event.score for event in every if isinstance(event, Chain)]
    assert len(starts) == 3
    between = (starts[0] + starts[1]) / 2
    events, outcome = run(LinkedHops(least=between), lights, reader)
    assert [event.score for event in events if isinstance(event, Chain)] == starts[:1]
    assert outcome.sources == whole.sources
    events, _ = run(LinkedHops(least=1.0), lights, reader)
    assert len([event for event in events if isinstance(event, Chain)]) == 1, "the best always is"


def test_the_widest_beam_still_reads_what_is_linked(
    lights: IndexedTexts, reader: PairReader
) -> None:
    _, outcome = run(LinkedHops(beam=10, least=0.0, pairs=20), lights, reader)
    assert {each.text for each in outcome.sources} == {LIGHT, ARCHITECT}


def test_the_likeliest_chains_are_shown_with_what_led_to_them(
    lights: IndexedTexts, reader: PairReader
) -> None:
    events, _ = run(LinkedHops(least=0.0), lights, reader)
    chains = [event for event in events if isinstance(event, Chain)]
    assert len(chains) == 3
    (light,) = [each for each in chains if each.title == "Halden lighthouse"]
    best = light.follows[0]
    assert (best.title, best.by, best.name) == ("Marta Ekeland", "name", "Marta Ekeland")
    for chain in chains:
        scores = [each.score for each in chain.follows]
        assert 1 <= len(scores) <= 3
        assert scores == sorted(scores, reverse=True)
        assert all(score >= 0.05 for score in scores[1:])


def test_what_led_to_a_passage_is_told_as_it_was(lights: IndexedTexts, reader: PairReader) -> None:
    events, _ = run(LinkedHops(first=5), lights, reader)
    first = next(event for event in events if isinstance(event, PassagesFound))
    by_question = {each.chunk_id for each in first.passages}
    follows = [each for event in events if isinstance(event, Chain) for each in event.follows]
    assert {each.by for each in follows} <= {"name", "words", "question"}
    assert all(bool(each.name) == (each.by == "name") for each in follows)
    assert all(each.chunk_id in by_question for each in follows if each.by == "question")


def test_a_file_whose_name_is_no_text_is_read_like_any_other(
    lights: IndexedTexts, reader: PairReader
) -> None:
    lights.put("/docs/bad\udcff\udcfe.txt", "Halden lighthouse was painted in 1931.")
    text = "When was Halden lighthouse painted?"
    _, outcome = run(LinkedHops(), lights, reader, text)
    found = next(each for each in outcome.sources if "1931" in each.text)
    assert found.path.endswith("bad\udcff\udcfe.txt"), "it can still be opened"
    assert f"{found.title} {source_label(found)}".encode().count(b"bad??") >= 2


def test_only_what_a_chain_may_begin_with_is_reranked(
    lights: IndexedTexts, reader: PairReader
) -> None:
    for first in (5, 8):
        events, _ = run(LinkedHops(first=first), lights, reader)
        found = next(event for event in events if isinstance(event, PassagesFound))
        assert len(found.passages) == first
        assert all(each.rerank_score is not None for each in found.passages)
    events, _ = run(LinkedHops(first=5), lights, reader, k=9)
    found = next(event for event in events if isinstance(event, PassagesFound))
    assert [each.rerank_score is None for each in found.passages] == [False] * 5 + [True] * 4


def test_pairs_cap_what_is_read_for_second_hops(
    lights: IndexedTexts, reader: PairReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    scored = PairReader.score_pairs

    def counted(
        self: PairReader, pairs: Sequence[tuple[str, str]], token: CancelToken | None = None
    ) -> list[float]:
        read.extend([len(pairs)] if pairs else [])
        return scored(self, pairs, token)

    monkeypatch.setattr(PairReader, "score_pairs", counted)
    run(LinkedHops(pairs=18, least=0.0), lights, reader)
    assert len(read) == 3
    assert sum(read) <= 18


@pytest.mark.parametrize("strategy", [LinkedHops(), EfficientRag()])
@pytest.mark.parametrize("text", [QUESTION, "哈尔登灯塔的设计者出生在哪个城市？"])
def test_without_the_reader_it_is_one_search_and_says_so(
    strategy: LinkedHops | EfficientRag, text: str, lights: IndexedTexts, reader: PairReader
) -> None:
    lights.put("/docs/灯塔.md", "哈尔登灯塔的设计者出生在德拉门市。")
    events, outcome = run(strategy, lights, None if text == QUESTION else reader, text)
    decided = [event for event in events if isinstance(event, Step) and event.name == "decision"]
    assert len(decided) == 1
    assert "does not read this question" in decided[0].text
    assert outcome.mode == "extracted"


@pytest.mark.parametrize("strategy", [LinkedHops(), EfficientRag()])
def test_an_empty_knowledge_base_is_a_refusal(
    strategy: LinkedHops | EfficientRag, library: IndexedTexts, reader: PairReader
) -> None:
    _, outcome = run(strategy, library, reader)
    assert outcome.mode == "refused"


def test_the_labelled_passage_makes_the_next_query(
    lights: IndexedTexts, reader: PairReader
) -> None:
    events, outcome = run(EfficientRag(), lights, reader)
    queries = [event.query for event in events if isinstance(event, SearchStarted)]
    assert queries[0] == QUESTION
    assert any("Ekeland" in query for query in queries[1:])
    assert {each.text for each in outcome.sources} == {LIGHT, ARCHITECT}


def tagged(monkeypatch: pytest.MonkeyPatch, tags: Mapping[str, str], otherwise: str) -> None:
    """Have the real reader tag passages by a word in them, its marks left as they are."""
    read = ResearchTools.read

    def told(
        tools: ResearchTools, query: str, texts: Sequence[str]
    ) -> Sequence[PairReading] | None:
        readings = read(tools, query, texts)
        if readings is None:
            return None
        named = [next((tags[word] for word in tags if word in each), otherwise) for each in texts]
        return [
            replace(each, tags=9 * np.eye(4, dtype=np.float32)[TAGS.index(tag)])
            for each, tag in zip(readings, named, strict=True)
        ]

    monkeypatch.setattr(ResearchTools, "read", told)


@pytest.mark.parametrize("tag", ["FINISH", "POSITIVE", "TERMINATE"])
def test_without_a_passage_that_leads_on_it_searches_once(
    lights: IndexedTexts, reader: PairReader, monkeypatch: pytest.MonkeyPatch, tag: str
) -> None:
    tagged(monkeypatch, {}, tag)
    events, _ = run(EfficientRag(), lights, reader)
    assert sum(isinstance(event, SearchStarted) for event in events) == 1


@pytest.mark.parametrize("other", ["FINISH", "POSITIVE", "TERMINATE"])
@pytest.mark.parametrize(
    ("leading", "word", "foreign"),
    [("Halden", "Ekeland", "Farsund"), ("Lista", "Farsund", "Ekeland")],
)
def test_only_a_passage_that_leads_on_gives_words_to_the_next_query(
    request: pytest.FixtureRequest, leading: str, word: str, foreign: str, other: str
) -> None:
    tagged(request.getfixturevalue("monkeypatch"), {f"{leading} lighthouse": "CONTINUE"}, other)
    lights, reader = request.getfixturevalue("lights"), request.getfixturevalue("reader")
    events, _ = run(EfficientRag(rounds=2), lights, reader)
    _, query = [event.query for event in events if isinstance(event, SearchStarted)]
    assert word in query
    assert foreign not in query


def test_a_query_that_cannot_be_read_ends_the_rounds_and_forgets_nothing(
    lights: IndexedTexts, reader: PairReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = ResearchTools.read

    def only_the_question(tools: ResearchTools, query: str, texts: Sequence[str]) -> object:
        return read(tools, query, texts) if query == QUESTION else None

    monkeypatch.setattr(ResearchTools, "read", only_the_question)
    events, outcome = run(EfficientRag(), lights, reader)
    assert sum(isinstance(event, SearchStarted) for event in events) == 2
    assert not any(isinstance(event, Step) and event.name == "decision" for event in events)
    assert LIGHT in {each.text for each in outcome.sources}


def test_rounds_are_capped_and_no_query_is_asked_twice(
    lights: IndexedTexts, reader: PairReader
) -> None:
    for rounds in (1, 4):
        events, _ = run(EfficientRag(rounds=rounds), lights, reader)
        queries = [event.query for event in events if isinstance(event, SearchStarted)]
        assert 1 <= len(queries) <= rounds
        assert len(set(queries)) == len(queries)


def test_what_surely_says_nothing_is_left_out(lights: IndexedTexts, reader: PairReader) -> None:
    _, all_of_it = run(EfficientRag(sure=1.0), lights, reader, k=10)
    _, strict = run(EfficientRag(sure=0.3), lights, reader, k=10)
    assert len(strict.sources) < len(all_of_it.sources)
    labels = [
        event.text
        for event in run(EfficientRag(), lights, reader, k=10)[0]
        if isinstance(event, Step) and event.name == "labels"
    ]
    assert labels
    assert "no use" in labels[0]
