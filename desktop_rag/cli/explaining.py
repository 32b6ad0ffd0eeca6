"""The words of `explain`: which passage is meant, and what it should have been found by."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Add = Callable[[str, str], argparse.ArgumentParser]
Readers = tuple[Callable[[str], str], Callable[[str], int], Callable[[str], str]]


def add_explain(add: Add, readers: Readers) -> None:
    """Add the command; the readers are those of words, of a number and of a path."""
    words, number, path = readers
    explain = add("explain", "say why a passage is not found, or where it comes")
    explain.add_argument("query", metavar="QUERY", type=words)
    explain.add_argument(
        "--passage", type=number, metavar="ID", help="its number, as `search --json` gives it"
    )
    explain.add_argument("--text", default="", metavar="WORDS", type=words, help="words of it")
    explain.add_argument(
        "--path", metavar="FILE", type=path, help="its file; alone, the file's best passage"
    )
    explain.add_argument("-k", type=number, default=5, help="how many passages (default: 5)")
    explain.add_argument("--where", default="", metavar="FILTER", help="only some documents")
    explain.add_argument(
        "--chat", type=number, metavar="ID", help="look at the last answer of a conversation too"
    )
