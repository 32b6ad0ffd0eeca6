"""Other servers on this computer, shown where a language model is set up, and used by one click."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core import usual_servers
from desktop_rag.core.ollama_records import Installation
from desktop_rag.gui.controllers import model_setup
from desktop_rag.gui.controllers.llm_health import Ready
from desktop_rag.gui.controllers.model_setup import ModelAnswered
from desktop_rag.gui.controllers.ollama import Pulled, ServerAbsent, ServerFound
from desktop_rag.gui.model_setup.model_setup_dialog import FINISH, SERVER, ModelSetupDialog
from desktop_rag.models.ollama import installation
from testing.narrowing import narrow, present
from testing.ollama_double import DoubleModel, OllamaDouble, Script, refused_url
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.openai_double import LLAMA_CPP, LM_STUDIO, OpenAIDouble
from testing.window_driver import Driver, wait_for

MODEL = DoubleModel("qwen/qwen3-4b-2507")


class Wizard:
    """A window whose settings name a server, and the dialog over it."""

    def __init__(self, app: QApplication, folder: Path, host: str, **overrides: str) -> None:
        self.driver = Driver(app, folder, ollama__host=host, **overrides)
        self.driver.open()
        self.context = self.driver.context
        self.driver.window.chat.health_wanted.emit()
        self.dialog = present(self.driver.window.findChild(ModelSetupDialog))
        wait_for(lambda: self.context.model_setup.computer is not None)

    @property
    def shown(self) -> list[str]:
        return [row.server.title for row in self.dialog.choice.others.rows]

    @property
    def names(self) -> list[str]:
        return [row.choice.name for row in self.dialog.choice.rows]

    def use(self, title: str) -> None:
        wait_for(lambda: title in self.shown)
        row = self.dialog.choice.others.rows[self.shown.index(title)]
        row.use.click()


@pytest.fixture
def studio() -> Iterator[OpenAIDouble]:
    with OpenAIDouble(MODEL, EMBEDDING, product=LM_STUDIO) as running:
        running.otherwise = Script("Paris.")
        yield running


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def make(
    qapp: QApplication, tmp_path: Path, opened: ExitStack, host: str, **overrides: str
) -> Wizard:
    wizard = Wizard(qapp, tmp_path / "a", host, **overrides)
    opened.callback(wizard.driver.close)
    return wizard


def test_one_click_and_its_models_are_those_to_choose_from(
    qapp: QApplication,
    tmp_path: Path,
    opened: ExitStack,
    studio: OpenAIDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OpenAIDouble(product=LLAMA_CPP) as llama:
        monkeypatch.setattr(usual_servers, "ADDRESSES", (studio.url, refused_url(), llama.url))
        wizard = make(qapp, tmp_path, opened, refused_url())
        wait_for(lambda: wizard.shown == ["LM Studio", "llama.cpp"])
        one, other = (row.use for row in wizard.dialog.choice.others.rows)
        assert one.nextInFocusChain() is other
        assert other.nextInFocusChain() is wizard.dialog.choice.tab_order[2]
        wizard.use("LM Studio")
        wait_for(lambda: wizard.names == [MODEL.name])
        assert wizard.shown == ["llama.cpp"]
        assert wizard.context.settings.settings.ollama.host == studio.url
        assert wizard.dialog.choice.name.isHidden()  # nothing can be fetched
        assert wizard.dialog.model == MODEL.name
        wait_for(wizard.dialog.next.isEnabled)
        wizard.dialog.next.click()
        wait_for(lambda: isinstance(wizard.context.model_setup.answer, ModelAnswered))
        assert wizard.dialog.step == FINISH
        assert "LM Studio" in wizard.dialog.finish.pull.state.text()
        wait_for(wizard.dialog.next.isEnabled)
        wizard.dialog.next.click()
        wait_for(lambda: wizard.context.health.health == Ready((MODEL.name,), MODEL.name))
        assert studio.chats
        assert llama.chats == []


def test_the_way_back_to_ollama_is_the_same(
    qapp: QApplication,
    tmp_path: Path,
    opened: ExitStack,
    studio: OpenAIDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OllamaDouble(CHAT) as ollama:
        monkeypatch.setattr(usual_servers, "ADDRESSES", (ollama.url, studio.url))
        wizard = make(qapp, tmp_path, opened, f"{studio.url}/v1")
        wizard.use("Ollama")
        wait_for(lambda: CHAT.name in wizard.names)
        assert wizard.shown == ["LM Studio"]
        assert not wizard.dialog.choice.name.isHidden()


def test_ollama_is_not_started_where_another_program_was(
    qapp: QApplication,
    tmp_path: Path,
    opened: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OpenAIDouble(MODEL, product=LM_STUDIO) as studio:
        port = urlsplit(studio.url).port
    monkeypatch.setattr(usual_servers, "OTHER_PORTS", (port,))
    monkeypatch.setattr(model_setup, "_start", never)
    installed = Installation(program="/usr/bin/ollama", page="https://ollama.com")
    monkeypatch.setattr(installation, "find_installation", lambda: installed)
    wizard = make(qapp, tmp_path, opened, studio.url)
    setup, page = wizard.context.model_setup, wizard.dialog.server
    wait_for(lambda: isinstance(wizard.context.ollama.server, ServerAbsent))
    wait_for(wizard.dialog.next.isEnabled)
    wizard.dialog.next.click()
    wait_for(lambda: setup.installation == installed)
    assert wizard.dialog.step == SERVER
    assert studio.url in page.state.text()
    assert not page.start.isVisible()
    setup.start_server()  # nor by other ways
    page.usual.click()
    wait_for(page.start.isVisible)
    assert wizard.context.settings.settings.ollama.host == ""
    assert not page.usual.isVisible()


def never(*_: object) -> None:
    raise AssertionError


def test_a_model_is_fetched_by_ollama_alone(
    qapp: QApplication, tmp_path: Path, opened: ExitStack, studio: OpenAIDouble
) -> None:
    wizard = make(qapp, tmp_path, opened, studio.url)
    wait_for(lambda: wizard.names == [MODEL.name])
    wizard.dialog.finish.show_model("gone:1b")
    card = wizard.dialog.finish.pull
    assert card.fetch.isHidden()
    assert card.state.text() == "LM Studio has no model gone:1b."
    wizard.context.ollama.pull("gone:1b")
    wait_for(lambda: isinstance(wizard.context.ollama.download, Pulled))
    assert "LM Studio" in narrow(wizard.context.ollama.download, Pulled).what
    assert studio.to("/api/pull") == []


def test_without_a_model_it_is_shown_and_cannot_be_used(
    qapp: QApplication,
    tmp_path: Path,
    opened: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OpenAIDouble(product=LLAMA_CPP) as llama:
        llama.models = {}
        monkeypatch.setattr(usual_servers, "ADDRESSES", (llama.url,))
        wizard = make(qapp, tmp_path, opened, refused_url())
        wait_for(lambda: len(wizard.shown) == 1)
        assert not wizard.dialog.choice.others.rows[0].use.isEnabled()


def test_nothing_is_shown_where_nothing_runs(
    qapp: QApplication, tmp_path: Path, opened: ExitStack
) -> None:
    wizard = make(qapp, tmp_path, opened, refused_url())
    assert wizard.dialog.choice.others.isHidden()
    assert usual_servers.ADDRESSES == ()  # in tests


def test_an_embedding_model_of_ollama_s_keeps_ollama(
    qapp: QApplication,
    tmp_path: Path,
    opened: ExitStack,
    studio: OpenAIDouble,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with OllamaDouble(CHAT, EMBEDDING) as ollama:
        monkeypatch.setattr(usual_servers, "ADDRESSES", (studio.url,))
        wizard = make(qapp, tmp_path, opened, ollama.url)
        wait_for(lambda: isinstance(wizard.context.ollama.server, ServerFound))
        wizard.context.settings.change("models.embedder", f"ollama:{EMBEDDING.name}")
        wizard.use("LM Studio")
        card = wizard.dialog.choice.others
        wait_for(lambda: not card.refusal.isHidden())
        assert EMBEDDING.name in card.refusal.text()
        assert wizard.context.settings.settings.ollama.host == ollama.url
