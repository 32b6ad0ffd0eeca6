"""A knowledge base typed out into a file and into another data folder."""

from __future__ import annotations

import os
import pickle
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.core.paths import resources
from tests.commands.export_files import packed, parts_of
from tests.conftest import REPOSITORY
from tests.system.terminal import Terminal

LEASE = "# Lease\n\nThe monthly rent is 1,450 francs, due on the first working day of each month.\n"


@pytest.fixture
def without_model(tmp_path: Path) -> Path:
    """Return a copy of the program that has its embedder's card, but not the embedder."""
    made = tmp_path / "program"
    shutil.copytree(REPOSITORY / "desktop_rag", made / "desktop_rag")
    (made / "resources").mkdir()
    for each in resources().iterdir():
        if each.name != "models":
            (made / "resources" / each.name).symlink_to(each)
    shutil.copytree(resources() / "models", made / "resources" / "models")
    for weights in made.glob("resources/models/*/model.onnx"):
        weights.unlink()
    return made


@pytest.mark.slow
def test_a_knowledge_base_goes_to_another_computer(tmp_path: Path, without_model: Path) -> None:
    """It is read from its file alone: the documents are gone, and the model is not there yet."""
    docs, file = tmp_path / "docs", tmp_path / "notes.ragkb"
    docs.mkdir()
    (docs / "lease.md").write_text(LEASE, encoding="utf-8")
    here, there = Terminal(tmp_path / "here"), Terminal(tmp_path / "there")
    assert here.type("index", docs, "--kb", "notes").status == 0
    asked = ("search", "how high is the rent", "--kb", "notes", "--json")
    before = here.type(*asked).lines

    typed = here.type("kb", "export", "notes", file, "--json")
    assert (typed.status, typed.err) == (0, "")
    (row,) = typed.lines
    assert (row["name"], row["file"], row["files"]) == ("notes", str(file), 1)
    again = here.type("kb", "export", "notes", file)
    assert (again.status, again.out) == (1, "")
    assert len(again.err.splitlines()) == 2

    shutil.rmtree(docs)
    typed = there.type("kb", "import", file, cwd=without_model)
    assert typed.status == 0
    assert typed.out.startswith("notes  1 file, 1 chunk")
    assert "1 of 1 followed folders and files are not on this computer." in typed.err
    typed = there.type(*asked, cwd=without_model)
    assert [line["dense_rank"] for line in typed.lines] == [None], "it could embed nothing"
    assert [line["text"] for line in typed.lines] == [line["text"] for line in before]
    assert "model file" in typed.err, "and says so"
    assert there.type(*asked).lines == before
    taken = there.type("kb", "import", file, "--json")
    assert (taken.status, taken.out) == (1, "")
    what, remedy = taken.err.splitlines()
    assert "already a knowledge base named “notes”" in what
    assert "another name" in remedy
    (row,) = there.type("kb", "import", "second", file, "--json").lines[-1:]
    assert (row["name"], row["chunks"], row["sources"]) == ("second", 1, [])
    shown = there.type("show", docs / "lease.md", "--kb", "second", "--json")
    assert "1,450 francs" in shown.lines[0]["text"]
    assert there.type("ask", "How high is the rent?", "--kb", "second").out.count("1,450")


def test_a_damaged_file_is_said_in_two_lines(tmp_path: Path) -> None:
    bad = tmp_path / "bad.ragkb"
    bad.write_bytes(os.urandom(5000))
    terminal = Terminal(tmp_path / "home")
    for words in (("import", bad), ("import", tmp_path / "nowhere"), ("export", "none", bad)):
        typed = terminal.type("kb", *words)
        assert (typed.status, typed.out) == (1, "")
        assert len(typed.err.splitlines()) == 2
        assert "Traceback" not in typed.err
    assert terminal.type("kb", "list", "--json").lines == []


def test_an_export_that_was_meddled_with_is_refused_and_nothing_of_it_runs(tmp_path: Path) -> None:
    (tmp_path / "lease.md").write_text(LEASE, encoding="utf-8")
    here, there = Terminal(tmp_path / "here"), Terminal(tmp_path / "there")
    good = tmp_path / "good.ragkb"
    assert here.type("index", tmp_path / "lease.md").status == 0
    assert here.type("kb", "export", "default", good).status == 0
    parts = parts_of(good)
    sprung = tmp_path / "sprung"
    trap = pickle.dumps(Trap(str(sprung)))
    for number, changed in enumerate(
        ({"embeddings.npy": trap}, {"indexes.pkl": trap}, {"../../evil.txt": b"out"})
    ):
        file = packed(tmp_path / f"bad {number}.ragkb", parts | changed)
        typed = there.type("kb", "import", file)
        assert (typed.status, typed.out) == (1, "")
        assert len(typed.err.splitlines()) == 2
    assert not sprung.exists()
    assert not list(tmp_path.rglob("evil.txt"))
    assert there.type("kb", "list", "--json").lines == []


@dataclass
class Trap:
    """A pickle that leaves a folder behind when somebody loads it."""

    folder: str

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.folder,)
