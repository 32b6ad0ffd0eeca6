"""The window as a screen reader and the keyboard meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.core.errors import UserError
from desktop_rag.core.requests import NoteRequest
from desktop_rag.gui.consent_dialog import ConsentDialog
from desktop_rag.gui.controllers.ollama import ServerChecking
from desktop_rag.gui.controllers.privacy import ConsentAnswer, ConsentRequest
from desktop_rag.gui.error_dialog import ErrorDialog
from desktop_rag.gui.lab.compare_page import ComparePage
from desktop_rag.gui.lab.lab_tabs import LAB_PAGES
from desktop_rag.gui.lab.search_test_page import FOUND, SearchTestPage
from desktop_rag.gui.lab.search_test_values import PassageTarget
from desktop_rag.gui.model_setup.model_setup_dialog import ModelSetupDialog
from desktop_rag.gui.shortcuts import ShortcutsDialog
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog
from testing.sample_folder import SAMPLES, copied
from testing.window_driver import Driver, pause, wait_for

Name, Description = QAccessible.Text.Name, QAccessible.Text.Description
NO_ROLE = {QAccessible.Role.NoRole, QAccessible.Role.Client}


@pytest.fixture(scope="module")
def driver(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, read_samples: Path
) -> Iterator[Driver]:
    """A window that has read the samples and answered a question."""
    made = Driver(qapp, copied(read_samples, tmp_path_factory.mktemp("read") / "data"))
    made.open()
    made.wait_until_read(7)
    made.ask("How long is the notice period for ending the lease?")
    made.wait_for_answer()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def as_it_was(driver: Driver) -> Iterator[None]:
    """Leave the window as the next test expects it."""
    window = driver.window
    window.resize(1320, 840)
    window.activateWindow()
    yield
    for dialog in window.findChildren(QDialog):
        dialog.close()
    window.centre.show_chat()
    window.sources.close_document()
    window.centre.show_files()
    pause(30)


def reading(driver: Driver) -> QWidget:
    assert driver.turn is not None
    driver.window.sources.open_citation(driver.turn, 1)
    pause(300)
    return driver.window


def table_of_files(driver: Driver) -> QWidget:
    driver.window.centre.show_files()
    pause(200)
    return driver.window


def health(driver: Driver) -> QWidget:
    driver.window.centre.show_health()
    pause(600)
    return driver.window


def notes(driver: Driver) -> QWidget:
    chat = driver.context.chat.transcript.chat_id or 0
    driver.context.notes.add(NoteRequest("add", chat_id=chat))
    driver.window.centre.show_notes()
    wait_for(lambda: driver.context.notes.shown is not None)
    pause(60)
    driver.window.note_saving.notice.hide()  # it would go in the middle of a test
    return driver.window


def tried(driver: Driver) -> QWidget:
    driver.window.centre.show_bench()
    sheet = driver.window.centre.bench.sheet(SearchTestPage)
    assert isinstance(sheet, SearchTestPage)
    sheet.face.options_button.setChecked(True)
    sheet.face.question.setText("How long is the notice period?")
    sheet.face.run.click()
    wait_for(lambda: driver.context.trying.result is not None and not driver.context.trying.is_busy)
    sheet.face.show_page(FOUND)
    pause(50)
    return driver.window


def followed(driver: Driver) -> QWidget:
    tried(driver)
    driver.window.centre.bench.follow(PassageTarget(text="water tank"))
    wait_for(lambda: driver.context.trying.way is not None and driver.context.trying.way.verdict)
    pause(50)
    return driver.window


def comparison(driver: Driver) -> QWidget:
    bench = driver.window.centre.bench
    driver.window.centre.show_bench()
    bench.show_sheet(LAB_PAGES.index(ComparePage))
    sheet = bench.sheet(ComparePage)
    assert isinstance(sheet, ComparePage)
    sheet.question.edit.setPlainText("How long is the notice period for ending the lease?")
    sheet.question.wanted.emit()
    wait_for(lambda: not driver.context.comparing.comparison.is_running)
    pause(100)
    return driver.window


def conversations(driver: Driver) -> QWidget:
    driver.window.centre.back_to_chat()
    pause(50)
    return driver.window


def narrow(driver: Driver) -> QWidget:
    driver.window.resize(640, 400)
    pause(50)
    return driver.window


def settings(driver: Driver) -> QWidget:
    driver.window.settings.open()
    pause(200)
    return newest_dialog(driver)


def opened(dialog: QDialog) -> QWidget:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    pause(50)
    return dialog


def newest_dialog(driver: Driver) -> QWidget:
    return driver.window.findChildren(QDialog)[-1]


def keys(driver: Driver) -> QWidget:
    return opened(ShortcutsDialog(driver.window))


def link(driver: Driver) -> QWidget:
    return opened(WebLinkDialog("https://example.org/page", driver.window))


def consent(driver: Driver) -> QWidget:
    wanted = ConsentRequest("http://10.0.0.9:11434", ("default",), ConsentAnswer())
    return opened(ConsentDialog(wanted, driver.window))


def setup(driver: Driver) -> QWidget:
    driver.window.settings.open_setup()
    dialog = newest_dialog(driver)
    assert isinstance(dialog, ModelSetupDialog)
    wait_for(dialog.next.isEnabled)  # when it knows this computer, and what may leave it
    wait_for(lambda: not isinstance(driver.context.ollama.server, ServerChecking))
    pause(200)
    return dialog


def fault(driver: Driver) -> QWidget:
    box = ErrorDialog(Path("/tmp"), driver.window)
    box.tell(ValueError(), 2, "report")
    return opened(box)


def removal(driver: Driver) -> QWidget:
    driver.window.centre.show_files()
    driver.window.panes.open_side()
    library = driver.window.side.library
    library.tree.setCurrentIndex(library.tree.model().index(0, 0))
    library.tree.setFocus()
    QTest.keyClick(library.tree, Qt.Key.Key_Delete)
    wait_for(lambda: driver.window.findChildren(QDialog))
    return newest_dialog(driver)


STATES = [
    lambda driver: driver.window,
    reading,
    tried,
    followed,
    table_of_files,
    health,
    notes,
    comparison,
    conversations,
    narrow,
    settings,
    keys,
    link,
    consent,
    setup,
    fault,
    removal,
]
NAMES = [getattr(state, "__name__", "") for state in STATES]
every_state = pytest.mark.parametrize("state", STATES, ids=NAMES)


def controls(window: QWidget) -> list[QWidget]:
    """Return what the keyboard can reach in a window."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.window() is window
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]


def told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}".strip()


@every_state
def test_every_control_has_a_name_and_a_role(
    driver: Driver, state: Callable[[Driver], QWidget]
) -> None:
    wrong = []
    for widget in controls(state(driver)):
        seen = QAccessible.queryAccessibleInterface(widget)
        name = seen.text(Name)
        if isinstance(widget, QComboBox):  # there the name is what is chosen: the label, then
            name = widget.accessibleName() or seen.text(Description)
        is_area = isinstance(widget, QScrollArea)  # which only scrolls
        if not name.strip() or (seen.role() in NO_ROLE and not is_area):
            wrong.append(f"{told(widget)}: “{name}”, {seen.role().name}")
    assert wrong == []


@every_state
def test_tab_visits_every_control_and_comes_back(
    driver: Driver, state: Callable[[Driver], QWidget]
) -> None:
    window = state(driver)
    window.activateWindow()
    wanted = controls(window)
    (window.focusWidget() or wanted[0]).setFocus()
    wait_for(lambda: QApplication.focusWidget() is not None)  # a window becomes active in its time
    seen: list[QWidget] = []
    for _ in range(3 * len(wanted) + 10):
        at = QApplication.focusWidget()
        assert at is not None
        if seen and at is seen[0]:
            break
        seen.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
    else:
        pytest.fail(f"Tab never came back; it went {[told(each) for each in seen[-6:]]}")
    missed = [told(each) for each in wanted if each not in seen and not _of_a_group(each, seen)]
    assert missed == []


def _of_a_group(widget: QWidget, seen: list[QWidget]) -> bool:
    """Say whether the arrow keys lead to a control from one that Tab visits."""
    group = getattr(widget, "group", lambda: None)()
    return group is not None and any(each in seen for each in group.buttons())


@every_state
def test_every_row_of_a_list_has_a_text(driver: Driver, state: Callable[[Driver], QWidget]) -> None:
    window = state(driver)
    for view in window.findChildren(QAbstractItemView):
        if not view.isVisible() or view.model() is None or isinstance(view.parent(), QComboBox):
            continue
        silent = [index.row() for index in rows(view) if not spoken(view, index)]
        assert silent == [], told(view)


def rows(view: QAbstractItemView, under: QModelIndex | None = None) -> Iterator[QModelIndex]:
    under = under if under is not None else QModelIndex()
    for row in range(min(20, view.model().rowCount(under))):
        index = view.model().index(row, 0, under)
        yield index
        yield from rows(view, index)


def spoken(view: QAbstractItemView, index: QModelIndex) -> str:
    roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole)
    is_list = isinstance(view.model(), QAbstractListModel)
    columns = range(1 if is_list else view.model().columnCount(index.parent()))
    cells = [index.siblingAtColumn(column).data(role) for column in columns for role in roles]
    return " ".join(str(cell) for cell in cells if cell)


@every_state
def test_the_focus_can_be_seen_on_every_control(
    driver: Driver, state: Callable[[Driver], QWidget]
) -> None:
    window = state(driver)
    window.activateWindow()
    unseen = []
    for widget in controls(window):
        elsewhere = next((each for each in controls(window) if each is not widget), None)
        if elsewhere is None:
            continue
        elsewhere.setFocus()
        without = picture(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if picture(widget) == without:
            unseen.append(told(widget))
    assert unseen == []


def picture(widget: QWidget) -> QImage:
    """Return how a control looks with what is just around it; a text cursor does not count."""
    for area in widget.window().findChildren(QScrollArea):
        if area.isAncestorOf(widget):
            area.ensureWidgetVisible(widget)  # as Tab does
    pause(10)
    frame = widget.rect().adjusted(-8, -8, 8, 8)
    place = frame.translated(widget.mapTo(widget.window(), QPoint(0, 0)))
    if isinstance(widget, QLineEdit):
        widget.deselect()
    return widget.window().grab(place).toImage()


def test_what_went_wrong_and_what_was_read_is_announced(
    driver: Driver, qtbot: QtBot, tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("The harbour opens at six in summer and at eight in winter.", "utf-8")
    with qtbot.waitSignal(driver.window.indexing_announcer.said, timeout=60_000) as told_done:
        driver.drop(note)
    assert told_done.args[0].startswith("1 file looked at")
    driver.window.context.library.complained.emit(UserError("The disk is full.", "Make room."))
    banner = driver.window.chat.complaint
    seen = QAccessible.queryAccessibleInterface(banner)
    assert seen.text(Name) == "The disk is full. Make room."
    banner.hide()


@pytest.mark.slow
def test_a_day_with_the_keyboard_alone(qapp: QApplication, tmp_path: Path) -> None:
    """Add a folder, ask, go to the citation and back, settings, another conversation."""
    driver = Driver(qapp, tmp_path / "data")
    driver.open()
    window = driver.window
    window.activateWindow()
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

    press(Qt.Key.Key_O, ctrl | shift)
    wait_for(lambda: window.findChildren(QFileDialog))
    (dialog,) = window.findChildren(QFileDialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.selectFile(str(SAMPLES))
    press(Qt.Key.Key_Return)
    driver.wait_until_read(7)
    wait_for(lambda: not window.findChildren(QFileDialog))
    come_back_to(window)

    press(Qt.Key.Key_L, ctrl)
    write("How long is the notice period for ending the lease?")
    press(Qt.Key.Key_Return)
    turn = driver.wait_for_answer()
    assert turn.sources

    tab_to("Sources of the answer")
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Return)
    wait_for(lambda: window.sources.is_reading)
    press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    press(Qt.Key.Key_Escape)
    wait_for(lambda: not window.sources.is_reading)
    assert QApplication.focusWidget() is window.chat.composer.edit

    press(Qt.Key.Key_Comma, ctrl)
    wait_for(lambda: window.findChildren(QDialog))
    press(Qt.Key.Key_Escape)
    wait_for(lambda: not window.findChildren(QDialog))
    come_back_to(window)

    press(Qt.Key.Key_N, ctrl)
    assert driver.turn is None
    press(Qt.Key.Key_2, ctrl)
    tab_to("Conversations", QAbstractItemView)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    wait_for(lambda: driver.context.chat.transcript.turns)
    assert driver.context.chat.transcript.turns[0].question.startswith("How long")
    driver.close()


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is."""
    at = QApplication.focusWidget() or QApplication.activeWindow()
    assert at is not None
    QTest.keyClick(at, key, modifiers)
    pause(20)


def come_back_to(window: QWidget) -> None:
    """Give a window the keyboard, as a window manager does when a dialog over it is closed."""
    window.activateWindow()
    wait_for(lambda: QApplication.activeWindow() is window)
    pause(20)


def write(text: str) -> None:
    at = QApplication.focusWidget()
    assert at is not None
    QTest.keyClicks(at, text)


def tab_to(name: str, kind: type[QWidget] = QWidget) -> None:
    """Press Tab until a control of that name has the focus."""
    for _ in range(60):
        at = QApplication.focusWidget()
        assert at is not None
        if isinstance(at, kind) and at.accessibleName() == name:
            return
        press(Qt.Key.Key_Tab)
    pytest.fail(f"Tab does not lead to {name}")
