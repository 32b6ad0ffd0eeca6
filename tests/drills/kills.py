"""`kill -9` at random moments, over everything that changes a data folder."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from desktop_rag.index.indexes import EXACT_UPTO
from desktop_rag.preparation.registry import PREPARERS
from tests.drills.consistency_check import Checks
from tests.drills.documents import Documents
from tests.drills.program import Program, ready_in
from tests.drills.report import Score

_FILES = 40


@dataclass(slots=True)
class Kills:
    """One data folder that is killed again and again, with its documents."""

    root: Path
    program: Program
    documents: Documents
    checks: Checks
    dice: random.Random
    starts: float = 1.0
    """Seconds that a command takes which does next to nothing."""
    lasts: dict[str, float] = field(default_factory=dict)
    """Seconds that each kind of command is thought to take, put right at each kill."""
    hits: int = 0
    """Kills that came before the command had ended by itself."""

    def commands(self) -> dict[str, Callable[[], None]]:
        """Return what is killed, by name; each recovers as a user would: by doing it again."""
        return {
            "index": self.index,
            "update": self.update,
            "remove": self.remove,
            "remove folder": self.remove_folder,
            "kb delete": self.delete,
            "kb rebuild": self.rebuild,
            "kb export": self.export,
            "kb import": self.import_,
            **{f"prepare {kind.name}": partial(self.prepare, kind.name) for kind in PREPARERS},
        }

    def index(self) -> None:
        """Kill while new files are read."""
        self.documents.add(6)
        self._killed_reading()

    def update(self) -> None:
        """Kill while changed, moved, copied and deleted files are taken in."""
        self.documents.change(4)
        self.documents.move(3)
        self.documents.copy(1)
        self.documents.delete(5)
        self._killed_reading()

    def remove(self) -> None:
        """Kill while a file is taken out."""
        self._removed(self.documents.any_file())

    def remove_folder(self) -> None:
        """Kill while a folder is taken out."""
        self.documents.add(4, "away")
        self.program.must("index", self.documents.folder)
        self._removed(self.documents.folder / "away")

    def delete(self) -> None:
        """Kill while a knowledge base is deleted."""
        self.program.must("index", "--kb", "other", self.documents.folder)
        self._killed("kb", "delete", "other")
        self.program.type("kb", "delete", "other")
        self._expect_kbs("default")

    def rebuild(self) -> None:
        """Kill while the indexes are made anew."""
        self._killed("kb", "rebuild", "default")

    def export(self) -> None:
        """Kill while a knowledge base is written into a file: that is whole, or not there."""
        target = self.root / "taken.ragkb"
        self._killed("kb", "export", "default", target)
        if not target.exists():
            self.program.must("kb", "export", "default", target)
        self._imported(target)
        left = [each.name for each in self.root.iterdir() if ".part" in each.name]
        self.program.score.doubled += [f"{each} beside an export" for each in left]

    def import_(self) -> None:
        """Kill while a file is imported: the knowledge base is whole, or not there."""
        target = self.root / "taken.ragkb"
        self.program.must("kb", "export", "default", target)
        self._killed("kb", "import", "copied", target)
        self._imported(target)

    def prepare(self, way: str) -> None:
        """Kill while documents are prepared for a way: gone on with, each is prepared once."""
        self._killed("prepare", way, "--without-model")
        self.program.must("prepare", way, "--without-model")
        self.program.score.lost += [f"{way}: {each}" for each in half_prepared(self.program.home)]
        self.program.must("prepare", way, "--remove")

    def _imported(self, target: Path) -> None:
        """Import a file unless it was; what comes is as what went."""
        if "copied" not in self._kbs():
            self.program.must("kb", "import", "copied", target)
        self.checks.compare(self.program, self.documents, "copied")
        self.program.must("kb", "delete", "copied")
        target.unlink()

    def _removed(self, path: Path) -> None:
        self._killed("remove", path)
        self.program.type("remove", path)  # which says so, when it was done already
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def _killed_reading(self) -> None:
        """Kill a run over the folder; what it called ready is in the catalog, in full."""
        ready = ready_in(self._killed("index", self.documents.folder))
        self.program.score.lost += [
            f"{path} was ready before the kill" for path in ready - stored(self.program.home)
        ]

    def _killed(self, *words: str | Path) -> str:
        """Start a command, kill it at a random moment, and return what it had printed."""
        kind = " ".join(map(str, words[: 2 if words[0] in ("kb", "prepare") else 1]))
        lasts = self.lasts.get(kind, 2 * self.starts)
        began = time.monotonic()
        process = self.program.start(*words, "--json")
        try:
            process.wait(self.dice.uniform(self.starts / 2, lasts))
            self.lasts[kind] = time.monotonic() - began
        except subprocess.TimeoutExpired:
            self.lasts[kind] = lasts * 1.1
            self.hits += 1
        out, _ = self.program.kill(process)
        return out

    def _kbs(self) -> set[str]:
        return {line["name"] for line in self.program.must("kb", "list", "--json").lines}

    def _expect_kbs(self, *names: str) -> None:
        found = self._kbs()
        self.program.score.expect(found == set(names), f"knowledge bases {found}")


def drill(score: Score, root: Path, kills: int, seed: int) -> None:
    """Kill `kills` times before a command has ended, and look after each round.

    In every other round Chroma holds the vectors; from one to the next it is made, or goes.
    """
    documents = Documents(root / "documents", _FILES, seed)
    scratch = root / "scratch"
    scratch.mkdir()
    program = Program(root / "home", score, {"TMPDIR": str(scratch)})
    made = Kills(root, program, documents, Checks(root), random.Random(seed))
    with score.timed():
        made.lasts["index"] = _seconds(program, "index", documents.folder)
        made.starts = _seconds(program, "kb", "list")
        names = list(made.commands())
        while made.hits < kills and score.rounds < 3 * kills:
            name = names[score.rounds] if score.rounds < len(names) else made.dice.choice(names)
            with score.round(name):
                program.let_chroma_hold(0 if score.rounds % 2 else EXACT_UPTO)
                made.commands()[name]()
                made.checks.look(program, documents)
        score.expect(made.hits == kills, f"only {made.hits} kills came before the end")
        score.faults += [
            f"{each.name} left in the temporary folder"
            for each in scratch.glob("desktop-rag-*")
            if each.name != f"desktop-rag-{os.getuid()}"  # the sockets' folder
        ]


def stored(home: Path) -> set[str]:
    """Return the files whose chunks a killed process left in the catalog, which stays as it is."""
    copy = home.with_name("copy-of-catalog")
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for part in home.glob("catalog.sqlite*"):
        shutil.copy(part, copy)
    if not (copy / "catalog.sqlite").is_file():
        return set()
    with closing(sqlite3.connect(copy / "catalog.sqlite")) as connection:
        rows = connection.execute(
            "SELECT path FROM files JOIN documents ON documents.id = document_id WHERE "
            "chunk_count = (SELECT count(*) FROM chunks WHERE document_id = documents.id)"
        ).fetchall()
    return {path for (path,) in rows}


def _seconds(program: Program, *words: str | Path) -> float:
    """Run a command once, so that kills come while work is done, and not after it."""
    began = time.monotonic()
    program.must(*words)
    return time.monotonic() - began


def half_prepared(home: Path) -> list[str]:
    """Return what is wrong with what was derived from documents, all of which are prepared."""
    with closing(sqlite3.connect(home / "catalog.sqlite")) as catalog:
        rows = catalog.execute(
            "SELECT documents.id, coalesce(is_done, 0), coalesce(texts, 0), (SELECT count(*) "
            "FROM derived_texts WHERE derived_texts.document_id = documents.id AND EXISTS "
            "(SELECT 1 FROM derived_vectors WHERE derived_id = derived_texts.id)) FROM documents "
            "LEFT JOIN prepared_documents ON document_id = documents.id WHERE documents.id IN "
            "(SELECT document_id FROM files)"
        ).fetchall()
    return [
        f"document {number}: done {done}, {texts} texts noted, {held} with vectors"
        for number, done, texts, held in rows
        if not done or texts != held
    ]
