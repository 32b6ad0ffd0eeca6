"""Whole documents on the command line, as a person and as a program sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script
from tests.system.terminal import Terminal
from tests.whole_documents.documents_setup import write_documents


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_documents(tmp_path / "documents")
    return tmp_path / "documents"


def test_the_verbs_print_json_lines_and_end_as_the_contract_says(
    tmp_path: Path, folder: Path
) -> None:
    terminal = Terminal(tmp_path / "home", "http://127.0.0.1:9")
    assert terminal.type("index", folder).status == 0
    first, second = folder / "first.md", folder / "second.md"

    summed = terminal.type("summarise", first, "--json")
    assert summed.status == 0
    assert summed.lines[-1]["event"] == "answer"
    assert summed.lines[-1]["strategy"] == "summarise"

    compared = terminal.type("compare", first, second)
    assert "(30 → 60)" in compared.out

    table = tmp_path / "rows.csv"
    asked = terminal.type("each", "What is the monthly rent?", folder, "--csv", table, "--json")
    rows = [line for line in asked.lines if line["event"] == "row"]
    assert len(rows) == 5
    assert set(rows[0]) == {"event", "path", "text", "mode", "citations"}
    assert len(table.read_text("utf-8-sig").splitlines()) == 6

    assert terminal.type("compare", first).status == 2
    assert terminal.type("each", "Why?", first, "--csv", "rows.txt").status == 2
    unknown = terminal.type("summarise", folder / "none.md")
    assert unknown.status == 1
    assert "is not indexed" in unknown.err


def test_a_killed_summary_is_there_after_the_next_start(
    tmp_path: Path, folder: Path, ollama: OllamaDouble
) -> None:
    terminal = Terminal(tmp_path / "home", ollama.url)
    assert terminal.type("index", folder / "long.md").status == 0
    ollama.say("The crane number 0 was repaired for 100 crowns. [1]")
    ollama.otherwise = Script("The quay was repaired. [1]", wait=60.0)
    process = terminal.start("summarise", folder / "long.md", "--chat", "new", "--json")
    assert process.stdout is not None
    for line in process.stdout:
        if "Window 2 " in str(json.loads(line).get("text", "")):
            break
    process.kill()
    process.communicate(timeout=60)
    catalog = Catalog.open(tmp_path / "home")
    try:
        (chat,) = catalog.chats.all()
        (turn,) = conversation_jobs.load_transcript(catalog, chat.id).turns
    finally:
        catalog.close()
    assert turn.outcome == INTERRUPTED
    assert turn.question == "Summarise long.md"
    assert turn.task is not None
    assert turn.task.action == "summarise"
