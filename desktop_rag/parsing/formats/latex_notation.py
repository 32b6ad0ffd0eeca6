"""LaTeX as it is written here, of Office's formulas and of MathML's.

Greek letters and operators stay the Unicode characters that they are, so that a formula can be
searched for as it is read; only what has a shape (fractions, roots, scripts, sums, matrices)
becomes a command. A formula that is nested too deeply or grows too long is none:
`UnreadableFormula`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from desktop_rag.core.phrases import Phrase

GAP = "[formula]"  # what stands in the text for a formula that could not be read
_UNREAD = "formulas_unread"  # the code of the note on them
DEEPEST = 60  # structures in structures
LONGEST = 8000  # characters of one formula
NEXT_ROW = r" \\ "

# What the objects of formula editors are called: Office's old one, MathType, AxMath, MathMagic,
# that of WPS, LibreOffice's.
EQUATION_EDITORS = (
    "equation", "mathtype", "axmath", "mathmagic", "ksequation", "soffice.starmath",
    "opendocument.math", "libreoffice.math",
)  # fmt: skip

# Where an environment begins that is a formula, in contrast to a table or a list.
ENVIRONMENT = re.compile(
    r"\\begin\{((?:equation|align|aligned|alignat|flalign|gather|gathered|multline|eqnarray|split"
    r"|array|d?cases|displaymath|math|[bBpvV]?matrix|smallmatrix)\*?)\}"
)

_INVISIBLE = re.compile("[\u200b\u2061-\u2064\ufeff]")
_SPECIAL = re.compile(r"[\\{}#$%&]")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_STYLED_LETTER = re.compile("[\U0001d400-\U0001d7ff]+")
_ENDS_IN_NAME = re.compile(r"\\[A-Za-z]+\Z")
# What needs no braces to carry scripts: a sign, a number, a name, what stands in parentheses.
_ONE_TOKEN = re.compile(r"[^\\{}^_\s]|\d+(?:[.,]\d+)*|\\[A-Za-z]+|\([^()]*\)|\[[^\[\]]*\]")
_TALL = re.compile(r"\\(?:d?frac|sum|prod|i+nt|oint|begin|overset|underset|over|under|big)")
FUNCTIONS = frozenset(
    (
        "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det",
        "dim", "exp", "gcd", "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log",
        "max", "min", "sec", "sin", "sinh", "sup", "tan", "tanh",
    )
)  # fmt: skip
_TAKES_LIMITS = re.compile(r"\\(?:lim|liminf|limsup|max|min|sup|inf|det|gcd|sum|prod)")
OPERATORS = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint",
    "∮": r"\oint", "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar",
    "\u0305": "overline", "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u030c": "check",
    "\u20d7": "vec", "\u20db": "dddot", "^": "hat", "~": "tilde", "→": "vec", "¯": "bar",
}  # fmt: skip
BRACES = {"⏟": r"\underbrace", "⏞": r"\overbrace"}


def gap_notes(count: int) -> list[str]:
    """Return what to say of formulas that were not read: nothing of none."""
    said = "Formulas that could not be read: {0}. The text says [formula] in their place."
    return [Phrase(said, count, code=_UNREAD)] if count else []


def gaps_in(note: str) -> int:
    """Return how many formulas a note says were not read, 0 of another note."""
    if isinstance(note, Phrase) and note.code == _UNREAD:
        return int(note.arguments[0])
    return 0


class UnreadableFormula(ValueError):
    """A formula is nested too deeply, or too long."""


def joined(pieces: Iterable[str]) -> str:
    """Return pieces side by side; a letter or digit after a command's name is parted from it."""
    made: list[str] = []
    length = 0
    for piece in filter(None, pieces):
        length += len(piece)
        if length > LONGEST:
            raise UnreadableFormula
        if made and piece[0].isalnum() and _ENDS_IN_NAME.search(made[-1]):
            made.append(" ")
        made.append(piece)
    return "".join(made)


def plain(text: str) -> str:
    """Return text as LaTeX writes it: special signs marked, letters of other scripts made plain."""
    text = _INVISIBLE.sub("", text).replace("\xa0", " ")
    text = _STYLED_LETTER.sub(lambda match: unicodedata.normalize("NFKC", match.group()), text)
    return _SPECIAL.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return r"\backslash " if match.group() == "\\" else f"\\{match.group()}"


def words(text: str) -> str:
    """Return text that is no mathematics."""
    return rf"\text{{{text}}}" if _LETTERS.search(text) else text


def upright(text: str) -> str:
    """Return text with its words in upright letters: functions' names, and units'."""
    return _LETTERS.sub(_upright_word, text)


def _upright_word(match: re.Match[str]) -> str:
    word = match.group()
    is_last = match.end() == len(match.string)
    if word in FUNCTIONS:
        return f"\\{word}" if is_last else f"\\{word} "
    return rf"\mathrm{{{word}}}"


def braced(text: str) -> str:
    """Return text as one argument."""
    return "{" + text + "}"


def scripts(base: str, below: str, above: str) -> str:
    """Return what carries a subscript, a superscript, or both."""
    carrier = base if _ONE_TOKEN.fullmatch(base) else braced(base)
    return carrier + script("_", below) + script("^", above)


def script(mark: str, text: str) -> str:
    """Return a subscript or superscript, in braces if it is longer than one letter or digit."""
    if not text:
        return ""
    return mark + (text if len(text) == 1 and text.isalnum() else braced(text))


def root(inside: str, degree: str) -> str:
    """Return a root; a degree of digits alone would look like a citation, and is in braces."""
    if not degree:
        return r"\sqrt" + braced(inside)
    return rf"\sqrt[{braced(degree) if degree.isdecimal() else degree}]{{{inside}}}"


def operator(sign: str, below: str, above: str) -> str:
    """Return a sum, an integral or their like with its limits."""
    return OPERATORS.get(sign, sign) + script("_", below) + script("^", above)


def grouped(text: str) -> str:
    """Return a part of a fraction that is written on one line."""
    return text if _ONE_TOKEN.fullmatch(text) else braced(text)


def fenced(begin: str, inside: str, end: str) -> str:
    """Return what stands between brackets, which are as tall as it is; either may be none."""
    begin, end = plain(begin), plain(end)
    if not _TALL.search(inside):
        return joined((begin, inside, end))
    return joined((rf"\left{begin or '.'} ", inside, rf" \right{end or '.'}"))


def accented(sign: str, base: str) -> str:
    """Return what has an accent above it."""
    known = _ACCENTS.get(sign)
    return rf"\{known}{{{base}}}" if known else rf"\overset{{{sign}}}{{{base}}}"


def is_accent(sign: str) -> bool:
    """Say whether a sign above something is an accent."""
    return sign in _ACCENTS


def limits(base: str, below: str, above: str) -> str:
    """Return what stands below and above something: limits of a name's, or words beside it."""
    if base in FUNCTIONS:
        base = f"\\{base}"
    if _TAKES_LIMITS.fullmatch(base) or base.startswith(tuple(BRACES.values())):
        return base + script("_", below) + script("^", above)
    if below:
        base = rf"\underset{{{below}}}{{{base}}}"
    return rf"\overset{{{above}}}{{{base}}}" if above else base


def environment(name: str, rows: Iterable[str]) -> str:
    """Return rows in a matrix, in cases, or aligned."""
    return rf"\begin{{{name}}}{NEXT_ROW.join(rows)}\end{{{name}}}"
