"""A damaged catalog from the command line: told, exported as far as it can be, and recovered."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from testing.sample_folder import copied
from tests.indexing.indexed_folder import prose
from tests.system.terminal import Terminal

PAGE = 4096
_FAST = ("--set", "retrieval.reranker=none")


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recovered") / "docs"
    folder.mkdir()
    for name in ("harbour", "valley", "river"):
        (folder / f"{name}.md").write_text(f"# {name}\n\n{prose(name)}")
    return folder


@pytest.fixture(scope="module")
def answered(docs: Path) -> Path:
    """A data folder that has read the documents, and answered a question of them."""
    made = Terminal(docs.with_name("answered"))
    assert made.type("index", docs, *_FAST).status == 0
    assert made.type("ask", "What lies in the harbour?", "--chat", "new", *_FAST).status == 0
    return made.home


@pytest.fixture
def terminal(tmp_path: Path, answered: Path) -> Terminal:
    return Terminal(copied(answered, tmp_path / "home"))


def spoil_a_locator(home: Path) -> None:
    """Flip one character of one row: SQLite itself sees nothing of it."""
    with closing(sqlite3.connect(home / "catalog.sqlite")) as connection:
        connection.execute(
            "UPDATE chunks SET locator = 'K' || substr(locator, 2) WHERE id = "
            "(SELECT min(chunks.id) FROM chunks JOIN files USING (document_id) "
            "WHERE path LIKE '%harbour.md')"
        )
        connection.commit()


def spoil_pages_of(home: Path, table: str) -> None:
    path = home / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,)).fetchall()
    content = bytearray(path.read_bytes())
    for (page,) in rows:
        content[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    path.write_bytes(content)


def test_a_sound_catalog_is_left_as_it_is(terminal: Terminal) -> None:
    before = (terminal.home / "catalog.sqlite").read_bytes()
    done = terminal.type("recover", "--json")
    assert done.status == 0
    (end,) = done.lines
    assert not end["recovered"]
    assert end["aside"] == ""
    assert (terminal.home / "catalog.sqlite").read_bytes() == before


def test_a_flipped_locator_is_damage_to_every_command_and_recovered(
    terminal: Terminal, docs: Path
) -> None:
    spoil_a_locator(terminal.home)
    shown = terminal.type("show", docs / "harbour.md")
    assert shown.status == 1
    assert "damaged" in shown.err
    assert "desktop-rag recover" in shown.err
    assert "itself went wrong" not in shown.err
    checks = {line["name"]: line for line in terminal.type("doctor", "--json").lines}
    assert checks["catalog"]["status"] == "error"
    assert "recover" in checks["catalog"]["remedy"]
    done = terminal.type("recover", "--json")
    assert done.status == 0
    figures = {line["kind"]: line for line in done.lines if "kind" in line}
    assert figures["chunks"]["lost"] <= 1
    assert figures["conversations"] == {
        "kind": "conversations", "kept": 1, "lost": 0, "from_copy": 0, "exact": True
    }  # fmt: skip
    assert Path(done.lines[-1]["aside"]).is_file()
    assert terminal.type("index", docs, *_FAST).status == 0
    assert terminal.type("show", docs / "harbour.md").status == 0
    after = {line["name"]: line["status"] for line in terminal.type("doctor", "--json").lines}
    assert after["catalog"] == "ok"
    assert after["damaged catalog"] == "warning"


def test_an_export_leaves_broken_vectors_out_and_goes_in_again(
    terminal: Terminal, tmp_path: Path
) -> None:
    spoil_pages_of(terminal.home, "embeddings")
    target = tmp_path / "out.ragkb"
    done = terminal.type("kb", "export", "default", target, *_FAST)
    assert done.status == 0, done.err
    assert "damaged" in done.err
    assert "left out" not in done.err
    with zipfile.ZipFile(target) as archive:
        counts = json.loads(archive.read("manifest.json"))["counts"]
    assert counts["documents.jsonl"] == 3
    assert counts["keys.jsonl"] == 0
    other = Terminal(tmp_path / "other")
    assert other.type("kb", "import", target, *_FAST).status == 0
    (base,) = other.type("kb", "list", "--json").lines
    assert base["files"] == 3
    assert not list(terminal.home.glob("catalog.remains*"))


def test_an_export_names_the_files_that_cannot_be_read(
    terminal: Terminal, docs: Path, tmp_path: Path
) -> None:
    for copy in terminal.home.glob("catalog.copy-*"):
        copy.unlink()
    with closing(sqlite3.connect(terminal.home / "catalog.sqlite")) as connection:
        connection.execute(
            "UPDATE chunks SET locator = '{' WHERE document_id = (SELECT document_id FROM files "
            "WHERE path = ?)",
            (str(docs / "valley.md"),),
        )
        connection.commit()
    target = tmp_path / "out.ragkb"
    done = terminal.type("kb", "export", "default", target, *_FAST)
    assert done.status == 0, done.err
    assert f"1 files are left out: {docs / 'valley.md'}" in done.err
    other = Terminal(tmp_path / "other")
    assert other.type("kb", "import", target, *_FAST).status == 0
    (base,) = other.type("kb", "list", "--json").lines
    assert base["chunks"] > 0


def test_a_header_that_is_none_is_no_newer_version(terminal: Terminal) -> None:
    path = terminal.home / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    content[60] ^= 0x40  # of the version's four bytes the highest
    path.write_bytes(content)
    done = terminal.type("kb", "list")
    assert done.status == 1
    assert "damaged" in done.err
    assert "newer" not in done.err
    assert terminal.type("recover").status == 0
    assert "3 files" in terminal.type("kb", "list").out


def test_everything_comes_back_from_the_copy_alone(terminal: Terminal, docs: Path) -> None:
    assert list(terminal.home.glob("catalog.copy-*"))
    (terminal.home / "catalog.sqlite").write_bytes(b"")
    assert terminal.type("kb", "list").status == 1
    done = terminal.type("recover", "--json")
    assert done.status == 0
    assert not any(line.get("lost") for line in done.lines)
    assert terminal.type("index", docs, *_FAST).status == 0
    assert "harbour" in terminal.type("search", "harbour", *_FAST).out


def test_where_nothing_is_nothing_is_made(tmp_path: Path) -> None:
    nowhere = Terminal(tmp_path / "nowhere")
    done = nowhere.type("recover")
    assert done.status == 1
    assert f"There is no catalog in {nowhere.home}, and no copy of one." in done.err
    assert not nowhere.home.exists()
    nowhere.home.mkdir()
    done = nowhere.type("recover")
    assert done.status == 1
    assert "There is no catalog" in done.err
    assert not list(nowhere.home.glob("catalog*.sqlite"))


def test_without_a_damaged_file_none_is_said_to_be_kept(terminal: Terminal) -> None:
    (terminal.home / "catalog.sqlite").unlink()
    done = terminal.type("recover", "--json")
    assert done.status == 0
    assert done.lines[-1]["recovered"]
    assert done.lines[-1]["aside"] == ""
    assert "kept as" not in done.out + done.err
    assert "3 files" in terminal.type("kb", "list").out


def test_where_nothing_can_be_read_that_is_said(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    terminal.home.mkdir(mode=0o700)
    (terminal.home / "catalog.sqlite").write_bytes(b"no catalog" * 1000)
    done = terminal.type("recover")
    assert done.status == 0
    assert "Nothing could be read from the damaged catalog, and there is no copy." in done.out
    assert " 0 kept" not in done.out
    assert "is recovered" not in done.out


def test_vectors_that_are_lost_are_made_again_by_a_rebuild(terminal: Terminal) -> None:
    spoil_pages_of(terminal.home, "embeddings")
    done = terminal.type("recover", "--json")
    (vectors,) = (line for line in done.lines if line.get("kind") == "vectors")
    assert vectors["made_again"] > 0
    checks = {line["name"]: line for line in terminal.type("doctor", "--json", *_FAST).lines}
    assert "desktop-rag kb rebuild default" in checks["indexes of default"]["remedy"]
    assert terminal.type("kb", "rebuild", "default", *_FAST).status == 0
    checks = {line["name"]: line for line in terminal.type("doctor", "--json", *_FAST).lines}
    assert checks["indexes of default"]["status"] == "ok"
