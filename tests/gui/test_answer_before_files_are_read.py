"""In the real window: what is asked while files wait is never simply “not found”."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from testing.narrowing import present
from testing.window_driver import Driver, wait_for

pytestmark = pytest.mark.timeout(180)

QUESTION = "How many cars does the ferry Solveig carry?"
SENTENCE = "The ferry Solveig carries forty cars across the fjord."
NOT_FOUND = ("Not found", "没有找到")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return made


@pytest.fixture
def driver(qapp: QApplication, tmp_path: Path) -> Iterator[Driver]:
    made = Driver(qapp, tmp_path / "data", window__expert_tools="false")
    made.open()
    made.context.renewal._quiet.setInterval(50)
    yield made
    made.close()


def shown(driver: Driver) -> str:
    return driver.window.chat.view.toPlainText()


def let_wait(driver: Driver, docs: Path, *names: str) -> None:
    """Put files into the folder that are listed and not read."""
    driver.context.library.pause_reading()
    for name in names:
        text = SENTENCE if name == names[-1] else f"This is about {name}."
        (docs / name).write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    before = len(driver.context.library.snapshot.files)
    driver.drop(docs)
    wait_for(lambda: len(driver.context.library.snapshot.files) == before + len(names))


def test_the_answer_says_how_many_are_unread_names_one_and_comes_again_by_itself(
    driver: Driver, docs: Path
) -> None:
    (docs / "tea.md").write_text("# Tea\n\nTea is grown in the hills.\n", encoding="utf-8")
    driver.drop(docs)
    driver.wait_until_read(1)
    let_wait(driver, docs, "a.md", "b.md", "c.md", "d.md", "ISEP handbook.md")
    driver.ask(QUESTION)
    first = driver.wait_for_answer()
    assert first.refused
    assert "5 files are not read yet, among them ISEP handbook.md: the answer may" in shown(driver)
    assert "The question is asked again by itself when more is read." in shown(driver)

    driver.context.library.resume()
    wait_for(lambda: "forty cars" in present(driver.turn).text)
    wait_for(lambda: "Asked again after 5 files were read." in shown(driver))
    assert "The answer now cites ISEP handbook.md." in shown(driver)
    assert "not read yet" not in shown(driver)
    assert len(driver.context.chat.transcript.turns) == 1


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        (("ferries.md",), "One file is not read yet, ferries.md: the answer may stand in it."),
        (
            ("a.md", "b.md", "car ferry.md"),
            "3 files are not read yet, among them car ferry.md: the answer may stand in them.",
        ),
    ],
)
def test_the_file_whose_name_fits_is_the_one_that_is_named(
    driver: Driver, docs: Path, waiting: tuple[str, ...], said: str
) -> None:
    (docs / "tea.md").write_text("# Tea\n\nTea is grown in the hills.\n", encoding="utf-8")
    driver.drop(docs)
    driver.wait_until_read(1)
    let_wait(driver, docs, *waiting)
    driver.ask(QUESTION)
    driver.wait_for_answer()
    assert said in shown(driver)


def test_before_anything_is_read_nothing_is_called_not_found(driver: Driver, docs: Path) -> None:
    let_wait(driver, docs, "ferry.md")
    driver.ask(QUESTION)
    driver.wait_for_answer()
    assert not any(each in shown(driver) for each in NOT_FOUND)
    assert "One file is not read yet, ferry.md" in shown(driver)
    driver.context.library.resume()
    wait_for(lambda: "forty cars" in present(driver.turn).text)


def test_with_nothing_added_sending_asks_for_a_folder_and_answers_nothing(driver: Driver) -> None:
    wanted: list[bool] = []
    driver.window.chat.folder_wanted.disconnect()  # the system's own dialog would wait
    driver.window.chat.folder_wanted.connect(lambda: wanted.append(True))
    driver.ask(QUESTION)
    assert wanted == [True]
    assert not driver.context.chat.transcript.turns
    assert driver.window.chat.composer.edit.toPlainText() == QUESTION
    assert not any(each in shown(driver) for each in NOT_FOUND)


def test_a_refusal_is_said_once(driver: Driver, docs: Path) -> None:
    (docs / "tea.md").write_text("# Tea\n\nTea is grown in the hills.\n", encoding="utf-8")
    driver.drop(docs)
    driver.wait_until_read(1)
    driver.ask(QUESTION)
    assert driver.wait_for_answer().refused
    said = [each for each in ("Not found", "No passage answers this") if each in shown(driver)]
    assert said == ["Not found"]
