"""A process that answers is killed in mid-stream: the question and what had come are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.gui.controllers import conversation_jobs
from desktop_rag.gui.controllers.answer_decoder import INTERRUPTED
from testing.ollama_double.script import Script
from testing.ollama_double.server import OllamaDouble
from tests.system.terminal import Terminal

QUESTION = "Who is the landlord of the flat at Gartenweg?"
LONG = " ".join(f"word{n}" for n in range(400))


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.mark.slow
def test_a_killed_answer_is_there_after_the_next_start(
    tmp_path: Path, ollama: OllamaDouble
) -> None:
    documents, home = tmp_path / "documents", tmp_path / "home"
    documents.mkdir()
    lease = "# Lease\n\nThe landlord of the flat at Gartenweg 12 is Otto Brandt.\n"
    (documents / "lease.md").write_text(lease, encoding="utf-8")
    terminal = Terminal(home, ollama.url)
    assert terminal.type("index", documents).status == 0
    ollama.say(Script(LONG, pace=0.05))
    process = terminal.start("ask", QUESTION, "--chat", "new", "--json")
    assert process.stdout is not None
    tokens = 0
    for line in process.stdout:
        tokens += json.loads(line)["event"] == "token"
        if tokens == 40:  # two seconds of writing
            break
    process.kill()
    process.communicate(timeout=60)
    catalog = Catalog.open(home)
    try:
        (chat,) = catalog.chats.all()
        (turn,) = conversation_jobs.load_transcript(catalog, chat.id).turns
    finally:
        catalog.close()
    assert (turn.question, turn.outcome) == (QUESTION, INTERRUPTED)
    assert turn.text.startswith("word0 word1 ")
    assert "Otto Brandt" in turn.sources[0].text
    ollama.say("Otto Brandt [1].")
    again = terminal.type("ask", "And who?", "--chat", str(chat.id), "--json")
    assert again.lines[-1]["chat_id"] == chat.id
