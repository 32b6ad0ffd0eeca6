"""Starts the window, or starts the program again for what takes effect only then.

The window is shown first; everything heavy is loaded after.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.core import logs
from desktop_rag.core.errors import UserError
from desktop_rag.core.file_permissions import usual_umask
from desktop_rag.core.paths import canonical, default_data_dir, make_private
from desktop_rag.core.program_command import program_command
from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui import display_scale, language
from desktop_rag.gui.chat import clipboard
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.data_folder import FolderOwner
from desktop_rag.gui.exception_hook import ExceptionHook
from desktop_rag.gui.file_requests import FileRequests
from desktop_rag.gui.main_window import MainWindow
from desktop_rag.gui.session_state import SessionState, fit
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.tray import Tray

_SWITCH_SECONDS = 0.001  # a lane that computes lets the GUI thread in five times as often as usual


def restart_command(folder: Path, overrides: Mapping[str, str]) -> list[str]:
    """Return what is typed to open a data folder's window with these settings for the run."""
    settings = [word for key, value in overrides.items() for word in ("--set", f"{key}={value}")]
    return [*program_command(), "--data-dir", str(folder), *settings, "open"]


def restart(folder: Path, overrides: Mapping[str, str]) -> None:
    """Start the program; it waits for the folder until this process has left it."""
    words = restart_command(folder, overrides)
    with usual_umask():
        subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603


def launch(data_dir: Path | None, opening: OpenRequest, overrides: dict[str, str]) -> int:
    """Show the window and stay until it is closed; return the exit status.

    When another window has the data folder, that one is raised and given what is wanted.
    """
    folder = data_dir or default_data_dir()
    wanted = replace(opening, paths=tuple(canonical(path) for path in opening.paths))
    if _other_window_took(folder, wanted):
        return 0
    is_ours = _made_private(folder)
    sys.setswitchinterval(_SWITCH_SECONDS)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Qt's loop never runs Python's handler
    app = display_scale.application(folder, overrides)
    app.setApplicationName("Desktop RAG")
    app.setDesktopFileName("desktop-rag")
    window, context = make_window(app, folder, wanted, overrides)
    faults = ExceptionHook(window, logs.folder(folder))
    faults.catalog_damaged.connect(context.meet_damage)
    faults.install()
    fit(window)
    window.show()
    QTimer.singleShot(0, context.begin)
    for tray in window.findChildren(Tray):
        QTimer.singleShot(0, tray.show)
    if is_ours:
        logs.start(folder, verbose=False)
    status = app.exec()
    faults.uninstall()
    clipboard.detach_clipboard()
    if context.settings.restarts:
        _begin_again(folder, context)
    _end(window.ended_well, status)
    return status


def make_window(
    app: QApplication, folder: Path, wanted: OpenRequest, overrides: Mapping[str, str]
) -> tuple[MainWindow, AppContext]:
    """Return a window that is not shown yet, and its context, which has not begun."""

    def move_in(context: AppContext) -> FolderOwner | None:
        from desktop_rag.runtime import open_for_window as take

        return take(folder, overrides, wanted, context.called.emit)

    context = AppContext(folder, move_in, app, overrides)
    look = context.settings.settings.window
    spoken = language.Language(app, look.language, context)
    context.settings.settings_changed.connect(spoken.adapt)
    theme = Theme(app, look.theme, is_late=True, is_expert=look.expert_tools)
    context.settings.settings_changed.connect(theme.adapt)
    window = MainWindow(theme, context)
    context.first_chat = SessionState(folder).take_chat()
    if context.first_chat is not None:
        window.centre.show_chat()
    context.settings.restart_wanted.connect(window.close)
    theme.setParent(window)  # it goes with it
    tray = Tray(window, context)
    FileRequests(window, context)
    spoken.changed.connect(window.speak_anew, Qt.ConnectionType.QueuedConnection)
    spoken.changed.connect(tray.speak_anew, Qt.ConnectionType.QueuedConnection)
    theme.put_sheet_on()
    window.show_wanted(wanted)
    return window, context


def _begin_again(folder: Path, context: AppContext) -> None:
    """Start the program again, at the conversation that was open."""
    chat = context.chat.transcript.chat_id
    if chat is not None:
        SessionState(folder).keep_chat(chat)
    restart(folder, context.settings.overrides)


def _made_private(folder: Path) -> bool:
    """Close the folder to others before anything lies in it; the window tells what is wrong."""
    with suppress(UserError, OSError):
        make_private(folder)
        return True
    return False


def _other_window_took(folder: Path, wanted: OpenRequest) -> bool:
    """Ask a window that has the folder, if there is one, to come to the front."""
    if not (folder / "owner.json").is_file():
        return False
    from desktop_rag.ipc import client
    from desktop_rag.ipc.ownership import read_address

    known = read_address(folder)
    if known is None or known.kind != "window":
        return False
    try:
        return not client.ask_to_open(folder, wanted).get("leaving")
    except (client.OwnerGone, UserError):
        return False  # what is wrong is found out, and said, when the folder is taken


def _end(ended_well: bool, status: int) -> None:  # noqa: FBT001 - one of two
    """End the process at once when something did not stop in time: the catalog survives it."""
    if not ended_well:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
