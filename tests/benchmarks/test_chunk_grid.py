"""The grid of chunk sizes: what counts as in the context, real cells, and the page's verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.chunk_grid import (
    GridTexts,
    cut,
    in_context,
    joined_articles,
    measured_cells,
    within,
)
from benchmarks.chunk_grid_page import (
    BUDGETS,
    KS,
    CellFigures,
    GridCell,
    GridPage,
    GridSet,
    default_cell,
)
from benchmarks.retrieval_setup import remembering_models
from desktop_rag.core.types import (
    ChunkId,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
)
from desktop_rag.evaluation.datasets import CorpusPassage, EvalQuestion

ITEM = EvalQuestion("q", "Where was it launched?", ("in Narvik", "Narvik"), frozenset({"ship"}))
FILLER = " ".join(
    f"Sentence {number} tells of ropes, sails and the weather." for number in range(90)
)


def passage(text: str, path: str = "ship") -> Passage:
    place = Locator(LocatorKind.PART, "")
    return Passage(1, ChunkId(1), DocumentId(1), path, place, "", "", text, (0, len(text)), 0.0)


def test_an_answer_counts_where_it_stands_whole_in_its_own_text() -> None:
    assert in_context([passage("Launched in  NARVIK,\nlong ago.")], ITEM) == 1.0
    assert in_context([passage("Launched in Narvik.", "other")], ITEM) == 0.0
    assert in_context([passage("Launched in Nar"), passage("vik, long ago.")], ITEM) == 0.0


def test_of_what_is_too_long_the_beginning_is_shown() -> None:
    three = [passage("a" * 100), passage("b" * 100), passage("c" * 100)]
    shown = within(three, [50, 50, 50], 75)
    assert [each.text for each in shown] == ["a" * 100, "b" * 50]
    assert [len(each.text) for each in within(three, [50, 50, 50], 500)] == [100, 100, 100]


def test_paragraphs_of_a_title_become_one_text() -> None:
    paragraphs = [
        CorpusPassage("1", "船", "甲。"),
        CorpusPassage("2", "海", "乙。"),
        CorpusPassage("3", "船", "丙。"),
    ]
    articles, article_of = joined_articles(paragraphs)
    assert articles == [CorpusPassage("船", "船", "甲。\n丙。"), CorpusPassage("海", "海", "乙。")]
    assert article_of == {"1": "船", "2": "海", "3": "船"}


def test_cells_are_measured_by_real_search(tmp_path: Path) -> None:
    text = f"{FILLER} The ship was launched in Narvik in spring. {FILLER}"
    corpus = [CorpusPassage("ship", "A ship", text), CorpusPassage("sea", "Sea", FILLER)]
    models = remembering_models(tmp_path)
    texts = GridTexts(corpus, [ITEM])
    small, large = (list(measured_cells(texts, cut(size, 0), models)) for size in (64, 256))
    assert [each.cell for each in small] == [GridCell(64, 0, "chunk"), GridCell(64, 0, "passage")]
    assert small[0].chunks > 2 * large[0].chunks
    for each in (*small, *large):
        assert each.holding["k3"] == [1.0]
        assert each.tokens[3] <= each.tokens[10]
    assert small[0].tokens[3] < small[1].tokens[3]
    (both, _) = measured_cells(texts, cut(64, 0), models, both_stages=True)
    assert both.holding["t500"] == [1.0]


def made(half: str, cell: GridCell, shares: list[float]) -> CellFigures:
    keys = [*(f"k{k}" for k in KS), *(f"t{budget}" for budget in BUDGETS)]
    return CellFigures(half, cell, 7, dict.fromkeys(keys, shares), dict.fromkeys(KS, 100))


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ([0.0] * 9, "**the default is worse**"),
        ([1.0] * 9, "the interval holds 0"),
    ],
)
def test_the_page_says_whether_the_default_is_best(shares: list[float], told: str) -> None:
    other = replace(default_cell(), small=400)
    figures = [
        made("train", default_cell(), [0.0] * 9),
        made("train", other, [1.0] * 9),
        made("dev", default_cell(), shares),
        made("dev", other, [1.0] * 9),
    ]
    both = {default_cell(): figures[2], other: figures[3]}
    one = GridSet("Made up", {"train": (2, 9), "dev": (2, 9)}, figures, both)
    text = GridPage([one], "a machine", 2.0).text()
    assert text.count(told) == 2 * len(BUDGETS)
    assert "| **175** | **20** | **passage** |" in text
    assert "| 1,000 | two | 400 tokens, overlap 20, passage | 100.0 |" in text


def test_of_equal_cells_the_default_is_the_best() -> None:
    other = replace(default_cell(), small=100)
    figures = [made("train", other, [1.0]), made("train", default_cell(), [1.0])]
    assert GridSet("Made up", {}, figures).best("train", "t500") == default_cell()
