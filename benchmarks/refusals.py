"""Ask questions with and without the document that answers them, without a language model.

python -m benchmarks.refusals FOLDER [--questions FILE]… [--data-dir DIR] [--set KEY=VALUE]…
    [--misses]

Each line of a FILE has `question`, `answer` (as the document says it) and `document`, a path in
FOLDER. All documents of all FILEs are indexed together; then they are dealt into four hands, and
each question is asked of the three that its document is not in. Well placed: what is quoted comes
from the document. With `--data-dir` the index is kept, and a second run is quick.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.questions_on_documents import HANDS, fill
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings_file import load
from desktop_rag.workspace import Workspace

HERE = Path(__file__).parent
QUESTIONS = (HERE / "refusal_questions_zh.jsonl", HERE / "refusal_questions_en.jsonl")


@dataclass(frozen=True, slots=True)
class RefusalQuestion:
    """A question, and the only document that answers it."""

    text: str
    document: Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", action="append", type=Path, default=[])
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    sets = {path.stem: read(path, given.folder.resolve()) for path in given.questions or QUESTIONS}
    with tempfile.TemporaryDirectory(prefix="desktop-rag-refusals-") as scratch:
        data_dir = given.data_dir or Path(scratch)
        settings = load(data_dir, dict(each.split("=", 1) for each in given.settings))
        workspace = open_workspace(data_dir, settings)
        try:
            measure(workspace, sets, misses=given.misses)
        finally:
            workspace.close()


def read(path: Path, folder: Path) -> list[RefusalQuestion]:
    """Return the questions of a file."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [RefusalQuestion(row["question"], folder / row["document"]) for row in rows]


def measure(workspace: Workspace, sets: dict[str, list[RefusalQuestion]], *, misses: bool) -> None:
    """Index the documents whole and in hands, and print a row a set."""
    documents = sorted({each.document for some in sets.values() for each in some})
    hand_of = {path: number % HANDS for number, path in enumerate(documents)}
    fill(workspace, "default", documents)
    for hand in range(HANDS):
        fill(workspace, without(hand), [path for path in documents if hand_of[path] != hand])
    print(f"{'questions':24}  n  answered with it  well placed  answered without it")
    for name, some in sets.items():
        with_it = {each: asked(workspace, "default", each) for each in some}
        without_it = {
            each: asked(workspace, without(hand_of[each.document]), each) for each in some
        }
        answered = [each for each, said in with_it.items() if said.mode != "refused"]
        placed = [each for each in answered if is_placed(with_it[each], each)]
        claimed = [each for each, said in without_it.items() if said.mode != "refused"]
        figures = [percent(each, some) for each in (answered, placed, claimed)]
        print(f"{name:24} {len(some):2} {figures[0]:17.1f} {figures[1]:12.1f} {figures[2]:20.1f}")
        if misses:
            tell("not answered", [each for each in some if each not in answered])
            tell("answered from elsewhere", [each for each in answered if each not in placed])
            tell("answered without it", claimed)


def without(hand: int) -> str:
    """Return the knowledge base of all documents but a hand."""
    return f"without hand {hand}"


def asked(workspace: Workspace, kb: str, question: RefusalQuestion) -> Answer:
    """Return what is answered."""
    request = AskRequest((kb,), question.text, strategy="single_pass")
    last = list(ask.run(workspace, request, CancelToken()))[-1]
    if not isinstance(last, Answer):
        raise TypeError(last)
    return last


def is_placed(said: Answer, question: RefusalQuestion) -> bool:
    """Say whether a quote of an answer is one of the question's document."""
    return any(Path(citation.path) == question.document for citation in said.citations)


def percent(some: Sequence[object], of: Sequence[object]) -> float:
    """Return a share in percent."""
    return 100 * len(some) / len(of)


def tell(what: str, some: Sequence[RefusalQuestion]) -> None:
    """Print questions."""
    for each in some:
        print(f"  {what}: {each.text} | {each.document.name}")


if __name__ == "__main__":
    main()
