"""What happens when another embedding model is chosen."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import FileDone, Row
from desktop_rag.core.requests import DescribeRequest, IndexRequest, SearchRequest
from desktop_rag.core.settings import Models, Ollama, Settings
from desktop_rag.engine.operations.perform import perform
from tests.ollama_double import OllamaDouble
from tests.ollama_double.models import CHAT, EMBEDDING


def found(workspace, query: str) -> list[tuple[int | None, int | None]]:
    rows = list(perform(workspace, SearchRequest(("default",), query), CancelToken()))
    return [(row.values["dense_rank"], row.values["lexical_rank"]) for row in rows]


def test_passages_are_found_by_words_at_once_and_by_meaning_once_embedded_anew(
    tmp_path: Path,
) -> None:
    text = tmp_path / "ferry.txt"
    text.write_text("The ferry Sula runs on electricity, and cut its fuel by 71 percent.\n" * 3)
    home = tmp_path / "home"
    first = open_workspace(home, Settings())
    list(perform(first, IndexRequest("default", (str(text),)), CancelToken()))
    assert found(first, "ferry")[0] == (1, 1)
    first.close()
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        models, server = Models(embedder="ollama:all-minilm"), Ollama(host=ollama.url)
        second = open_workspace(home, Settings(models=models, ollama=server))
        assert found(second, "ferry")[0] == (None, 1)
        events = list(perform(second, IndexRequest("default"), CancelToken()))
        states = [event.status for event in events if isinstance(event, FileDone)]
        assert "ready" not in states  # nothing was read again
        assert found(second, "ferry")[0] == (1, 1)
        assert any("71 percent" in str(each.body["input"]) for each in ollama.to("/api/embed"))
        rows = perform(second, DescribeRequest("models"), CancelToken())
        named = [row.values.get("setting") for row in rows if isinstance(row, Row)]
        assert "ollama:all-minilm:latest" in named
        second.close()
