"""What is typed and not sent: it comes back, whatever became of the program."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core import settings_file
from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.session_state import SessionState
from desktop_rag.ipc.ownership import FolderLock
from desktop_rag.workspace import Workspace
from testing.narrowing import present
from testing.window_driver import Driver, pause, wait_for
from tests.conftest import REPOSITORY

# Types a question into a window and waits to be killed.
TYPIST = """
import sys
from pathlib import Path
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from testing.window_driver import Driver
from testing.window_driver import pause
if __name__ == "__main__":
    driver = Driver(QApplication([]), Path(sys.argv[1]))
    driver.open()
    QTest.keyClicks(driver.window.chat.composer.edit, "Why did fuel")
    pause(1500)
    print("typed", flush=True)
    pause(60000)
"""


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path)
    made.open()
    made.add_a_file()
    yield made
    made.close()


def typed(driver: Driver) -> str:
    return driver.window.chat.composer.edit.toPlainText()


def answered(driver: Driver, question: str) -> int:
    driver.ask(question)
    driver.wait_for_answer()
    chat_id = driver.context.chat.transcript.chat_id
    assert chat_id is not None
    return chat_id


def test_a_question_that_was_begun_survives_kill_9(qapp: QApplication, tmp_path: Path) -> None:
    script = tmp_path / "typist.py"
    script.write_text(TYPIST, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "home")],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as typist:
        assert typist.stdout is not None
        try:
            assert typist.stdout.readline().strip() == "typed"
        finally:
            typist.send_signal(signal.SIGKILL)
    again = Driver(qapp, tmp_path / "home")
    again.open()
    wait_for(lambda: typed(again) == "Why did fuel")
    again.close()


def test_each_conversation_has_its_own_draft_and_so_has_the_next_one(driver: Driver) -> None:
    first = answered(driver, "What is this?")
    QTest.keyClicks(driver.window.chat.composer.edit, "And the f")
    driver.context.chat.new()
    assert typed(driver) == ""
    QTest.keyClicks(driver.window.chat.composer.edit, "Something new")
    driver.context.chat.open(first)
    wait_for(lambda: typed(driver) == "And the f")
    driver.context.chat.new()
    wait_for(lambda: typed(driver) == "Something new")


def test_a_question_that_was_sent_is_no_draft(driver: Driver) -> None:
    QTest.keyClicks(driver.window.chat.composer.edit, "What is this?")
    pause(1000)
    chat_id = answered(driver, "What is this?")
    driver.context.chat.new()
    pause(1000)
    assert typed(driver) == ""
    driver.context.chat.open(chat_id)
    wait_for(lambda: driver.context.chat.transcript.turns)
    assert typed(driver) == ""


def test_what_is_typed_while_the_first_answer_is_made_belongs_to_its_conversation(
    driver: Driver,
) -> None:
    driver.ask("What is this?")
    QTest.keyClicks(driver.window.chat.composer.edit, "And then")
    driver.wait_for_answer()
    chat_id = present(driver.context.chat.transcript.chat_id)
    driver.context.chat.new()
    assert typed(driver) == ""
    driver.context.chat.open(chat_id)
    wait_for(lambda: typed(driver) == "And then")


def test_the_last_word_before_the_window_closes_is_kept(qapp: QApplication, tmp_path: Path) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    QTest.keyClicks(driver.window.chat.composer.edit, "Not a second before")
    driver.close()
    catalog = Catalog.open(tmp_path)
    try:
        assert catalog.drafts.get(0) == "Not a second before"
    finally:
        catalog.close()


def test_typing_writes_to_the_catalog_at_most_every_second_or_so(driver: Driver) -> None:
    writes: list[float] = []
    keep = driver.context.folder.get
    began = time.monotonic()
    edit = driver.window.chat.composer.edit
    seen = ""
    for letter in "abcdefghijklmnopqrstuvwxyz":
        QTest.keyClicks(edit, letter)
        pause(60)
        now = read_draft(keep)
        if now != seen:
            seen = now
            writes.append(time.monotonic())
    assert 1 <= len(writes) <= (time.monotonic() - began) / 0.7 + 1


def read_draft(get: Callable[[CancelToken], Workspace]) -> str:
    from desktop_rag.core.cancel import CancelToken

    return get(CancelToken()).catalog.drafts.get(0)


def test_what_was_typed_before_an_edit_does_not_follow_to_the_next_conversation(
    driver: Driver,
) -> None:
    chat_id = answered(driver, "What is this?")
    driver.context.chat.new()
    QTest.keyClicks(driver.window.chat.composer.edit, "Something new")
    driver.context.chat.open(chat_id)
    wait_for(lambda: typed(driver) == "")
    QTest.keyClicks(driver.window.chat.composer.edit, "And the f")
    driver.window.chat.composer.edit_question(0, "What is this?")
    driver.context.chat.new()
    assert typed(driver) == "Something new"
    driver.context.chat.open(chat_id)
    wait_for(lambda: typed(driver) == "And the f")


def test_the_last_word_is_kept_also_where_the_settings_can_not_be_written(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.context.settings.complained.disconnect()
    monkeypatch.setattr(settings_file, "save", refuse)
    driver.context.settings.change("window.scale", 150)
    QTest.keyClicks(driver.window.chat.composer.edit, "Not a second before")
    driver.close()
    lock = FolderLock(tmp_path)
    assert lock.acquire()
    lock.release()
    catalog = Catalog.open(tmp_path)
    try:
        assert catalog.drafts.get(0) == "Not a second before"
    finally:
        catalog.close()


def refuse(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_start_begins_with_the_conversation_that_it_is_told(
    qapp: QApplication, tmp_path: Path
) -> None:
    driver = Driver(qapp, tmp_path)
    driver.open()
    driver.add_a_file()
    chat_id = answered(driver, "What is this?")
    driver.window.chat.composer.edit.setPlainText("half a question")
    driver.close()
    SessionState(tmp_path).keep_chat(chat_id)
    again = Driver(qapp, tmp_path)
    again.open()
    wait_for(lambda: again.context.chat.transcript.chat_id == chat_id)
    wait_for(lambda: again.window.chat.composer.edit.toPlainText() == "half a question")
    again.close()
    assert SessionState(tmp_path).take_chat() is None
