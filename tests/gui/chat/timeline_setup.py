"""What the timeline's tests and pictures share: documents, and what a model says by script."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QTextCursor, QTextFragment

from testing.ollama_double.script import Script
from testing.window_driver import Driver, pause, wait_for

FERRY = "Why did fuel costs fall in 2024?"
HALDEN = "In which town was the designer of the Halden lighthouse born?"
DOCUMENTS = {
    "Halden lighthouse": "The Halden lighthouse stands on a rock in the fjord. It was designed by "
    "Marta Ekeland.",
    "Marta Ekeland": "Marta Ekeland (1861 to 1930) was an architect. She was born in Drammen.",
    "Oksby lighthouse": "The Oksby lighthouse was built of stone. Its designer came from Ribe.",
    "Ferries": "Fuel and power cost 41,300 in 2024. The second electric ferry, Sula, cut the fuel "
    "used on its route by 71 %. The price of diesel fell as well.",
}
SURE = "The second electric ferry, Sula, cut the fuel used on its route by 71 %. And so on."


def write_documents(folder: Path) -> Path:
    """Write the documents into a folder, each with its title."""
    folder.mkdir()
    for title, text in DOCUMENTS.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
    return folder


def look_ahead(pace: float = 0.0) -> tuple[Script, ...]:
    """Return what FLARE is told: of three sentences two are unsure, and are written anew."""
    return (
        _tokens(
            ("Fuel", " cost", " 41,300", " in", " 2024", "."), (0.95, 0.9, 0.9, 0.99, 0.9), pace
        ),
        _tokens(
            ("The", " ferry", ",", " Sula", ",", " cut", " it", " by", " 55", " %", "."),
            (0.95, 0.97, 0.9, 0.35, 0.9, 0.99, 0.95, 0.9, 0.3, 0.7, 0.9),
            pace,
        ),
        Script(SURE, probabilities=(0.95,), pace=pace),
        _tokens(("Diesel", " was", " cheaper", " too", "."), (0.95, 0.9, 0.6, 0.9), pace),
        Script("The price of diesel fell as well.", probabilities=(0.95,), pace=pace),
    )


def reasoning() -> tuple[Script, ...]:
    """Return what IRCoT is told: two sentences of thought, a conclusion, an answer."""
    said = (
        "A second electric ferry, Sula, came.",
        "Sula cut the fuel used on its route by 71 %.",
        "So the answer is: the second electric ferry.",
        "Fuel costs fell because of the second electric ferry, Sula [1].",
    )
    return tuple(map(Script, said))


def ask(driver: Driver, strategy: str, question: str, *, new: bool = True) -> None:
    """Choose a strategy and ask, in a conversation of its own."""
    choice = driver.window.chat.composer.strategies
    wait_for(lambda: choice.findData(strategy) >= 0)
    if new:
        driver.context.chat.new()
    choice.setCurrentIndex(choice.findData(strategy))
    driver.ask(question)


def unfold(driver: Driver) -> str:
    """Unfold the steps of the last turn, and return them as they are read."""
    turns = driver.context.chat.transcript.turns
    driver.window.chat.view.toggle_steps(len(turns) - 1)
    pause(50)
    return steps_of(driver)


def steps_of(driver: Driver) -> str:
    """Return the unfolded steps of the last turn as text."""
    writer = driver.window.chat.view.sheet.writers[-1]
    if writer.steps is None:
        return ""
    cursor = writer.steps.firstCursorPosition()
    cursor.setPosition(writer.steps.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")


def pieces_of(driver: Driver, text: str) -> list[QTextFragment]:
    """Return the stretches of the conversation that say just this, with their form."""
    found = []
    block = driver.window.chat.view.document().begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            if each.fragment().text() == text:
                found.append(each.fragment())
            each += 1
        block = block.next()
    return found


def _tokens(tokens: tuple[str, ...], probabilities: tuple[float, ...], pace: float) -> Script:
    pieces = (*tokens, " And so on.")
    return Script(tokens=pieces, probabilities=(*probabilities, 0.95), pace=pace)
