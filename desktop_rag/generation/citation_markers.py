"""The numbers in an answer that point to sources: brought to one form, invented ones dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from desktop_rag.core.markdown_tables import citations_into_cell

_WORD = (
    r"(?:sources?|passages?|documents?|docs?|refs?|citations?|来源|來源|段落|文档|文件|资料|出典)"
)
_NUMBERS = r"\^?\d{1,3}(?:\s*(?:[,，、;&和]|and|-|–|—|~|至)\s*\^?\d{1,3})*"
_MARKER = re.compile(
    r"(?<![ \t])(?P<gap>[ \t]*)(?:"  # from the first blank on, lest long gaps take for ever
    rf"[\[【〔［]\s*(?:{_WORD}\s*[:：#]?\s*)?(?P<a>{_NUMBERS})(?:†[^\]】]*)?\s*[\]】〕］]"
    rf"|[(（]\s*{_WORD}\s*[:：#]?\s*(?P<b>{_NUMBERS})\s*[)）])",
    re.IGNORECASE,
)
_ONE = re.compile(r"\[(\d{1,3})\]")
_CITED = re.compile(rf"(?<![ \t])[ \t]*{_ONE.pattern}")
_RANGE = re.compile(r"(\d+)\s*(?:-|–|—|~|至)\s*\^?(\d+)")
_FENCES = ("```", "~~~")
# What is not closed, and tildes, are code from the beginning of a line only.
_CODE = re.compile(
    r"```.*?```|^[ \t>]*```.*\Z|^[ \t>]*~~~.*?(?:^[ \t>]*~~~|\Z)|`[^`\n]*`",
    re.DOTALL | re.MULTILINE,
)


def normalised(text: str, sources: int) -> str:
    """Return a text whose citations all read `[n]` with n from 1 to `sources`.

    `[1, 2]`, `[1-3]`, `【1】`, `[Source 1]`, `(passage 2)` and `[^1]` are understood; numbers
    that no source has are dropped; behind a row of a table they go into its last cell. Code is left
    alone.
    """
    whole = _outside(_code_in(text), text, partial(_plain, sources=sources)).strip()
    return citations_into_cells(whole)


def citations_into_cells(text: str) -> str:
    """Return a text whose rows of tables have their citations in a cell, not behind the last."""
    return _outside(code_blocks(text), text, _lines_closed)


def code_blocks(text: str) -> list[tuple[int, int]]:
    """Return where blocks of code begin and end in a text, their fences included."""
    codes = ((start, end, text[start:end]) for start, end in _code_in(text))
    return [
        (start, end)
        for start, end, code in codes
        if code.lstrip(" \t>").startswith(_FENCES) and "\n" in code
    ]


def numbers_in(text: str) -> list[int]:
    """Return the numbers cited in a normalised text, each once, in order; none of its code."""
    return list(dict.fromkeys(int(n) for n in _ONE.findall(_CODE.sub("", text))))


def strip_citations(text: str) -> str:
    """Return a normalised text without its citations."""
    return _CITED.sub("", text).strip()


def _code_in(text: str) -> list[tuple[int, int]]:
    return [code.span() for code in _CODE.finditer(text)]


def _outside(spans: Sequence[tuple[int, int]], text: str, change: Callable[[str], str]) -> str:
    """Return a text with a change made to all but these stretches."""
    made: list[str] = []
    at = 0
    for start, end in spans:
        made += [change(text[at:start]), text[start:end]]
        at = end
    return "".join((*made, change(text[at:])))


def _lines_closed(text: str) -> str:
    return "\n".join(map(citations_into_cell, text.split("\n")))


def _plain(text: str, sources: int) -> str:
    def rewrite(marker: re.Match[str]) -> str:
        wanted = _spelt_out(marker["a"] or marker["b"])
        kept = "".join(f"[{n}]" for n in wanted if 1 <= n <= sources)
        return marker["gap"] + kept if kept else ""

    return _MARKER.sub(rewrite, text)


def _spelt_out(numbers: str) -> list[int]:
    """Return `1, 3-5` as 1, 3, 4, 5; of a range at most ten numbers."""
    spans = _RANGE.sub(_as_list, numbers)
    return list(dict.fromkeys(int(n) for n in re.findall(r"\d+", spans)))


def _as_list(span: re.Match[str]) -> str:
    first, last = int(span[1]), int(span[2])
    return " ".join(map(str, range(first, min(last, first + 9) + 1)))
