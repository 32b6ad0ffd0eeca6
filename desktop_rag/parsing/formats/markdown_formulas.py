"""Formulas in Markdown, kept as they are written: none of their signs are Markdown's.

What a formula is follows Pandoc and GitHub: `$…$` without a blank inside of its ends and no digit
behind it (so that sums of money are none), `$$…$$`, and LaTeX's own brackets.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

BLOCK = "formula_block"  # the type of a token
_MOST_LINES = 400  # of one on lines of its own
_INLINE = re.compile(
    r"\$\$(?:\\.|[^$\\]){1,8000}\$\$"
    r"|\$`[^`$]{1,8000}`\$"
    r"|\$(?![\s$])(?:\\.|[^$\\\n`]|\n(?!\s*\n)){1,8000}(?<![\s\\])\$(?!\d)"
    r"|\\\((?:[^\\]|\\[^()]){1,8000}\\\)|\\\[(?:[^\\]|\\[^\[\]]){1,8000}\\\]",
    re.DOTALL,
)
_FENCES = {"$$": "$$", "\\[": "\\]", "\\begin{": "\\end{"}


def add_formulas(markdown: MarkdownIt) -> MarkdownIt:
    """Have Markdown read formulas as text."""
    markdown.inline.ruler.before("escape", "formula", _in_a_line)
    before = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("fence", "formula", _on_lines, before)
    return markdown


def _in_a_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's
    """Take a formula as text, as the ruler of markdown-it calls it."""
    if state.src[state.pos] not in "$\\":
        return False
    found = _INLINE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("code_inline", "", 0)
        token.content = found.group().replace("$`", "$").replace("`$", "$")
    state.pos = found.end()
    return True


def _on_lines(state: StateBlock, first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's
    """Take a formula that begins a line, to where it ends; one without an end is none."""
    if state.is_code_block(first):
        return False
    line = _line(state, first)
    begin = next((each for each in _FENCES if line.startswith(each)), None)
    if begin is None:
        return False
    at = _end(state, begin, (first, last))
    if at < 0:
        return False
    if not silent:
        token = state.push(BLOCK, "", 0)
        token.map = [first, at + 1]
        token.content = "\n".join(_line(state, each) for each in range(first, at + 1))
    state.line = at + 1
    return True


def _end(state: StateBlock, begin: str, lines: tuple[int, int]) -> int:
    """Return the line on which a formula ends, below 0 where it doesn't.

    Between a beginning without an end and where that was given up no other one is looked at.
    """
    end, at = _FENCES[begin], lines[0]
    given_up: dict[str, int] = state.env.setdefault("formula", {})
    rest = _line(state, at)[len(begin) :]
    while end not in rest:
        at += 1
        is_out = at >= lines[1] or at - lines[0] > _MOST_LINES or at <= given_up.get(begin, 0)
        rest = "" if is_out else _line(state, at)
        if is_out or state.sCount[at] < state.blkIndent or not (rest or begin == "$$"):
            given_up[begin] = max(at, given_up.get(begin, 0))
            return -1
    # Where a sentence goes on behind it, it is read as part of that.
    return -1 if begin != "\\begin{" and rest.partition(end)[2].strip() else at


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()
