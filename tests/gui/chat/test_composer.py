"""Writing and sending a question."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QIcon, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.events import IndexProgress
from desktop_rag.core.settings import Settings, Window
from desktop_rag.core.types import KbId
from desktop_rag.gui.chat.composer import ComposedQuestion, Composer
from desktop_rag.gui.chat.composer_controls import ComposerControls
from desktop_rag.gui.controllers.library import Idle, Indexing
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme
from testing.window_driver import pause


def snapshot(current: str, *names: str) -> LibrarySnapshot:
    kbs = tuple(KnowledgeBase(KbId(n), name, 0.0, 0, 0) for n, name in enumerate(names))
    return LibrarySnapshot(kbs, current)


@pytest.fixture
def composer(qtbot: QtBot, theme: Theme) -> Composer:
    made = Composer(theme)
    qtbot.addWidget(made)
    made.show()
    made.set_ways(
        StrategyChoices((("single_pass", "Single pass"), ("iter_retgen", "Iter")), "iter_retgen")
    )
    made.show_shelf(snapshot("work", "home", "work"))
    return made


def test_enter_sends_with_strategy_and_knowledge_bases(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(composer.edit, "Why?")
    with qtbot.waitSignal(composer.submitted) as heard:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert heard.args == [ComposedQuestion("Why?", ("work",), "iter_retgen", "")]
    assert composer.edit.toPlainText() == ""


def test_shift_enter_is_a_new_line_and_the_field_grows(composer: Composer, qtbot: QtBot) -> None:
    before = composer.edit.height()
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClicks(composer.edit, "a")
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(composer.edit, "b")
    assert composer.edit.toPlainText() == "a\nb"
    assert composer.edit.height() > before


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_is_not_sent(composer: Composer, qtbot: QtBot, text: str) -> None:
    composer.edit.setPlainText(text)
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


def test_while_an_answer_runs_the_button_stops_and_enter_sends_nothing(
    composer: Composer, qtbot: QtBot
) -> None:
    composer.set_running(True)
    composer.edit.setPlainText("Next")
    with qtbot.assertNotEmitted(composer.submitted):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    pause(450)
    with qtbot.waitSignal(composer.stopped):
        composer.send.click()
    assert composer.edit.toPlainText() == "Next"


def test_a_second_click_on_send_is_not_taken_for_stop(composer: Composer, qtbot: QtBot) -> None:
    composer.edit.setPlainText("Why?")
    with qtbot.waitSignal(composer.submitted):
        composer.send.click()
    composer.set_running(True)
    with qtbot.assertNotEmitted(composer.stopped):
        composer.send.click()


def test_an_ampersand_in_a_name_is_shown_and_is_no_key(composer: Composer) -> None:
    composer.show_shelf(snapshot("R&D", "R&D", "<b>bold"))
    chip = composer.chips.chip("R&D")
    assert chip.text() == "R&&D"
    assert chip.shortcut().isEmpty()
    assert chip.accessibleName().endswith("“R&D”")
    assert "<b>" not in composer.chips.chip("<b>bold").toolTip()


def test_at_least_one_knowledge_base_is_always_asked(composer: Composer) -> None:
    chips = composer.chips
    chips.chip("work").click()
    assert chips.chosen() == ("work",)
    chips.chip("home").click()
    assert chips.chosen() == ("home", "work")


def test_another_current_knowledge_base_is_the_one_that_is_asked(composer: Composer) -> None:
    composer.show_shelf(snapshot("home", "home", "work"))
    assert composer.chips.chosen() == ("home",)


def test_a_refresh_keeps_what_the_user_ticked(composer: Composer) -> None:
    composer.chips.chip("home").click()
    composer.show_shelf(snapshot("work", "home", "third", "work"))
    assert composer.chips.chosen() == ("home", "work")


def test_indexing_is_hinted_at_while_it_lasts(composer: Composer) -> None:
    progress = IndexProgress(1, 5, "a.pdf", "store", 10, 3.0, 20.0)
    composer.show_activity(Indexing("work", progress))
    assert composer.hint.isVisible()
    composer.show_activity(Idle())
    assert not composer.hint.isVisible()


def test_embedding_anew_takes_nothing_from_what_answers(composer: Composer) -> None:
    composer.show_activity(Indexing("work", IndexProgress(1, 5, "a.pdf", "store", 10, 3.0, 20.0)))
    composer.show_activity(Indexing("work", IndexProgress(64, 900, "", "reembed", 64, 25.0, 33.0)))
    assert not composer.hint.isVisible()


def test_knowledge_bases_that_do_not_fit_become_one_chip_with_a_menu(composer: Composer) -> None:
    names = [f"knowledge base number {n}" for n in range(12)]
    composer.show_shelf(snapshot(names[0], *names))
    composer.resize(400, 120)
    pause(20)
    chips = composer.chips
    assert composer.width() == 400
    assert [name for name in names if chips.chip(name).isVisible()] == []
    assert chips.more.isVisible()
    assert chips.more.width() >= chips.more.sizeHint().width()
    chips.more.menu().aboutToShow.emit()
    last = next(each for each in chips.more.menu().actions() if each.data() == names[-1])
    last.trigger()
    assert chips.chosen() == (names[0], names[-1])
    assert chips.more.text().startswith("2 knowledge bases")


def test_knowledge_bases_that_fit_are_a_row_again(composer: Composer) -> None:
    composer.resize(300, 120)
    composer.show_shelf(snapshot("a", *"abcdefgh"))
    pause(20)
    assert composer.chips.more.isVisible()
    composer.resize(1200, 120)
    pause(20)
    assert not composer.chips.more.isVisible()
    assert composer.chips.chip("h").isVisible()


def overlapping(composer: Composer) -> list[tuple[str, str]]:
    """Return the controls of the row that lie on one another, or reach out of it."""
    controls = composer.controls
    shown = [each for each in controls.findChildren(QWidget) if is_part(each)]
    boxes = [(type(each).__name__, each.geometry()) for each in shown]
    out = [(name, "edge") for name, box in boxes if not controls.rect().contains(box)]
    return out + [
        (name, other)
        for at, (name, box) in enumerate(boxes)
        for other, beside in boxes[at + 1 :]
        if box.adjusted(-3, 0, 3, 0).intersects(beside)
    ]


def is_part(widget: QWidget) -> bool:
    return isinstance(widget.parent(), ComposerControls) and widget.isVisible()


@pytest.mark.parametrize("width", [302, 330, 362, 400, 470, 560, 800])
@pytest.mark.parametrize("bases", [1, 2, 9])
def test_at_no_width_do_the_controls_lie_on_one_another(
    composer: Composer, width: int, bases: int
) -> None:
    names = tuple(f"Contracts and invoices {n}" for n in range(bases))
    composer.set_models(("qwen3:30b-a3b-instruct-2507-q4_K_M", "llama3.2:3b"))
    composer.show_shelf(snapshot(names[0], *names))
    for wide in (width + 300, width):
        composer.resize(wide, 160)
        pause(20)
        assert composer.width() == wide
        assert overlapping(composer) == []


def test_where_model_and_strategy_can_not_be_read_one_menu_offers_both(composer: Composer) -> None:
    composer.set_models(("llama3.2:3b", "qwen3:4b"))
    composer.resize(302, 160)
    pause(20)
    how = composer.controls.how
    assert not composer.models.isVisible()
    assert not composer.strategies.isVisible()
    assert how.text() == "Iter ▾"
    assert how.toolTip() == "Language model: llama3.2:3b\nWay to answer: Iter"
    how.menu().aboutToShow.emit()
    offered = {action.text(): action for action in how.menu().actions() if action.isEnabled()}
    assert [text for text, each in offered.items() if each.isChecked()] == ["llama3.2:3b", "Iter"]
    offered["qwen3:4b"].trigger()
    offered["Single pass"].trigger()
    assert composer.asked("Why?") == ComposedQuestion("Why?", ("work",), "single_pass", "qwen3:4b")
    assert how.text() == "Single pass ▾"
    composer.resize(900, 160)
    pause(20)
    assert composer.models.isVisible()
    assert composer.strategies.isVisible()
    assert not how.isVisible()


def test_a_model_that_runs_elsewhere_is_marked_wherever_it_is_offered(composer: Composer) -> None:
    composer.set_models(("llama3.2:3b", "mine:latest"), elsewhere=frozenset({"mine:latest"}))
    shown = [composer.models.itemText(n) for n in range(composer.models.count())]
    assert shown == ["llama3.2:3b", "mine:latest · in the cloud"]
    composer.models.setCurrentIndex(1)
    assert composer.asked("Why?").model == "mine:latest"
    composer.resize(302, 160)
    pause(20)
    how = composer.controls.how
    assert how.toolTip().startswith("Language model: mine:latest · in the cloud\n")
    assert how.accessibleName().startswith("Language model: mine:latest · in the cloud, ")


@pytest.mark.parametrize("theme_name", ["light", "dark"])
def test_the_folded_choices_show_a_cloud_while_a_model_there_is_chosen(
    composer: Composer, theme: Theme, theme_name: str
) -> None:
    theme.adapt(Settings(window=Window(theme=theme_name)))
    composer.set_models(("llama3.2:3b", "mine:latest"), elsewhere=frozenset({"mine:latest"}))
    how = composer.controls.how
    for width in (272, 302):
        composer.resize(width, 160)
        for row, sign in ((0, "settings"), (1, "cloud"), (0, "settings")):
            composer.models.setCurrentIndex(row)
            pause(20)
            assert how.isVisible()
            is_sign_seen = how.toolButtonStyle() != Qt.ToolButtonStyle.ToolButtonTextOnly
            assert is_sign_seen or sign == "settings"
            assert drawn(how.icon()) == drawn(icon(sign, theme.colors.muted))


def test_a_wide_row_shows_the_cloud_beside_the_model_however_short_it_is_cut(
    composer: Composer, theme: Theme
) -> None:
    name = "qwen3-coder-of-a-very-long-name:480b-cloud"
    composer.set_models((name, "llama3.2:3b"), elsewhere=frozenset({name}))
    composer.resize(500, 160)
    pause(20)
    assert composer.models.isVisible()
    assert drawn(composer.models.itemIcon(0)) == drawn(icon("cloud", theme.colors.muted))
    assert composer.models.itemIcon(1).isNull()
    theme.adapt(Settings(window=Window(theme="dark")))
    assert drawn(composer.models.itemIcon(0)) == drawn(icon("cloud", theme.colors.muted))
    shown = QStyleOptionComboBox()
    composer.models.initStyleOption(shown)
    cut = composer.models.fontMetrics().horizontalAdvance(shown.currentText)
    assert cut + composer.models.iconSize().width() < composer.models.width()


def test_a_long_name_gets_its_room_after_a_short_one_was_shown(
    composer: Composer,
) -> None:
    composer.resize(900, 160)
    pause(20)
    longest = "Interleaved retrieval and reasoning (IRCoT)"
    composer.set_ways(StrategyChoices((("short", "Fast"), ("ircot", longest)), "short"))
    pause(20)
    composer.strategies.choose("ircot")
    pause(20)
    shown = QStyleOptionComboBox()
    composer.controls.strategies.initStyleOption(shown)
    assert shown.currentText == longest


def drawn(sign: QIcon) -> QImage:
    return sign.pixmap(16, 16).toImage()


def test_a_model_that_the_settings_name_anew_is_the_one_that_is_asked(composer: Composer) -> None:
    one, two, three = "llama3.2:3b", "qwen3:4b", "gemma3:4b"
    composer.set_models((one, two))
    composer.set_models((two, one), two)
    assert composer.asked("Why?").model == two
    composer.models.setCurrentIndex(composer.models.findData(one))
    composer.set_models((two, three, one), two)
    assert composer.asked("Why?").model == one, "what was chosen for the question stays so"
    composer.set_models((three, two, one), three)
    assert composer.asked("Why?").model == three
    composer.set_models((three, two, one))
    assert composer.asked("Why?").model == three, "the first there is"
    composer.models.setCurrentIndex(composer.models.findData(one))
    composer.set_models((two, one))
    composer.set_models((three, two, one), three)
    assert composer.asked("Why?").model == one, "the settings' model was away for a while only"


class Requests(QObject):
    """Counts how often a widget is asked to lay itself out anew."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        del watched
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.mark.parametrize("width", [272, 302, 400, 800])
def test_the_row_comes_to_rest_at_every_width(composer: Composer, width: int) -> None:
    composer.set_models(("qwen3:30b-a3b-instruct-2507-q4_K_M",))
    composer.set_ways(StrategyChoices((("long", "A strategy with a long name"),), "long"))
    composer.resize(width, 160)
    pause(50)
    requests = Requests()
    composer.controls.installEventFilter(requests)
    pause(50)
    assert requests.count == 0


def test_a_long_name_is_whole_where_there_is_room(qtbot: QtBot, theme: Theme) -> None:
    longest = "Interleaved retrieval and reasoning (IRCoT)"
    composer = Composer(theme)
    qtbot.addWidget(composer)
    composer.set_ways(StrategyChoices((("ircot", longest),), "ircot"))
    composer.resize(900, 160)
    composer.show()
    pause(30)
    chosen, shown = composer.controls.strategies, QStyleOptionComboBox()
    chosen.initStyleOption(shown)
    assert shown.currentText == longest


def test_the_list_of_strategies_shows_every_name_whole(composer: Composer) -> None:
    long = "Iterative retrieval and generation (ITER-RETGEN)"
    names = tuple((f"s{n}", f"Strategy {n}") for n in range(16))
    composer.set_ways(
        StrategyChoices((("single_pass", "Single pass"), *names, ("iter", long)), "single_pass")
    )
    chosen = composer.controls.strategies
    chosen.showPopup()
    view = chosen.view()
    assert view.width() > view.fontMetrics().horizontalAdvance(long)
    assert not view.verticalScrollBar().isVisible()
    chosen.hidePopup()
