"""Why a passage was not found, in words for a person: its way, and where it ended."""

from __future__ import annotations

from desktop_rag.cli.console import Console
from desktop_rag.cli.text_format import indented, snippet
from desktop_rag.core.locator_text import format_locator
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.ipc.wire import Line

_SNIPPET = 200
_MARKS = {
    "passed": ("✓", "green"),
    "missed": ("·", "yellow"),
    "out": ("✗", "red"),
    "off": ("-", "dim"),
}
_NAMES = {
    "indexed": "Read",
    "filter": "Filter",
    "meaning": "By meaning",
    "words": "By words",
    "joined": "Fusion",
    "second": "Reranking",
    "age": "Age",
    "duplicates": "Duplicates",
    "variety": "Variety",
    "passages": "Passages",
    "prompt": "Prompt",
    "answer": "Answer",
}


class ExplainPrinter:
    """Prints each stage that a passage came to, then the passage, the verdict and the remedy."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen

    def show(self, line: Line) -> None:
        """Print one stage, or the verdict."""
        match line.get("event"):
            case "stage" if line["state"] in _MARKS:
                self._stage(line)
            case "verdict":
                self._verdict(line)
            case "notice" | "owner":
                self._screen.note(str(line["text"]))

    def end(self) -> None:
        """Print nothing: the verdict was the last."""

    def _stage(self, line: Line) -> None:
        mark, colour = _MARKS[line["state"]]
        name = _NAMES[line["name"]].ljust(11)
        score = f" ({line['score']:.3f})" if line["score"] is not None else ""
        self._screen.say(f"{self._screen.styled(mark, colour)} {name}  {line['text']}{score}")

    def _verdict(self, line: Line) -> None:
        screen = self._screen
        if line["path"]:
            where = f" · {format_locator(line['locator'])}" if line["locator"] else ""
            number = f" · passage {line['chunk_id']}" if line["chunk_id"] is not None else ""
            screen.say(f"\n{screen.styled(sanitize_name(line['path']), 'bold')}{where}{number}")
        if line["text"]:
            screen.say(indented(snippet(line["text"], "", _SNIPPET), screen.width, "    "))
        screen.say(f"\n{screen.styled(line['what'], 'bold')}")
        if line["remedy"]:
            screen.say(line["remedy"])
