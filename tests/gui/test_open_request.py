"""Opening the window at a knowledge base: `desktop-rag open --kb NAME`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import KbRequest, OpenRequest
from testing.window_driver import SAMPLES, Driver, pause, wait_for


def with_two(qapp: QApplication, tmp_path: Path) -> Driver:
    """Return a window over two knowledge bases, of which the first has documents and is shown."""
    made = Driver(qapp, tmp_path / "data")
    made.open()
    made.drop(SAMPLES / "差旅报销制度.md")
    made.wait_until_read(1)
    made.context.library.change_base(KbRequest("create", "second"))
    wait_for(lambda: len(made.context.library.snapshot.kbs) == 2)
    made.context.library.switch("default")
    wait_for(lambda: made.context.library.snapshot.branches)
    return made


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = with_two(qapp, tmp_path)
    yield made
    made.close()


def test_a_second_start_goes_to_the_knowledge_base_that_it_names(driver: Driver) -> None:
    driver.context.called.emit(OpenRequest(kb="second"))
    wait_for(lambda: driver.context.library.snapshot.current == "second")
    assert driver.window.side.library.kbs.currentText() == "second"
    assert not driver.window.chat.complaint.isVisible()


def test_a_name_that_none_has_is_said_and_what_is_shown_stays(driver: Driver) -> None:
    driver.context.called.emit(OpenRequest(kb="third"))
    wait_for(driver.window.chat.complaint.isVisible)
    assert "third" in driver.window.chat.complaint.accessibleName()
    assert "My documents, second" in driver.window.chat.complaint.accessibleName()
    assert driver.context.library.snapshot.current == "default"


def test_files_go_to_the_knowledge_base_that_is_named(driver: Driver, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("The harbour opens at six in summer.\n", "utf-8")
    driver.context.called.emit(OpenRequest((str(note),), "new one"))
    wait_for(lambda: [row.path for row in driver.context.library.snapshot.files] == [str(note)])
    assert driver.context.library.snapshot.current == "new one"


def test_a_first_start_goes_there_though_another_was_shown_last(
    qapp: QApplication, tmp_path: Path
) -> None:
    with_two(qapp, tmp_path).close()
    again = Driver(qapp, tmp_path / "data")
    again.window.show_wanted(OpenRequest(kb="second"))
    again.open()
    wait_for(lambda: again.context.library.snapshot.current == "second")
    pause(100)
    assert again.context.library.snapshot.current == "second"
    again.close()
