"""Whose documents the model does not read is told so, once, and is one click from another model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.controllers.ollama import ServerAbsent
from desktop_rag.gui.settings.language_card import LanguageCard
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import present
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT
from testing.window_driver import Driver, pause, wait_for

BGE = DoubleModel("bge-m3:latest", ("embedding",), size=1_157_000_000, dimensions=1024)
GEORGIAN = "კუნძულებზე ბორანი ელექტროენერგიით მუშაობს და ყოველდღე დილის შვიდ საათზე გადის."


@pytest.fixture
def ollama() -> Iterator[OllamaDouble]:
    with OllamaDouble(CHAT) as double:
        yield double


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path, ollama: OllamaDouble) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data", ollama__host=ollama.url)
    made.open()
    yield made
    made.close()


def georgian(driver: Driver, folder: Path) -> None:
    folder.mkdir()
    (folder / "aviso.txt").write_text(GEORGIAN, encoding="utf-8")
    driver.drop(folder)
    driver.wait_until_read(1)


def test_the_hint_comes_leads_to_the_models_and_is_not_repeated(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    banner = driver.window.chat.fit
    assert not banner.isVisible()
    georgian(driver, tmp_path / "docs")
    wait_for(banner.isVisible)
    assert "My documents" in banner.text
    banner.button.click()
    dialog = present(driver.window.findChild(SettingsDialog))
    assert dialog.page("models").isVisible()
    dialog.close()
    banner.dismiss.click()
    assert not banner.isVisible()
    driver.context.fit.look()
    pause(300)
    assert not banner.isVisible()
    driver.close()
    again = Driver(qapp, tmp_path / "data")
    again.open()
    again.context.fit.look()
    pause(500)
    assert not again.window.chat.fit.isVisible()
    again.close()


def test_documents_in_english_bring_no_hint(driver: Driver, tmp_path: Path) -> None:
    file = tmp_path / "ferry.txt"
    file.write_text("The ferry to the islands runs on electricity, and it leaves at seven.")
    driver.drop(file)
    driver.wait_until_read(1)
    driver.context.fit.look()
    pause(500)
    assert not driver.window.chat.fit.isVisible()


def card(driver: Driver) -> LanguageCard:
    driver.window.settings.open_models()
    dialog = present(driver.window.findChild(SettingsDialog))
    return present(dialog.findChild(LanguageCard))


def test_one_click_fetches_a_model_for_many_languages_and_chooses_it(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.pullable["bge-m3:latest"] = BGE
    ollama.pull_pace = 0.1
    shown = card(driver)
    wait_for(shown.use.isEnabled)
    assert shown.use.text() == "Fetch and use bge-m3 (1.2 GB)"
    shown.use.click()
    wait_for(lambda: "of 1.2 GB" in shown.said.text())
    assert not shown.use.isEnabled()
    wait_for(lambda: driver.context.settings.value("models.embedder") == "ollama:bge-m3")
    assert not shown.use.isVisible()
    assert shown.said.text() == "bge-m3 is chosen."


def test_who_closes_the_settings_meanwhile_gets_what_they_asked_for(
    driver: Driver, ollama: OllamaDouble, tmp_path: Path
) -> None:
    ollama.pullable["bge-m3:latest"] = BGE
    ollama.pull_pace = 0.2
    georgian(driver, tmp_path / "docs")
    wait_for(driver.window.chat.fit.isVisible)
    shown = card(driver)
    wait_for(shown.use.isEnabled)
    shown.use.click()
    present(driver.window.findChild(SettingsDialog)).close()
    wait_for(lambda: driver.context.settings.value("models.embedder") == "ollama:bge-m3")
    assert not driver.window.chat.fit.isVisible(), "the hint has been heeded"


def test_another_knowledge_base_does_not_show_the_hint_of_the_last(
    driver: Driver, tmp_path: Path
) -> None:
    georgian(driver, tmp_path / "docs")
    banner = driver.window.chat.fit
    wait_for(banner.isVisible)
    driver.context.library.change_base(KbRequest("create", "Tea"))
    wait_for(lambda: driver.context.library.snapshot.current == "Tea")
    assert not banner.isVisible()
    driver.context.library.switch("default")
    wait_for(banner.isVisible)


def test_one_that_is_there_is_chosen_at_once(driver: Driver, ollama: OllamaDouble) -> None:
    ollama.models[BGE.name] = BGE
    shown = card(driver)
    wait_for(lambda: shown.use.text() == "Use bge-m3")
    shown.use.click()
    assert driver.context.settings.value("models.embedder") == "ollama:bge-m3:latest"


def test_one_that_cannot_be_fetched_is_told_and_not_chosen(driver: Driver) -> None:
    shown = card(driver)
    wait_for(shown.use.isEnabled)
    shown.use.click()
    wait_for(lambda: "does not exist" in shown.said.text() or "library" in shown.said.text())
    assert driver.context.settings.value("models.embedder") == "builtin"


def test_without_ollama_the_way_there_is_told(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    shown = card(driver)
    wait_for(lambda: isinstance(driver.context.ollama.server, ServerAbsent))
    assert shown.said.text() == "bge-m3 needs Ollama; see the page “Ollama”."
    assert not shown.use.isEnabled()
    driver.close()
