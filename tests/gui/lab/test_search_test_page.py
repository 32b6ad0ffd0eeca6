"""The search test as its user works with it: a real window over a real knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import search
from desktop_rag.core import settings_file as stored
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.explain_events import StageName, StageState
from desktop_rag.core.requests import SearchRequest
from desktop_rag.core.settings import Settings
from desktop_rag.gui import language
from desktop_rag.gui.lab.search_test_page import FOUND, WHY, SearchTestPage
from desktop_rag.gui.lab.search_test_results import SearchTestResultRole
from desktop_rag.gui.lab.search_test_values import PassageTarget, PassageTrace, SearchTestResult
from desktop_rag.gui.lab.stage_list import StageRole
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "Which ferry was delayed by fog?"
VILLAGES = ("Aldbury", "Bramley", "Calverton", "Denholm", "Elmstead", "Fairlight", "Gosforth")
FEW = {"retrieval.candidates": 5}


def note(village: str) -> str:
    why = "fog" if village < "D" else "a broken winch"
    return f"The ferry of {village} was delayed by {why}; the keeper wrote it into the log book."


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, object]]]:
    """A data folder whose documents are read, and what the command finds for the question."""
    library = IndexedFolder(tmp_path_factory.mktemp("tried"))
    for village in VILLAGES:
        library.write(f"{village}.txt", note(village))
    library.write("lease.txt", "The tenant shall vacate the premises when the lease has expired.")
    library.index()
    library.close()
    workspace = open_workspace(library.home, Settings())
    events = search.run(workspace, SearchRequest((KB,), QUESTION, 5), CancelToken())
    rows = [event.as_json() for event in events]
    workspace.close()
    return library.home, rows


@pytest.fixture(scope="module")
def driver(qapp: QApplication, found: tuple[Path, list[dict[str, object]]]) -> Iterator[Driver]:
    made = Driver(qapp, found[0])
    made.open()
    wait_for(lambda: made.context.library.snapshot.files)
    yield made
    made.close()


@pytest.fixture
def sheet(driver: Driver) -> Iterator[SearchTestPage]:
    """The page, as if nothing had been tried."""
    driver.window.resize(1320, 840)
    driver.window.centre.show_bench()
    shown = driver.window.centre.bench.sheet(SearchTestPage)
    assert isinstance(shown, SearchTestPage)
    driver.context.trying.forget()
    shown.face.options.reset_all()
    shown.face.options.passages.setValue(5)
    shown.face.options.filter.clear()
    shown.face.options._typing.now()  # else what was typed would be tried a little later
    shown.face.question.clear()
    shown.face.why.words.clear()
    shown.face.why.file.setCurrentIndex(0)
    shown.face.trouble.hide()
    shown.face.show_page(FOUND)
    pause(10)
    yield shown
    driver.window.sources.close_document()


def searched(sheet: SearchTestPage, question: str = QUESTION) -> SearchTestResult:
    """Type a question, press Enter, and wait."""
    sheet.face.question.setText(question)
    QTest.keyClick(sheet.face.question, Qt.Key.Key_Return)
    return settled(sheet)


def settled(sheet: SearchTestPage) -> SearchTestResult:
    trying = sheet.context.trying
    wait_for(lambda: trying.result is not None and not trying.is_busy and not trying.is_asking)
    assert trying.result is not None
    return trying.result


def way(sheet: SearchTestPage) -> PassageTrace:
    """Wait until a passage was followed to its end."""
    trying = sheet.context.trying
    wait_for(lambda: trying.way is not None and trying.way.verdict is not None)
    assert trying.way is not None
    return trying.way


def rows_of(sheet: SearchTestPage) -> list[object]:
    model = sheet.face.list.rows
    return [model.index(row).data(SearchTestResultRole.ROW) for row in range(model.rowCount())]


def test_a_search_shows_what_the_command_finds_with_every_score_and_time(
    sheet: SearchTestPage, found: tuple[Path, list[dict[str, object]]]
) -> None:
    tested = searched(sheet)
    first = tested.passages[:5]
    assert [str(each.chunk_id) for each in first] == [row["chunk_id"] for row in found[1]]
    assert [each.score for each in first] == pytest.approx([row["score"] for row in found[1]])
    spoken = sheet.face.list.rows.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("meaning #1", "words #1", "fused #1", "reranked"):
        assert part in spoken
    assert {name for name, _ in tested.timings} >= {"dense", "lexical", "rerank", "evidence"}
    assert "reranking" in sheet.face.info.text()
    assert f"Evidence {tested.evidence:.2f}" in sheet.face.info.text()
    assert rows_of(sheet)[5] is None


def test_what_an_option_moves_is_shown_and_the_settings_stay(sheet: SearchTestPage) -> None:
    before = searched(sheet, "Which harbours have fog, and who wrote about it?")
    assert not any(each.by for each in before.rows)
    control = sheet.face.options.controls["retrieval.reranker"]
    control.edited.emit("none")  # type: ignore[attr-defined]
    wait_for(lambda: sheet.context.trying.result is not before)
    after = settled(sheet)
    assert after.trial.rules.reranker == "none"
    assert after.is_compared
    for row in after.rows:
        was = [each.chunk_id for each in before.passages].index(row.passage.chunk_id)
        assert row.by == was + 1 - row.passage.rank
    assert any(each.by for each in after.rows)
    assert sheet.face.options_button.text() == "Options: 1 changed"
    assert sheet.context.settings.settings.retrieval.reranker == "auto"
    sheet.face.options.reset.click()
    wait_for(lambda: sheet.context.trying.result is not after)
    assert settled(sheet).trial.rules.reranker == "auto"
    assert not sheet.face.options.keep.isEnabled()


def test_only_what_a_search_follows_at_once_can_be_tried(sheet: SearchTestPage) -> None:
    offered = set(sheet.face.options.controls)
    assert "retrieval.candidates" in offered
    assert not [
        each.key for each in stored.setting_declarations() if each.restart and each.key in offered
    ]


def test_options_are_kept_as_settings_when_that_is_wished(
    sheet: SearchTestPage, driver: Driver
) -> None:
    sheet.face.options.try_value("retrieval.candidates", 60)
    sheet.face.options.keep.click()
    wait_for(lambda: stored.load(driver.context.data_dir).retrieval.candidates == 60)
    assert sheet.face.options.tried == {}
    driver.context.settings.reset("retrieval.candidates")
    wait_for(lambda: stored.load(driver.context.data_dir).retrieval.candidates == 50)


def test_a_passage_opens_at_its_place(sheet: SearchTestPage, driver: Driver) -> None:
    tested = searched(sheet)
    index = sheet.face.list.rows.index(0)
    sheet.face.list.setCurrentIndex(index)
    QTest.keyClick(sheet.face.list, Qt.Key.Key_Return)
    viewer = driver.window.sources.viewer
    wait_for(lambda: viewer.document is not None)
    assert driver.window.sources.isVisible()
    document = viewer.document
    assert document is not None
    assert document.path == tested.passages[0].path
    assert document.mark is not None
    assert document.mark.start == tested.passages[0].match[0]


def test_words_of_a_passage_tell_where_it_fell_out_and_the_remedy_finds_it(
    sheet: SearchTestPage,
) -> None:
    searched(sheet)
    for key, value in FEW.items():
        sheet.face.options.try_value(key, value)
    settled(sheet)
    QTest.mouseClick(sheet.face.tabs.button(WHY), Qt.MouseButton.LeftButton)
    wait_for(sheet.face.why.words.hasFocus)
    QTest.keyClicks(sheet.face.why.words, "vacate the premises")
    QTest.keyClick(sheet.face.why.words, Qt.Key.Key_Return)
    told = way(sheet)
    assert told.verdict is not None
    assert told.verdict.fell_at is StageName.MEANING
    chain = sheet.face.why.way.rows
    assert chain.rowCount() == len(StageName)
    out = chain.index(chain.row_out()).data(StageRole.STAGE)
    assert out.state is StageState.OUT
    assert "fell out here" in chain.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    card = sheet.face.why.card
    assert told.verdict.remedy in card.remedy.text()
    assert card.help.isVisible()
    QTest.mouseClick(card.help, Qt.MouseButton.LeftButton)
    wait_for(lambda: sheet.context.trying.way is not told)
    again = way(sheet)
    assert again.verdict is not None
    assert again.verdict.fell_at not in (StageName.MEANING, StageName.PASSAGES)


def test_a_file_lists_its_passages_and_one_of_them_is_followed(
    sheet: SearchTestPage, driver: Driver
) -> None:
    sheet.face.question.setText(QUESTION)
    sheet.face.show_page(WHY)
    why = sheet.face.why
    why.file.setFocus()
    row = why.file.findText("Gosforth.txt", Qt.MatchFlag.MatchStartsWith)
    why.file.setCurrentIndex(row)
    why.file.activated.emit(row)
    wait_for(lambda: why.chunks.model.rowCount() == 1)
    why.chunks.list.setCurrentIndex(why.chunks.model.index(0))
    told = way(sheet)
    assert told.verdict is not None
    assert told.verdict.path.endswith("Gosforth.txt")
    assert told.aim.chunk_id == told.verdict.chunk_id
    QTest.mouseClick(why.card.open, Qt.MouseButton.LeftButton)
    wait_for(lambda: driver.window.sources.viewer.document is not None)
    assert driver.window.sources.viewer.document is not None
    assert driver.window.sources.viewer.document.path == told.verdict.path


def test_a_passage_in_a_document_and_selected_text_are_asked_about(
    sheet: SearchTestPage, driver: Driver
) -> None:
    sheet.face.question.setText(QUESTION)
    sources, path = driver.window.sources, path_of(driver, "lease.txt")
    sources.open_file(path, KB)
    chunks = sources.viewer.chunks
    wait_for(lambda: chunks.model.rowCount() == 1)
    chunks.list.setCurrentIndex(chunks.model.index(0))
    chunks.list.actions()[0].trigger()
    told = way(sheet)
    assert told.verdict is not None
    assert (told.verdict.path, sheet.face.page) == (path, WHY)
    view = sources.viewer.text_view
    wait_for(lambda: "vacate" in view.toPlainText())
    view.find("vacate the premises")
    menu = QMenu(view)
    view.asking.offer(menu, view.textCursor().selection().toPlainText())
    menu.actions()[2].trigger()
    wait_for(lambda: sheet.context.trying.way is not told)
    again = way(sheet)
    assert again.aim == PassageTarget(text="vacate the premises", path=path)
    assert again.verdict is not None
    assert again.verdict.chunk_id == told.verdict.chunk_id


def path_of(driver: Driver, name: str) -> str:
    files = driver.context.library.snapshot.files
    return next(row.path for row in files if row.path.endswith(name))


def test_a_source_of_an_answer_tells_what_the_answer_did_with_it(
    sheet: SearchTestPage, driver: Driver
) -> None:
    driver.window.centre.show_chat()
    driver.ask("Which ferry of Aldbury was delayed by fog?")
    turn = driver.wait_for_answer()
    sources = driver.window.sources
    unused = next(n for n in range(1, len(turn.sources) + 1) if n not in turn.cited())
    sources.show_turn(turn)
    if sources.model.row_of(unused) < 0:
        sources.model.toggle()
    sources.list.setCurrentIndex(sources.model.index(sources.model.row_of(unused)))
    place = sources.list.visualRect(sources.list.currentIndex()).center()
    sources.list.customContextMenuRequested.emit(place)
    menu = present(sources.list.findChild(QMenu))
    (action,) = [each for each in menu.actions() if each.text() == "Why was this not used?"]
    action.trigger()
    menu.close()
    told = way(sheet)
    assert driver.window.centre.shows_bench
    assert sheet.face.question.text() == turn.question
    assert told.verdict is not None
    assert told.verdict.fell_at is StageName.ANSWER
    assert told.verdict.what == "The answer quotes other passages, without a language model."


def test_a_filter_that_is_none_is_complained_of_and_nothing_hangs(sheet: SearchTestPage) -> None:
    sheet.face.options.filter.setText("colour:red")
    sheet.face.question.setText(QUESTION)
    QTest.keyClick(sheet.face.question, Qt.Key.Key_Return)
    wait_for(sheet.face.trouble.isVisible)
    assert "is no filter" in sheet.face.trouble.text
    assert sheet.face.run.isVisible()
    assert not sheet.face.stop.isVisible()


def test_a_stopped_search_shows_nothing_and_the_next_one_does(sheet: SearchTestPage) -> None:
    sheet.face.question.setText(QUESTION)
    QTest.mouseClick(sheet.face.run, Qt.MouseButton.LeftButton)
    assert sheet.face.stop.isVisible()
    QTest.mouseClick(sheet.face.stop, Qt.MouseButton.LeftButton)
    assert sheet.face.run.isVisible()
    pause(50)
    assert sheet.context.trying.result is None
    assert searched(sheet).rows


def test_an_empty_knowledge_base_says_what_to_do(sheet: SearchTestPage, driver: Driver) -> None:
    searched(sheet)
    workspace = driver.context.folder.get(CancelToken())
    workspace.catalog.kbs.ensure("empty")
    driver.context.library.switch("empty")
    wait_for(sheet.face.empty.isVisible)
    assert sheet.face.empty.text().startswith("This knowledge base has no passages yet.")
    assert sheet.context.trying.result is None
    driver.context.library.switch(KB)
    wait_for(lambda: sheet.face.empty.text().startswith("Ask something"))


def test_another_language_shows_what_was_tried_again(
    sheet: SearchTestPage, driver: Driver, qapp: QApplication
) -> None:
    searched(sheet)
    sheet.follow(PassageTarget(text="vacate the premises"))
    told = way(sheet)
    language.speak(qapp, "zh")
    driver.window.speak_anew()
    anew = driver.window.centre.bench.sheet(SearchTestPage)
    assert isinstance(anew, SearchTestPage)
    assert anew is not sheet
    assert anew.face.question.text() == QUESTION
    assert anew.face.list.rows.rowCount() == sheet.face.list.rows.rowCount()
    assert told.verdict is not None
    assert anew.face.why.card.what.text() not in ("", f"✗  {told.verdict.what}")
    language.speak(qapp, "en")
    driver.window.speak_anew()
    pause(30)


def test_a_narrow_page_has_its_options_above_what_was_found(
    sheet: SearchTestPage, driver: Driver
) -> None:
    driver.window.resize(900, 600)
    sheet.face.options_button.setChecked(True)
    pause(30)
    options = sheet.face.options.mapTo(sheet, QPoint(0, 0))
    found = sheet.face.list.mapTo(sheet, QPoint(0, 0))
    assert options.y() < found.y()
    sheet.face.options_button.setChecked(False)
