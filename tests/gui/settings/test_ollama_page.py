"""Ollama's page, driven as a person would, over a double of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.controllers.ollama import Pulled, Pulling, ServerFound
from desktop_rag.gui.settings.ollama_page import DownloadCard, ServerCard
from desktop_rag.gui.settings.setting_controls import ChoiceControl
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import narrow, present
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.openai_double import LM_STUDIO, OpenAIDouble
from testing.timeouts import NEVER
from testing.window_driver import Driver, wait_for


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble(CHAT, EMBEDDING, DoubleModel("big:cloud")) as double:
        yield double


class Hands:
    """A window with Ollama's page open."""

    def __init__(self, app: QApplication, folder: Path, host: str) -> None:
        self.driver = Driver(app, folder, ollama__host=host)
        self.driver.open()
        self.ollama = self.driver.context.ollama
        self.driver.window.settings.open_ollama()
        self.dialog = present(self.driver.window.findChild(SettingsDialog))
        wait_for(lambda: all(page.is_filled for page in self.dialog.pages))
        self.server = present(self.dialog.findChild(ServerCard))
        self.pull = present(self.dialog.findChild(DownloadCard))

    def choice(self, key: str) -> ChoiceControl:
        page = self.dialog.page(key.partition(".")[0])
        control = next(row.control for row in page.rows if row.setting.key == key)
        assert isinstance(control, ChoiceControl)
        return control

    def wait_until_found(self) -> None:
        wait_for(lambda: isinstance(self.ollama.server, ServerFound))

    def cells(self) -> list[list[str]]:
        model = self.server.models
        rows, columns = range(model.rowCount()), range(model.columnCount())
        return [[str(model.index(row, at).data() or "") for at in columns] for row in rows]


@pytest.fixture
def hands(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[Hands]:
    made = Hands(qapp, tmp_path, ollama.url)
    yield made
    made.driver.close()


def test_the_page_shows_what_the_server_has_and_what_is_loaded(
    hands: Hands, ollama: OllamaDouble
) -> None:
    ollama.loaded.load(CHAT.name, 4096, NEVER)
    hands.server.test.click()
    hands.wait_until_found()
    wait_for(lambda: "loaded" in str(hands.cells()))
    assert hands.cells() == [
        ["llama3.2:3b", "3.2B", "2.0 GB", "131,072", "loaded with 4,096 of 8,192"],
        ["all-minilm:latest", "23M", "46 MB", "256", "for embedding"],
        ["big:cloud", "3.2B", "2.0 GB", "131,072", "runs at https://ollama.com:443"],
    ]
    assert "0.12.11" in hands.server.state.text()
    assert ollama.url in hands.server.state.text()


def test_what_the_context_costs_follows_the_setting(hands: Hands) -> None:
    hands.wait_until_found()
    assert "8,192 tokens takes about 0.9 GB" in hands.server.advice.text()
    hands.driver.context.settings.change("ollama.num_ctx", 16384)
    assert "16,384 tokens takes about 1.9 GB" in hands.server.advice.text()


def test_only_models_that_answer_are_offered_to_answer_and_embedders_to_embed(
    hands: Hands,
) -> None:
    hands.wait_until_found()
    model, embedder = hands.choice("ollama.model"), hands.choice("models.embedder")
    assert [model.itemData(row) for row in range(model.count())] == ["", CHAT.name, "big:cloud"]
    assert model.itemText(2) == "big:cloud · in the cloud"
    offered = [embedder.itemData(row) for row in range(embedder.count())]
    assert offered == ["builtin", "ollama:all-minilm:latest"]
    model.activated.emit(1)
    assert hands.driver.context.settings.value("ollama.model") == CHAT.name


def test_another_address_is_looked_at_when_it_is_set(hands: Hands) -> None:
    hands.wait_until_found()
    hands.driver.context.settings.change("ollama.host", "http://127.0.0.1:9")
    wait_for(lambda: "does not answer at http://127.0.0.1:9" in hands.server.state.text())
    assert "ollama.com" in hands.server.advice.text()
    assert "quotes from your documents" in hands.server.advice.text()
    assert not hands.server.table.isVisible()
    assert not hands.pull.fetch.isEnabled()


def test_a_model_is_fetched_with_progress_and_is_there(hands: Hands, ollama: OllamaDouble) -> None:
    ollama.pullable["qwen3:4b"] = DoubleModel("qwen3:4b", size=2_600_000_000)
    ollama.pull_pace = 0.1
    hands.wait_until_found()
    row = next(each for each in hands.pull.offered if each.name == "qwen3:4b")
    assert row.fetch.isVisibleTo(hands.pull)
    row.fetch.click()
    wait_for(lambda: "of 2.6 GB" in hands.pull.said.text())
    assert hands.pull.bar.isVisibleTo(hands.pull)
    assert not row.fetch.isEnabled()
    wait_for(lambda: isinstance(hands.ollama.download, Pulled))
    assert "qwen3:4b is there" in hands.pull.said.text()
    wait_for(lambda: row.there.isVisibleTo(hands.pull))


def test_a_download_is_stopped_and_gone_on_with(hands: Hands, ollama: OllamaDouble) -> None:
    ollama.pullable["qwen3:8b"] = DoubleModel("qwen3:8b", size=5_000_000_000)
    ollama.pull_pace = 0.4
    hands.wait_until_found()
    QTest.keyClicks(hands.pull.name, "qwen3:8b")
    QTest.keyClick(hands.pull.name, Qt.Key.Key_Return)
    wait_for(lambda: isinstance(hands.ollama.download, Pulling) and hands.ollama.download.total)
    hands.pull.cancel.click()
    assert "fetch it again to go on" in hands.pull.said.text()
    wait_for(lambda: ollama.to("/api/pull")[0].abandoned)
    ollama.pull_pace = 0.0
    assert hands.pull.fetch.isEnabled()
    hands.pull.fetch.click()
    wait_for(lambda: hands.ollama.download == Pulled("qwen3:8b", is_whole=True))


def test_a_name_that_the_library_does_not_know_is_said(hands: Hands) -> None:
    hands.wait_until_found()
    hands.pull.name.setText("nosuch")
    hands.pull.fetch.click()
    wait_for(lambda: "has no model nosuch" in hands.pull.said.text())


def test_a_server_without_a_model_says_what_to_do(hands: Hands, ollama: OllamaDouble) -> None:
    hands.wait_until_found()
    ollama.models.clear()
    hands.server.test.click()
    wait_for(lambda: "no model yet" in hands.server.advice.text())


def test_a_context_beyond_the_model_s_is_said_and_not_counted(hands: Hands) -> None:
    hands.wait_until_found()
    model = next(
        each for each in narrow(hands.ollama.server, ServerFound).models if each.name == CHAT.name
    )
    hands.driver.context.settings.change("ollama.num_ctx", present(model.context_length) + 512)
    advice = hands.server.advice.text()
    assert f"was made for {model.context_length:,} tokens of context" in advice
    assert f"a context of {model.context_length:,} tokens" in advice


def test_a_chosen_model_that_is_gone_is_said_beside_the_one_that_answers(hands: Hands) -> None:
    hands.wait_until_found()
    hands.driver.context.settings.change("ollama.model", "gone:1b")
    advice = hands.server.advice.text()
    assert f"gone:1b is not among its models: {CHAT.name} answers." in advice


def test_models_that_only_embed_do_not_answer(hands: Hands, ollama: OllamaDouble) -> None:
    hands.wait_until_found()
    ollama.models.clear()
    ollama.models[EMBEDDING.name] = EMBEDDING
    hands.server.test.click()
    wait_for(lambda: "None of its models can answer" in hands.server.advice.text())


@pytest.mark.parametrize("answer", ["<html><body>Hello</body></html>", "{}"])
def test_what_answers_and_is_no_server_is_told(
    hands: Hands, ollama: OllamaDouble, answer: str
) -> None:
    hands.wait_until_found()
    ollama.verbatim |= {"/api/version": answer, "/v1/models": answer}
    hands.server.test.click()
    wait_for(lambda: "is neither Ollama nor" in hands.server.state.text())
    assert "Check the address" in hands.server.advice.text()


def test_a_wrong_address_is_said_where_it_is_typed_or_looked_for(hands: Hands) -> None:
    hands.driver.context.settings.change("ollama.host", "http://[half")
    wait_for(lambda: "http://[half" in hands.server.state.text())
    assert hands.server.advice.text()


@pytest.mark.parametrize(
    ("error", "said"),
    [("", "broke off"), ("write: no space left on device", "no room on the disk")],
)
def test_a_download_that_fails_half_way_says_so_and_can_be_begun_again(
    hands: Hands, ollama: OllamaDouble, error: str, said: str
) -> None:
    ollama.pullable["qwen3:8b"] = DoubleModel("qwen3:8b", size=5_000_000_000)
    ollama.pull_error = error
    hands.wait_until_found()
    hands.pull.name.setText("qwen3:8b")
    hands.pull.fetch.click()
    wait_for(lambda: said in hands.pull.said.text())
    assert not hands.pull.bar.isVisibleTo(hands.pull)
    ollama.pull_error = None
    hands.pull.fetch.click()
    wait_for(lambda: hands.ollama.download == Pulled("qwen3:8b", is_whole=True))


def test_another_server_is_named_and_fetches_nothing(hands: Hands) -> None:
    with OpenAIDouble(product=LM_STUDIO) as studio:
        hands.driver.context.settings.change("ollama.host", studio.url)
        wait_for(lambda: hands.server.state.text().startswith("LM Studio answers at"))
        assert not hands.pull.elsewhere.isHidden()
        assert not hands.pull.fetch.isEnabled()
        assert not hands.server.table.isHidden()
        studio.models.clear()
        hands.server.test.click()
        wait_for(lambda: "load one there" in hands.server.advice.text())
