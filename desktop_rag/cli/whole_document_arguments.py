"""The command line's arguments of what is done with whole documents."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

Add = Callable[[str, str], argparse.ArgumentParser]


class Readers(NamedTuple):
    """The readers of single arguments: words, a path, a conversation."""

    words: Callable[[str], str]
    path: Callable[[str], str]
    chat: Callable[[str], int | str]


def add_documents(add: Add, readers: Readers) -> None:
    """Add `summarise`, `compare` and `each`."""
    summarise = add("summarise", "sum up whole documents, with citations: all passages are read")
    compare = add("compare", "say what documents have in common, and where they differ")
    each = add("each", "ask every document the same question: one row a document")
    each.add_argument("question", metavar="QUESTION", type=readers.words)
    each.add_argument(
        "--csv",  metavar="FILE", type=readers.path,
        help="write the rows as a table: FILE.csv, or FILE.xlsx",
    )  # fmt: skip
    for parser in (summarise, compare, each):
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", type=readers.path, help="a file or a folder"
        )
        parser.add_argument("--model", default="", metavar="NAME", help="a model that Ollama has")
        parser.add_argument(
            "--chat",
            type=readers.chat,
            metavar="ID",
            help="keep it in a conversation, or in a new one: new",
        )
