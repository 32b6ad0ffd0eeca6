"""The program's start, for the window and the command line alike."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> int:
    """Run the program and return its exit status."""
    multiprocessing.freeze_support()  # first: a frozen child process ends here
    try:
        from desktop_rag.core.rights import keep_private

        keep_private()
        from desktop_rag.cli.run import main as run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
