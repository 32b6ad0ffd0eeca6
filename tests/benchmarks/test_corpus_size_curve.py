"""Recall against corpus size: parts of a corpus, real search in each, and the page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from benchmarks.corpus_size_curve import drawn, measured_points, part_sizes
from benchmarks.corpus_size_page import CurvePage, CurvePoint, CurveSet
from benchmarks.line_plot import LinePanel, LineSeries, PlotPoint, drawn_lines
from benchmarks.model_cache import RowStore
from benchmarks.retrieval_setup import WAYS, remembering_models
from desktop_rag.core.settings import Settings
from desktop_rag.evaluation.datasets import CorpusPassage, EvalQuestion
from desktop_rag.models.model_loader import load_embedder, load_rerankers

CORPUS = [
    CorpusPassage("whale", "Blue whale", "The largest animal, which feeds on krill."),
    CorpusPassage("bread", "Sourdough", "Bread that rises by wild yeast."),
    *(
        CorpusPassage(f"m{number}", f"Motor {number}", f"Motor {number} turns current into motion.")
        for number in range(300)
    ),
]
ITEMS = [
    EvalQuestion("a", "What does the largest animal eat?", (), frozenset({"whale"})),
    EvalQuestion("b", "How does sourdough bread rise?", (), frozenset({"bread"})),
]


def test_each_way_is_asked_of_each_part_and_nothing_is_read_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = remembering_models(tmp_path)
    points = list(measured_points(CORPUS[:40], ITEMS, 2, models))
    assert [(p.size, p.seed, p.way) for p in points] == [(40, 0, way) for way in WAYS]
    assert all(point.recalls[2] == [1.0, 1.0] for point in points)
    models.save()
    again = remembering_models(tmp_path)
    monkeypatch.setattr(again.embedder, "_model", None)
    monkeypatch.setattr(again.reranker, "_model", None)
    asked, told = ITEMS[0].question, "Blue whale\nThe largest animal, which feeds on krill."
    assert np.array_equal(again.embedder.embed_query(asked), models.embedder.embed_query(asked))
    assert again.reranker.score(asked, [told]) == models.reranker.score(asked, [told])
    with pytest.raises(AttributeError):
        again.embedder.embed_query("something new")


def test_parts_are_doubled_and_begin_where_the_questions_have_all_they_need() -> None:
    assert part_sizes(2848, 100) == [250, 500, 1000, 2000, 2848]
    assert part_sizes(16451, 300) == [300, 600, 1200, 2400, 4800, 9600, 16451]
    assert part_sizes(200, 20) == [200]


def test_questions_without_gold_are_never_drawn() -> None:
    items = [*ITEMS, EvalQuestion("c", "Why?", (), frozenset())]
    assert {each.id for each in drawn(items, 9)} == {"a", "b"}
    assert drawn(items, 1) == drawn(items, 1)


def test_rows_are_made_once_and_kept(tmp_path: Path) -> None:
    made: list[str] = []

    def lengths(texts: list[str]) -> np.ndarray:
        made.extend(texts)
        return np.array([[len(text)] for text in texts], np.float32)

    store = RowStore(tmp_path, "lengths")
    assert store.rows(["a", "bb", "a"], lengths).tolist() == [[1.0], [2.0], [1.0]]
    store.save()
    assert RowStore(tmp_path, "lengths").rows(["bb", "ccc"], lengths).tolist() == [[2.0], [3.0]]
    assert made == ["a", "bb", "ccc"]
    assert RowStore(tmp_path, "others").rows(["a"], lengths).tolist() == [[1.0]]


def points(recalls: dict[tuple[str, int], float]) -> list[CurvePoint]:
    return [
        CurvePoint(size, seed, way, {k: [value] * 8 for k in (1, 2, 5, 10)})
        for (way, size), value in recalls.items()
        for seed in range(2 if size == 10 else 1)
    ]


def test_the_page_says_which_way_surely_loses_less() -> None:
    found = {(way, 10): 1.0 for way in WAYS}
    found |= {
        ("bm25", 90): 0.5,
        ("dense", 90): 0.75,
        ("fused", 90): 0.875,
        ("two stages", 90): 0.875,
    }
    one = CurveSet("Made up", 8, points(found))
    page = CurvePage([one], "a machine", 3.0)
    text = page.text("plot.svg")
    assert "they lose surely less than `bm25`, `dense`; neither surely" in text
    assert "| `bm25` | 100.0 | 50.0 | 50.0 | [50.0, 50.0] | +37.5 | [37.5, 37.5] |" in text
    assert "| 90 passages | +0.0 | [0.0, 0.0] |" in text
    assert "![Recall against corpus size](plot.svg)" in text
    assert "| 10 passages | `dense` | 2 | 100.0 |" in text


def test_the_page_says_of_an_easy_set_that_it_decides_nothing() -> None:
    one = CurveSet("Easy", 8, points({(way, size): 1.0 for way in WAYS for size in (10, 90)}))
    text = CurvePage([one], "a machine", 3.0).text("plot.svg")
    assert "**These questions decide nothing**: among 90 passages" in text


def test_the_picture_is_svg_with_a_line_a_way() -> None:
    series = [
        LineSeries(f"way <{n}>", [PlotPoint(x, 80 - n, 70, 90) for x in (250, 500, 4000)])
        for n in range(4)
    ]
    svg = ET.fromstring(drawn_lines([LinePanel("A & B", "passages", series)] * 3))
    tags = [each.tag.rpartition("}")[2] for each in svg.iter()]
    assert (tags.count("polyline"), tags.count("circle")) == (12, 36)
    texts = {each.text for each in svg.iter() if each.tag.endswith("text")}
    assert {"A & B", "passages", "way <0>", "4,000"} <= texts
    line = next(each for each in svg.iter() if each.tag.endswith("polyline"))
    xs = [float(pair.split(",")[0]) for pair in line.get("points", "").split()]
    assert xs == sorted(xs)
    assert float(svg.get("width", "0")) == 800


def test_a_picture_of_full_marks_has_an_axis() -> None:
    full = LineSeries("all", [PlotPoint(10, 100, 100, 100)])
    assert ">80</text>" in drawn_lines([LinePanel("Full", "passages", [full])])


def test_late_interaction_is_remembered_as_the_model_gives_it(tmp_path: Path) -> None:
    models = remembering_models(tmp_path, "late-interaction")
    texts = ["蓝鲸是最大的动物，以磷虾为食。", "面包由酵母发酵而成。"]
    embedder = load_embedder("builtin", Settings())
    (plain,) = load_rerankers("late-interaction", Settings(), embedder)
    scores = models.reranker.score("最大的动物吃什么？", texts)
    assert scores == pytest.approx(plain.score("最大的动物吃什么？", texts), abs=1e-3)
    assert scores[0] > scores[1]
    assert models.reranker.name == "late-interaction"
