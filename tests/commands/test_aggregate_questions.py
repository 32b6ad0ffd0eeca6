"""Questions that count, list or sum up: a few passages can hardly answer them."""

from __future__ import annotations

import pytest

from desktop_rag.commands import ask
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Notice
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Ollama, Settings
from testing.ollama_double.server import refused_url
from tests.indexing.indexed_folder import KB, IndexedFolder


@pytest.fixture
def filled(library: IndexedFolder) -> IndexedFolder:
    rows = "\n".join(f"{n},Boat{n} of the harbour,built in {1900 + n}" for n in range(300))
    library.write("boats.csv", f"number,boat,year\n{rows}\n")
    library.use(Settings(ollama=Ollama(host=refused_url())))
    library.index()
    return library


@pytest.mark.parametrize(
    ("question", "is_warned"),
    [
        ("How many boats of the harbour are there in all?", True),
        ("How many boats of the harbour were built in all?", True),
        ("When was Boat77 of the harbour built?", False),
    ],
)
def test_a_question_about_everything_is_told_how_little_was_read(
    filled: IndexedFolder, question: str, is_warned: bool
) -> None:
    *events, answer = ask.run(filled.workspace, AskRequest((KB,), question), CancelToken())
    chunks = filled.workspace.catalog.kbs.get(KB).chunks
    told = [event.text for event in events if isinstance(event, Notice)]
    expected = f"{answer.passages} passages were read, of {chunks} in the index"  # type: ignore[attr-defined]
    assert any(expected in text for text in told) is is_warned
