"""Where a command gets a password from: typed unseen, or a line of standard input. Never a word."""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum

from desktop_rag.core.errors import UsageError
from desktop_rag.core.secret import Secret


class PasswordSource(StrEnum):
    """Where the password is."""

    TERMINAL = "terminal"
    INPUT = "input"


def read_password(source: PasswordSource) -> Secret:
    """Return the password; a `UsageError` where there is none, or no terminal to type it on."""
    typed = _typed() if source is PasswordSource.TERMINAL else sys.stdin.readline().rstrip("\r\n")
    if not typed:
        raise UsageError("The password is empty.", "Nothing was read.")
    return Secret(typed)


def _typed() -> str:
    if not (sys.stdin.isatty() or sys.stderr.isatty()):
        raise UsageError(
            "There is no terminal to type the password on.",
            "Give it on standard input: --password-stdin.",
        )
    try:
        return getpass.getpass("Password: ")
    except EOFError:
        return ""
