"""The table of how each layout is read by each program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.page_layouts.scores import Score, mean_cells, mean_sentences, mean_text

Scores = Mapping[str, Sequence[Score]]  # by what read the documents, all in one order
_ALL = "**all**"


def layout_table(scores: Scores) -> str:
    """Return a Markdown table of each program's scores by kind: text, cells, cut sentences."""
    first = next(iter(scores.values()))
    kinds = list(dict.fromkeys(score.kind for score in first))
    with_cells = [name for name, each in scores.items() if any(score.cells for score in each)]
    with_sentences = [name for name, each in scores.items() if mean_sentences(each) is not None]
    heads = ["layout", "pages", *scores, *(f"cells: {name}" for name in with_cells)]
    heads += [f"cut sentences: {name}" for name in with_sentences]
    rows = [heads, ["---"] * len(heads)]
    rows += [_row(kind, scores, with_cells, with_sentences) for kind in (*kinds, _ALL)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(
    kind: str, scores: Scores, with_cells: Sequence[str], with_sentences: Sequence[str]
) -> list[str]:
    mine = {
        name: [score for score in each if kind in (score.kind, _ALL)]
        for name, each in scores.items()
    }
    pages = sum(score.pages for score in next(iter(mine.values())))
    texts = [f"{mean_text(each):.3f}" if each else "–" for each in mine.values()]
    told = [mean_cells(mine[name]) for name in with_cells]
    told += [mean_sentences(mine[name]) for name in with_sentences]
    return [kind, str(pages), *texts, *("–" if each is None else f"{each:.3f}" for each in told)]
