"""Archives at the command line: closed, opened on request, and cited by the file in them."""

from __future__ import annotations

from pathlib import Path

from tests.parsing.archive_files import tarred, zipped
from tests.system.terminal import Terminal

RENT = "# Lease agreement\n\nThe monthly rent is 1,450 francs, due on the first working day."
MENU = "dish,price\nlentil soup,8.50\nroast trout,24.00\n"


def test_a_question_is_answered_from_a_file_in_an_archive(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    inner = tarred({"menu.csv": MENU}, "gz")
    (docs / "papers.zip").write_bytes(zipped({"contracts/lease.md": RENT, "menus.tgz": inner}))
    terminal = Terminal(tmp_path / "home")
    first = terminal.type("index", docs, "--json").lines[0]
    assert first["status"] == "unsupported"
    assert "kb archives NAME on" in first["reason"]
    assert terminal.type("kb", "archives", "default", "on", "--json").lines[0]["opens_archives"]
    assert terminal.type("index", docs, "--json").lines[0]["status"] == "ready"

    answer = terminal.type("ask", "How high is the monthly rent?", "--json").lines[-1]
    assert "1,450" in answer["text"]
    cited = answer["citations"][0]
    assert cited["path"] == str(docs / "papers.zip")
    assert cited["locator"]["kind"] == "part"
    assert cited["locator"]["value"] == "contracts/lease.md"
    found = terminal.type("search", "price of roast trout", "-k", "1", "--json").lines[0]
    assert found["locator"]["value"] == "menus.tgz/menu.csv"

    assert "archives are looked into" in terminal.type("kb", "list").out
    terminal.type("kb", "archives", "default", "off")
    assert terminal.type("search", "monthly rent", "--json").lines == []
