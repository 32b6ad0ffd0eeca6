"""Ollama tested, listed and given more models, as the settings do it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.ollama import (
    OllamaController,
    Pulled,
    Pulling,
    ServerAbsent,
    ServerChecking,
    ServerFound,
)
from testing.ollama_double import DoubleModel, OllamaDouble, fail
from testing.ollama_double.script import Script
from testing.timeouts import NEVER
from tests.gui.controllers.test_settings import House


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble() as double:
        yield double


@pytest.fixture
def house(tmp_path: Path, qapp: QApplication, ollama: OllamaDouble) -> Iterator[House]:
    made = House(tmp_path, ollama__host=ollama.url)
    yield made
    assert made.folder.close()


class Heard:
    """A controller and everything that it told."""

    def __init__(self, house: House) -> None:
        self.controller = OllamaController(house.runner, house.folder)
        self.servers: list[object] = []
        self.downloads: list[object] = []
        self.controller.server_changed.connect(self.servers.append)
        self.controller.download_changed.connect(self.downloads.append)


def test_a_test_tells_version_latency_models_and_what_is_loaded(
    house: House, ollama: OllamaDouble
) -> None:
    ollama.loaded.load("llama3.2:3b", 4096, NEVER)
    heard = Heard(house)
    heard.controller.test()
    house.runner.drain()
    assert isinstance(heard.servers[0], ServerChecking)
    found = heard.servers[-1]
    assert isinstance(found, ServerFound)
    assert (found.version, found.url, found.is_here) == ("0.12.11", ollama.url, True)
    assert 0 <= found.latency_ms < 5000
    assert [(each.name, each.context_length) for each in found.models] == [("llama3.2:3b", 131072)]
    assert found.models[0].token_bytes == 2 * 2 * 28 * 8 * 128
    assert [(each.name, each.context_length) for each in found.running] == [("llama3.2:3b", 4096)]


def test_a_server_that_is_not_there_is_said_with_a_remedy(house: House) -> None:
    house.settings.change("ollama.host", "http://127.0.0.1:9")
    house.runner.drain()
    heard = Heard(house)
    heard.controller.test()
    house.runner.drain()
    assert isinstance(heard.servers[-1], ServerAbsent)
    assert heard.servers[-1].remedy


def test_another_computer_is_asked_only_when_the_user_says_so(
    house: House, only_loopback: list[str]
) -> None:
    house.settings.change("ollama.host", "http://203.0.113.7:11434")
    house.runner.drain()
    heard = Heard(house)
    heard.controller.look()
    house.runner.drain()
    assert isinstance(heard.servers[-1], ServerAbsent)
    assert only_loopback == []
    heard.controller.test()
    house.runner.drain()
    assert only_loopback == ["socket.connect 203.0.113.7"]
    only_loopback.clear()


def test_a_model_is_fetched_with_its_progress(house: House, ollama: OllamaDouble) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=4_000)
    heard = Heard(house)
    heard.controller.pull(" qwen3:4b ")
    house.runner.drain()
    steps = [each for each in heard.downloads if isinstance(each, Pulling) and each.total]
    assert [each.completed for each in steps[:5]] == [0, 1000, 2000, 3000, 4000]
    assert {each.total for each in steps} == {4000}
    assert heard.downloads[-1] == Pulled("qwen3:4b", is_whole=True)
    last = heard.servers[-1]
    assert isinstance(last, ServerFound)
    assert "qwen3:4b" in {each.name for each in last.models}


@pytest.mark.parametrize(
    ("trouble", "said"),
    [(None, "has no model"), (fail(500, "no space left"), "no room on the disk")],
)
def test_a_download_that_fails_says_why(
    house: House, ollama: OllamaDouble, trouble: Script | None, said: str
) -> None:
    if trouble is not None:
        ollama.trouble["/api/pull"] = trouble
    heard = Heard(house)
    heard.controller.pull("nosuch")
    house.runner.drain()
    last = heard.downloads[-1]
    assert isinstance(last, Pulled)
    assert not last.is_whole
    assert said in last.what


def test_a_stopped_download_can_be_gone_on_with(house: House, ollama: OllamaDouble) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=4_000)
    heard = Heard(house)
    heard.controller.pull("qwen3:4b")
    heard.controller.pull("another")  # one at a time
    heard.controller.cancel_pull()
    house.runner.drain()
    assert heard.downloads[-1] == Pulled("qwen3:4b", is_whole=False)
    assert ollama.to("/api/pull") == []
    heard.controller.pull("qwen3:4b")
    house.runner.drain()
    assert heard.downloads[-1] == Pulled("qwen3:4b", is_whole=True)
