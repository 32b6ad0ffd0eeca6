"""One row a document: the table that a question to each document makes, as Markdown and as rows.

Row n is the n-th document's; by that rows are found again in a kept answer, to be exported, or to
be taken out with their document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation

_HEAD = 2  # lines above the first row
_MARKUP = re.compile(r"[\\`*<>|#~\[\]]|(?<!\w)_+|_+(?!\w)")  # a_b is no emphasis
_ESCAPED = re.compile(r"\\([\\`*_<>|#~\[\]])")
_NUMBER = re.compile(r"\[(\^?\d{1,3}(?:\s*[-–,;]\s*\d{1,3})*)\]")  # of a bibliography's
_CELL_END = re.compile(r"(?<!\\)\|")
_CITED = re.compile(r"\s*\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What one document answers, without numbers, and the quotes that it rests on."""

    path: str
    answer: str
    citations: tuple[Citation, ...] = ()


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _MARKUP.sub(lambda found: re.sub(r"(.)", r"\\\1", found[0]), " ".join(text.split()))


def shown_quote(text: str) -> str:
    """Return a quote on one line, in which no number looks like that of a source."""
    return _NUMBER.sub(r"(\1)", " ".join(text.split()))


def table_head(columns: str) -> str:
    """Return the first lines of a table whose columns are named `One | Other`."""
    return f"| {columns} |\n| --- | --- |\n"


def table_row(name: str, answer: str) -> str:
    """Return a row; the answer is Markdown already, but for what would end its cell."""
    cell = re.sub(r"(?<!\\)\|", r"\\|", " ".join(answer.split()))
    return f"| {plain(name)} | {cell} |\n"


def rows_of(text: str, paths: Sequence[str], citations: Iterable[Citation]) -> list[AnswerRow]:
    """Return the rows of a table's text; those that are not there yet are left out."""
    lines = text.splitlines()[_HEAD:]
    places = lines_of_sentences(text)
    cited = [(places.get(each.sentence, -1) - _HEAD, each) for each in citations]
    return [
        AnswerRow(path, _answer(line), tuple(each for at, each in cited if at == n))
        for n, (path, line) in enumerate(zip(paths, lines, strict=False))
    ]


def without_rows(text: str, gone: Collection[int], name: str) -> str:
    """Return a table in which these rows say nothing but a name."""
    lines = text.splitlines()
    for n in gone:
        if n + _HEAD < len(lines):
            lines[n + _HEAD] = f"| {name} | – |"
    return "\n".join(lines)


def _answer(line: str) -> str:
    cells = _CELL_END.split(line.strip().strip("|"), maxsplit=1)
    said = cells[1].strip() if len(cells) > 1 else ""
    return _ESCAPED.sub(r"\1", _CITED.sub("", said))


def lines_of_sentences(text: str) -> dict[int, int]:
    """Return in which line each sentence begins."""
    return {n: text.count("\n", 0, each.start) for n, each in enumerate(sentences(text))}
