"""One command from its words to its exit status; the only module that knows both ends."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from desktop_rag.cli.arguments import CommandLine, read
from desktop_rag.cli.console import Console, abandon_output
from desktop_rag.cli.password_prompt import read_password
from desktop_rag.core.errors import (
    Cancelled,
    CatalogMissing,
    UsageError,
    UserError,
    full_disk,
)
from desktop_rag.core.requests import IndexRequest, RecoverRequest

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
DONE, FAILED, WRONG_USAGE, STOPPED = 0, 1, 2, 130


def main(words: Sequence[str]) -> int:
    """Run a command and return its exit status."""
    command = read(words)
    screen = Console()
    try:
        if command.request is None and not command.is_server:
            return _window(command, screen)
        if command.is_server:
            return _serve(command, screen)
        with _stoppable():
            return _guarded(command, screen)
    except KeyboardInterrupt:
        screen.clear_status()
        return STOPPED


def _window(command: CommandLine, screen: Console) -> int:
    """Open the window; without a display, Qt would end the process without a word."""
    seen = any(os.environ.get(name) for name in _DISPLAYS)
    if sys.platform.startswith("linux") and not seen:
        remedy = "Use a command instead: desktop-rag --help lists them."
        _tell(screen, "There is no display to open a window on.", remedy)
        return FAILED
    from desktop_rag.cli.qt_libraries import install_command, missing_libraries

    if missing := missing_libraries():
        what = f"The window needs libraries that this system lacks: {', '.join(missing)}."
        remedy = install_command(missing) or "Install the packages that hold them."
        _tell(screen, what, f"{remedy}\nCommands work without them: desktop-rag --help lists them.")
        return FAILED
    try:
        from desktop_rag.gui.launch import launch
    except ImportError as error:
        remedy = "Install Desktop RAG again, or what the message names. Commands work without it."
        _tell(screen, f"The window can't be loaded: {error}.", remedy)
        return FAILED
    return launch(command.data_dir, command.opening, command.overrides)


def _serve(command: CommandLine, screen: Console) -> int:
    """Serve another program, which started this one, until it goes."""
    from desktop_rag.core import logs
    from desktop_rag.ipc.ownership import make_folder
    from desktop_rag.mcp_server.server import serve

    logs.start(make_folder(command.data_dir), verbose=command.verbose)
    if sys.stdin.isatty():
        _tell(screen, "This waits for another program that speaks to it.", "Ctrl-C ends it.")
    serve(command.data_dir, command.overrides, os.environ.get("OLLAMA_HOST", ""))
    return DONE


def _guarded(command: CommandLine, screen: Console) -> int:
    """Run a command; what goes wrong becomes two sentences and a status."""
    from desktop_rag.ipc.call_routing import BugError, StuckError

    try:
        _carry_out(command, screen)
    except UserError as error:
        _tell(screen, error.what, error.remedy)
        return WRONG_USAGE if isinstance(error, UsageError) else FAILED
    except Cancelled:
        return STOPPED
    except BrokenPipeError:
        abandon_output()
        return STOPPED
    except StuckError:
        _end_now()
    except BugError:
        _tell_bug(screen, command.data_dir)
        return FAILED
    except Exception as error:
        if full := full_disk(error):
            _tell(screen, full.what, full.remedy)
            return FAILED
        logging.getLogger(__name__).exception("the command failed")
        _tell_bug(screen, command.data_dir)
        return FAILED
    return DONE


def _carry_out(command: CommandLine, screen: Console) -> None:
    """Send the request on its way and print what comes back."""
    from desktop_rag import runtime
    from desktop_rag.cli.printers import printer_of
    from desktop_rag.core import logs
    from desktop_rag.ipc.ownership import make_folder
    from desktop_rag.ipc.wire import Call

    request = command.request
    if request is None:
        return
    if isinstance(request, IndexRequest) and command.password is not None:
        request = replace(request, password=read_password(command.password))
    if isinstance(request, RecoverRequest) and not command.data_dir.exists():
        raise CatalogMissing(command.data_dir)  # and it is not made
    logs.start(make_folder(command.data_dir), verbose=command.verbose)
    call = Call(request, command.overrides, os.environ.get("OLLAMA_HOST", ""))
    printer = printer_of(command, screen)
    with closing(runtime.run_call(command.data_dir, call)) as lines:
        for line in lines:
            printer.show(line)
    printer.end()


def _tell(screen: Console, what: str, remedy: str) -> None:
    screen.note(what)
    if remedy:
        screen.note(remedy)


def _tell_bug(screen: Console, data_dir: Path) -> None:
    log = data_dir / "logs" / "desktop-rag.log"
    _tell(screen, "Something in Desktop RAG itself went wrong.", f"What it was is written in {log}")


def _end_now() -> None:
    """End without waiting for work that does not stop; a kill at any moment does no harm."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(STOPPED)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let a terminal's hang-up and a polite kill end the work as Ctrl-C does."""
    signals = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {each: signal.signal(each, _interrupt) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
