"""The content of a file as bytes: opened so that nothing but a file is read, and hashed."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken

_PART = 1 << 20
# Without them a pipe without a writer, or a terminal, would hold up whoever opens it.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_HOW |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def parts(path: str) -> Iterator[bytes]:
    """Yield a file's bytes; an OSError when it can't be read, `FileNotFoundError` when it is none.

    What lies there is looked at after it was opened: it may not be what it was a moment ago.
    """
    number = os.open(path, _HOW)
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise FileNotFoundError(errno.ENOENT, "It is no file", path)
        while part := file.read(_PART):
            yield part


def content_hash(path: str, token: CancelToken) -> str:
    """Return the hash of a file's bytes; an OSError when it can't be read."""
    made = hashlib.blake2b(digest_size=20)
    for part in parts(path):
        token.check()
        made.update(part)
    return made.hexdigest()
