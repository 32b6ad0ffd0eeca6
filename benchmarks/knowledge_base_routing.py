"""Ask which knowledge base a question is for: how often the one that answers comes first.

python -m benchmarks.knowledge_base_routing DOCUMENTS QUESTIONS --data-dir DIR
    [--files 60] [--reports 2] [--tune] [--misses]

Five knowledge bases are made of real files: Chinese announcements and tables of places, papers and
single PDFs, annual reports, Office files with mail. QUESTIONS is a folder as
`questions_on_documents` reads it; its questions, those on annual reports and those of `refusals`
are asked. `--files` is how many files that nobody asks about lie in each base beside the others,
`--reports` how many annual reports there are, the smallest files first. Questions are dealt into
two halves by a hash of their text: `--tune` looks for the best weights on the first; what is
printed is of the second.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from benchmarks.questions_on_documents import fill
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.retrieval.knowledge_base_routing import (
    MEASURED,
    RoutingSigns,
    RoutingWeights,
    ranked_by,
)
from desktop_rag.workspace import Workspace

HERE = Path(__file__).parent
REPORT_QUESTIONS = HERE / "annual_report_questions.jsonl"
SINGLE_QUESTIONS = (HERE / "refusal_questions_zh.jsonl", HERE / "refusal_questions_en.jsonl")
OFFICE = ("docx", "eml", "html", "md", "msg", "pptx", "txt", "xlsx")
PAPERS = ("1705.07830.pdf", "2001.03131.pdf", "Supreme Court of the United States.pdf")
GRID = {
    "meaning": (1.0, 2.0, 4.0, 6.0, 8.0, 12.0),
    "words": (0.0, 0.5, 1.0, 1.5),
    "names": (0.0, 0.25, 0.5, 1.0),
}


@dataclass(frozen=True, slots=True)
class RoutedQuestion:
    """A question, the knowledge base that answers it, and what speaks for each of them.

    `bm25` is the best score that each base's own word index gives.
    """

    text: str
    gold: KbId
    signs: Mapping[KbId, RoutingSigns]
    bm25: Mapping[KbId, float]
    milliseconds: float

    @property
    def is_for_tuning(self) -> bool:
        """Whether it is of the half on which weights are chosen."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 2 == 0


Choose = Callable[[RoutedQuestion], KbId]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--reports", type=int, default=2)
    parser.add_argument("--tune", action="store_true", help="look for the best weights")
    parser.add_argument("--misses", action="store_true", help="print what is sent elsewhere")
    given = parser.parse_args()
    workspace = open_workspace(given.data_dir, Settings())
    try:
        asked = read(given.documents.resolve(), given.questions.resolve())
        folders = given.documents.resolve(), given.questions.resolve()
        bases = files_of(*folders, given, set(asked.values()))
        for name, paths in bases.items():
            fill(workspace, name, paths)
        report(workspace, routed(workspace, asked, bases), given)
    finally:
        workspace.close()


def read(documents: Path, folder: Path) -> dict[str, Path]:
    """Return all questions, with the file that answers each."""
    found = {}
    for manifest in (folder / "manifest.jsonl", REPORT_QUESTIONS):
        for line in manifest.read_text("utf-8").splitlines():
            row = json.loads(line)
            found[str(row["question"])] = folder / row["doc"]
    for manifest in SINGLE_QUESTIONS:
        for line in manifest.read_text("utf-8").splitlines():
            row = json.loads(line)
            root, _, name = str(row["document"]).partition("/")
            found[str(row["question"])] = (folder if root == folder.name else documents) / name
    return found


def files_of(
    documents: Path, folder: Path, given: argparse.Namespace, asked: set[Path]
) -> dict[str, list[Path]]:
    """Return the files of each knowledge base: those that are asked about, and some others."""

    def some(paths: Sequence[Path]) -> list[Path]:
        others = [path for path in sorted(paths) if path not in asked]
        spread = others[:: max(1, len(others) // given.files)][: given.files]
        return sorted({*spread, *(path for path in paths if path in asked)})

    reports = [path for path in (folder / "docs").glob("*.pdf") if path.name not in PAPERS]
    smallest = sorted(reports, key=lambda path: path.stat().st_size)
    office = [path for kind in OFFICE for path in (documents / kind).glob("*.*")]
    return {
        "Announcements": sorted((folder / "zh_md").glob("*.md")),
        "Places": sorted((folder / "zh_csv").glob("*.csv")),
        "Papers": [
            *(folder / "docs" / name for name in PAPERS),
            *sorted(path for path in asked if path.parent == documents / "pdf"),
        ],
        "Annual reports": smallest[: given.reports],
        "Office and mail": some(office),
    }


def routed(
    workspace: Workspace, asked: Mapping[str, Path], bases: Mapping[str, Sequence[Path]]
) -> list[RoutedQuestion]:
    """Ask all questions whose file is in a knowledge base."""
    kbs = {name: workspace.catalog.kbs.get(name).id for name in bases}
    base_of = {path: kbs[name] for name, paths in bases.items() for path in paths}
    router = workspace.retriever.router
    found = []
    for text, path in asked.items():
        if path not in base_of:
            continue
        begun = time.perf_counter()
        signs, _ = router.signs(text, kbs, CancelToken())
        took = 1000 * (time.perf_counter() - begun)
        scores = {kb: workspace.indexes.of(kb).lexical(text, 1) for kb in kbs.values()}
        bm25 = {kb: hits[0][1] if hits else 0.0 for kb, hits in scores.items()}
        found.append(RoutedQuestion(text, base_of[path], signs, bm25, took))
    return found


def report(
    workspace: Workspace, questions: Sequence[RoutedQuestion], given: argparse.Namespace
) -> None:
    """Print the figures of the second half; before, the best weights of the first."""
    sizes = {each.id: each for each in workspace.catalog.kbs.all()}
    gold = Counter(each.gold for each in questions)
    for kb, count in gold.most_common():
        base = sizes[kb]
        print(f"{base.name}: {base.files} files, {base.chunks} chunks, {count} questions")
    if given.tune:
        tune([each for each in questions if each.is_for_tuning])
    measured = [each for each in questions if not each.is_for_tuning]
    largest = max(gold, key=lambda kb: sizes[kb].chunks)
    print(f"{len(measured)} questions; mean of bases: each base counts alike")
    for name, choose in ways(largest).items():
        print_row(name, choose, measured)
    took = [each.milliseconds for each in questions]
    print(f"p50 {median(took):.0f} ms, p95 {quantiles(took, n=20, method='inclusive')[-1]:.0f} ms")
    if given.misses:
        choose = by(MEASURED)
        for each in measured:
            if choose(each) != each.gold:
                names = sizes[each.gold].name, sizes[choose(each)].name
                print(f"  {names[0]} → {names[1]}: {each.text}")


def ways(largest: KbId) -> dict[str, Choose]:
    """Return what is compared, by name."""
    return {
        "largest base": lambda _: largest,
        "best BM25 score": lambda each: max(each.bm25, key=lambda kb: each.bm25[kb]),
        "names alone": by(RoutingWeights(0.0, 0.0, 1.0), instead=largest),
        "words alone": by(RoutingWeights(0.0, 1.0, 0.0)),
        "meaning alone": by(RoutingWeights(1.0, 0.0, 0.0)),
        "meaning and words": by(RoutingWeights(MEASURED.meaning, MEASURED.words, 0.0)),
        "ranks of all": by_ranks,
        "all": by(MEASURED),
    }


def by(weights: RoutingWeights, *, instead: KbId | None = None) -> Choose:
    """Return the choice by weights; `instead` is chosen where nothing speaks for any."""

    def choose(asked: RoutedQuestion) -> KbId:
        best = ranked_by(asked.signs, weights)[0]
        return best.kb if best.score > 0.0 or instead is None else instead

    return choose


def by_ranks(asked: RoutedQuestion) -> KbId:
    """Choose as where the vectors of each base were another model's."""
    return ranked_by(asked.signs, MEASURED, compares=False)[0].kb


def tune(questions: Sequence[RoutedQuestion]) -> None:
    """Print the weights that choose best, the mean of bases first."""
    made = (RoutingWeights(*each) for each in itertools.product(*GRID.values()))
    best = sorted(((shares(by(each), questions), each) for each in made), key=lambda x: x[0])[-8:]
    print(f"tuned on {len(questions)} questions:")
    for (macro, micro), weights in best:
        print(f"  {100 * macro:.1f} {100 * micro:.1f} {weights}")


def shares(choose: Choose, questions: Sequence[RoutedQuestion]) -> tuple[float, float]:
    """Return the share of questions sent to the right base: the mean of bases, and of all."""
    asked = Counter(each.gold for each in questions)
    right = Counter(each.gold for each in questions if choose(each) == each.gold)
    macro = sum(right[kb] / count for kb, count in asked.items()) / len(asked)
    return macro, sum(right.values()) / len(questions)


def print_row(name: str, choose: Choose, questions: Sequence[RoutedQuestion]) -> None:
    macro, micro = shares(choose, questions)
    print(f"{name:18} mean of bases {100 * macro:5.1f}   questions {100 * micro:5.1f}")


if __name__ == "__main__":
    main()
