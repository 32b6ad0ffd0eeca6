"""Conversations out of the catalog."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.app import kept
from desktop_rag.app.transcript import Answered, Stopped
from desktop_rag.engine.operations.conversation import Conversation
from desktop_rag.engine.strategies.research import Tally
from desktop_rag.store.catalog import Catalog
from tests.app.values import answer, passage


def test_a_conversation_comes_back_with_its_sources_and_citations(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        said = answer("Fuel fell [2].", 2)
        Conversation(catalog, chat).asked("Why did fuel fall?").answered(said)
        shown = kept.transcript(catalog, chat)
    finally:
        catalog.close()
    (turn,) = shown.turns
    assert (shown.chat_id, shown.title) == (chat, "Fuel")
    assert (turn.question, turn.text) == ("Why did fuel fall?", "Fuel fell [2].")
    assert turn.sources == said.sources
    assert [c.quote for c in turn.citations] == ["quote 2"]
    assert [b.y0 for b in turn.citations[0].locator.boxes] == [102.0]
    assert turn.outcome == Answered("generated", "llama3.2:3b", 1.5, 1, 1, 950)


def test_a_stopped_answer_comes_back_as_stopped(tmp_path: Path) -> None:
    tally = Tally(written="Fuel fe [1]", shown=(passage(1),))
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        Conversation(catalog, chat).asked("Why did fuel fall?").stopped(tally, "single_pass")
        (turn,) = kept.transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert (turn.text, turn.outcome) == ("Fuel fe [1]", Stopped())
    assert turn.sources == (passage(1),)


def test_a_question_without_an_answer_counts_as_stopped(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    try:
        chat = catalog.chats.create("Fuel", ("default",))
        catalog.chats.append(chat, "user", "Why did fuel fall?")
        (turn,) = kept.transcript(catalog, chat).turns
    finally:
        catalog.close()
    assert turn.outcome == Stopped()
