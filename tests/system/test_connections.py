"""What the program sends away, as typed: by consent, unless blocked, and written down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.connection_audit import Contact, Purpose
from desktop_rag.core.connection_log import FILE_NAME, ConnectionLog
from testing.ollama_double import OllamaDouble
from tests.system.terminal import Terminal

AWAY = "http://203.0.113.7:11434"
QUESTION = "Which ferry runs on electricity?"


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    made = Terminal(tmp_path / "home")
    text = tmp_path / "ferry.txt"
    text.write_text("The ferry Sula runs on electricity, and cut its fuel by 71 percent.\n" * 4)
    for kb in ("contracts", "diary"):
        assert made.type("index", text, "--kb", kb).status == 0
    return made


def contacts(terminal: Terminal) -> list[Contact]:
    return ConnectionLog(terminal.home).all()


def test_every_connection_of_a_command_is_written_down_without_a_word_of_text(
    terminal: Terminal,
) -> None:
    assert contacts(terminal) == []  # indexing contacted nobody
    with OllamaDouble() as ollama:
        asked = replace(terminal, ollama=ollama.url).type("ask", QUESTION, "--kb", "diary")
        assert asked.status == 0
        port = int(ollama.url.rpartition(":")[2])
    found = contacts(terminal)
    assert {each.purpose for each in found} == {Purpose.MODELS, Purpose.ANSWER}
    assert {(each.host, each.port, each.allowed) for each in found} == {("127.0.0.1", port, True)}
    written = (terminal.home / "logs" / FILE_NAME).read_text()
    assert "ferry" not in written.lower()


def test_consent_is_of_one_knowledge_base_and_the_switch_wins(terminal: Terminal) -> None:
    catalog = Catalog.open(terminal.home)
    catalog.consents.give(catalog.kbs.get("contracts").id, AWAY)
    catalog.close()
    away = replace(terminal, ollama=AWAY)
    refused = away.type("ask", QUESTION, "--kb", "diary", "--model", "m", "--json")
    assert refused.lines[-1]["mode"] == "extracted"
    assert "another computer" in refused.out
    assert contacts(terminal) == []
    words = ("ask", QUESTION, "--kb", "contracts", "--model", "m", "--json")
    blocked = away.type(*words, "--set", "block_remote=true")
    assert blocked.lines[-1]["mode"] == "extracted"
    assert "are blocked" in blocked.out
    assert contacts(terminal) == []
    away.type(*words)
    assert {(each.host, each.port, each.allowed) for each in contacts(terminal)} == {
        ("203.0.113.7", 11434, True)
    }
