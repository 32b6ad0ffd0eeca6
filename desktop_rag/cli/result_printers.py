"""Indexing, removing and searching, in words for a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from desktop_rag.cli import kb_choice_text
from desktop_rag.cli.console import Console
from desktop_rag.cli.text_format import counted, format_duration, indented, place_in, snippet
from desktop_rag.core.answers_table import answers_table
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.ipc.wire import Line

_FINE = ("ready", "unchanged", "moved", "deleted")
_STAGES = {
    "scan": "Looking",
    "parse": "Reading",
    "embed": "Embedding",
    "reembed": "Embedding anew",
    "store": "Storing",
    "watch": "Watching",
    "recognize": "Recognising text",
    "prepare": "Preparing",
    "adapt": "Adapting",
}
_WATCHES = "It goes on and follows every change; Ctrl+C ends it."
_KEPT = (
    "Each answer is kept at once: stop with Ctrl+C when you like, and the same command goes on; "
    "with --so-far it prints the table of what is there."
)
_SNIPPET = 320
_LISTED = 12


class IndexPrinter:
    """Prints a moving line while files are read, then what was left out or went wrong, the sum."""

    def __init__(self, screen: Console, *, tells_all: bool) -> None:
        self._screen = screen
        self._tells_all = tells_all
        self._watches = False
        self._bad: list[Line] = []
        self._partly: list[Line] = []

    def show(self, line: Line) -> None:
        """Print one line of an indexing run."""
        match line.get("event"):
            case "progress":
                self._progress(line)
            case "file":
                self._file(line)
            case "done":
                self._done(line)
            case "notice" | "owner":
                self._screen.note(str(line["text"]))

    def end(self) -> None:
        """Leave no half line behind."""
        self._screen.clear_status()

    def _progress(self, line: Line) -> None:
        if line["stage"] == "watch" and not self._watches:
            self._watches = True
            self._screen.note(_WATCHES)
        self._screen.status(_progress(line))

    def _file(self, line: Line) -> None:
        if line["status"] not in _FINE:
            self._bad.append(line)
        elif line["status"] == "ready" and line["reason"]:
            self._partly.append(line)
        if self._tells_all and line["status"] != "unchanged":
            self._screen.say(_outcome(line))

    def _done(self, line: Line) -> None:
        files = {status: n for status, n in line["files"].items() if n}
        told = ", ".join(f"{n:,} {status.replace('_', ' ')}" for status, n in files.items())
        time = format_duration(line["seconds"])
        if not self._tells_all:
            self._list("Read, with notes:", self._partly)
            self._list("Not in the knowledge base:", self._bad)
        self._partly, self._bad = [], []
        self._screen.say(f"{told or 'no files'} · {counted(line['chunks'], 'chunk')} · {time}")

    def _list(self, head: str, lines: list[Line]) -> None:
        for text in (head, *_grouped(lines)) if lines else ():
            self._screen.say(text)


class RemovePrinter:
    """Prints what was taken out."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._count = 0

    def show(self, line: Line) -> None:
        """Print one file."""
        if line.get("event") == "file":
            self._count += 1
            self._screen.say(f"removed  {sanitize_name(line['path'])}")

    def end(self) -> None:
        """Print how many it were."""
        self._screen.say(f"{counted(self._count, 'file')} removed from the knowledge base.")


class SearchPrinter:
    """Prints passages: where each stands, how well it fits, and what it says."""

    def __init__(self, screen: Console, query: str) -> None:
        self._screen = screen
        self._query = query
        self._count = 0

    def show(self, line: Line) -> None:
        """Print one passage."""
        if line.get("event") == "chosen_kbs":
            self._screen.note(kb_choice_text.chosen_kbs(line))
            return
        if "event" in line:
            self._screen.note(str(line.get("text", "")))
            return
        screen = self._screen
        if self._count:
            screen.say()
        self._count += 1
        where = place_in(line["locator"], line["section"])
        score = screen.styled(f"{line['score']:.3f}", "dim")
        screen.say(f"{line['rank']:>2}. {screen.styled(sanitize_name(line['path']), 'bold')}")
        screen.say(f"    {where} · {score}")
        text = snippet(line["text"], self._query, _SNIPPET)
        screen.say(indented(text, screen.width, "    "))

    def end(self) -> None:
        """Say so when nothing was found."""
        if not self._count:
            self._screen.say("Nothing found.")


def _grouped(lines: list[Line]) -> Iterator[str]:
    """Yield the paths under each state and reason, so that a reason is read once."""
    groups: dict[str, list[str]] = {}
    for line in lines:
        state = str(line["status"]).replace("_", " ")
        head = ": ".join(filter(None, ("" if state == "ready" else state, line["reason"])))
        groups.setdefault(head, []).append(sanitize_name(line["path"]))
    for head, paths in groups.items():
        yield f"  {head}"
        yield from (f"    {path}" for path in paths[:_LISTED])
        if len(paths) > _LISTED:
            yield f"    … and {len(paths) - _LISTED:,} more; --verbose lists them all"


def _outcome(line: Line) -> str:
    status = str(line["status"]).replace("_", " ")
    made = f"  ({counted(line['chunks'], 'chunk')})" if status == "ready" else ""
    reason = f": {line['reason']}" if line["reason"] else ""
    return f"{status:<11} {sanitize_name(line['path'])}{made}{reason}"


def _progress(line: Line) -> str:
    stage = _STAGES.get(str(line["stage"]), str(line["stage"]))
    parts = [f"{stage} {line['done']}/{line['total']}" if line["total"] else stage]
    if line["chunks"]:
        parts.append(f"{line['chunks']:,} chunks, {line['chunks_per_second']:.0f}/s")
    if line["eta"]:
        parts.append(f"{format_duration(line['eta'])} left")
    if line["current"]:
        parts.append(str(line["current"]))
    if line.get("pages"):
        parts.append(f"page {line['page']} of {line['pages']}")
    return " · ".join(parts)


class AnswersPrinter:
    """Prints the figures of answers that are kept: each way's F1, then the table.

    `table` makes it of all rows.
    """

    def __init__(self, screen: Console, table: Callable[[list[Line]], str] = answers_table) -> None:
        self._screen, self._table = screen, table
        self._rows: list[Line] = []
        self._is_asking = False

    def show(self, line: Line) -> None:
        """Print one line of the run."""
        if line.get("event") == "progress":
            self._progress(line)
        elif "event" in line:
            self._screen.note(str(line.get("text", "")))
        else:
            self._rows.append(line)
            name = " ".join(filter(None, (line["strategy"], line.get("task"))))
            took = f", {line['seconds']:,.0f} s" if "seconds" in line else ""
            self._screen.note(f"{name}: F1 {line['f1']}{took}")

    def end(self) -> None:
        """Print the table."""
        self._screen.clear_status()
        self._screen.say(self._table(self._rows) or "Nothing is answered yet.\n", end="")

    def _progress(self, line: Line) -> None:
        if line["stage"] == "ask" and not self._is_asking:
            self._is_asking = True
            self._screen.note(_KEPT)
        left = f", about {format_duration(line['eta'])} left" if line["eta"] else ""
        self._screen.status(f"{line['current']} {line['done']:,}/{line['total']:,}{left}")
