"""The choice of a way to answer: presets above, strategies below, in the list and in the menu."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.chat.composer_controls import ComposerControls
from desktop_rag.gui.chat.strategy_combo import StrategyCombo, is_heading
from desktop_rag.gui.controllers.strategy_choices import PresetChoice, StrategyChoices
from desktop_rag.gui.theme import Theme
from testing.qt_wait import pause

PRESETS = (
    PresetChoice("fast", "Fast", "One search, few passages. For a slow computer."),
    PresetChoice(
        "balanced", "Balanced", "One search; linked passages where several steps are needed."
    ),
)
OFFERS = StrategyChoices((("single_pass", "Single pass"), ("ircot", "IRCoT")), "balanced", PRESETS)


@pytest.fixture
def ways(qapp: QApplication, theme: Theme) -> Iterator[StrategyCombo]:
    del qapp
    made = StrategyCombo(theme)
    made.offer(OFFERS, OFFERS.usual)
    made.show()
    yield made
    made.deleteLater()


def test_presets_stand_above_the_strategies_and_the_usual_way_is_chosen(
    ways: StrategyCombo,
) -> None:
    texts = [ways.itemText(row) for row in range(ways.count())]
    assert texts == ["Fast", "Balanced", "Choose the way yourself", "Single pass", "IRCoT"]
    assert ways.currentData() == "balanced"


def test_the_heading_between_them_cannot_be_chosen_by_key(ways: StrategyCombo) -> None:
    QTest.keyClick(ways, Qt.Key.Key_Down)
    assert ways.currentData() == "single_pass"
    QTest.keyClick(ways, Qt.Key.Key_Up)
    assert ways.currentData() == "balanced"


def test_a_preset_says_what_it_does_to_the_eye_and_the_ear(ways: StrategyCombo) -> None:
    said = ways.itemData(0, Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Fast. One search, few passages. For a slow computer."
    assert "slow computer" in ways.itemData(0, Qt.ItemDataRole.ToolTipRole)
    assert ways.width_of(1) > ways.fontMetrics().horizontalAdvance("Balanced")


def test_the_list_is_high_enough_for_the_second_line(ways: StrategyCombo) -> None:
    ways.showPopup()
    pause(30)
    view, model = ways.view(), ways.model()
    heights = [view.visualRect(model.index(row, 0)).height() for row in range(ways.count())]
    ways.hidePopup()
    line = ways.fontMetrics().lineSpacing()
    assert heights[0] >= heights[3] + line
    assert heights[2] > heights[3]


def test_a_way_that_is_not_offered_gives_way_to_the_first(ways: StrategyCombo) -> None:
    ways.choose("gone")
    assert ways.currentData() == "fast"


def test_without_presets_there_is_no_heading(ways: StrategyCombo) -> None:
    ways.offer(StrategyChoices(OFFERS.strategies, "ircot"), "ircot")
    assert not any(is_heading(ways, row) for row in range(ways.count()))
    assert ways.currentData() == "ircot"


def test_the_menu_of_a_narrow_row_offers_them_in_the_same_order(
    qapp: QApplication, theme: Theme
) -> None:
    del qapp
    controls = ComposerControls(theme)
    controls.set_ways(OFFERS)
    controls.how.menu().aboutToShow.emit()
    actions = controls.how.menu().actions()
    heading = next(each for each in actions if each.text() == "Choose the way yourself")
    assert not heading.isEnabled()
    assert not heading.isCheckable()
    fast = next(each for each in actions if each.text() == "Fast")
    assert "slow computer" in fast.toolTip()
    fast.trigger()
    assert controls.strategies.currentData() == "fast"
    next(each for each in actions if each.text() == "IRCoT").trigger()
    assert controls.strategies.currentData() == "ircot"
    controls.deleteLater()
