"""The settings dialog, driven as a person would."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_rag.core.requests import KbRequest
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.settings import declared
from desktop_rag.gui.controllers.strategy_choices import PresetChoice, StrategyChoices
from desktop_rag.gui.settings import search_words
from desktop_rag.gui.settings.page_factory import RechunkRow
from desktop_rag.gui.settings.setting_controls import (
    ChoiceControl,
    NumberControl,
    TextControl,
    ToggleControl,
)
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.settings.settings_text import unit
from desktop_rag.gui.theme import Theme
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for


class Hands:
    """A window with its settings open."""

    def __init__(self, app: QApplication, folder: Path, **overrides: str) -> None:
        self.data_dir = folder
        self.driver = Driver(app, folder, **overrides)
        self.driver.open()
        self.driver.window.settings.open()
        self.dialog = present(self.driver.window.findChild(SettingsDialog))

    def row(self, key: str) -> SettingRow:
        self.dialog.show_page(key.partition(".")[0])
        rows = self.dialog.page(key.partition(".")[0]).rows
        return next(row for row in rows if row.setting.key == key)

    @property
    def written(self) -> dict[str, object]:
        file = self.data_dir / "settings.json"
        return json.loads(file.read_text("utf-8")) if file.exists() else {}

    def visible(self) -> list[str]:
        return [
            row.setting.key for page in self.dialog.pages for row in page.rows if row.isVisible()
        ]


@pytest.fixture
def hands(qapp: QApplication, tmp_path: Path) -> Iterator[Hands]:
    made = Hands(qapp, tmp_path)
    yield made
    made.driver.close()


def test_every_setting_has_a_row_but_those_for_one_run(hands: Hands) -> None:
    wait_for(lambda: all(page.is_filled for page in hands.dialog.pages))
    shown = {row.setting.key for page in hands.dialog.pages for row in page.rows}
    wanted = {key for key, each in declared.items() if not each.run_only}
    assert shown == wanted
    assert "privacy.allow_remote" not in shown


DEFAULT = {"en": "Default: {}.", "zh": "默认值：{}。"}
SAID = {"en": {True: "on", False: "off", "": "empty"}, "zh": {True: "开", False: "关", "": "留空"}}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_row_tells_its_effect_and_its_default_to_the_eye_and_the_ear(
    qapp: QApplication, tmp_path: Path, language: str
) -> None:
    hands = Hands(qapp, tmp_path, window__language=language)
    wait_for(lambda: all(page.is_filled for page in hands.dialog.pages))
    wait_for(lambda: hands.driver.context.offers.strategies)
    wrong = []
    for page in hands.dialog.pages:
        hands.dialog.show_page(page.heading.section)
        if page.fold is not None:
            page.fold.head.click()
        pause(20)
        wrong += [fault for row in page.rows for fault in faults(row, language)]
    hands.driver.close()
    assert wrong == []


def faults(row: SettingRow, language: str) -> list[str]:
    """Return what a row lacks of its effect and its default."""
    said, effect = row._effect.text(), row.setting.effect
    is_chinese = effect not in said and re.search("[一-龥]{3}", said)
    is_told = said.startswith(effect) if language == "en" else is_chinese
    is_whole = row._effect.height() >= row._effect.heightForWidth(row._effect.width())
    checked = {
        "effect": is_told,
        "default": said.endswith(DEFAULT[language].format(default_of(row, SAID[language]))),
        "sight": row._effect.isVisible() and is_whole,
        "ear": row.control.accessibleDescription() == said,
    }
    return [f"{row.setting.key}: {part}: {said}" for part, is_so in checked.items() if not is_so]


def default_of(row: SettingRow, words: dict[object, str]) -> str:
    """Return the default as the control itself shows it."""
    control, default = row.control, row.setting.default
    if isinstance(control, ChoiceControl):
        return control.itemText(control.findData(default)) or "a name"
    if isinstance(control, NumberControl):
        text = control.text()
        return text.rstrip("0").rstrip(".") if "." in text else text
    return words.get(default, default)


def test_strategies_that_are_known_late_are_told_as_the_default(
    qapp: QApplication, theme: Theme, tmp_path: Path
) -> None:
    context = AppContext(tmp_path, no_home)
    dialog = SettingsDialog(theme, context)
    row = dialog.row("answering.strategy")
    ready = (PresetChoice("balanced", "Balanced", "One search."),)
    context.offered.emit(StrategyChoices((("single_pass", "Single pass"),), "single_pass", ready))
    assert row.control.accessibleDescription().endswith("Default: Balanced.")
    assert row._effect.text() == row.control.accessibleDescription()
    dialog.deleteLater()
    context.deleteLater()


def no_home(context: AppContext) -> None:
    """Stand for a data folder that is never opened here."""


def test_a_time_is_shown_with_its_unit() -> None:
    times = [key for key in declared if key.endswith("_seconds")]
    assert len(times) == 3
    assert {unit(key) for key in times} == {" seconds"}


def test_each_kind_of_value_is_kept_at_once_and_in_force(hands: Hands) -> None:
    toggle = hands.row("answering.condense").control
    assert isinstance(toggle, ToggleControl)
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    whole = hands.row("retrieval.candidates").control
    assert isinstance(whole, NumberControl)
    whole.setFocus()
    whole.selectAll()
    QTest.keyClicks(whole, "80")
    QTest.keyClick(whole, Qt.Key.Key_Return)
    decimal = hands.row("retrieval.alpha").control
    assert isinstance(decimal, NumberControl)
    QTest.keyClick(decimal, Qt.Key.Key_Up)
    choice = hands.row("retrieval.fusion").control
    assert isinstance(choice, ChoiceControl)
    QTest.keyClick(choice, Qt.Key.Key_Down)
    text = hands.row("ollama.keep_alive").control
    assert isinstance(text, TextControl)
    text.clear()
    QTest.keyClicks(text, "30m")
    QTest.keyClick(text, Qt.Key.Key_Return)
    wanted = {
        "version": 1,
        "retrieval": {"candidates": 80, "alpha": 0.55, "fusion": "rrf"},
        "ollama": {"keep_alive": "30m"},
        "answering": {"condense": False},
    }
    wait_for(lambda: hands.written == wanted)
    settings = hands.driver.context.settings.settings
    assert settings.retrieval.candidates == 80
    assert isinstance(settings.retrieval.candidates, int)
    assert hands.row("retrieval.candidates").back.isVisible()


def test_a_wrong_value_is_said_in_its_place_and_not_kept(hands: Hands) -> None:
    row = hands.row("privacy.chroma_url")
    assert isinstance(row.control, QLineEdit)
    row.control.setText("example")
    QTest.keyClick(row.control, Qt.Key.Key_Return)
    assert "Write it like http://127.0.0.1:8000" in row.problem
    assert hands.written == {}
    row.control.setText("http://127.0.0.1:8123")
    QTest.keyClick(row.control, Qt.Key.Key_Return)
    assert row.problem == ""
    wait_for(lambda: hands.written.get("privacy") == {"chroma_url": "http://127.0.0.1:8123"})


def test_a_row_and_a_page_go_back_to_their_defaults(hands: Hands) -> None:
    controller = hands.driver.context.settings
    page = hands.dialog.page("retrieval")
    hands.dialog.show_page("retrieval")
    assert not page.reset.isVisible()
    controller.change("retrieval.candidates", 80)
    controller.change("retrieval.alpha", 0.1)
    hands.row("retrieval.candidates").back.click()
    assert controller.value("retrieval.candidates") == 50
    assert page.reset.isVisible()
    page.reset.click()
    assert controller.value("retrieval.alpha") == 0.5
    assert not page.reset.isVisible()


def test_what_needs_a_new_start_says_so(hands: Hands) -> None:
    row = hands.row("models.threads")
    assert not row._note.isVisible()
    hands.driver.context.settings.change("models.threads", 1)
    assert row._note.isVisible()
    assert "starts again" in row._note.text()
    hands.driver.context.settings.reset("models.threads")
    assert not row._note.isVisible()


def test_the_search_goes_over_all_pages_and_ends_with_a_page(hands: Hands) -> None:
    QTest.keyClicks(hands.dialog.field, "memory")
    found = hands.visible()
    assert {"ollama.keep_alive", "ingest.parse_megabytes"} <= set(found)
    assert "retrieval.candidates" not in found
    hands.dialog.field.setText("num_ctx")  # as it is called on the command line
    assert hands.visible() == ["ollama.num_ctx"]
    hands.dialog.field.setText("zzzz")
    assert hands.visible() == []
    assert hands.dialog.nothing.isVisible()
    hands.dialog.navigation.setCurrentRow(1)
    assert hands.dialog.field.text() == ""
    assert {key.partition(".")[0] for key in hands.visible()} == {"answering"}


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("dark", "window.theme"), ("深色", "window.theme"), ("font", "window.scale"),
        ("字体", "window.scale"), ("Chinese", "window.language"), ("OCR", "ingest.recognize_text"),
        ("timeout", "ingest.parse_seconds"), ("内存", "ollama.keep_alive"),
        ("offline", "privacy.block_remote"), ("proxy", "privacy.block_remote"),
    ],
)  # fmt: skip
def test_the_search_knows_the_words_that_people_use(hands: Hands, typed: str, key: str) -> None:
    hands.dialog.field.setText(typed)
    assert key in hands.visible()
    assert len(hands.visible()) < 6


def test_the_search_s_words_are_of_settings_that_exist() -> None:
    assert set(search_words.OF_SETTINGS) <= set(declared)


def test_the_wheel_over_a_control_scrolls_and_changes_nothing(hands: Hands) -> None:
    control = hands.row("retrieval.candidates").control
    assert isinstance(control, NumberControl)
    before = control.value()
    centre = QPointF(control.rect().center())
    event = QWheelEvent(
        centre,
        control.mapToGlobal(centre),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(control, event)
    assert control.value() == before


def test_documents_can_be_cut_anew_now(hands: Hands) -> None:
    library = hands.driver.context.library
    library.change_base(KbRequest("create", "second"))
    wait_for(lambda: len(library.snapshot.kbs) == 2)
    hands.dialog.show_page("chunking")
    part = present(hands.dialog.findChild(RechunkRow))
    done: list[object] = []
    library.indexed.connect(done.append)
    part.now.click()
    assert not part.now.isEnabled()
    wait_for(lambda: len(done) >= 2)
    hands.driver.context.settings.change("chunking.small_tokens", 100)
    assert part.now.isEnabled()


def test_keys_alone_reach_a_setting_and_leave(hands: Hands) -> None:
    QTest.keyClick(hands.dialog.navigation, Qt.Key.Key_Down)
    assert {key.partition(".")[0] for key in hands.visible()} == {"answering"}
    wait_for(lambda: all(page.is_filled for page in hands.dialog.pages))
    for row in (row for page in hands.dialog.pages for row in page.rows):
        assert row.control.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert row.control.accessibleName()
        assert row.control.accessibleDescription()
        assert row.back.accessibleName()
    dialog = hands.dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    wait_for(lambda: not shiboken6.isValid(dialog))


def test_the_key_opens_it_once(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    QTest.keyClick(driver.window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: driver.window.findChild(SettingsDialog) is not None)
    driver.window.settings.open()
    assert len(driver.window.findChildren(SettingsDialog)) == 1
    pause(50)
    driver.close()


def test_it_fits_a_small_window(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.window.resize(800, 600)
    driver.window.settings.open()
    dialog = present(driver.window.findChild(SettingsDialog))
    assert dialog.width() <= 800
    assert dialog.height() <= 600
    for number in range(len(dialog.pages)):
        dialog.navigation.setCurrentRow(number)
        pause(20)
        page = dialog.pages[number]
        if page.fold is not None:
            page.fold.head.click()
            pause(20)
        assert page.width() <= dialog.width() - dialog.navigation.width()
        for row in page.rows:
            assert row.rect().contains(row.control.geometry()), row.setting.key
    driver.close()


def test_what_hardly_anybody_needs_is_folded(hands: Hands) -> None:
    hands.dialog.show_page("retrieval")
    fold = hands.dialog.page("retrieval").fold
    assert fold is not None
    assert hands.visible() == ["retrieval.candidates", "retrieval.reranker", "retrieval.expand"]
    fold.head.setFocus()
    QTest.keyClick(fold.head, Qt.Key.Key_Space)
    assert set(hands.visible()) == {key for key in declared if key.startswith("retrieval.")}
    QTest.keyClick(fold.head, Qt.Key.Key_Space)
    assert "retrieval.rrf_k" not in hands.visible()


def test_every_page_begins_with_a_setting_for_everyday(hands: Hands) -> None:
    wait_for(lambda: all(page.is_filled for page in hands.dialog.pages))
    for page in hands.dialog.pages:
        assert any(not row.setting.advanced for row in page.rows), page.heading.section


def test_a_search_opens_the_fold_and_closes_it_after(hands: Hands) -> None:
    hands.dialog.field.setText("rrf_k")
    assert hands.visible() == ["retrieval.rrf_k"]
    hands.dialog.show_page("retrieval")
    assert "retrieval.rrf_k" not in hands.visible()
    hands.dialog.field.setText("reranker")
    fold = hands.dialog.page("chunking").fold
    assert fold is None or not fold.isVisible()


def test_a_changed_setting_opens_its_fold(hands: Hands) -> None:
    hands.driver.context.settings.change("retrieval.alpha", 0.1)
    hands.dialog.show_page("retrieval")
    assert "retrieval.alpha" in hands.visible()
    fold = hands.dialog.page("retrieval").fold
    assert fold is not None
    fold.head.click()
    assert "retrieval.alpha" not in hands.visible()
    assert fold.head.text() == "Advanced: 1 changed"
    assert fold.head.accessibleName() == "Advanced: 1 changed"
