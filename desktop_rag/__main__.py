"""The program's start, for the window and the command line alike."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading


def main() -> int:
    """Run the program and return its exit status."""
    multiprocessing.freeze_support()  # first: a frozen child process ends here
    try:
        from desktop_rag.core.file_permissions import keep_private

        keep_private()
        from desktop_rag.cli.main import main as run

        status = run(sys.argv[1:])
        _let_end()
    except KeyboardInterrupt:
        status = 130
    return status


def _let_end() -> None:
    """Pass over a Ctrl-C that comes while Python takes itself down: all is done by then."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
