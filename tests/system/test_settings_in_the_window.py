"""What is set in the settings' dialog is what the next question meets, and the next folder.

One window over real documents, with two doubles of Ollama; each test puts the settings back.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QMenu, QWidget

from desktop_rag.core.events import PassagesFound
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import value_of
from desktop_rag.core.types import FileStatus, Passage
from desktop_rag.gui.colors import CONTRAST_LIGHT, DARK, LIGHT
from desktop_rag.gui.controllers.ollama import ServerFound
from desktop_rag.gui.controllers.settings import declared
from desktop_rag.gui.controllers.transcript import Answered, Turn
from desktop_rag.gui.settings.ollama_page import ServerCard
from desktop_rag.gui.settings.setting_controls import ChoiceControl, NumberControl, ToggleControl
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from testing.narrowing import present
from testing.ollama_double import DoubleModel, OllamaDouble
from testing.ollama_double.models import CHAT
from testing.window_driver import Driver, wait_for

pytestmark = pytest.mark.timeout(180)

OTHER = DoubleModel("qwen3:4b")
QUESTION = "Which ferry runs on electricity?"
UNTOLD = "Who painted the ceiling of the chapel?"
FILLER = "\n\n".join(f"In year {n} it rained on the quay of Vard for {n} days." for n in range(30))
SAID = {
    "ferries.md": f"{FILLER}\n\nThe ferry Sula runs on electricity alone.\n\n{FILLER}",
    "crew.md": "The crew of the ferry Ingrid was trained to sail slower, and saved fuel.",
}


@pytest.fixture(scope="module")
def doubles() -> Iterator[tuple[OllamaDouble, OllamaDouble]]:
    with OllamaDouble(CHAT) as one, OllamaDouble(CHAT, OTHER) as other:
        yield one, other


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("settings") / "docs"
    folder.mkdir()
    for name, said in SAID.items():
        (folder / name).write_text(said, "utf-8")
    return folder


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication,
    doubles: tuple[OllamaDouble, OllamaDouble],
    docs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Driver]:
    home = tmp_path_factory.mktemp("home") / "data"
    made = Driver(qapp, home, answering__reuse="false", ollama__host=doubles[0].url)
    made.open()
    made.drop(docs)
    made.wait_until_read(len(SAID))
    yield made
    made.close()


class Page:
    """The settings' dialog, and the hands on it."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._applied: list[Settings] = [driver.context.settings.settings]
        driver.context.settings.applied.connect(self._applied.append)
        self.open()

    def open(self) -> None:
        self._driver.window.settings.open()
        self.dialog = present(self._driver.window.findChild(SettingsDialog))

    def row(self, key: str) -> SettingRow:
        """Return a setting's row, brought in sight."""
        section = key.partition(".")[0]
        self.dialog.show_page(section)
        row, fold = self.dialog.row(key), self.dialog.page(section).fold
        if not row.isVisible() and fold is not None:
            QTest.mouseClick(fold.head, Qt.MouseButton.LeftButton)
        assert row.isVisible()
        return row

    def type(self, key: str, text: str) -> None:
        """Type a value in the place of the one that is there, and press Enter."""
        control: QWidget = self.row(key).control
        control.setFocus()
        QTest.keyClick(control, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        if isinstance(control, NumberControl):
            control.selectAll()
        QTest.keyClick(control, Qt.Key.Key_Delete)
        QTest.keyClicks(control, text)
        QTest.keyClick(control, Qt.Key.Key_Return)
        assert self.row(key).problem == ""

    def choose(self, key: str, value: str) -> None:
        """Go through a list to a value, with the keys."""
        control = self.row(key).control
        assert isinstance(control, ChoiceControl)
        wait_for(lambda: control.findData(value) >= 0)
        way = control.findData(value) - control.currentIndex()
        for _ in range(abs(way)):
            QTest.keyClick(control, Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
        assert control.currentData() == value

    def flip(self, key: str) -> None:
        """Click on a switch."""
        control = self.row(key).control
        assert isinstance(control, ToggleControl)
        QTest.mouseClick(control, Qt.MouseButton.LeftButton)

    def leave(self) -> None:
        """Close the dialog; what was changed is in force then."""
        if shiboken6.isValid(self.dialog):
            QTest.keyClick(self.dialog, Qt.Key.Key_Escape)
            wait_for(lambda: not shiboken6.isValid(self.dialog))
        self.wait_until_applied()

    def wait_until_applied(self) -> None:
        now = self._driver.context.settings.settings
        wait_for(lambda: self._applied[-1] == now)


@pytest.fixture
def page(driver: Driver) -> Iterator[Page]:
    before = driver.context.settings.settings
    made = Page(driver)
    yield made
    for key in declared:
        if not declared[key].run_only:
            driver.context.settings.change(key, value_of(before, key))
    made.leave()


def asked(driver: Driver, question: str) -> tuple[Turn, Answered]:
    """Ask in a conversation of its own."""
    driver.context.chat.new()
    driver.ask(question)
    turn = driver.wait_for_answer()
    assert isinstance(turn.outcome, Answered)
    return turn, turn.outcome


def found(turn: Turn) -> list[Passage]:
    """Return the passages that a question's search found."""
    (search,) = [each for each in turn.trace if isinstance(each, PassagesFound)]
    assert search.passages
    return list(search.passages)


def is_widened(passage: Passage) -> bool:
    start, end = passage.match
    return (passage.locator.start, passage.locator.end) != (start, end)


def test_an_address_that_is_typed_is_where_the_next_question_goes(
    driver: Driver, doubles: tuple[OllamaDouble, OllamaDouble], page: Page
) -> None:
    one, other = doubles
    before = len(one.chats), len(other.chats)
    page.type("ollama.host", other.url)
    server = present(present(page.dialog).findChild(ServerCard))
    wait_for(lambda: other.url in server.state.text())
    page.leave()
    _, outcome = asked(driver, QUESTION)
    assert outcome.mode == "generated"
    assert (len(one.chats), len(other.chats)) == (before[0], before[1] + 1)


def test_the_model_its_context_and_how_long_it_stays_are_as_they_were_set(
    driver: Driver, doubles: tuple[OllamaDouble, OllamaDouble], page: Page
) -> None:
    _, other = doubles
    page.type("ollama.host", other.url)
    wait_for(lambda: _has(driver, OTHER.name))
    page.choose("ollama.model", OTHER.name)
    page.type("ollama.num_ctx", "3072")
    page.type("ollama.keep_alive", "37m")
    page.leave()
    wait_for(lambda: driver.window.chat.composer.models.currentData() == OTHER.name)
    _, outcome = asked(driver, QUESTION)
    sent = other.chats[-1]
    assert outcome.model == sent.model == OTHER.name
    assert sent.options["num_ctx"] == 3072
    assert sent.body["keep_alive"] == "37m"


def _has(driver: Driver, model: str) -> bool:
    server = driver.context.ollama.server
    return isinstance(server, ServerFound) and model in {each.name for each in server.models}


def test_without_a_reranker_and_without_widening_the_search_does_neither(
    driver: Driver, page: Page
) -> None:
    page.leave()
    turn, _ = asked(driver, QUESTION)
    assert all(each.rerank_score is not None for each in found(turn))
    assert any(map(is_widened, found(turn)))
    page.open()
    page.choose("retrieval.reranker", "none")
    page.flip("retrieval.expand")
    page.leave()
    turn, _ = asked(driver, QUESTION)
    assert all(each.rerank_score is None for each in found(turn))
    assert not any(map(is_widened, found(turn)))


@pytest.mark.parametrize("how", ["refuse_below", "only_documents"])
def test_what_is_not_in_the_documents_is_refused_unless_the_settings_let_it_be_asked(
    driver: Driver, doubles: tuple[OllamaDouble, OllamaDouble], page: Page, how: str
) -> None:
    one, _ = doubles
    page.leave()
    before = len(one.chats)
    _, outcome = asked(driver, UNTOLD)
    assert (outcome.mode, len(one.chats)) == ("refused", before)
    page.open()
    if how == "refuse_below":
        page.type("retrieval.refuse_below", "0.00")
    else:
        page.flip("answering.only_documents")
    page.leave()
    _, outcome = asked(driver, UNTOLD)
    assert (outcome.mode, len(one.chats)) == ("generated", before + 1)
    rules = one.chats[-1].said("system")
    assert ("Not found in your documents" in rules) is (how == "refuse_below")


@pytest.fixture
def drafts(driver: Driver, tmp_path: Path) -> Iterator[Path]:
    """A folder with a note, a copy of it and a draft; it is taken out after the test."""
    folder = tmp_path / "letters"
    (folder / "drafts").mkdir(parents=True)
    for name in ("note.md", "note.bak.md", "drafts/note.md"):
        (folder / name).write_text(f"Signe Aas wrote this letter in Vard: {name}.", "utf-8")
    yield folder
    driver.context.library.remove((str(folder),))
    wait_for(lambda: listed(driver, folder) == set())


def listed(driver: Driver, folder: Path) -> set[str]:
    """Return the files below a folder that are in the library and read."""
    rows = [row for row in driver.context.library.snapshot.files if row.status is FileStatus.READY]
    paths = [Path(row.path) for row in rows]
    return {str(each.relative_to(folder)) for each in paths if each.is_relative_to(folder)}


def test_another_appearance_is_painted_at_once(driver: Driver, page: Page) -> None:
    for choice, colors in (("light", LIGHT), ("dark", DARK), ("contrast", CONTRAST_LIGHT)):
        page.choose("window.theme", choice)
        assert grounds(driver, page) == [colors.window, colors.base, colors.side]


def grounds(driver: Driver, page: Page) -> list[str]:
    """Return the colours that are painted under the dialog, the conversation and the library."""
    window = driver.window
    shown = (page.dialog, window.chat.view.viewport(), window.side.library)
    shots = [present(each).grab().toImage() for each in shown]
    return [shot.pixelColor(2, shot.height() - 2).name() for shot in shots]


def test_ignored_names_leave_files_out_and_clearing_them_lets_them_be_read(
    driver: Driver, drafts: Path, page: Page
) -> None:
    page.type("ingest.exclude", "*.bak.md, drafts/")
    page.wait_until_applied()
    driver.drop(drafts)
    wait_for(lambda: listed(driver, drafts) == {"note.md"})
    page.type("ingest.exclude", "")
    wait_for(lambda: len(listed(driver, drafts)) == 3)
    page.type("ingest.exclude", "*.bak.md")
    wait_for(lambda: listed(driver, drafts) == {"note.md", "drafts/note.md"})


def test_what_one_folder_leaves_out_goes_and_comes_back(driver: Driver, drafts: Path) -> None:
    driver.drop(drafts)
    wait_for(lambda: len(listed(driver, drafts)) == 3)
    leave_out(driver, drafts, "*.bak.md, drafts")
    wait_for(lambda: listed(driver, drafts) == {"note.md"})
    leave_out(driver, drafts, "")
    wait_for(lambda: len(listed(driver, drafts)) == 3)


def leave_out(driver: Driver, folder: Path, patterns: str) -> None:
    """Click on a folder with the right button, and type what it is to leave out."""
    pane = driver.window.side.library
    tree, model = pane.tree, pane.tree.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    (index,) = [each for each in rows if each.data() == folder.name]
    tree.scrollTo(index)
    at = tree.visualRect(index).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=at)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, tree.viewport().mapToGlobal(at))
    QApplication.sendEvent(tree.viewport(), event)
    (menu,) = [each for each in tree.findChildren(QMenu) if each.isVisible()]
    offered = {each.text(): each for each in menu.actions() if each.isVisible()}
    spot = menu.actionGeometry(offered["Leave out of this folder…"]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=spot)
    dialog = present(driver.window.findChild(QInputDialog))
    line = present(dialog.findChild(QLineEdit))
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, patterns)
    QTest.keyClick(line, Qt.Key.Key_Return)
    wait_for(lambda: not shiboken6.isValid(dialog))
