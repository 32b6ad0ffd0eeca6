"""What every test may ask for."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.network import only_loopback

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no window of a test on anybody's screen
# A shell's background job ignores Ctrl-C, and the programs that the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

if sys.platform == "linux":
    # Each test's window has threads of its own, and glibc a pool of memory for each of them, which
    # it keeps: of 1.5 GB after all windows, 1 GB was empty.
    m_arena_max = -8
    ctypes.CDLL(None).mallopt(m_arena_max, 2)

__all__ = ["REPOSITORY", "only_loopback", "shared"]

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def nothing_waits_to_be_deleted() -> Iterator[None]:
    """Free at once what a test of the window left to be deleted later.

    Qt keeps it until an event loop runs, which is in the next test: it would still be dressed, told
    and painted there, and a crash of it be laid at that test's door.
    """
    yield
    if "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        if QCoreApplication.instance():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def pytest_sessionfinish() -> None:
    """End as the window does: what a test copied may not outlive Python."""
    if (
        "PySide6.QtWidgets" in sys.modules
        and sys.modules["PySide6.QtWidgets"].QApplication.instance()
    ):
        from desktop_rag.ui.chat import clips

        clips.leave_behind()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The collection of real documents beside the project; its tests skip where it is missing."""
    folder = REPOSITORY.parent / "shared"
    if not (folder / "documents" / "manifest.jsonl").is_file():
        pytest.skip("the collection of real documents is not beside the project")
    return folder
