"""Ask questions of real documents: how often the place is found, and how often it refuses.

python -m benchmarks.questions_on_documents FOLDER [--data-dir DIR] [--set KEY=VALUE]…
    [--questions benchmarks/annual_report_questions.jsonl] [--refusals 0] [--pictures EMPTY]
    [--prepare WAY]… [--strategy raptor:mode=traversal]…

FOLDER holds `manifest.jsonl` (`doc`, `question`, `answer`, `pages`, `docs`, `row`) and the
documents; `--questions` names another file of such lines. With `--data-dir` the index is kept, and
a second run is quick. Refusal: the documents are dealt into four hands, and each question is asked
of the three that its document is not in. `--pictures` writes the documents into another folder,
each page of a PDF as a picture of 150 dots an inch, and asks there: what text recognition costs.
`--prepare` prepares the documents first, without a language model; `--strategy` names others than a
single pass, each with its options behind a colon, and asked without a language model;
`single_pass+utility` puts a transform before it.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pypdfium2

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask, index_files, prepare
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.language import language
from desktop_rag.core.requests import AskRequest, IndexRequest, PrepareRequest
from desktop_rag.core.settings_file import load
from desktop_rag.core.types import Passage
from desktop_rag.evaluation.retrieval_methods import RetrievalOnlyTools
from desktop_rag.strategies import registry
from desktop_rag.strategies.base import Question, run_to_end
from desktop_rag.strategies.transforms.base import apply_transforms
from desktop_rag.workspace import Workspace

HANDS = 4
SEPARATE = ("manifest.jsonl",)
DOTS = 150  # an inch
FIVE = 5
SINGLE_PASS = "single_pass"
_HEAD = "kind      questions  first  first five  answered with the file there  p50, ms  p95, ms"


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question with its kind (`pdf en`, `md zh`, `csv zh`) and its line of the manifest."""

    kind: str
    text: str
    row: dict[str, Any]

    @property
    def file(self) -> str:
        """The document that answers."""
        return str(self.row["doc"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path, help="instead of FOLDER's manifest.jsonl")
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--pictures", type=Path, help="an empty folder for pages as pictures")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    parser.add_argument("--refusals", type=int, default=40, help="questions without their file")
    parser.add_argument("--prepare", action="append", default=[], metavar="WAY")
    parser.add_argument("--strategy", action="append", default=[], help="NAME:OPTION=VALUE,…")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-rag-questions-") as scratch:
        data_dir = given.data_dir or Path(scratch)
        settings = load(data_dir, dict(each.split("=", 1) for each in given.settings))
        workspace = open_workspace(data_dir, settings)
        try:
            folder = given.folder.resolve()
            measure(workspace, with_pictures(folder, given.pictures) or folder, given)
        finally:
            workspace.close()


def measure(workspace: Workspace, folder: Path, given: argparse.Namespace) -> None:
    """Index the folder whole and in hands, and print both measures."""
    questions = read(given.questions or folder / "manifest.jsonl")
    fill(workspace, "default", [folder])
    for way in given.prepare:
        prepare_for(workspace, "default", way)
    fill_hands(workspace, folder, given.refusals)
    for name in given.strategy or [SINGLE_PASS]:
        asked = Way(workspace, name)
        print(name)
        print(_HEAD)
        for kind, some in grouped(questions, lambda each: each.kind).items():
            print_found(asked, folder, kind, some, misses=given.misses)
        if given.refusals:
            spread = questions[:: max(1, len(questions) // given.refusals)][: given.refusals]
            print(f"answered without the file: {answered_without(asked, folder, spread)}")


def with_pictures(folder: Path, out: Path | None) -> Path | None:
    """Write a folder's documents into another one, PDFs without text; nothing where none is given.

    What is there already stays, so that a second run finds the same files.
    """
    if out is None:
        return None
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        copy = out.resolve() / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.exists():
            continue
        if path.suffix.lower() == ".pdf":
            write_pictures(path, copy)
        else:
            shutil.copy(path, copy)
    return out.resolve()


def write_pictures(document: Path, out: Path) -> None:
    """Write each page of a PDF as a picture of it."""
    with pypdfium2.PdfDocument(document) as opened:
        pages = (page.render(scale=DOTS / 72).to_pil().convert("L") for page in opened)
        first = next(pages)
        first.save(out, "PDF", resolution=DOTS, save_all=True, append_images=pages)


def read(manifest: Path) -> list[DocumentQuestion]:
    """Return the questions that have a gold place."""
    lines = manifest.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    found = []
    for row in rows:
        suffix = Path(row["doc"]).suffix.lstrip(".")
        has_place = {"pdf": row.get("pages"), "csv": row.get("row")}.get(suffix, True)
        if has_place is not None and has_place != []:
            found.append(DocumentQuestion(f"{suffix} {row['lang']}", row["question"], row))
    return found


def grouped(
    questions: Iterable[DocumentQuestion], key: Callable[[DocumentQuestion], str]
) -> dict[str, list[DocumentQuestion]]:
    """Return the questions by a key, in order."""
    groups: dict[str, list[DocumentQuestion]] = defaultdict(list)
    for each in questions:
        groups[key(each)].append(each)
    return groups


def fill(workspace: Workspace, kb: str, paths: Iterable[Path]) -> None:
    """Index paths into a knowledge base."""
    request = IndexRequest(kb, tuple(map(str, paths)), exclude=SEPARATE)
    for _ in index_files.run(workspace, request, CancelToken()):
        pass


def prepare_for(workspace: Workspace, kb: str, way: str) -> None:
    """Prepare a knowledge base, and print what that cost."""
    begun, processor = time.monotonic(), time.process_time()
    for _ in prepare.run(workspace, PrepareRequest(kb, way, model=""), CancelToken()):
        pass
    took, used = time.monotonic() - begun, time.process_time() - processor
    print(f"prepared for {way}: {took:.0f} s, {used:.0f} s of the processor")


@dataclass(frozen=True, slots=True)
class Way:
    """A strategy that is asked in a workspace without a language model.

    `name` is its name, with transforms behind it and options behind a colon:
    `NAME+TRANSFORM:OPTION=VALUE,TRANSFORM.OPTION=VALUE`.
    """

    workspace: Workspace
    name: str

    def passages(self, kb: str, text: str) -> Sequence[Passage]:
        """Return the first five passages."""
        kbs = (self.workspace.catalog.kbs.get(kb).id,)
        question = Question(text, text, language(text), kbs, FIVE)
        tools = RetrievalOnlyTools(research_context_of(self.workspace), question, CancelToken())
        strategy = registry.make(self._strategy, self._options)
        changes = registry.transforms(self._transforms, self._options)
        steps = apply_transforms(changes, strategy).run(question, tools)
        return tuple(
            replace(each, rank=rank) for rank, each in enumerate(run_to_end(steps).sources, start=1)
        )

    def is_answered(self, kb: str, text: str) -> bool:
        """Say whether a question gets something else than a refusal."""
        names = tuple(self._transforms)
        request = AskRequest(
            (kb,), text, strategy=self._strategy, transforms=names, options=self._options
        )
        last = list(ask.run(self.workspace, request, CancelToken()))[-1]
        if not isinstance(last, Answer):
            raise TypeError(last)
        return last.mode != "refused"

    @property
    def _strategy(self) -> str:
        return self.name.partition(":")[0].partition("+")[0]

    @property
    def _transforms(self) -> list[str]:
        return self.name.partition(":")[0].split("+")[1:]

    @property
    def _options(self) -> dict[str, str]:
        written = self.name.partition(":")[2]
        return dict(each.split("=", 1) for each in written.split(",") if each)


@dataclass(frozen=True, slots=True)
class FoundPlaces:
    """The rank of each question's gold place (0: not among five), and what each search took."""

    ranks: tuple[int, ...]
    milliseconds: tuple[float, ...]

    @property
    def first(self) -> float:
        """How often the gold place comes first, in percent."""
        return 100 * sum(rank == 1 for rank in self.ranks) / len(self.ranks)

    @property
    def five(self) -> float:
        """How often it is among the first five, in percent."""
        return 100 * sum(rank > 0 for rank in self.ranks) / len(self.ranks)

    @property
    def p95(self) -> float:
        """The milliseconds within which 95 of 100 searches end."""
        taken = self.milliseconds
        return quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else taken[0]


def found_places(way: Way, folder: Path, some: Sequence[DocumentQuestion]) -> FoundPlaces:
    """Search each question's place in a way."""
    ranks, taken = [], []
    for each in some:
        begun = time.monotonic()
        found = way.passages("default", each.text)
        taken.append(1000 * (time.monotonic() - begun))
        ranks.append(rank_of(found, each, folder))
    return FoundPlaces(tuple(ranks), tuple(taken))


def print_found(
    way: Way, folder: Path, kind: str, some: list[DocumentQuestion], *, misses: bool
) -> None:
    """Print how often the gold is found, and how often something is answered at all."""
    found = found_places(way, folder, some)
    answered = sum(way.is_answered("default", each.text) for each in some)
    for each, rank in zip(some, found.ranks, strict=True):
        if misses and not rank:
            print(f"  missed: {each.text} | {each.file} {each.row.get('pages') or ''}")
    print(
        f"{kind:9} {len(some):9} {found.first:6.1f} {found.five:11.1f}"
        f" {100 * answered / len(some):29.1f} {median(found.milliseconds):8.0f} {found.p95:8.0f}"
    )


def rank_of(passages: Iterable[Passage], asked: DocumentQuestion, folder: Path) -> int:
    """Return the rank of the first gold passage, 0 if there is none."""
    gold = {str(folder / name) for name in asked.row.get("docs") or [asked.file]}
    for passage in passages:
        if gold & {passage.path, *passage.other_paths} and is_gold(passage, asked):
            return passage.rank
    return 0


def is_gold(passage: Passage, asked: DocumentQuestion) -> bool:
    """Say whether a passage of the right file is at the right place."""
    if asked.kind.startswith("pdf"):
        return passage.locator.value in asked.row["pages"]
    if asked.kind.startswith("csv"):
        lines = passage.text.splitlines()
        if passage.locator.value == asked.row["row"] and asked.row["answer"] in lines[0]:
            return True  # the later piece of a long row
        return any(asked.row["answer"] in line and names(line, asked.text) for line in lines)
    return True


def names(line: str, question: str) -> bool:
    """Say whether a row's first value is named in the question."""
    first = re.split(r"; | \| ", line)[0].rpartition(": ")[2].strip()
    return bool(first) and first in question


def hand_of(folder: Path) -> dict[str, int]:
    """Return the hand that each document is dealt into."""
    files = sorted(str(path.relative_to(folder)) for path in folder.glob("*/*.*"))
    return {name: number % HANDS for number, name in enumerate(files)}


def fill_hands(workspace: Workspace, folder: Path, refusals: int) -> None:
    """Index the other hands' documents for each hand, where refusals are asked for."""
    dealt = hand_of(folder)
    for hand in range(HANDS if refusals else 0):
        others = [folder / name for name in dealt if dealt[name] != hand]
        fill(workspace, without(hand), others)


def without(hand: int) -> str:
    """Return the knowledge base that lacks a hand's documents."""
    return f"without hand {hand}"


def answered_without(way: Way, folder: Path, questions: list[DocumentQuestion]) -> str:
    """Ask each question of a knowledge base without its file; return how many are answered."""
    dealt = hand_of(folder)
    told = [each for each in questions if way.is_answered(without(dealt[each.file]), each.text)]
    by_kind = {kind: len(some) for kind, some in grouped(told, lambda each: each.kind).items()}
    return f"{len(told)} of {len(questions)} {by_kind}"


if __name__ == "__main__":
    main()
