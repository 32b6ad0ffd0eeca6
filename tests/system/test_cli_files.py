"""The files of a knowledge base at the command line, and who may ask it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.terminal import Terminal


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    docs = tmp_path / "docs"
    (docs / "old").mkdir(parents=True)
    (docs / "lease.md").write_text("The rent is 1,250 euros a month.", encoding="utf-8")
    (docs / "old" / "note.txt").write_text("The deposit was paid in 1998.", encoding="utf-8")
    (docs / "scan.pdf").write_bytes(b"%PDF-1.4 not really")
    terminal = Terminal(tmp_path / "home")
    terminal.type("index", docs)
    return terminal


def test_the_files_are_listed_with_their_states(terminal: Terminal, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    lines = terminal.type("files", "--json").lines
    assert [(line["path"], line["status"]) for line in lines] == [
        (str(docs / "lease.md"), "ready"),
        (str(docs / "old" / "note.txt"), "ready"),
        (str(docs / "scan.pdf"), "corrupt"),
    ]
    assert [bool(line["reason"]) for line in lines] == [False, False, True]
    told = terminal.type("files").out
    assert f"✓ {docs / 'lease.md'}  1 chunk" in told
    assert f"! {docs / 'scan.pdf'}  corrupt" in told
    below = terminal.type("files", docs / "old", "--json").lines
    assert [line["path"] for line in below] == [str(docs / "old" / "note.txt")]


def test_an_empty_knowledge_base_says_so(terminal: Terminal) -> None:
    terminal.type("kb", "create", "empty")
    assert terminal.type("files", "--kb", "empty").out == "There is no file in it.\n"
    assert terminal.type("files", "--kb", "nowhere").status == 1


def test_other_programs_are_let_in_and_kept_out(terminal: Terminal) -> None:
    assert not terminal.type("kb", "list", "--json").lines[0]["is_served"]
    assert "other programs may ask it" in terminal.type("kb", "serve", "default", "on").out
    assert terminal.type("kb", "list", "--json").lines[0]["is_served"]
    assert "other programs" not in terminal.type("kb", "serve", "default", "off").out
    assert terminal.type("kb", "serve", "nowhere", "on").status == 1
