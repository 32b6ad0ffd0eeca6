"""Draw how recall falls as a corpus grows, with one stage of retrieval and with two.

    python -m benchmarks.corpus_size_curve DATA [--data-dir KEPT] [--questions 100] [--seeds 3]
        [--most 8000] [--only en,zh] [--out docs/two-stages.md]

DATA holds `multihop/hotpotqa` (English) and `singlehop/cmrc2018_dev` and `drcd_dev`
(Chinese). The same questions are asked of ever larger parts of a corpus. A part holds all that the
questions need and others drawn by a seed; a smaller part lies whole in a larger one. KEPT keeps
vectors and scores for the next run. Beside the page a picture of the same name is written.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpus_size_page import KS, CurvePage, CurvePoint, CurveSet
from benchmarks.machine_description import machine_text
from benchmarks.retrieval_setup import (
    WAYS,
    RememberingModels,
    indexed_corpus,
    remembering_models,
)
from desktop_rag.commands.evaluate_sizes import corpus_subset
from desktop_rag.core.cancel import CancelToken
from desktop_rag.evaluation import metrics, retrieval_run
from desktop_rag.evaluation.datasets import (
    CorpusPassage,
    EvalQuestion,
    read_corpus,
    read_questions,
)

_FIRST = 250  # passages of the smallest part, or as many as the questions need
_SEED = 0  # of the questions


@dataclass(frozen=True, slots=True)
class CurveFiles:
    """Where the questions of a language lie, and the corpora that are one here.

    A question needs so many passages.
    """

    name: str
    questions: str
    corpora: tuple[str, ...]
    reranker: str
    needed: int

    def corpus(self, data: Path) -> list[CorpusPassage]:
        """Return all passages; of the further corpora, the name stands before each id."""
        own = read_corpus(data / self.corpora[0] / "corpus.jsonl.gz")
        for folder in self.corpora[1:]:
            more = read_corpus(data / folder / "corpus.jsonl.gz")
            own += [CorpusPassage(f"{folder} {each.id}", each.title, each.text) for each in more]
        return own


SETS = {
    "en": CurveFiles(
        "English (HotpotQA dev)",
        "multihop/hotpotqa/dev",
        ("multihop/hotpotqa",),
        "pair-reader",
        2,
    ),
    "zh": CurveFiles(
        "Chinese (CMRC 2018 dev)",
        "singlehop/cmrc2018_dev/questions",
        ("singlehop/cmrc2018_dev", "singlehop/drcd_dev"),
        "late-interaction",
        1,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--data-dir", type=Path, help="keeps vectors and scores for the next run")
    parser.add_argument("--questions", type=int, default=100, help="of each language")
    parser.add_argument("--seeds", type=int, default=3, help="draws of the smaller parts")
    parser.add_argument("--most", type=int, default=8000, help="passages of the largest; 0: all")
    parser.add_argument("--only", default=",".join(SETS), help="languages")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-curve-") as scratch:
        machine, begun, measured = machine_text(), time.monotonic(), []
        for name in given.only.split(","):
            files = SETS[name]
            models = remembering_models(given.data_dir or Path(scratch), files.reranker)
            items = drawn(
                read_questions(given.data / f"{files.questions}.jsonl.gz"), given.questions
            )
            corpus = files.corpus(given.data)
            part = _at_most(corpus, items, given.most)
            points = []
            for point in measured_points(part, items, given.seeds, models):
                print(f"{name} {point.told()}", flush=True)
                points.append(point)
                models.save()
            measured.append(CurveSet(files.name, len(items), points, files.reranker, files.needed))
    page = CurvePage(measured, machine, (time.monotonic() - begun) / 60)
    print(page.text("two-stages.svg"))
    if given.out:
        picture = given.out.with_suffix(".svg")
        picture.write_text(page.picture(), encoding="utf-8")
        given.out.write_text(page.text(picture.name), encoding="utf-8")


def drawn(items: Sequence[EvalQuestion], count: int) -> list[EvalQuestion]:
    """Return so many of the questions that have gold, the same at every run."""
    fit = [each for each in items if each.gold]
    order = np.random.default_rng(_SEED).permutation(len(fit))[:count]
    return [fit[number] for number in sorted(order)]


def _at_most(
    corpus: list[CorpusPassage], items: Sequence[EvalQuestion], most: int
) -> list[CorpusPassage]:
    return corpus_subset(corpus, items, most) if 0 < most < len(corpus) else corpus


def part_sizes(whole: int, needed: int) -> list[int]:
    """Return the sizes of the parts: doubled from the first until all."""
    sizes, size = [], max(_FIRST, needed)
    while size * 4 < whole * 3:  # the last step is no small one
        sizes.append(size)
        size *= 2
    return [*sizes, whole]


def measured_points(
    corpus: Sequence[CorpusPassage],
    items: Sequence[EvalQuestion],
    seeds: int,
    models: RememberingModels,
) -> Iterator[CurvePoint]:
    """Yield what each way finds in each part; the whole corpus is measured once."""
    needed = len({name for item in items for name in item.gold})
    for size in part_sizes(len(corpus), needed):
        for seed in range(seeds if size < len(corpus) else 1):
            part = corpus_subset(corpus, items, size, seed)
            with indexed_corpus(part, models) as indexed:
                for way in WAYS:
                    retrieve = indexed.way(way, max(KS))
                    found = list(retrieval_run.measure_questions(items, retrieve, CancelToken()))
                    recalls = {
                        k: [metrics.recall(each.found.ids, each.item.gold, k) for each in found]
                        for k in KS
                    }
                    yield CurvePoint(size, seed, way, recalls)


if __name__ == "__main__":
    main()
