"""A folder of everything that goes wrong with files, indexed by the program itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY
from tests.indexing.indexed_folder import prose
from tests.parsing.sample_files import Pdf, PdfPage, Put

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def pdf(path: Path, password: str | None = None) -> Path:
    page = PdfPage((Put(72, 700, "A page that tells about the harbour and its ships."),))
    return Pdf((page,), password=password).write(path)


def make_bad_files(docs: Path) -> dict[str, set[str]]:
    """Write them; return the states that each may end in, by path below the folder."""
    (docs / "good.md").write_text(f"# Good\n\n{prose('harbour')}")
    pdf(docs / "good.pdf")
    whole = pdf(docs / "truncated.pdf").read_bytes()
    (docs / "truncated.pdf").write_bytes(whole[: len(whole) // 3])
    pdf(docs / "encrypted.pdf", password="secret")
    (docs / "encrypted.docx").write_bytes(COMPOUND + "EncryptedPackage".encode("utf-16-le"))
    (docs / "old.doc").write_bytes(COMPOUND)
    (docs / "zero.txt").write_bytes(b"")
    (docs / "zero.pdf").write_bytes(b"")
    (docs / "blank.txt").write_text(" \n\t\n " * 50)
    (docs / "short.txt").write_text("Hi.")
    (docs / "really a page.pdf").write_text(f"<html><body><p>{prose('sea')}</p></body></html>")
    pdf(docs / "really a pdf.txt")
    (docs / "words.xlsx").write_text(prose("mountain"))
    with zipfile.ZipFile(docs / "archive.docx", "w") as archive:
        archive.writestr("readme.txt", prose("valley"))
    (docs / "program.txt").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40)
    (docs / "film.mp4").write_bytes(bytes(range(256)) * 100)
    (docs / "no extension").write_bytes(bytes(range(256)) * 100)
    (docs / "with space and 🙂 and\nnewline.md").write_text(prose("river"))
    Path(os.fsdecode(os.fsencode(docs) + b"/latin-\xe9.txt")).write_text(prose("island"))
    (docs / "inner").mkdir()
    (docs / "inner" / "good.txt").write_text(prose("desert"))
    (docs / "inner" / "up").symlink_to(docs)
    (docs / "loop").symlink_to(docs / "loop")
    (docs / "nowhere.txt").symlink_to(docs / "gone.txt")
    (docs / "~$good.docx").write_bytes(b"lock")
    broken = {"corrupt", "unsupported", "failed", "empty"}
    return {
        "good.md": {"ready"},
        "good.pdf": {"ready"},
        "truncated.pdf": broken,
        "encrypted.pdf": {"encrypted"},
        "encrypted.docx": {"encrypted"},
        "old.doc": {"corrupt"},
        "zero.txt": {"empty"},
        "zero.pdf": {"empty"},
        "blank.txt": {"empty"},
        "short.txt": {"ready"},
        "really a page.pdf": broken | {"ready"},
        "really a pdf.txt": broken | {"ready"},
        "words.xlsx": broken,
        "archive.docx": broken,
        "program.txt": broken,
        "film.mp4": {"unsupported"},
        "no extension": {"unsupported"},
        "with space and 🙂 and\nnewline.md": {"ready"},
        os.fsdecode(b"latin-\xe9.txt"): {"ready"},
        "inner/good.txt": {"ready"},
    }


def index(home: Path, *arguments: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "desktop_rag", "--data-dir", str(home), "--json", "index"]
    made = subprocess.run(
        [*command, *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert "Traceback" not in made.stderr
    return [json.loads(line) for line in made.stdout.splitlines()]


@pytest.mark.timeout(240)
def test_each_bad_file_ends_in_a_named_state_and_the_others_go_on(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    wanted = make_bad_files(docs)
    lines = index(tmp_path / "home", str(docs), str(docs / "inner"))
    files = [line for line in lines if line["event"] == "file"]
    states = {str(f["path"]).removeprefix(f"{docs}/"): f["status"] for f in files}
    assert len(files) == len(states)
    assert states.keys() == wanted.keys()
    assert {name: state for name, state in states.items() if state not in wanted[name]} == {}
    for file in files:
        assert (file["status"] == "ready") == (file["chunks"] > 0)
        if file["status"] != "ready":
            assert str(file["reason"]).endswith(".")
            assert len(str(file["reason"])) > 20
    again = [line for line in index(tmp_path / "home", str(docs)) if line["event"] == "file"]
    for file in again:
        name = str(file["path"]).removeprefix(f"{docs}/")
        assert file["status"] == ("unchanged" if states[name] == "ready" else states[name])
        assert file["seconds"] == 0
