"""Measure chunk size × overlap × passages: what answers, is it in the context.

    python -m benchmarks.chunk_grid DATA [--data-dir KEPT] [--questions 120] [--documents 14]
        [--articles 40] [--sizes 100,175,256,400] [--overlaps 0,20,60] [--only en,zh]
        [--out docs/chunk-grid.md]

DATA holds `singlehop/covidqa` (English: long articles, half of them to choose by, half to hold that
against) and `singlehop/drcd_dev` and `drcd_test` (Chinese: the paragraphs of an encyclopedia's
article are joined to one text again, and the longest taken). The grid is measured over the first
stage; the default and what came out best on the first half are then compared with both stages on
the other half. KEPT keeps vectors and scores for the next run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.chunk_grid_page import (
    BUDGETS,
    KS,
    READINGS,
    CellFigures,
    GridCell,
    GridPage,
    GridSet,
    default_cell,
)
from benchmarks.machine_description import machine_text
from benchmarks.retrieval_setup import (
    IndexedCorpus,
    RememberingModels,
    indexed_corpus,
    remembering_models,
)
from desktop_rag.core.settings import Chunking
from desktop_rag.core.types import Passage
from desktop_rag.evaluation.datasets import (
    CorpusPassage,
    EvalQuestion,
    read_corpus,
    read_questions,
)
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from desktop_rag.workspace import Workspace

TRAIN, DEV = "train", "dev"
NAMES = {"en": "English (COVID-QA)", "zh": "Chinese (DRCD)"}
_DEPTH = max(KS)
_CHUNKS_READ = 24  # of the smallest chunks, so that they fill the largest budget


@dataclass(frozen=True, slots=True)
class GridTexts:
    """Long texts, and questions whose answers stand in them word for word."""

    corpus: Sequence[CorpusPassage]
    items: Sequence[EvalQuestion]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--data-dir", type=Path, help="keeps vectors and scores for the next run")
    parser.add_argument("--questions", type=int, default=120, help="of each half and language")
    parser.add_argument("--documents", type=int, default=14, help="English articles of each half")
    parser.add_argument("--articles", type=int, default=40, help="Chinese articles of each half")
    parser.add_argument("--sizes", default="100,175,256,400", help="tokens of a chunk")
    parser.add_argument("--overlaps", default="0,20,60", help="tokens that neighbours share")
    parser.add_argument("--only", default="en,zh", help="languages")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine, begun = machine_text(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-grid-") as scratch:
        models = remembering_models(given.data_dir or Path(scratch))
        measured = [_set(language, given, models) for language in given.only.split(",")]
    page = GridPage(measured, machine, (time.monotonic() - begun) / 60)
    print(page.text())
    if given.out:
        given.out.write_text(page.text(), encoding="utf-8")


def _set(language: str, given: argparse.Namespace, models: RememberingModels) -> GridSet:
    """Measure the grid on both halves, and the cells that are compared with both stages."""
    halves = english_halves(given) if language == "en" else chinese_halves(given)
    sizes, overlaps = (list(map(int, each.split(","))) for each in (given.sizes, given.overlaps))
    figures = []
    for small in sizes:
        for overlap in (each for each in overlaps if each <= small // 2):
            for half, texts in halves.items():
                for made in measured_cells(texts, cut(small, overlap), models):
                    figures.append(replace(made, half=half))
                    print(f"{language} {figures[-1].told()}", flush=True)
            models.save()
    told = {half: (len(each.corpus), len(each.items)) for half, each in halves.items()}
    found = GridSet(NAMES[language], told, figures)
    both = {
        cell: figure
        for cell in _compared(found)
        for figure in measured_cells(
            halves[DEV], cut(cell.small, cell.overlap), models, both_stages=True
        )
        if figure.cell == cell
    }
    models.save()
    return replace(found, both_stages=both)


def _compared(found: GridSet) -> list[GridCell]:
    """Return the cells whose second stage is measured: none where the reader reads no question."""
    if found.name != NAMES["en"]:
        return []
    return list(dict.fromkeys((default_cell(), *found.best_cells(TRAIN))))


def cut(small: int, overlap: int) -> Chunking:
    """Return the settings of a cell; the passage around a chunk stays as it is by default."""
    return replace(Chunking(), small_tokens=small, overlap_tokens=overlap)


def english_halves(given: argparse.Namespace) -> dict[str, GridTexts]:
    """Return every second article, and the others; so many of each."""
    folder = given.data / "singlehop/covidqa"
    corpus, items = _read(folder)
    return {
        half: _texts(corpus[start::2][: given.documents], items, given.questions)
        for start, half in enumerate((TRAIN, DEV))
    }


def chinese_halves(given: argparse.Namespace) -> dict[str, GridTexts]:
    """Return the longest articles of one set, and of another."""
    made = {}
    for half, name in ((TRAIN, "drcd_dev"), (DEV, "drcd_test")):
        corpus, items = _read(given.data / "singlehop" / name)
        articles, article_of = joined_articles(corpus)
        longest = sorted(articles, key=lambda each: (-len(each.text), each.id))[: given.articles]
        asked = [
            replace(item, gold=frozenset(article_of[each] for each in item.gold)) for item in items
        ]
        made[half] = _texts(longest, asked, given.questions)
    return made


def joined_articles(
    corpus: Sequence[CorpusPassage],
) -> tuple[list[CorpusPassage], dict[str, str]]:
    """Return the paragraphs of each title as one text, and the title of each paragraph's id."""
    texts: dict[str, list[str]] = {}
    for each in corpus:
        texts.setdefault(each.title, []).append(each.text)
    articles = [CorpusPassage(title, title, "\n".join(some)) for title, some in texts.items()]
    return articles, {each.id: each.title for each in corpus}


def _read(folder: Path) -> tuple[list[CorpusPassage], list[EvalQuestion]]:
    return read_corpus(folder / "corpus.jsonl.gz"), read_questions(folder / "questions.jsonl.gz")


def _texts(corpus: Sequence[CorpusPassage], items: Sequence[EvalQuestion], count: int) -> GridTexts:
    """Return texts with so many of the questions that they answer, drawn the same at every run."""
    texts = {each.id: each.text for each in corpus}
    fit = [
        item
        for item in items
        if any(squeezed(a) in squeezed(texts.get(g, "")) for g in item.gold for a in item.answers)
    ]
    order = np.random.default_rng(0).permutation(len(fit))[:count]
    return GridTexts(corpus, [fit[number] for number in sorted(order)])


def measured_cells(
    texts: GridTexts, sizes: Chunking, models: RememberingModels, *, both_stages: bool = False
) -> Iterator[CellFigures]:
    """Yield what is in the context, when chunks themselves are read, and the passages around."""
    with indexed_corpus(texts.corpus, models, sizes) as indexed:
        space = indexed.both_stages if both_stages else indexed.one_stage
        for reading in READINGS:
            cell = GridCell(sizes.small_tokens, sizes.overlap_tokens, reading)
            yield _figures(cell, indexed, space, texts.items)


def _figures(
    cell: GridCell, indexed: IndexedCorpus, space: Workspace, items: Sequence[EvalQuestion]
) -> CellFigures:
    is_whole = cell.reading == READINGS[1]
    rules = replace(space.settings.retrieval, expand=is_whole)
    retriever = space.retriever.under(rules)
    kb, depth = indexed.collection.kb, _DEPTH if is_whole else _CHUNKS_READ
    count = indexed.collection.embedder.count_tokens
    holding: dict[str, list[float]] = {}
    tokens: dict[int, list[int]] = {k: [] for k in KS}
    for item in items:
        passages = _found(retriever, Query(item.question, (kb,), depth))
        lengths = count([each.text for each in passages]) if passages else []
        for k in KS:
            tokens[k].append(sum(lengths[:k]))
            holding.setdefault(f"k{k}", []).append(in_context(passages[:k], item))
        for budget in BUDGETS:
            shown = within(passages, lengths, budget)
            holding.setdefault(f"t{budget}", []).append(in_context(shown, item))
    means = {k: round(float(np.mean(each))) for k, each in tokens.items()}
    return CellFigures(TRAIN, cell, _chunk_count(indexed), holding, means)


def _found(retriever: TwoStageRetriever, query: Query) -> Sequence[Passage]:
    return retriever.search(query).passages


def _chunk_count(indexed: IndexedCorpus) -> int:
    return indexed.collection.catalog.kbs.get("corpus").chunks


def within(passages: Sequence[Passage], lengths: Sequence[int], budget: int) -> list[Passage]:
    """Return the first passages that so many tokens hold; the last one is cut where they end."""
    shown, left = [], budget
    for each, length in zip(passages, lengths, strict=True):
        if length > left:
            shown.append(replace(each, text=each.text[: len(each.text) * left // length]))
            break
        shown.append(each)
        left -= length
    return shown


def in_context(passages: Sequence[Passage], item: EvalQuestion) -> float:
    """Return 1 if an answer stands whole in one passage of the text that holds it, else 0."""
    told = [squeezed(each.text) for each in passages if each.path in item.gold]
    return float(any(squeezed(answer) in text for answer in item.answers for text in told))


def squeezed(text: str) -> str:
    """Return a text without white space and case, as answers are looked for."""
    return "".join(text.split()).casefold()


if __name__ == "__main__":
    main()
