"""The real window in a process of its own: `python -m tests.drills.window HOME [PATH …]`.

A line on standard input closes it as its user would.
"""

from __future__ import annotations

import select
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from desktop_rag.core.requests import OpenRequest
from desktop_rag.gui.launch import launch

_LOOK_MS = 50


class _Door(QObject):
    """Closes the window at a word on standard input."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(_LOOK_MS)

    def look(self) -> None:
        """Close when somebody said so."""
        if select.select([sys.stdin], [], [], 0)[0]:
            self._timer.stop()
            QApplication.closeAllWindows()


def main(home: Path, paths: tuple[str, ...]) -> int:
    """Run the window until it is closed."""
    app = QApplication(sys.argv[:1])
    door = _Door(app)
    status = launch(home, OpenRequest(paths), {"ollama.host": "http://127.0.0.1:9"})
    del door
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), tuple(sys.argv[2:])))
