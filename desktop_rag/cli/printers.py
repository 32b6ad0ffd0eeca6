"""What a command prints: its lines as they are for a program, or in words for a person."""

from __future__ import annotations

import json
import re
from typing import Protocol

from desktop_rag.cli import list_printer, result_printers
from desktop_rag.cli.answer_printer import AnswerPrinter
from desktop_rag.cli.arguments import CommandLine
from desktop_rag.cli.console import Console
from desktop_rag.cli.explain_printer import ExplainPrinter
from desktop_rag.core.crud_table import crud_table
from desktop_rag.core.requests import (
    AdaptRequest,
    AskRequest,
    ContinueRequest,
    DescribeRequest,
    DocumentsRequest,
    EvalRequest,
    ExplainRequest,
    FilesRequest,
    IndexRequest,
    KbRequest,
    KeepRequest,
    NoteRequest,
    PrepareRequest,
    RecoverRequest,
    RemoveRequest,
    Request,
    SearchRequest,
    SetsRequest,
    ShowRequest,
)
from desktop_rag.ipc.wire import Line

_CONTROLS = re.compile("[\x7f-\x9f]")  # those that JSON leaves as they are
_NEVER_PRINTED = ("progress", "owner", "kept")
_EVENTFUL = (AskRequest, ContinueRequest, DocumentsRequest, IndexRequest)
_DESCRIBED: dict[str, list_printer.Form] = {
    "strategies": list_printer.strategy_row,
    "models": list_printer.model_row,
    "doctor": list_printer.check_row,
}


class Printer(Protocol):
    """Prints the lines of one command, in their order."""

    def show(self, line: Line) -> None:
        """Print one line."""
        ...

    def end(self) -> None:
        """Print what comes after the last line."""
        ...


class JsonPrinter:
    """Prints every line as one JSON object.

    Where the lines of a command are no events, a notice is none of them: it goes where people look.
    """

    def __init__(self, screen: Console, *, prints_events: bool) -> None:
        self._screen = screen
        self._prints_events = prints_events

    def show(self, line: Line) -> None:
        """Print the line; news of the work are for people only."""
        if line.get("event") == "notice" and not self._prints_events:
            self._screen.note(str(line["text"]))
        elif line.get("event") not in _NEVER_PRINTED:
            said = json.dumps(line, ensure_ascii=False)
            self._screen.say(_CONTROLS.sub(_escape, said))

    def end(self) -> None:
        """Print nothing: the lines say it all."""


def _escape(control: re.Match[str]) -> str:
    """Return how JSON names a character that a terminal might obey, so that nothing is lost."""
    return f"\\u{ord(control[0]):04x}"


_FILE_LISTS = (
    (list_printer.file_row, "There is no file in it."),
    (list_printer.password_row, "No password of these files is known."),
)
_KEPT: dict[type[Request], tuple[list_printer.Form, str]] = {
    KeepRequest: (list_printer.kept_row, "No answer is kept."),
    NoteRequest: (list_printer.note_row, "There is no note."),
}
_WHOLE = "Every file is read."


def printer_of(command: CommandLine, screen: Console) -> Printer:
    """Return what prints a command's lines."""
    request = command.request
    if command.json:
        return JsonPrinter(screen, prints_events=isinstance(request, _EVENTFUL))
    if isinstance(request, IndexRequest):
        return result_printers.IndexPrinter(screen, tells_all=command.verbose or request.watch)
    if isinstance(request, SearchRequest):
        return result_printers.SearchPrinter(screen, request.query)
    if isinstance(request, ExplainRequest):
        return ExplainPrinter(screen)
    if isinstance(request, (AskRequest, ContinueRequest, DocumentsRequest)):
        kbs = request.kbs if isinstance(request, AskRequest) else ()
        return AnswerPrinter(screen, tells_all=command.verbose, kbs=kbs)
    if isinstance(request, RemoveRequest):
        return result_printers.RemovePrinter(screen)
    if isinstance(request, (KeepRequest, NoteRequest)):
        return list_printer.ListPrinter(screen, *_KEPT[type(request)])
    return _listing(screen, request)


def _listing(screen: Console, request: Request | None) -> Printer:
    """Return what prints a listing."""
    if isinstance(request, ShowRequest):
        return list_printer.ListPrinter(screen, list_printer.ChunkRows(), "No text.")
    if isinstance(request, EvalRequest):
        return _figures(screen, request)
    if isinstance(request, SetsRequest):
        return list_printer.ListPrinter(
            screen, list_printer.set_row, "There is no question set yet."
        )
    if isinstance(request, FilesRequest):
        return list_printer.ListPrinter(screen, *_FILE_LISTS[request.action != "list"])
    if isinstance(request, PrepareRequest):
        return list_printer.ListPrinter(
            screen, list_printer.preparation_row, "It is prepared for nothing."
        )
    if isinstance(request, AdaptRequest):
        return list_printer.ListPrinter(screen, list_printer.adaptation_row, "")
    if isinstance(request, RecoverRequest):
        return list_printer.ListPrinter(screen, list_printer.recover_row, "")
    if isinstance(request, DescribeRequest):
        return list_printer.ListPrinter(screen, _DESCRIBED[request.what], "There is none.")
    if isinstance(request, KbRequest) and request.action == "health":
        return list_printer.ListPrinter(screen, list_printer.check_row, _WHOLE)
    return list_printer.ListPrinter(screen, list_printer.kb_row, "There is no knowledge base yet.")


def _figures(screen: Console, request: EvalRequest) -> Printer:
    """Return what prints an evaluation."""
    if request.builtin:
        return result_printers.AnswersPrinter(screen)
    if request.task == "crud":
        return result_printers.AnswersPrinter(screen, crud_table)
    return list_printer.ListPrinter(screen, list_printer.eval_row, "No figures.")
