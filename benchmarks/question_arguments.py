"""What commands that ask questions of real files are given: the files, a kept index, ways."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def question_arguments(prog: str, described: str | None, ways: Sequence[str]) -> argparse.Namespace:
    """Read the folders of documents and of questions, where the index is kept, and the ways."""
    return question_parser(prog, described, ways).parse_args()


def question_parser(
    prog: str, described: str | None, ways: Sequence[str]
) -> argparse.ArgumentParser:
    """Return what reads these arguments, to be given more."""
    parser = argparse.ArgumentParser(
        prog=f"python -m benchmarks.{prog}",
        description=described,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("documents", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--ways", default=",".join(ways))
    parser.add_argument("--misses", action="store_true", help="print what is not right")
    return parser
