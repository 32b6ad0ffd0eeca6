"""The steps of an answer as a timeline, in a real window that asks the double of Ollama."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from desktop_rag.core.events import Draft, ModelCall, PassagesFound, SearchStarted, Step, Token
from desktop_rag.gui.chat import passage_graph, strategy_tips, timeline_text
from desktop_rag.gui.chat.timeline_writer import TimelineProperty
from desktop_rag.gui.chat.transcript_links import PassageClick
from desktop_rag.gui.chat.transcript_view import TranscriptView
from desktop_rag.gui.colors import CONTRAST_DARK, CONTRAST_LIGHT, DARK, LIGHT, Colors
from desktop_rag.gui.controllers.transcript import Transcript, fold, fold_all
from desktop_rag.gui.theme import Theme
from desktop_rag.strategies import registry
from testing.long_conversations import Paints, long_conversation
from testing.narrowing import narrow, present
from testing.ollama_double.server import OllamaDouble
from testing.sample_answers import answer, passage
from testing.window_driver import Driver, pause, wait_for
from tests.gui.chat.timeline_setup import (
    DOCUMENTS,
    FERRY,
    HALDEN,
    ask,
    look_ahead,
    pieces_of,
    reasoning,
    steps_of,
    unfold,
    write_documents,
)

UNDERLINE = QTextCharFormat.UnderlineStyle


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, ollama: OllamaDouble, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A window that has read four short documents."""
    home = tmp_path_factory.mktemp("timeline")
    made = Driver(qapp, home / "data", answering__reuse="false", ollama__host=ollama.url)
    made.open()
    made.window.resize(1320, 1000)
    made.drop(write_documents(home / "documents"))
    made.wait_until_read(len(DOCUMENTS))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_it_was(driver: Driver) -> Iterator[None]:
    yield
    driver.context.chat.stop()
    driver.window.sources.close_document()
    driver.context.chat.new()
    pause(30)


def kinds_in(text: str) -> list[str]:
    """Return the kinds of the steps that have a time, in order."""
    return [found[1] for found in re.finditer(r"^\t[\d.]+ s\t(.*?)  ", text, re.MULTILINE)]


def test_flare_shows_each_draft_with_what_became_of_it(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say(*look_ahead())
    ask(driver, "flare_direct", FERRY)
    driver.wait_for_answer()
    text = unfold(driver)
    drafts = [kind for kind in kinds_in(text) if kind.startswith("Draft")]
    again = ["Draft, searched again", "Draft, kept"]
    assert drafts == ["Draft, kept", *again, *again]
    assert "Least sure of: “Sula” 35%, “55” 30%, “%” 70%" in text
    assert "searched again for 2 of 3 sentences" in driver.window.chat.view.toPlainText().replace(
        "\u00a0", " "
    )


def test_unsure_words_are_tinted_underlined_and_say_their_probability(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say(*look_ahead())
    ask(driver, "flare_direct", FERRY)
    driver.wait_for_answer()
    unfold(driver)
    view, colors = driver.window.chat.view, driver.window.chat.view._theme.colors
    for word, role, line in (
        ("55", "bad_soft", UNDERLINE.WaveUnderline),
        ("cheaper", "notice", UNDERLINE.DashUnderline),
    ):
        (piece,) = pieces_of(driver, word)
        assert piece.charFormat().background().color() == colors.of(role)
        assert piece.charFormat().underlineStyle() == line
    (piece,) = pieces_of(driver, "cheaper")
    cursor = view.textCursor()
    cursor.setPosition(piece.position() + 3)
    at = view.cursorRect(cursor).center()
    event = QHelpEvent(QHelpEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    QApplication.sendEvent(view.viewport(), event)
    assert QToolTip.text() == "“cheaper”: the model gave it 60%"
    QToolTip.hideText()
    assert "below 80% below 40%" in steps_of(driver)


@pytest.mark.parametrize("colors", [LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK])
def test_tinted_words_can_be_read_in_every_theme(colors: Colors) -> None:
    for role in ("bad_soft", "notice"):
        assert contrast(colors, "text", role) >= 7
    for role, ground in (("bad", "bad_soft"), ("warn", "notice")):
        assert contrast(colors, role, ground) >= 3


def contrast(colors: Colors, one: str, other: str) -> float:
    bright, dark = sorted((luminance(colors, one), luminance(colors, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colors: Colors, role: str) -> float:
    parts = narrow(colors.of(role).getRgbF(), tuple)[:3]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_timeline_grows_while_the_answer_is_made(driver: Driver, ollama: OllamaDouble) -> None:
    ollama.say(*look_ahead(pace=0.05))
    ask(driver, "flare_direct", FERRY)
    wait_for(lambda: driver.turn is not None and driver.turn.trace)
    seen = [unfold(driver)]
    while driver.turn is not None and driver.turn.running:
        pause(40)
        if steps_of(driver) != seen[-1]:
            seen.append(steps_of(driver))
    live = [kinds_in(text) for text in seen]
    assert len(live) > 4
    assert all(after[: len(before) - 1] == before[:-1] for before, after in pairwise(live))
    assert "Draft, not kept" in live[-1] or "Draft, searched again" in live[-1]


def test_ircot_shows_each_thought_with_the_search_that_it_set_off(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say(*reasoning())
    ask(driver, "ircot", FERRY)
    driver.wait_for_answer()
    text = unfold(driver)
    kinds = [each for each in kinds_in(text) if each != "Model call"]
    assert kinds[:8] == [
        "Search", "Found", "Thought 1", "Search", "Found", "Thought 2", "Search", "Found",
    ]  # fmt: skip
    assert kinds[8] == "Thought 3"
    assert "“Sula cut the fuel used on its route by 71 %.” · sentence 2" in text
    assert "Model calls in all" in text
    assert left_of(driver, "Thought 1  ") == left_of(driver, "Thought 2  ")
    lefts = [margin(driver, piece.position()) for piece in pieces_of(driver, "Search  ")]
    assert lefts[0] < lefts[1] == lefts[2]


def left_of(driver: Driver, text: str) -> float:
    return margin(driver, pieces_of(driver, text)[0].position())


def margin(driver: Driver, position: int) -> float:
    block = driver.window.chat.view.document().findBlock(position)
    return block.blockFormat().leftMargin()


def test_a_reopened_conversation_shows_the_same_timeline(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say(*look_ahead())
    ask(driver, "flare_direct", FERRY)
    driver.wait_for_answer()
    before = unfold(driver)
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    driver.context.chat.open(chat_id)
    wait_for(lambda: driver.context.chat.transcript.turns)
    pause(50)
    assert steps_of(driver) == ""
    assert unfold(driver) == before


def test_what_a_search_found_unfolds_and_opens_where_it_stands(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say("Marta Ekeland was born in Drammen [1].")
    ask(driver, "single_pass", HALDEN)
    turn = driver.wait_for_answer()
    assert "Halden lighthouse," not in unfold(driver)
    number = next(i for i, each in enumerate(turn.trace) if hasattr(each, "passages"))
    driver.click_link(f"hits:0.{number}")
    pause(50)
    text = steps_of(driver)
    first = turn.retrieved[0]
    assert f"1.\u2002{first.title}, " in text
    assert f"reranked\u00a0{first.rerank_score:.2f}" in text
    assert f"fused\u00a0#{first.fused_rank}" in text
    assert "source\u00a01" in text
    driver.click_link("found:0.1")
    wait_for(lambda: driver.window.sources.is_reading)
    wait_for(lambda: present(driver.window.sources.viewer.document).path == turn.retrieved[1].path)
    driver.click_link(f"hits:0.{number}")
    pause(50)
    assert "Halden lighthouse," not in steps_of(driver)


@pytest.fixture
def hops(driver: Driver, ollama: OllamaDouble) -> Driver:
    ollama.say("She was born in Drammen [1].")
    ask(driver, "linked_hops", HALDEN)
    driver.wait_for_answer()
    unfold(driver)
    return driver


def test_linked_hops_are_told_in_words(hops: Driver) -> None:
    text = steps_of(hops)
    assert "Leads on" in kinds_in(text)
    chain = text[text.index("Leads on  Halden lighthouse") :]
    assert re.search(r"→\u2002Marta Ekeland, .*\u2002\d+% · mentions “Marta Ekeland”", chain)


def test_a_line_of_the_graph_says_what_led_there_whole_or_not_at_all(qapp: QApplication) -> None:
    line = passage_graph.GraphEdge(QPointF(), QPointF(), "mentions “Marta Ekeland”", 0.73)
    metrics = QFontMetrics(qapp.font())
    whole = passage_graph.label(line, metrics, 1000)
    assert whole.endswith(" mentions “Marta Ekeland”")
    wide = metrics.horizontalAdvance(whole)
    assert passage_graph.label(line, metrics, wide) == whole
    assert passage_graph.label(line, metrics, wide - 1) == timeline_text.percent(0.73)


def test_a_click_on_a_passage_of_the_graph_opens_it(hops: Driver, qtbot: QtBot) -> None:
    view = hops.window.chat.view
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    pause(50)
    (drawn,) = view.ground.graphs()
    assert len(drawn.lines) == sum(len(chain.follows) for chain in chains(hops))
    node = next(each for each in drawn.nodes if each.title.startswith("Marta Ekeland"))
    with qtbot.waitSignal(view.passage_picked) as heard:
        at = node.box.center().toPoint()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    (found,) = heard.args
    assert isinstance(found, PassageClick)
    assert hops.turn is not None
    assert hops.turn.retrieved[found.place].title == "Marta Ekeland"
    wait_for(lambda: hops.window.sources.is_reading)


def chains(driver: Driver) -> list[Any]:
    assert driver.turn is not None
    return [each for each in driver.turn.trace if hasattr(each, "follows")]


def test_every_passage_of_the_graph_is_reached_by_keys(hops: Driver, qtbot: QtBot) -> None:
    view = hops.window.chat.view
    hops.window.activateWindow()
    view.setFocus()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    (drawn,) = view.ground.graphs()
    left = {node.address for node in drawn.nodes}
    for _ in range(60):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        address = view.textCursor().charFormat().anchorHref()
        if address not in left:
            continue
        with qtbot.waitSignal(view.passage_picked) as heard:
            QTest.keyClick(view, Qt.Key.Key_Return)
        assert address == f"found:{heard.args[0].turn}.{heard.args[0].place}"
        left.discard(address)
        if not left:
            break
        view.setFocus()
    assert left == set()


def test_the_passage_that_has_the_focus_is_marked_in_the_graph(hops: Driver) -> None:
    view = hops.window.chat.view
    hops.window.activateWindow()
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum())
    pause(50)
    (drawn,) = view.ground.graphs()
    node = drawn.nodes[1]
    box = node.box.toRect().adjusted(-3, -3, 3, 3)
    without = view.viewport().grab(box).toImage()
    view.setFocus()
    for _ in range(60):
        QTest.keyClick(view, Qt.Key.Key_Tab)
        if view.textCursor().charFormat().anchorHref() == node.address:
            break
    bar.setValue(bar.maximum())
    pause(50)
    assert view.viewport().grab(box).toImage() != without


def test_a_folded_timeline_costs_nothing_and_tells_its_sums(
    driver: Driver, ollama: OllamaDouble
) -> None:
    ollama.say("Fuel costs fell [1].")
    ask(driver, "single_pass", FERRY)
    turn = driver.wait_for_answer()
    assert driver.window.chat.view.sheet.writers[-1].steps is None
    count = len({each.chunk_id for each in turn.retrieved})
    shown = driver.window.chat.view.toPlainText().replace("\u00a0", " ")
    assert f"1 search · {count} passages · 1 model call · " in shown


@pytest.mark.parametrize("kind", registry.STRATEGIES, ids=lambda kind: kind.name)
def test_every_strategy_tells_what_it_does_needs_and_costs(kind: type[Any]) -> None:
    does, needs, costs = strategy_tips.of_strategy(kind.name).split("\n")
    assert does.endswith(".")
    assert costs.startswith("Costs ")
    assert needs.startswith("Needs no") == ("llm" not in kind.needs)
    assert ("how sure" in needs) == ("logprobs" in kind.needs)


def test_the_choice_of_strategies_tells_of_each(driver: Driver) -> None:
    controls = driver.window.chat.composer.controls
    choice = controls.strategies
    wait_for(choice.count)
    row = choice.findData("ircot")
    told = strategy_tips.of_strategy("ircot")
    assert choice.itemData(row, Qt.ItemDataRole.ToolTipRole) == told
    said = choice.itemData(row, Qt.ItemDataRole.AccessibleDescriptionRole)
    assert said == " ".join(told.split("\n"))
    choice.setCurrentIndex(row)
    assert choice.toolTip() == told
    controls.how.menu().aboutToShow.emit()
    tips = [action.toolTip() for action in controls.how.menu().actions()]
    assert told in tips
    assert controls.how.menu().toolTipsVisible()


def rich_turn(transcript: Transcript, sentences: int) -> Transcript:
    """Return a conversation with a question that FLARE searched again for, so many times."""
    made = transcript.begun("And now?", "flare_direct")
    tokens = tuple((f" word{n}", 0.3 if n % 7 == 3 else 0.9) for n in range(20))
    text = "".join(token for token, _ in tokens).strip()
    hits = tuple(passage(n) for n in range(1, 11))
    for number in range(sentences):
        made = fold_all(
            made,
            [
                ModelCall("llama", "look ahead", 900, 20, (), 0.3, at=number),
                Draft(text, kept=False, tokens=tokens, at=number),
                SearchStarted(text, "unsure of “word3” (30%)", at=number),
                PassagesFound(text, hits, frozenset(range(1, 11)), at=number),
                Draft(text, kept=True, tokens=tokens, at=number),
            ],
        )
    return made


def test_of_a_thousand_turns_no_folded_timeline_is_laid_out(qtbot: QtBot, theme: Theme) -> None:
    turn = fold(rich_turn(Transcript(), 3), answer("Fuel fell [1].", 1)).turns[0]
    shown = Transcript(chat_id=1, turns=tuple(replace(turn, question=f"{n}") for n in range(1000)))
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    began = time.thread_time()
    view.show_transcript(shown)
    view.grab()
    assert time.thread_time() - began < 0.3
    assert all(writer.steps is None for writer in view.sheet.writers)
    assert "word3" not in view.toPlainText()


def test_an_answer_that_grows_above_its_timeline_leaves_that_as_it_is(
    qtbot: QtBot, theme: Theme
) -> None:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    shown = rich_turn(long_conversation(20), 20)
    view.show_transcript(shown)
    view.toggle_steps(20)
    pause(300)
    (writer,) = [each for each in view.sheet.writers if each.steps is not None]
    timeline = writer.steps
    paints = Paints()
    view.viewport().installEventFilter(paints)
    held = {view.sheet.first}
    view.arranged.connect(lambda: held.add(view.sheet.first))
    began, spent = time.monotonic(), []
    while time.monotonic() - began < 1.5 or paints.count < 8:
        shown = fold(shown, Token("ferry, "))
        view.show_transcript(shown)
        worked = time.thread_time()
        pause(4)
        spent.append(time.thread_time() - worked)
    seconds = time.monotonic() - began
    assert writer.steps is timeline
    assert held == {20}  # what is far above is not written and let go again with each word
    assert paints.count <= 30 * seconds + 1
    assert sorted(spent)[len(spent) // 2] < 0.1
    assert "ferry, ferry" in view.toPlainText()


@pytest.mark.parametrize("unfolded", [False, True])
def test_a_timeline_unfolds_and_folds_without_a_trace(
    qtbot: QtBot, theme: Theme, unfolded: bool
) -> None:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    shown = rich_turn(Transcript(), 1)
    view.show_transcript(shown)
    folded = view.toPlainText()
    view.toggle_steps(0)
    assert "word3" in view.toPlainText()
    if unfolded:  # the answer ends while it is
        view.show_transcript(fold(shown, answer("Fuel fell [1].", 1)))
        assert "Fuel fell" in view.toPlainText()
        assert "source 1" not in view.toPlainText()
        view.toggle_hits(0, 3)
        assert "source 1" in view.toPlainText()
    view.toggle_steps(0)
    assert "word3" not in view.toPlainText()
    if not unfolded:
        assert view.toPlainText() == folded


def test_a_step_of_several_lines_is_one_step(qtbot: QtBot, theme: Theme) -> None:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.show()
    tokens = (("One,\ntwo", 0.9), (" or three", 0.3), (".\nFour.", 0.9))
    draft = Draft("One,\ntwo or three.\nFour.", kept=False, tokens=tokens)
    shown = fold_all(Transcript().begun("Why?", ""), [Step("thought", "First.\nThen."), draft])
    view.show_transcript(shown)
    view.toggle_steps(0)
    timeline = present(view.sheet.writers[0].steps)
    block, dots = view.document().findBlock(timeline.firstPosition()), 0
    while block.isValid() and block.position() <= timeline.lastPosition():
        dots += bool(block.blockFormat().stringProperty(TimelineProperty.DOT))
        block = block.next()
    assert dots == 2
    assert "Then." in view.toPlainText()
