"""Measure what is made of whole documents, without a language model.

python -m benchmarks.whole_document_questions DOCUMENTS QUESTIONS --data-dir KEPT

DOCUMENTS is a folder of real files by format, QUESTIONS one with `manifest.jsonl`, `docs`,
`zh_md`. Their mails, PDFs and Markdown files are indexed into KEPT, once. Questions to each of
some documents are asked with `each`, and as they stand in other ways. Then documents are summed up
and compared: how many sentences are cited, and how many of those stand in the original file.
`--half test` asks only the documents of one half, by a hash of their names: the limits of `each`
were chosen by the other one, `tuning`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.question_arguments import question_parser
from benchmarks.refusals import QUESTIONS as REFUSALS
from benchmarks.whole_document_questions.originals import (
    HALVES,
    EachQuestion,
    letters,
    of_half,
    questions_of_files,
    questions_of_mails,
    questions_of_one,
    stands_in,
)
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask, ask_each, compare, index_files, summarise
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer, DocumentAnswered, Event
from desktop_rag.core.requests import AskRequest, DocumentsRequest, IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Workspace

KB = "whole documents"
WAYS = ("single_pass", "linked_hops")
_TEXTS = 6  # Chinese texts that are summed up, and one pair in two


@dataclass(slots=True)
class RowCount:
    """Of the rows that should answer: how many are right; of the others: how many say anything."""

    right: int = 0
    answering: int = 0
    false: int = 0
    silent: int = 0

    def add(self, asked: EachQuestion, said: dict[Path, str]) -> None:
        """Take in what was said of each file; "" of one that answers nothing."""
        for path in asked.files:
            told = said.get(path, "")
            if path in asked.gold:
                self.answering += 1
                self.right += asked.is_right(path, told)
            else:
                self.silent += 1
                self.false += bool(told)


@dataclass(slots=True)
class CitationCount:
    """Of an answer's quotes: how many there are, are cited, and stand in the original file."""

    quotes: int = 0
    cited: int = 0
    holding: int = 0
    passages: int = 0

    def add(self, answer: Answer) -> None:
        """Take in an answer that quotes."""
        cited = {each.sentence for each in answer.citations}
        self.cited += len(cited)
        self.quotes += len({each.sentence for each in answer.citations} | uncited(answer))
        self.holding += len(
            {
                each.sentence
                for each in answer.citations
                if stands_in(each.quote, Path(each.path))
                and letters(each.quote) in letters(answer.text)
            }
        )
        self.passages += answer.passages


def uncited(answer: Answer) -> set[int]:
    """Return the lines of an answer that neither cite nor are a heading, as negative numbers."""
    lines = answer.text.splitlines()
    body = [each for each in lines if each.strip() and not each.startswith(("#", "| ---", "**"))]
    return {-at for at, line in enumerate(body, start=1) if "[" not in line}


def main() -> None:
    given = _arguments()
    workspace = open_workspace(given.data_dir, Settings())
    try:
        index(workspace, given.documents, given.questions)
        questions = _questions(given.documents, given.questions, given.half)
        for kind in dict.fromkeys(each.kind for each in questions):
            some = [each for each in questions if each.kind == kind]
            for way in ("each", *filter(None, given.ways.split(","))):
                rows_found = asked_in_a_way(workspace, way, some, show_misses=given.misses)
                told = {"questions": len(some), "kind": kind, "half": given.half, "way": way}
                print(json.dumps(told | counts(rows_found)))
        groups_of = {} if given.half else documents_of_actions(given.questions)
        for action, groups in groups_of.items():
            cited = cited_in(workspace, action, groups)
            print(json.dumps({"answers": len(groups), "way": action} | counts(cited)))
    finally:
        workspace.close()


def _arguments() -> argparse.Namespace:
    parser = question_parser("whole_document_questions", __doc__, WAYS)
    parser.add_argument("--half", choices=HALVES, help="ask the documents of one half alone")
    return parser.parse_args()


def _questions(documents: Path, questions: Path, half: str | None) -> list[EachQuestion]:
    folders = {"documents": documents, "questions-on-documents": questions}
    made = [
        *questions_of_one(questions),
        *questions_of_mails(documents),
        *questions_of_files(REFUSALS, folders),
    ]
    return list(of_half(made, half)) if half else made


def counts(count: RowCount | CitationCount) -> dict[str, int]:
    return asdict(count)


def asked_in_a_way(
    workspace: Workspace, way: str, questions: Sequence[EachQuestion], *, show_misses: bool
) -> RowCount:
    """Ask questions to some files: each file by itself, or all at once as a question."""
    count = RowCount()
    for asked in questions:
        said = dict(rows(workspace, asked) if way == "each" else quotes(workspace, way, asked))
        count.add(asked, said)
        for path in asked.gold if show_misses else ():
            if not asked.is_right(path, said.get(path, "")):
                told = {"way": way, "asked": asked.text, "file": path.name}
                print(json.dumps(told | {"said": said.get(path, "")[:200]}, ensure_ascii=False))
    return count


def rows(workspace: Workspace, asked: EachQuestion) -> Iterator[tuple[Path, str]]:
    """Yield what each document answers; nothing of one that does not."""
    request = DocumentsRequest("each", (KB,), tuple(map(str, asked.files)), asked.text)
    for event in ask_each.run(workspace, request, CancelToken()):
        if isinstance(event, DocumentAnswered) and event.mode != "refused":
            yield Path(event.path), " ".join(each.quote for each in event.citations)


def quotes(workspace: Workspace, way: str, asked: EachQuestion) -> Iterator[tuple[Path, str]]:
    """Yield what an answer to all documents at once quotes of each."""
    found: dict[Path, list[str]] = {}
    for each in answered_from_all(workspace, way, asked.text).citations:
        found.setdefault(Path(each.path), []).append(each.quote)
    yield from ((path, " ".join(said)) for path, said in found.items())


def answered_from_all(workspace: Workspace, way: str, text: str) -> Answer:
    """Ask a question of all documents in a way, written like `raptor:mode=traversal`."""
    name, _, written = way.partition(":")
    options = dict(each.split("=", 1) for each in written.split(",") if each)
    request = AskRequest((KB,), text, name, options=options, kept_options="")
    return _last(ask.run(workspace, request, CancelToken()))


def documents_of_actions(folder: Path) -> dict[str, list[tuple[Path, ...]]]:
    """Return the PDFs and some Chinese texts, to be summed up; neighbours of them, compared."""
    texts = sorted((folder / "zh_md").glob("*.md"))
    some = texts[:: len(texts) // _TEXTS][:_TEXTS]
    paths = [*sorted((folder / "docs").glob("*.pdf")), *some]
    pairs: list[tuple[Path, ...]] = list(zip(paths[::2], paths[1::2], strict=False))
    return {"summarise": [(each,) for each in paths], "compare": pairs}


def cited_in(
    workspace: Workspace, action: str, groups: Sequence[tuple[Path, ...]]
) -> CitationCount:
    """Count the quotes of what is made of each group of documents."""
    count = CitationCount()
    for paths in groups:
        count.add(made_of(workspace, action, paths))
    return count


def cited_in_answers(
    workspace: Workspace, way: str, questions: Sequence[EachQuestion]
) -> CitationCount:
    """Count the quotes of answers to all documents at once."""
    count = CitationCount()
    for asked in questions:
        answer = answered_from_all(workspace, way, asked.text)
        if answer.mode != "refused":
            count.add(answer)
    return count


def made_of(workspace: Workspace, action: str, paths: Sequence[Path]) -> Answer:
    """Return what is made of whole documents."""
    request = DocumentsRequest(action, (KB,), tuple(map(str, paths)))
    run = summarise.run if action == "summarise" else compare.run
    return _last(run(workspace, request, CancelToken()))


def _last(events: Iterator[Event]) -> Answer:
    last = list(events)[-1]
    if not isinstance(last, Answer):
        raise TypeError("what is asked ends with its answer")
    return last


def index(workspace: Workspace, documents: Path, questions: Path) -> None:
    """Index the mails, PDFs, Chinese texts and the other files that are asked, once."""
    asked = {path for each in _questions(documents, questions, None) for path in each.files}
    folders = (documents / "eml", questions / "docs", questions / "zh_md")
    others = sorted(path for path in asked if not any(map(path.is_relative_to, folders)))
    paths = tuple(map(str, (*folders, *others)))
    for _ in index_files.run(workspace, IndexRequest(KB, paths), CancelToken()):
        pass


if __name__ == "__main__":
    main()
