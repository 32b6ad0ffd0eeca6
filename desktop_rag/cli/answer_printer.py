"""An answer as it is written, and then its sources, in words for a person."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from desktop_rag.cli import kb_choice_text
from desktop_rag.cli.console import Console
from desktop_rag.cli.text_format import counted, flat, format_duration, indented, place_in
from desktop_rag.core.events import SMALL_TALK, NoticeCode
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.ipc.wire import Line
from desktop_rag.strategies.small_talk import is_first_kb

_QUOTE = 300
_PROGRESS = ("reading", "joining", "document")  # steps of work that takes long
_QUOTED = "(Quotes from your documents; no language model wrote this.)"
_TAKEN = {
    "summarise": "(A summary of sentences from your documents; no language model wrote this.)",
    "compare": "(Sentences of your documents side by side; no language model wrote this.)",
    "each": "(Rows from your documents; no language model wrote this.)",
}
_CALCULATED = "(Calculated from the tables of your documents.)"


class AnswerPrinter:
    """Streams the answer on a terminal; elsewhere the finished one is printed, once.

    `kbs` are the knowledge bases that are asked, as they are typed.
    """

    def __init__(self, screen: Console, *, tells_all: bool, kbs: Sequence[str] = ()) -> None:
        self._screen = screen
        self._tells_all = tells_all
        self._streamed = ""
        self._is_cut = False
        self._is_calculated = False
        self._other = ""
        self._is_small_talk = False
        self._kbs = kbs
        self._names: dict[str, str] = {}

    def show(self, line: Line) -> None:
        """Print one event of an answer."""
        if line.get("event") == "passages":
            self._names |= {each["chunk_id"]: _name(each) for each in line["passages"]}
        self._is_calculated |= line.get("event") == "table_result"
        self._is_small_talk |= (line.get("event"), line.get("name")) == ("step", SMALL_TALK)
        match line.get("event"):
            case "token" | "resumed":
                self._token(str(line["text"]))
            case "answer":
                self._answer(line)
            case "notice" | "owner":
                self._is_cut |= line.get("code") == NoticeCode.CUT
                self._note(str(line["text"]))
            case "earlier_answer" | "chosen_kbs" | "other_kb":
                self._tell_where(line)
            case _ if self._tells_all:
                for note in _notes(line):
                    self._note(note)
            case "search" if not self._is_in_line:  # a status takes its whole line
                self._screen.status(f"Searching: {line['query']}")
            case "step" if line["name"] in _PROGRESS and not self._is_in_line:
                self._screen.status(str(line["text"]))

    def end(self) -> None:
        """Leave no half line behind."""
        self._screen.clear_status()

    @property
    def _is_in_line(self) -> bool:
        return bool(self._streamed) and not self._streamed.endswith("\n")

    def _tell_where(self, line: Line) -> None:
        """Tell where it was asked before, or is now; where else it may be, behind the answer."""
        match line["event"]:
            case "earlier_answer":
                self._note(_earlier(line))
            case "chosen_kbs":
                self._note(kb_choice_text.chosen_kbs(line))
            case _:
                self._other = kb_choice_text.other_kb(line)

    def _token(self, text: str) -> None:
        if self._screen.is_live:
            self._streamed += text
            self._screen.say(text, end="")

    def _note(self, text: str) -> None:
        """Write a note, never into the middle of the answer's line."""
        if self._is_in_line:
            self._token("\n")
        self._screen.note(text)

    def _answer(self, line: Line) -> None:
        screen, text = self._screen, str(line["text"]).strip()
        if self._streamed:
            screen.say()
        if self._streamed.strip() != text:
            if self._streamed.strip():
                screen.say(f"\n{screen.styled('With its sources checked:', 'dim')}\n")
            screen.say(text)
        self._tell_how(line)
        if line["from_model"]:
            screen.note(_unsupported(line["from_model"]))
        self._sources(line["citations"])
        if chat := line.get("chat_id"):
            self._tell_ways_on(int(chat))
        if self._tells_all:
            screen.note(_cost(line))

    def _tell_how(self, line: Line) -> None:
        """Say how an answer came about that no language model wrote."""
        if line["mode"] == "extracted":
            quoted = _TAKEN.get(line["strategy"], _QUOTED)
            self._screen.note(_CALCULATED if self._is_calculated else quoted)
        for name in filter(is_first_kb, self._kbs if self._is_small_talk else ()):
            shown = re.sub(r"^default", "My documents", name)
            typed = shlex.quote(name)
            self._screen.note(f"(“{shown}” is its name in the window; to type: --kb {typed})")

    def _tell_ways_on(self, chat: int) -> None:
        self._screen.note(f"(Conversation {chat}; --chat {chat} goes on with it.)")
        if self._is_cut:
            self._screen.note(f"(--chat {chat} --continue writes on this answer.)")

    def _sources(self, citations: list[dict[str, Any]]) -> None:
        """Say where it stands, or where else it may."""
        if self._other:
            self._screen.note(self._other)
        if citations:
            self._screen.say(f"\n{self._screen.styled('Sources', 'bold')}")
        for n, cited in sorted(_by_source(citations).items()):
            self._source(n, cited)

    def _source(self, n: int, cited: list[dict[str, Any]]) -> None:
        first = cited[0]
        path = self._screen.styled(sanitize_name(first["path"]), "bold")
        name = self._names.get(first["chunk_id"], "")
        self._screen.say(f"[{n}] {path} · {place_in(first['locator'], name)}")
        for quote in dict.fromkeys(flat(str(each["quote"])) for each in cited):
            shown = quote if len(quote) <= _QUOTE else f"{quote[:_QUOTE].rstrip()} …"
            self._screen.say(indented(f"“{shown}”", self._screen.width, "    "))


def _earlier(line: Line) -> str:
    """Return where a kept answer to a near question is, and what became of its documents."""
    now = {"changed": " Its documents have changed since.", "gone": " Its documents are gone."}
    where = f"(Conversation {line['chat_id']}, answer {line['answer_id']}.)"
    told = f"An earlier answer, asked on {line['asked']}: “{line['question']}”"
    return f"{told} {where}{now.get(line['documents'], '')}"


def _notes(line: Line) -> Iterator[str]:
    """Yield what is said of a step to who wants to know all."""
    match line.get("event"):
        case "search":
            yield f"Searching ({line['why']}): {line['query']}"
        case "passages":
            kept = sum(bool(each["kept"]) for each in line["passages"])
            yield f"Found {counted(len(line['passages']), 'passage')}, kept {kept}."
        case "step":
            yield f"{line['name']}: {line['text']}"
        case "chain":
            for each in line["follows"]:
                yield f"Chain: {line['title']} → {each['title']} ({each['score']:.0%})"
        case "table_query":
            yield f"SQL ({line['by']}; {counted(line['rows'], 'row')}): {flat(line['sql'])}"
        case "table_result":
            yield from _table(line)
        case "draft":
            yield f"Draft: {flat(line['text'])}"
        case "call":
            yield _call(line)


def _table(line: Line) -> Iterator[str]:
    """Yield the rows of a result, and how many more there are."""
    for row in (line["columns"], *line["rows"]):
        yield "  " + " | ".join(flat(str(cell)) for cell in row)
    more = int(line["total"]) - len(line["rows"])
    if more > 0:
        yield f"  … {counted(more, 'more row')}"


def _name(passage: Line) -> str:
    """Return what a passage is about: its section, else a title that is not the file's name."""
    title = str(passage["title"])
    own = "" if title == PurePath(passage["path"]).stem else title
    return str(passage["section"]) or own


def _by_source(citations: list[dict[str, Any]]) -> dict[int, list[dict[str, Any]]]:
    grouped: dict[int, list[dict[str, Any]]] = {}
    for each in citations:
        grouped.setdefault(int(each["n"]), []).append(each)
    return grouped


def _unsupported(numbers: list[int]) -> str:
    shown = ", ".join(str(number + 1) for number in numbers)
    one = len(numbers) == 1
    return f"(No quote was found for {'sentence' if one else 'sentences'} {shown}.)"


def _call(line: Line) -> str:
    tokens = f"{line['prompt_tokens'] or '?'} → {line['answer_tokens'] or '?'} tokens"
    dropped = f"; left out: {', '.join(line['dropped'])}" if line["dropped"] else ""
    duration = format_duration(line["seconds"])
    return f"{line['model']} ({line['purpose']}): {tokens}, {duration}{dropped}"


def _cost(line: Line) -> str:
    changed = *line.get("transforms", ()), *line.get("options", ())
    parts = [
        " ".join((line["strategy"], *changed)),
        str(line["model"] or "no language model"),
        counted(line["searches"], "search").replace("searchs", "searches"),
        counted(line["llm_calls"], "call"),
        format_duration(line["seconds"]),
    ]
    return " · ".join(parts)
