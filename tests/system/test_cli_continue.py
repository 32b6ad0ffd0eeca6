"""An answer that was cut is written on, as typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.ollama_double import OllamaDouble
from tests.system.terminal import Terminal

QUESTION = "What did fuel cost, and what became of the Ingrid?"
FIRST = "Fuel cost 41 million in 2024 [1]. The ferry"
REST = " Ingrid was refitted in March at the yard [1]."


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


def test_a_cut_answer_is_continued_in_its_conversation(
    tmp_path: Path, ollama: OllamaDouble
) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    told = (
        "# Ferries\n\nFuel cost 41 million in 2024. The Ingrid was refitted in March at the yard.\n"
    )
    (documents / "ferries.md").write_text(told, encoding="utf-8")
    terminal = Terminal(tmp_path / "home", ollama.url)
    assert terminal.type("index", documents).status == 0
    ollama.say(FIRST + REST)
    short = ("--set", "ollama.answer_tokens=16")
    first = terminal.type("ask", QUESTION, "--chat", "new", *short)
    assert f"{FIRST} Ingrid" in first.out
    assert "--chat 1 --continue writes on this answer" in first.err
    ollama.say(REST)
    lines = terminal.type("ask", "--chat", "1", "--continue", "--json").lines
    assert [each["event"] for each in lines if each["event"] in ("search", "resumed")] == [
        "resumed"
    ]
    assert lines[-1]["text"] == FIRST + REST
    assert {each["n"] for each in lines[-1]["citations"]} == {1}
    again = terminal.type("ask", "--chat", "1", "--continue")
    assert again.status != 0
    assert "there is nothing to continue" in again.err
