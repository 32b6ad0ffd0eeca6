"""What every test may ask for."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.network import only_loopback

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # no window of a test on anybody's screen
# A shell's background job ignores Ctrl-C, and the programs that the tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["REPOSITORY", "only_loopback", "shared"]

REPOSITORY = Path(__file__).resolve().parent.parent


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
