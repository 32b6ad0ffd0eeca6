"""What the original files say, read with other libraries than the program's own parsers.

What the answers are held against: nothing of `desktop_rag` is imported here.
"""

from __future__ import annotations

import email
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from email import policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any

HALVES = ("tuning", "test")
"""Limits are chosen by the documents of one half, and reported by those of the other."""
_AT_ONCE = 8  # files that a question is asked of
_FEWER = 4  # where there are many questions
_SIGN = re.compile(r"[\W_]+")


def letters(text: str) -> str:
    """Return a text's letters and digits alone, as NFKC and in lower case: layout says nothing."""
    return _SIGN.sub("", unicodedata.normalize("NFKC", text)).casefold()


@cache
def file_letters(path: Path) -> str:
    """Return the letters of a PDF, by pypdf, or of a text file."""
    if path.suffix != ".pdf":
        return letters(path.read_text("utf-8"))
    import pypdf

    return letters("\n".join(page.extract_text() or "" for page in pypdf.PdfReader(path).pages))


def stands_in(quote: str, path: Path) -> bool:
    """Tell whether a file says a quote; of a table's row, whether it says each of its cells.

    The program writes a cell behind its column's name, which stands once in the file.
    """
    told = file_letters(path)
    if letters(quote) in told:
        return True
    cells = re.split(r";\s|\n", quote)
    values = [each.rpartition(": ")[2] for each in cells]
    return len(cells) > 1 and all(letters(each) in told for each in values)


@dataclass(frozen=True, slots=True)
class EachQuestion:
    """A question to each of some files, and what is right: an answer's letters, file by file.

    A file that is not among `gold` has no answer. `within` are the letters that all of an answer
    must stand in, for files whose answer is a long text.
    """

    text: str
    kind: str
    files: tuple[Path, ...]
    gold: dict[Path, str]
    within: str = ""

    def is_right(self, path: Path, said: str) -> bool:
        """Tell whether what was said of a file is its answer."""
        told = letters(said)
        if self.within:
            return bool(told) and path in self.gold and told in self.within
        return bool(self.gold.get(path)) and self.gold[path] in told


def half_of(path: Path) -> str:
    """Return the half that a file's name is in, by its hash."""
    return HALVES[hashlib.sha256(path.name.encode("utf-8")).digest()[-1] % 2]


def of_half(questions: Iterable[EachQuestion], half: str) -> Iterable[EachQuestion]:
    """Yield the questions that files of a half answer, to the files of that half alone."""
    for each in questions:
        gold = {path: told for path, told in each.gold.items() if half_of(path) == half}
        files = tuple(path for path in each.files if half_of(path) == half)
        if gold:
            yield replace(each, files=files, gold=gold)


def questions_of_files(
    questions: Sequence[Path], folders: dict[str, Path]
) -> Iterable[EachQuestion]:
    """Yield questions that one file of four answers, of the files of questions on refusals.

    A file's path begins with the name of one of the `folders`.
    """
    for file in questions:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        paths = [_at(row["document"], folders) for row in rows]
        for half in HALVES:
            own = sorted({path for path in paths if half_of(path) == half})
            for row, path in zip(rows, paths, strict=True):
                if path in own:
                    gold = {path: letters(row["answer"])}
                    group = tuple(_around(own, path, _FEWER))
                    yield EachQuestion(row["question"], f"one file, {file.stem}", group, gold)


def _at(path: str, folders: dict[str, Path]) -> Path:
    top, _, below = path.partition("/")
    return folders[top] / below


def _around(paths: Sequence[Path], path: Path, count: int = _AT_ONCE) -> Sequence[Path]:
    """Return a path and its neighbours in the order, so many together."""
    at = paths.index(path)
    return paths[max(0, min(at - count // 2, len(paths) - count)) :][:count]


def questions_of_one(folder: Path) -> Iterable[EachQuestion]:
    """Yield questions that one document of nine, or of eight, answers: 13 to PDFs, 12 Chinese."""
    lines = (folder / "manifest.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    reports = tuple(sorted((folder / "docs").glob("*.pdf")))
    for row in [each for each in rows if _is_quotable(each)][::2]:
        path = folder / row["doc"]
        yield EachQuestion(row["question"], "one PDF", reports, {path: letters(row["answer"])})
    texts = sorted((folder / "zh_md").glob("*.md"))
    chinese = [
        each for each in rows if each["doc"].startswith("zh_md") and each.get("evidence_found")
    ]
    for row in chinese[::4]:
        path = folder / row["doc"]
        group = tuple(_around(texts, path))
        within = letters(row["evidence_text"])
        yield EachQuestion(row["question"], "one Markdown file", group, {path: within}, within)


def _is_quotable(row: dict[str, Any]) -> bool:
    return row["doc"].startswith("docs/") and row["type"] in ("extractive", "number", "names")


def questions_of_mails(folder: Path) -> Iterable[EachQuestion]:
    """Yield what every mail says: who wrote it, of what it is."""
    mails = {path: _mail(path) for path in sorted((folder / "eml").glob("*.eml"))}
    for text, field in (
        ("Who sent this message?", "from"),
        ("What is the subject of the message?", "subject"),
    ):
        told = {path: _field(mail, field) for path, mail in mails.items()}
        gold = {path: letters(said) for path, said in told.items() if letters(said)}
        yield EachQuestion(text, "all mails", tuple(gold), gold)


def _mail(path: Path) -> EmailMessage:
    with path.open("rb") as file:
        read = email.message_from_binary_file(file, policy=policy.default)
    if not isinstance(read, EmailMessage):
        raise TypeError(path)
    return read


def _field(mail: EmailMessage, field: str) -> str:
    """Return what a head's field says; of a sender the address."""
    try:
        told = str(mail[field] or "")
    except (ValueError, LookupError):
        return ""
    address = re.search(r"[\w.+-]+@[\w.-]+", told)
    return address[0] if field == "from" and address else told
