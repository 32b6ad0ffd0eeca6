"""What a language model wrote, in the real window: its links, its tables and code, its exports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import shiboken6
from markdown_it import MarkdownIt
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QLineEdit,
)

from desktop_rag.gui.chat.export_dialog import ExportDialog, file_name
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog
from testing.narrowing import present
from testing.ollama_double.quoting import passages_in
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.server import OllamaDouble
from testing.window_driver import SAMPLES, Driver, wait_for
from tests.gui.desktop_spy import Desktop

pytestmark = pytest.mark.timeout(180)

FILE = "Annual report 2024.pdf"
NOTES = "https://notes.example/a%20b?c=d&e=f#g"
ALIKE, ALIKE_SENT = (
    "https://ехample.org/",
    "https://xn--ample-ywe6i.org/",
)  # two letters are Cyrillic
LONG = f"https://long.example/?q={'x' * 600}&last=1"
TABLE = [
    ["Figure", "2024", "2023"],
    ["Fuel and power", "-41,300", "-58,700"],
    ["Wages", "-139,800", "-131,200"],
]
CODE = (
    "def fell(before: int, now: int) -> float:\n    return 1 - now / before",
    "fell(58_700, 41_300)",
)
ANSWER = f"""Fuel and power fell by **30 %** because of the second electric ferry [n].
See [the notes]({NOTES}), [these]({ALIKE}) and [those]({LONG}).

| Figure | 2024 | 2023 |
|---|---:|---:|
| Fuel and power | -41,300 | -58,700 |
| Wages | -139,800 | **-131,200** |

```python
{CODE[0]}
```

In all, 1.86 million passengers travelled with us [m].

```
{CODE[1]}
```"""


def written(request: Recorded) -> str:
    """Return the answer with the numbers that its passages have."""
    said = ANSWER
    for letter, words in (("n", "Fuel and power fell"), ("m", "1.86 million passengers")):
        number = next(n for n, text in passages_in(request.prompt) if words in text)
        said = said.replace(f"[{letter}]", f"[{number}]")
    return said


@pytest.fixture(scope="module")
def driver(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    with OllamaDouble() as ollama:
        home = tmp_path_factory.mktemp("written") / "data"
        made = Driver(qapp, home, answering__reuse="false", ollama__host=ollama.url)
        made.window.resize(1320, 1000)
        made.open()
        made.drop(SAMPLES / FILE)
        made.wait_until_read(1)
        ollama.say(written)
        made.ask("By how much did fuel and power fall, and how many passengers travelled?")
        made.wait_for_answer()
        yield made
        made.close()


@pytest.fixture
def turn(driver: Driver) -> Turn:
    assert driver.turn is not None
    assert {each.locator.value for each in driver.turn.citations} == {1, 2}, "pages of both"
    return driver.turn


@pytest.mark.parametrize(("address", "sent"), [(NOTES, NOTES), (ALIKE, ALIKE_SENT), (LONG, LONG)])
def test_a_link_is_shown_to_its_end_and_goes_to_the_browser_only_by_open(
    driver: Driver, address: str, sent: str
) -> None:
    choices = QDialogButtonBox.StandardButton
    with Desktop() as desktop:
        for choice, opened in ((choices.Cancel, []), (choices.Open, [sent])):
            driver.click_link(address)
            box = present(driver.window.findChild(WebLinkDialog))
            assert box.isVisible()
            assert box.shown.toPlainText() == sent
            assert is_whole(box)
            assert desktop.opened == []
            press(box.buttons.button(choice))
            wait_for(lambda: not shiboken6.isValid(box))  # noqa: B023 - called at once
            assert desktop.opened == opened


def is_whole(box: WebLinkDialog) -> bool:
    """Say whether the address is in sight from its first letter to its last."""
    port, end = box.shown.viewport().rect(), QTextCursor(box.shown.document())
    first = box.shown.cursorRect(end)
    end.movePosition(QTextCursor.MoveOperation.End)
    return port.contains(first) and port.contains(box.shown.cursorRect(end))


def test_a_table_is_set_as_one_and_code_as_it_was_written(driver: Driver) -> None:
    shown = driver.window.chat.view.document()
    table = shown.find("Wages").currentTable()
    rows, columns = range(table.rows()), range(table.columns())
    cells = [
        [table.cellAt(row, column).firstCursorPosition().block().text() for column in columns]
        for row in rows
    ]
    assert [[bare(cell) for cell in row] for row in cells] == TABLE
    for code in CODE:
        found = shown.find(code.splitlines()[-1].strip())
        assert found.block().text().split("\u2028") == code.splitlines()
        assert found.charFormat().fontFixedPitch()


def test_the_links_copy_the_answer_its_table_its_code_and_its_sources(
    driver: Driver, turn: Turn
) -> None:
    clipboard = QGuiApplication.clipboard()
    tabs = "".join("\t".join(row) + "\n" for row in TABLE)
    wanted = {"copy:0": bare(turn.text), "code:0.0": CODE[0], "code:0.1": CODE[1]}
    for address, copied in {**wanted, "table:0.0": tabs}.items():
        clipboard.setText("before")
        driver.click_link(address)
        assert bare(clipboard.text()) == copied
    html = clipboard.mimeData().html()
    assert [html.count(f"<{tag}>") for tag in ("table", "tr", "td")] == [1, 3, 9]

    driver.click_link("quoted:0")
    assert clipboard.text().startswith(turn.text)
    for each in turn.citations:
        place = f"page {each.locator.value} ({SAMPLES / FILE})\n"
        below = MarkdownIt().render(clipboard.text().partition(place)[2])
        assert f"<p>{each.quote}</p>" in below, "a paragraph of its own"


def bare(text: str) -> str:
    """Return a text without the numbers of its sources."""
    return re.sub(r" (\[\d\]|\u2009\d\u2009)", "", text)


@pytest.mark.parametrize(
    ("form", "ending"),
    [
        ("Markdown (*.md)", ".md"),
        ("Web page (*.html)", ".html"),
        ("JSON, with all branches (*.json)", ".json"),
    ],
)
def test_the_answer_is_exported_with_its_sources_in_the_form_that_is_chosen(
    driver: Driver, turn: Turn, tmp_path: Path, form: str, ending: str
) -> None:
    press(driver.window.chat.export)
    dialog = present(driver.window.findChild(ExportDialog))
    forms, name = dialog.findChild(QComboBox, "fileTypeCombo"), dialog.findChild(QLineEdit)
    for _ in range(present(forms).findText(form)):
        QTest.keyClick(present(forms), Qt.Key.Key_Down)
    assert present(name).text() == file_name(turn.question) + ending
    present(name).setText(str(tmp_path / "talk"))
    QTest.keyClick(present(name), Qt.Key.Key_Return)
    wait_for((tmp_path / f"talk{ending}").exists)
    wait_for(lambda: not shiboken6.isValid(dialog))
    (file,) = tmp_path.iterdir()
    wanted = {(each.n, FILE, each.locator.value, each.quote) for each in turn.citations}
    assert cited(file.read_text("utf-8"), ending) == wanted


def cited(text: str, ending: str) -> set[tuple[int, str, int, str]]:
    """Return number, file, page and quote of all that an exported answer cites."""
    if ending == ".json":
        (conversation,) = json.loads(text)["conversations"]
        (answer,) = (each for each in conversation["messages"] if each["role"] == "assistant")
        return {
            (each["n"], Path(each["path"]).name, each["locator"]["value"], each["quote"])
            for each in answer["citations"]
        }
    page = text if ending == ".html" else MarkdownIt().render(text)
    return {
        (int(found["n"]), found["file"], int(found["page"]), unescape(said))
        for found in _SOURCE.finditer(page)
        for said in _QUOTE.findall(found["quotes"])
    }


_SOURCE = re.compile(
    r"<li[^>]*>\s*\[(?P<n>\d)\] .*?/(?P<file>[^/<]+), page (?P<page>\d)(?P<quotes>.*?)</li>",
    re.DOTALL,
)
_QUOTE = re.compile("<(?:p|blockquote)>([^<]+)</")


def press(button: QAbstractButton) -> None:
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
