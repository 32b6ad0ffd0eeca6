"""The look after a drill: nothing lost, nothing doubled, and searches as of a fresh index."""

from __future__ import annotations

import atexit
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import REPOSITORY
from tests.drills.documents import Documents
from tests.drills.program import Program

_CLOSE = 1e-4
_SCORES = ("dense_score", "lexical_score", "rerank_score")
Census = dict[str, Any]
Answer = Sequence[dict[str, Any]]


@dataclass(slots=True)
class Checks:
    """Compares data folders with fresh indexes of the same files, made below `scratch`."""

    scratch: Path
    _fresh: dict[str, Census] = field(default_factory=dict)

    def look(self, program: Program, documents: Documents, kb: str = "default") -> Census:
        """Bring a folder up to date and note what is lost, doubled or found otherwise."""
        program.must("index", "--kb", kb, "--json", documents.folder)
        found = self.compare(program, documents, kb)
        is_behind = kb in found.get("behind", ())
        program.score.expect(not is_behind, f"{kb}: Chroma was not told of all")
        return found

    def compare(self, program: Program, documents: Documents, kb: str = "default") -> Census:
        """Compare a folder as it is; return its census, empty when none could be taken."""
        fresh = self.fresh(program, documents)
        found = census(program, documents.queries())
        if not fresh or not found:
            return {}
        program.score.lost += found["lost"]
        program.score.doubled += found["doubled"]
        _compare_files(program, found["contents"].get(kb, {}), fresh["contents"]["default"])
        _compare_answers(program, documents.queries(), found, (fresh, kb))
        return found

    def fresh(self, program: Program, documents: Documents) -> Census:
        """Return the census of a new data folder with the same files; taken once for each state."""
        state = _state(documents)
        if state not in self._fresh:
            home = self.scratch / "fresh"
            shutil.rmtree(home, ignore_errors=True)
            other = Program(home, program.score, program.environment, patience=program.patience)
            other.must("index", documents.folder)
            self._fresh[state] = census(other, documents.queries())
            shutil.rmtree(home, ignore_errors=True)
        return self._fresh[state]


def census(program: Program, queries: Sequence[str]) -> Census:
    """Count what a folder holds, in a process of its own; empty, and noted, when that fails."""
    census = [sys.executable, "-m", "tests.drills.inventory"]
    command = [*census, str(_scores()), str(program.home), *queries]
    try:
        done = subprocess.run(
            command,
            cwd=REPOSITORY,
            env=program.variables(),
            capture_output=True,
            timeout=program.patience,
            check=False,
        )
    except subprocess.TimeoutExpired:
        program.score.hangs.append("opening the folder hung")
        return {}
    if done.returncode != 0:
        told = f"opening the folder ended with {done.returncode}: {done.stderr.decode()[-600:]}"
        program.score.faults.append(told)
        return {}
    found: Census = json.loads(done.stdout)
    return found


@cache
def _scores() -> Path:
    """Return where the censuses of this run remember the second stage's scores."""
    folder = Path(tempfile.mkdtemp(prefix="drills-scores-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder / "scores.sqlite"


def differing(one: Answer, other: Answer) -> str:
    """Return how two lists of passages differ, empty where they are equal.

    Passages with the same score may change places, and the last of them be another one.
    """
    if len(one) != len(other):
        return f"{len(one)} passages instead of {len(other)}"
    for here, there in zip(one, other, strict=True):
        if abs(here["score"] - there["score"]) > _CLOSE:
            return f"score {here['score']:.5f} instead of {there['score']:.5f}"
    last = other[-1]["score"] if other else 0.0
    known = {_key(each): each for each in one}
    for there in other:
        match = known.get(_key(there))
        if match is None and there["score"] - last > _CLOSE:
            return f"{there['path']} is not found"
        if match is not None and (name := _unequal(match, there)):
            return f"{there['path']}: {name} {match[name]} instead of {there[name]}"
    return ""


def _key(passage: dict[str, Any]) -> tuple[Any, ...]:
    return (*sorted([passage["path"], *passage["other_paths"]]), passage["text"])


def _unequal(here: dict[str, Any], there: dict[str, Any]) -> str:
    for name in _SCORES:
        one, other = here[name], there[name]
        if (one is None) != (other is None) or (one is not None and abs(one - other) > _CLOSE):
            return name
    return ""


def _compare_answers(
    program: Program, queries: Sequence[str], found: Census, wanted: tuple[Census, str]
) -> None:
    """Compare what a user finds, with what a fresh folder with the same files finds.

    There, chunks have other numbers. Which of equal matches are candidates, where not all can be,
    their numbers decide: of such searches only those answers are compared that have them all.
    """
    fresh, kb = wanted
    cut = fresh["cut"]["default"]
    for kind in ("answers", "by_scores"):
        answers = zip(found[kind].get(kb, []), fresh[kind]["default"], strict=False)
        for query, is_cut, (one, other) in zip(queries, cut, answers, strict=False):
            if is_cut and kind == "answers":
                continue
            if difference := differing(one, other):
                program.score.wrong.append(f"“{query}”, {kind}: {difference}")


def _compare_files(
    program: Program, found: dict[str, list[str]], wanted: dict[str, list[str]]
) -> None:
    score = program.score
    score.lost += [f"{path} is missing" for path in wanted if path not in found]
    score.doubled += [f"{path} should be gone" for path in found if path not in wanted]
    for path, held in found.items():
        if path in wanted and held != wanted[path]:
            score.lost.append(f"{path} is {held[0]} with {len(held) - 1} chunks, not as when fresh")


def _state(documents: Documents) -> str:
    """Return what tells this state of the files from every other."""
    made = hashlib.blake2b()
    for path in documents.files:
        made.update(f"{path}\0".encode() + path.read_bytes() + b"\0")
    made.update("\0".join(documents.queries()).encode())
    return made.hexdigest()
