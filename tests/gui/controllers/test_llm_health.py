"""What is known of the language model."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.llm_health import Health, Missing, NoModel, Ready, probe
from testing.ollama_double.models import CHAT, EMBEDDING, DoubleModel
from testing.ollama_double.server import OllamaDouble
from tests.gui.controllers.folder_owner import OwnedFolder


def asked(tmp_path: Path, host: str, model: str = "") -> Health:
    settings = Settings(ollama=Ollama(host=host, model=model))
    folder = DataFolder(lambda: OwnedFolder(open_workspace(tmp_path, settings)))
    folder.open(CancelToken())
    try:
        return probe(folder, CancelToken())
    finally:
        folder.close()


def test_nobody_there_is_missing_and_found_by_itself_when_it_comes(tmp_path: Path) -> None:
    found = asked(tmp_path, "http://127.0.0.1:9")
    assert isinstance(found, Missing)
    assert "by itself" in found.remedy
    assert "try again" not in found.remedy


def test_models_are_listed(tmp_path: Path) -> None:
    with OllamaDouble() as ollama:
        assert asked(tmp_path, ollama.url) == Ready((CHAT.name,))


def test_embedders_are_left_out_and_models_elsewhere_come_last(tmp_path: Path) -> None:
    with OllamaDouble(DoubleModel("big:cloud"), EMBEDDING, CHAT) as ollama:
        marked = frozenset({"big:cloud"})
        assert asked(tmp_path, ollama.url) == Ready((CHAT.name, "big:cloud"), elsewhere=marked)


def test_the_model_of_the_settings_comes_first_and_is_the_usual_one(tmp_path: Path) -> None:
    with OllamaDouble(CHAT, DoubleModel("qwen3:4b")) as ollama:
        named = Ready(("qwen3:4b", CHAT.name), "qwen3:4b")
        assert asked(tmp_path, ollama.url, "qwen3:4b") == named
        assert asked(tmp_path, ollama.url, "gone:1b") == Ready((CHAT.name, "qwen3:4b"))


def test_a_server_without_a_model_is_told_apart(tmp_path: Path) -> None:
    with OllamaDouble() as ollama:
        ollama.models.clear()
        assert asked(tmp_path, ollama.url) == NoModel()


@pytest.mark.usefixtures("only_loopback")
def test_another_computer_is_not_asked_without_consent(tmp_path: Path) -> None:
    found = asked(tmp_path, "http://203.0.113.7:11434")
    assert isinstance(found, Missing)
    assert found.is_refused
