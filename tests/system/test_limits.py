"""Files that attack their reader, read by the program itself: each ends in a named state, alone."""

from __future__ import annotations

import threading
import time
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Self

import psutil
import pytest

from tests.network_guard import Listener
from tests.parsing.sandbox import bomb_files
from tests.system.terminal import Terminal

GOOD = "The harbour opens at six in the morning.\n"
SECRET = "xylophonequartz"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.txt").write_text(GOOD)
    return folder


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "home", is_forked=False)


def states(terminal: Terminal, docs: Path, *words: str) -> dict[str, str]:
    typed = terminal.type("index", docs, "--json", *words, seconds=400)
    assert typed.status == 0, typed.err
    files = [line for line in typed.lines if line["event"] == "file"]
    assert all(line["status"] == "ready" or line["reason"].endswith(".") for line in files)
    return {Path(line["path"]).name: line["status"] for line in files}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_files_that_swell_end_in_a_named_state_and_the_others_are_found(
    terminal: Terminal, docs: Path
) -> None:
    bomb_files.sheet_of_many_cells(docs / "cells.xlsx")
    bomb_files.document_of_entities(docs / "laughs.docx")
    bomb_files.archive_that_unpacks_to_gigabytes(docs / "bomb.docx")
    bomb_files.pdf_of_a_picture(docs / "picture.pdf")
    bomb_files.pdf_of_many_pages(docs / "pages.pdf")
    limits = ("--set", "ingest.parse_seconds=15", "--set", "ingest.parse_megabytes=1024")
    with Family() as family:
        found = states(terminal, docs, *limits)
        assert found.pop("cells.xlsx") in ("timeout", "ready"), "as quick as the computer is"
        assert found == {
            "good.txt": "ready",
            "laughs.docx": "corrupt",
            "bomb.docx": "too_large",
            "picture.pdf": "empty",
            "pages.pdf": "ready",
        }
    assert family.megabytes < 1024 + 256, "of one process"
    assert GOOD.strip() in terminal.type("search", "When does the harbour open?").out
    assert "Section 10000 of" in terminal.type("search", "Section 10000").out


class Family:
    """The most memory that one process below this one held, in MiB."""

    def __enter__(self) -> Self:
        self.megabytes = 0.0
        self._over = threading.Event()
        self._look = threading.Thread(target=self._watch)
        self._look.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._look.join()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            for child in psutil.Process().children(recursive=True):
                try:
                    held = child.memory_info().rss / 2**20
                except psutil.Error:
                    continue
                self.megabytes = max(self.megabytes, held)


def test_documents_that_point_elsewhere_reach_nobody_and_write_nowhere(
    terminal: Terminal, docs: Path, tmp_path: Path
) -> None:
    with Listener() as listener:
        pointing(docs, listener.url)
        before = everything(tmp_path)
        assert set(states(terminal, docs).values()) == {"ready"}
        time.sleep(0.2)  # in which a connection that is on its way would be heard
    assert listener.connections == 0, "no picture, style, template or entity is fetched"
    assert everything(tmp_path) == before, "no attachment leaves its mail"
    assert SECRET not in terminal.type("search", SECRET).out
    shown = terminal.type("show", docs / "letter.eml", "--json").lines
    names = {line["locator"]["value"] for line in shown if line["locator"]["kind"] == "part"}
    assert names == {"head", "body", "evil.md", "passwd.txt", "share.md"}


def pointing(docs: Path, url: str) -> None:
    """Write documents that name a server, a file of the system, and folders outside their own."""
    secret = docs.parent / "secret.txt"
    secret.write_text(SECRET)
    (docs / "page.html").write_text(
        f"<html><head><link rel=stylesheet href={url}/a.css><script src={url}/a.js></script></head>"
        f"<body background={url}/b.png><p>{GOOD}</p><img src={url}/p.png>"
        f"<iframe src={url}></iframe><object data='file://{secret}'></object></body></html>"
    )
    (docs / "page.xhtml.html").write_text(
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "file://{secret}">'
        f'<!ENTITY f SYSTEM "{url}/f">]><html><body><p>{GOOD} &e; &f;</p></body></html>'
    )
    (docs / "note.md").write_text(f"# Note\n\n{GOOD}\n![p]({url}/p.png) <img src={url}/q.png>\n")
    bomb_files.sheet_with_a_cell_far_away(docs / "sheet.xlsx")
    with zipfile.ZipFile(docs / "sheet.xlsx", "a") as archive:
        archive.writestr("../../evil.txt", "out")
    letter = EmailMessage()
    letter["Subject"] = "Offer"
    letter.set_content(GOOD)
    letter.add_alternative(f"<p>{GOOD}</p><img src={url}/pixel.png>", subtype="html")
    for name in ("../../evil.md", "/etc/passwd.txt", "..\\..\\share.md"):
        letter.add_attachment(GOOD.encode(), maintype="text", subtype="plain", filename=name)
    (docs / "letter.eml").write_bytes(letter.as_bytes())


def everything(folder: Path) -> set[Path]:
    """Return all files but the program's own."""
    home = folder / "home"
    return {path for path in folder.rglob("*") if home not in (path, *path.parents)}


def test_the_data_folder_is_not_read_as_a_document(terminal: Terminal, docs: Path) -> None:
    """Not by its path, not by a link, not by a folder around it."""
    assert terminal.type("index", docs).status == 0
    log = terminal.home / "logs" / "notes.txt"
    log.parent.mkdir(exist_ok=True)
    log.write_text(f"The {SECRET} stands in the data folder. {GOOD}")
    (docs / "link.txt").symlink_to(log)
    (docs / "folder").symlink_to(log.parent)
    around = terminal.type("index", docs.parent, "--json")
    assert around.status == 0
    named = terminal.type("index", log, "--json")
    ready = [
        line["path"] for typed in (around, named) for line in typed.lines
        if line.get("status") in ("ready", "unchanged")
    ]  # fmt: skip
    assert ready == [str(docs / "good.txt")]
    assert SECRET not in terminal.type("search", f"{SECRET} data folder").out
