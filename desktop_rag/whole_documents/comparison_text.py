"""A comparison as a text of quotes: what differs, what is alike, what only one document says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from desktop_rag.core.document_table import plain, shown_quote
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.quotes import Quote
from desktop_rag.whole_documents.document_comparison import (
    AlignedSentences,
    DocumentComparison,
    changes,
    most_telling,
)
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.quoted_text import QuotedText

_MOST_DIFFERENT = 20  # lines of each kind
_MOST_REWORDED = 10
_MOST_ALIKE = 6
_MOST_ALONE = 10  # of each document
_LONGEST_HEADING = 80  # characters
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(place: int) -> str:
    """Return what a document is called in a comparison: A to Z, then A1, B1 and so on."""
    turn, at = divmod(place, len(_LETTERS))
    return f"{_LETTERS[at]}{turn or ''}"


def legend(documents: Sequence[WholeDocument]) -> str:
    """Return which letter is which document."""
    told = (f"**{letter(at)}**: {plain(each.name)}" for at, each in enumerate(documents))
    return " · ".join(told) + "\n\n"


def comparison_text(found: DocumentComparison, prompts: Prompts) -> QuotedText:
    """Return the comparison, every quote with its source; nothing of what is the same."""
    made = QuotedText()
    different, reworded, alike = (
        prompts.text(f"compare/{name}") for name in ("different", "reworded", "alike")
    )
    figures = [each for each in found.aligned if each.differs]
    others = [each for each in found.aligned if not each.differs]
    groups = (
        (different, figures, _MOST_DIFFERENT),
        (reworded, [each for each in others if each.is_reworded], _MOST_REWORDED),
        (alike, [each for each in others if not each.is_reworded], _MOST_ALIKE),
    )
    for heading, lines, most in groups:
        if lines:
            made.heading(_with_count(heading, len(lines), most))
        for each in lines[:most]:
            _add(made, each)
    for at, quotes in enumerate(found.alone):
        few = most_telling(quotes, _MOST_ALONE)
        if few:
            only = prompts.text("compare/only", document=letter(at))
            made.heading(_with_count(only, len(quotes), _MOST_ALONE))
        for quote in few:
            made.line([quote], f"- {_about(quote)}{{0}}", parting="\n")
        made.words("\n" if few else "")
    return made


def _add(made: QuotedText, aligned: AlignedSentences) -> None:
    """Add a line: what each document says, and what stands in place of each other."""
    quotes = [quote for _, quote in aligned.quotes]
    form = " · ".join(f"{letter(at)}: {{{n}}}" for n, (at, _) in enumerate(aligned.quotes))
    told = ""
    if aligned.differs or aligned.is_reworded:
        told = "; ".join(
            f"{plain(before)} → {plain(after)}"
            for one, other in pairwise(quotes)
            for before, after in changes(shown_quote(one.text), shown_quote(other.text))
        )
    behind = f" ({told})" if told else ""
    made.line(quotes, f"- {_about(quotes[0])}{form}", f"{behind}\n")


def _about(quote: Quote) -> str:
    """Return what a line is about: the heading that its quote is under."""
    heading = (quote.heading or quote.passage.section).rpartition(" > ")[2]
    text = heading.strip()[:_LONGEST_HEADING]
    is_telling = any(map(str.isalnum, text)) and not quote.is_row
    return f"**{plain(text)}** – " if is_telling else ""


def _with_count(heading: str, count: int, most: int) -> str:
    return f"{heading} ({most}/{count})" if count > most else heading
