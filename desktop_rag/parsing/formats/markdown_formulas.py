r"""Formulas in Markdown, kept as they are written: none of their signs are Markdown's.

A formula stands in `$…$`, `$$…$$`, `\(…\)`, `\[…\]` or a mathematical environment, and has to look
like one: sums of money, variables of a shell and brackets that an editor escaped are Markdown.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from desktop_rag.parsing.formats.latex_notation import ENVIRONMENT

BLOCK = "formula_block"  # the type of a token
_MOST_LINES = 400  # of one on lines of its own
_INLINE = re.compile(
    r"\$\$(?P<displayed>(?:\\.|[^$\\]){1,8000})\$\$"
    r"|\$`(?P<quoted>[^`$]{1,8000})`\$"
    r"|\$(?![\s$])(?P<plain>(?:\\.|[^$\\\n`]|\n(?!\s*\n)){1,8000})(?<![\s\\])\$"
    r"|\\\((?P<round>(?:[^\\]|\\[^()]){1,8000})\\\)"
    r"|\\\[(?P<square>(?:[^\\]|\\[^\[\]]){1,8000})\\\]",
    re.DOTALL,
)
_NO_LINE_OF_ONE = re.compile(r"\s*\Z|#{1,6}(?:\s|\Z)|```|~~~")  # a blank line, a heading, a fence
_CURRENCY = re.compile(r"(?:\A|[^A-Za-z\\])(?:US|HK|NZ|NT|CA|AU|(?P<letter>[ACRS]))\Z")
_SUM = re.compile(r"\s?\d")
# What is in a formula and says nothing about whether it is one: words, signs that were escaped.
_WORDS = re.compile(
    r"\\(?:text\w*|mbox|mathrm|mathit|operatorname\*?|label|tag\*?|begin|end)\s?\{[^{}]*\}"
)
_ESCAPED = re.compile(r"\\[*_#`~.!>()\[\]+-]")
_NAME = re.compile(r"[^\W\d_]{2,}(?:_[^\W_]{2,})+")  # as `snake_case`
_COMMAND = re.compile(r"\\[A-Za-z]+")
_LONG_COMMAND = re.compile(r"\\[A-Za-z]{2,}")
_PROSE = re.compile(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}")
_OF_MARKUP = re.compile(
    r"</?(?:a|b|br|code|div|em|i|img|kbd|p|span|strong|su[bp]|t[dhr])\b|://|\]\([/#.]"
    r"|\A\{[A-Za-z_]\w+\}"
)
_SIGNS = re.compile(r"[\\^_=<>+{]")
_SIGNS_OF_BRACKETS = re.compile(r"[\\^_=]")
_LETTER, _WORD = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]{2}")


def add_formulas(markdown: MarkdownIt) -> MarkdownIt:
    """Have Markdown read formulas as text."""
    markdown.inline.ruler.before("escape", "formula", _in_a_line)
    ends = ["paragraph", "reference", "blockquote", "list"]
    markdown.block.ruler.before("fence", "formula", _on_lines, {"alt": ends})
    return markdown


def _in_a_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's
    """Take a formula as text, as the ruler of markdown-it calls it."""
    if state.src[state.pos] not in "$\\":
        return False
    found = _INLINE.match(state.src, state.pos, state.posMax)
    if found is None or not _is_one(found):
        return False
    if not silent:
        token = state.push("code_inline", "", 0)
        token.content = found.group().replace("$`", "$").replace("`$", "$")
    state.pos = found.end()
    return True


def _is_one(found: re.Match[str]) -> bool:
    """Say whether what stands between marks is a formula, by what it is and what it stands in."""
    inside = found[found.lastgroup or 0]
    if found.lastgroup in {"round", "square"}:
        return _is_mathematics(inside, is_in_brackets=True)
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:2]
    if _is_of_word(before) or before in {"$", "}", "\\"}:
        return False
    if _is_of_word(after[:1]) or after[:1] in {"$", "{"}:
        return False
    money = _CURRENCY.search(inside)
    if money and (money["letter"] is None or _SUM.match(after)):
        return False
    return _is_mathematics(inside)


def _is_of_word(sign: str) -> bool:
    """Say whether a sign would go on with a word; Chinese is written without blanks."""
    return sign.isalnum() and sign < "\u2e80"


def _is_mathematics(inside: str, *, is_in_brackets: bool = False) -> bool:
    if _OF_MARKUP.search(inside):
        return False
    bare = _NAME.sub("name ", _ESCAPED.sub("", _WORDS.sub(r"\\t ", inside)))
    if _PROSE.search(_COMMAND.sub("\\\\", bare)):
        return False
    if is_in_brackets:
        return _SIGNS_OF_BRACKETS.search(bare) is not None
    if _SIGNS.search(bare):
        return True
    return _LETTER.search(bare) is not None and _WORD.search(bare) is None


def _on_lines(state: StateBlock, first: int, last: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's
    """Take a formula on lines of its own, to where it ends; one without an end is none."""
    if state.is_code_block(first):
        return False
    line = _line(state, first)
    ends = {"$$": "$$", "\\[": "\\]"}
    named = ENVIRONMENT.match(line)
    end = f"\\end{{{named.group(1)}}}" if named else ends.get(line)
    if end is None:
        return False
    at = first if named and line.endswith(end) else _end(state, end, (first, last))
    if at < 0:
        return False
    lines = [_line(state, each) for each in range(first, at + 1)]
    inside = "\n".join(lines[1:])[: -len(end)]
    if not named and not (_LONG_COMMAND.search(inside) or _is_mathematics(inside)):
        return False
    if not silent:
        token = state.push(BLOCK, "", 0)
        token.map = [first, at + 1]
        token.content = "\n".join(lines)
    state.line = at + 1
    return True


def _end(state: StateBlock, end: str, lines: tuple[int, int]) -> int:
    """Return the line on which a formula ends, below 0 where it doesn't.

    Between a beginning without an end and where that was given up no other one is looked at.
    """
    given_up: dict[str, int] = state.env.setdefault("formula", {})
    if lines[0] < given_up.get(end, -1):
        return -1
    furthest = min(lines[1], lines[0] + _MOST_LINES)
    for at in range(lines[0] + 1, furthest):
        line = _line(state, at)
        if state.sCount[at] < state.blkIndent or _NO_LINE_OF_ONE.match(line):
            given_up[end] = at
            return -1
        if line.endswith(end):
            return at
    given_up[end] = furthest - 1
    return -1


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()
