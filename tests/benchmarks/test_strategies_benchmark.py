"""The comparison of strategies, over a small made-up collection: real search, simulated reading."""

from __future__ import annotations

import gzip
import json
import time
from dataclasses import replace

import pytest

from benchmarks.comparison_page import StrategyMeasurement
from benchmarks.strategies import NOISES, UNMOVED, WITH, simulated
from benchmarks.strategy_run import RunSetup, open_exam
from desktop_rag.core.settings import Settings
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from testing.ollama_double import OllamaDouble
from testing.question_hops import plans
from testing.simulated_reader import InProcess, SimulatedReader

NAMES = ("Tova Lindqvist", "Okoro Mbeki", "Radha Iyer", "Pavel Dragan", "Mirela Costa", "Joon Park")
WORKS = (
    "Silver Harbour",
    "The Glass Orchard",
    "Nine Lanterns",
    "Winter Ferry",
    "Salt Road",
    "Rook",
)
TOWNS = ("Uppsala", "Enugu", "Madurai", "Craiova", "Setubal", "Gwangju")
SEARCHING = tuple(each for each in WITH if each not in (*UNMOVED, "direct", "chain_of_thought"))


def rows() -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return a corpus and its questions: from a film one comes to its director, and to a town.

    Many other passages share words with a question; the second one that it needs shares none.
    """
    corpus: list[dict[str, object]] = []
    asked: list[dict[str, object]] = []
    for work, name, town in zip(WORKS, NAMES, TOWNS, strict=True):
        film, person = str(len(corpus)), str(len(corpus) + 1)
        told = f"{work} is a film. It was directed by {name} within three months."
        life = f"{name} grew up beside a mill. The family of {name} came from {town} long ago."
        corpus.append({"id": film, "title": work, "text": told})
        corpus.append({"id": person, "title": name, "text": life})
        for year in range(1990, 2000):
            text = (
                f"The director of museum {len(corpus)} was born in a town that filmed it in {year}."
            )
            corpus.append({"id": str(len(corpus)), "title": "Museums", "text": text})
        parts = [
            {"question": f"{work} >> directed by", "answer": name, "support_id": film},
            {"question": "#1 >> family from", "answer": town, "support_id": person},
        ]
        question = f"In which town was the director of the film {work} born?"
        asked.append({"id": film, "question": question, "gold": [film, person]})
        asked[-1] |= {"answers": [town], "decomposition": parts}
    return corpus, asked


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> RunSetup:
    folder = tmp_path_factory.mktemp("sets")
    (folder / "made-up").mkdir()
    for file, each in zip(("corpus", "dev"), rows(), strict=True):
        packed = gzip.compress("\n".join(map(json.dumps, each)).encode())
        (folder / "made-up" / f"{file}.jsonl.gz").write_bytes(packed)
    return RunSetup(folder, tmp_path_factory.mktemp("kept"), 2)


@pytest.fixture(scope="module")
def table(place: RunSetup) -> list[StrategyMeasurement]:
    return list(simulated(place, "made-up", WITH))


def found(table: list[StrategyMeasurement], strategy: str, reader: str) -> StrategyMeasurement:
    return next(row for row in table if (row.strategy, row.reader) == (strategy, reader))


@pytest.mark.parametrize("strategy", SEARCHING)
def test_who_reads_finds_more_than_one_search_with_as_many_passages(
    table: list[StrategyMeasurement], strategy: str
) -> None:
    assert found(table, strategy, "noise 0.0").gains == [0.5, 0.5]


@pytest.mark.parametrize("strategy", WITH)
def test_who_is_blind_finds_no_more(table: list[StrategyMeasurement], strategy: str) -> None:
    row = found(table, strategy, "blind")
    assert max(*row.gains, *row.gains_at_5) <= 0


@pytest.mark.parametrize("strategy", ["direct", "chain_of_thought"])
def test_without_a_search_nothing_is_found(table: list[StrategyMeasurement], strategy: str) -> None:
    for reader in ("noise 0.0", "noise 0.5", "blind"):
        assert [each.found.ids for each in found(table, strategy, reader).outcomes] == [(), ()]


@pytest.mark.parametrize("strategy", ["iter_retgen", "self_ask", "react", "dsp", "flare_instruct"])
def test_who_errs_more_finds_less(table: list[StrategyMeasurement], strategy: str) -> None:
    rows = [found(table, strategy, f"noise {noise}") for noise in NOISES]
    assert sum(rows[-1].gains) <= sum(rows[0].gains)


@pytest.mark.parametrize("strategy", ["flare_direct", "previous_window", "react", "self_rag"])
def test_through_a_server_it_says_the_same(place: RunSetup, strategy: str) -> None:
    known = plans(place.data / "made-up")
    with open_exam(place, "made-up", first_stage=True) as exam, OllamaDouble() as double:
        asked = replace(exam, items=exam.items[:1])
        double.otherwise = SimulatedReader(known, noise=0.2)
        options = Settings().ollama
        over = asked.asked(strategy, OllamaChat(double.url, "llama3.2:3b", options))
        inside = asked.asked(strategy, InProcess(SimulatedReader(known, noise=0.2)))
        assert [each.found for each in over] == [each.found for each in inside]
        assert double.chats or double.to("/api/generate")


class Slow:
    """The real search, after a while."""

    def __init__(self, inner: TwoStageRetriever) -> None:
        self.inner, self.made = inner, 0

    def search(self, query: Query) -> SearchResult:
        self.made += 1
        time.sleep(0.5)
        return self.inner.search(query)


def test_a_search_is_made_once_and_its_time_counts_each_time(
    place: RunSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_exam(place, "made-up", first_stage=True) as exam:
        slow = Slow(exam.searches.inner)
        monkeypatch.setattr(exam.searches, "inner", slow)
        first, second = exam.asked("single_pass"), exam.asked("single_pass")
        assert [each.found for each in first] == [each.found for each in second]
        assert slow.made == len(first)
        assert all(each.milliseconds >= 500 for each in (*first, *second))
        assert exam.searches.saved == 0.0
