"""Ask which knowledge base a question is for: how often the one that answers comes first.

python -m benchmarks.knowledge_base_routing DOCUMENTS QUESTIONS --data-dir DIR
    [--files 60] [--reports 2] [--tune] [--misses]

Five knowledge bases are made of real files: Chinese announcements and tables of places, papers and
single PDFs, annual reports, Office files with mail. QUESTIONS is a folder as
`questions_on_documents` reads it; its questions, those on annual reports and those of `refusals`
are asked. `--files` is how many files that nobody asks about lie in each base beside the others,
`--reports` how many annual reports there are, the smallest files first. Then the same files are
dealt into five bases by a hash of their names, so that nothing but the files themselves tells one
base from another. Questions are dealt into two halves by a hash of their text: `--tune` looks for
the best weights on the first; what is printed is of the second.

Last, each of `--elsewhere` questions is asked of a knowledge base that does not answer it, as
`ask` does where nothing was found: how often the right one is named, how often another, and how
often one is named where the right one is not there.
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
from desktop_rag.commands.knowledge_base_choice import clear_base, evidence_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.retrieval.evidence import EVIDENCE_THRESHOLD
from desktop_rag.retrieval.knowledge_base_routing import (
    MEASURED,
    RoutingSignals,
    RoutingWeights,
    close_bases,
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
    signs: Mapping[KbId, RoutingSignals]
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
    parser.add_argument("--elsewhere", type=int, default=40, help="questions asked elsewhere")
    parser.add_argument("--misses", action="store_true", help="print what is sent elsewhere")
    given = parser.parse_args()
    workspace = open_workspace(given.data_dir, Settings())
    try:
        asked = read(given.documents.resolve(), given.questions.resolve())
        folders = given.documents.resolve(), given.questions.resolve()
        bases = files_of(*folders, given, set(asked.values()))
        routings = []
        for named in (bases, dealt(bases)):
            for name, paths in named.items():
                fill(workspace, name, paths)
            routings.append(routed(workspace, asked, named))
        if given.tune:
            tune([[each for each in some if each.is_for_tuning] for some in routings])
        for title, questions in zip(("by subject", "dealt by hash"), routings, strict=True):
            print(title)
            report(workspace, questions, given)
        print_elsewhere(workspace, routings[0], given.elsewhere)
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


def dealt(bases: Mapping[str, Sequence[Path]]) -> dict[str, list[Path]]:
    """Return the same files in as many knowledge bases, which one by a hash of a file's name."""
    made: dict[str, list[Path]] = {f"Part {number}": [] for number in range(1, len(bases) + 1)}
    for path in itertools.chain.from_iterable(bases.values()):
        number = hashlib.sha256(path.name.encode()).digest()[0] % len(bases)
        made[f"Part {number + 1}"].append(path)
    return made


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
        signs, _ = router.signals(text, kbs, CancelToken())
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
    measured = [each for each in questions if not each.is_for_tuning]
    largest = max(gold, key=lambda kb: sizes[kb].chunks)
    print(f"{len(measured)} questions; mean of bases: each base counts alike")
    for name, choose in ways(largest).items():
        print_row(name, choose, measured)
    print_two(measured)
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


def tune(sets: Sequence[Sequence[RoutedQuestion]]) -> None:
    """Print the weights that choose best, by the mean of bases, of all sets of bases together."""
    rated = []
    for each in itertools.product(*GRID.values()):
        weights = RoutingWeights(*each)
        macro = [shares(by(weights), questions)[0] for questions in sets]
        rated.append((sum(macro) / len(macro), weights, macro))
    print(f"tuned on {', '.join(str(len(each)) for each in sets)} questions:")
    for mean, weights, macro in sorted(rated, key=lambda each: each[0])[-12:]:
        print(f"  {100 * mean:.1f} {[round(100 * each, 1) for each in macro]} {weights}")


def shares(choose: Choose, questions: Sequence[RoutedQuestion]) -> tuple[float, float]:
    """Return the share of questions sent to the right base: the mean of bases, and of all."""
    asked = Counter(each.gold for each in questions)
    right = Counter(each.gold for each in questions if choose(each) == each.gold)
    macro = sum(right[kb] / count for kb, count in asked.items()) / len(asked)
    return macro, sum(right.values()) / len(questions)


def print_row(name: str, choose: Choose, questions: Sequence[RoutedQuestion]) -> None:
    macro, micro = shares(choose, questions)
    print(f"{name:18} mean of bases {100 * macro:5.1f}   questions {100 * micro:5.1f}")


def print_two(questions: Sequence[RoutedQuestion]) -> None:
    """Print how often two bases are asked, and how often the right one is among those asked."""
    asked = [(each, close_bases(ranked_by(each.signs, MEASURED))) for each in questions]
    two = sum(len(bases) == 2 for _, bases in asked)
    right = sum(each.gold in [base.kb for base in bases] for each, bases in asked)
    shown = f"two asked {100 * two / len(asked):.1f}, right among the asked"
    print(f"where close, both: {shown} {100 * right / len(asked):.1f}")


def print_elsewhere(workspace: Workspace, questions: Sequence[RoutedQuestion], count: int) -> None:
    """Print how often another knowledge base is named, rightly and wrongly."""
    measured = [each for each in questions if not each.is_for_tuning]
    spread = measured[:: max(1, len(measured) // count)][:count] if count else []
    told: Counter[str] = Counter()
    for each in spread:
        others = [kb for kb in each.signs if kb != each.gold]
        asked = others[hashlib.sha256(each.text.encode()).digest()[1] % len(others)]
        if evidence_of(workspace, each.text, asked) >= EVIDENCE_THRESHOLD:
            told["answered there, so nothing is named"] += 1
            continue
        rest = {str(kb): kb for kb in each.signs if kb != asked}
        named = clear_base(workspace, each.text, rest, CancelToken())
        told["the right one"] += named is not None and named.kb == each.gold
        told["a wrong one"] += named is not None and named.kb != each.gold
        told["none"] += named is None
        without = {name: kb for name, kb in rest.items() if kb != each.gold}
        told["one, where the right one is not there"] += (
            clear_base(workspace, each.text, without, CancelToken()) is not None
        )
    print(f"asked of another base: {len(spread)} questions; named: {dict(told)}")


if __name__ == "__main__":
    main()
