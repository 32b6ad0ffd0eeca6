"""How much of each format is read: real files whose manifest says what each must give.

python -m benchmarks.format_coverage FOLDER [--only EXTENSION…] [--out docs/formats.md]

FOLDER holds `manifest.jsonl`, a line a file: `path`, `ext`, the state that it `expect`s, phrases
that it `must_contain`, and `where` each stands. Pages without text are recognised. The table is put
between two marks of the page that `--out` names.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.parsing.parser_scoring import Score, entries, score

_TABLE = re.compile(r"(?<=<!-- measured -->\n).*?(?=<!-- end -->)", re.DOTALL)
_HEAD = "| format | files | state as it should be | phrases found | of those with a place, at it |"
_RULE = "|---|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class FormatScore:
    """What came of the files of one ending."""

    extension: str
    score: Score

    def row(self) -> str:
        """Return the table's row."""
        found = self.score
        cells = (
            self.extension,
            str(found.files),
            _share(found.fitting, found.files),
            _share(found.found, found.phrases),
            _share(found.right, found.placed),
        )
        return f"| {' | '.join(cells)} |"


def measured(folder: Path, extensions: Sequence[str] = ()) -> list[FormatScore]:
    """Read the files of each ending, one ending after the other."""
    rows = entries(folder, extensions)
    names = sorted({row["ext"] for row in rows})
    return [
        FormatScore(name, score(folder, [row for row in rows if row["ext"] == name], ocr=True))
        for name in names
    ]


def table(found: Iterable[FormatScore], day: str) -> str:
    """Return the table, all formats together last."""
    every = list(found)
    total = FormatScore("**all**", Score())
    for name in ("files", "fitting", "phrases", "found", "placed", "right", "recognized"):
        setattr(total.score, name, sum(getattr(each.score, name) for each in every))
    seconds = sum(each.score.recognizing for each in every)
    pages = total.score.recognized
    told = f"{total.score.files} files, {day}; {pages} pages recognised in {seconds:.0f} s."
    return "\n".join((told, "", _HEAD, _RULE, *(each.row() for each in (*every, total)), ""))


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "–"


def main() -> None:
    """Measure, print the table and what is wrong, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.format_coverage")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=(), help="these endings, without a dot")
    parser.add_argument("--out", type=Path, help="the page that holds the table")
    asked = parser.parse_args()
    found = measured(asked.folder, asked.only)
    made = table(found, datetime.now(UTC).date().isoformat())
    for each in found:
        print("\n".join(each.score.wrong))
    print(made)
    if asked.out is not None:
        page = asked.out.read_text(encoding="utf-8")
        asked.out.write_text(_TABLE.sub(lambda _: made, page), encoding="utf-8")


if __name__ == "__main__":
    main()
