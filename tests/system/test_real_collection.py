"""A folder of some six hundred real documents, indexed and shown on the command line.

`installer/test --slow -s tests/system/test_real_collection.py` prints the figures.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.parsing.parser_scoring import Score, entries, fits, squeezed
from tests.system.terminal import Terminal

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def score(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Score:
    terminal = Terminal(tmp_path_factory.mktemp("home"))
    documents = (shared / "documents").resolve()  # as the program names its paths
    indexed = lines(terminal, "index", documents, "--json")
    shown = lines(terminal, "show", documents, "--json")
    score = scored(documents, indexed, shown)
    score.seconds = indexed[-1]["seconds"]
    told = ["", *score.wrong, str(score), str(indexed[-1]), ""]
    sys.stdout.write("\n".join(told))
    return score


def lines(terminal: Terminal, *words: str | Path) -> list[dict[str, Any]]:
    process = terminal.start(*words)
    out, err = process.communicate(timeout=3000)
    assert process.returncode == 0, err.decode()
    return [json.loads(line) for line in out.splitlines()]


def scored(documents: Path, indexed: list[dict[str, Any]], shown: list[dict[str, Any]]) -> Score:
    outcomes = Counter(row["path"] for row in indexed if row.get("event") == "file")
    assert max(outcomes.values()) == 1, "each file has one outcome"
    status = {row["path"]: row for row in indexed if row.get("event") == "file"}
    texts = joined(shown)
    score = Score()
    for entry in entries(documents):
        path = str(documents / entry["path"])
        score.files += 1
        became = status[path]
        assert became["status"] != "ready" or became["chunks"] > 0, path
        if fits(entry, became["status"]):
            score.fitting += 1
        else:
            score.wrong.append(f"{entry['path']}: {entry['expect']}, but {became['status']}")
        count_phrases(score, entry, texts.get(path, {}))
    return score


def count_phrases(score: Score, entry: dict[str, Any], places: dict[str, str]) -> None:
    everything = "".join(places.values())
    for phrase, where in zip(entry["must_contain"], entry["where"], strict=True):
        bare = squeezed(phrase)
        score.phrases += 1
        score.found += bare in everything
        if bare not in everything:
            score.wrong.append(f"{entry['path']}: {phrase!r} not found")
        place = next((where[key] for key in ("page", "slide", "sheet") if key in where), None)
        if place is not None:
            score.placed += 1
            score.right += bare in places.get(str(place), "")


def joined(shown: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """The text at each place of each file, what neighbouring chunks share taken once."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    ends: dict[str, int] = defaultdict(int)
    for row in shown:
        path, locator = row["path"], row["locator"]
        new = row["text"][max(0, ends[path] - locator["start"]) :]
        ends[path] = max(ends[path], locator["end"])
        place = str(locator["value"])
        texts[path][place] = texts[path].get(place, "") + squeezed(new)
    return texts


def test_files_end_in_the_state_that_fits_them(score: Score) -> None:
    assert score.share(score.fitting, score.files) >= 0.95


def test_what_stands_in_the_documents_is_shown(score: Score) -> None:
    assert score.share(score.found, score.phrases) >= 0.95


def test_what_is_shown_stands_at_its_page_slide_or_sheet(score: Score) -> None:
    assert score.share(score.right, score.placed) >= 0.90
