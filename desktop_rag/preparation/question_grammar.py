"""How questions are made in a language: forms of statements, headings and titles, and what each
answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = r"(?:[A-Z]{2,3}\s?|[€$£¥]\s?)?\d"
"""How a number begins, with a currency before it or not."""
YEAR = r"(?:1[5-9]|20)\d\d"
"""A year of the last centuries."""


@dataclass(frozen=True, slots=True)
class StatementPattern:
    """A form of sentences, with the question that such a sentence answers.

    `question` takes the groups of the form by their names. Where it `is_of_subject`, only what
    the document is about is asked for; where it `is_of_term`, a term in quotation marks.
    """

    form: re.Pattern[str]
    question: str
    is_of_subject: bool = False
    is_of_term: bool = False


@dataclass(frozen=True, slots=True)
class HeadingPattern:
    """A form of headings, with the question that what stands under such a heading answers.

    `value` must be found there; where `is_spoken`, the heading is written as inside a sentence.
    """

    form: re.Pattern[str]
    question: str
    value: re.Pattern[str] | None = None
    is_spoken: bool = False


@dataclass(frozen=True, slots=True)
class TitlePattern:
    """A form of titles that say what a document is, with a question about one of its headings.

    `heading` are those that are asked about; None: all. Where `is_spoken`, the heading is written
    as inside a sentence; where it `keeps_capitals`, so does the title.
    """

    form: re.Pattern[str]
    question: str
    heading: re.Pattern[str] | None = None
    is_spoken: bool = False
    keeps_capitals: bool = False


@dataclass(frozen=True, slots=True)
class QuestionGrammar:
    """What is asked in one language, and how.

    `asking` are headings that ask already, `titles` forms of titles whose document can be asked
    what it says of a heading, `figure` what a row and a year are asked with, `rows` the names of
    rows that it is asked of; `cell` what is asked of a row's name and one of the `columns`.
    """

    asking: re.Pattern[str]
    statements: tuple[StatementPattern, ...]
    headings: tuple[HeadingPattern, ...]
    titles: tuple[TitlePattern, ...] = ()
    figure: str = ""
    rows: re.Pattern[str] | None = None
    many: re.Pattern[str] | None = None
    cell: str = ""
    columns: re.Pattern[str] | None = None
    term: str = ""
    mark: str = "?"
    longest: int = 80


def form(text: str) -> re.Pattern[str]:
    """Return a regular expression in which a blank is any white space, and at least one."""
    return re.compile(text.replace(" ", r"\s+"))
