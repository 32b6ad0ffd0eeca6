"""One Chroma process for many data folders, so that not every test starts one of its own.

It takes a second of a processor to start. Folders are opened, fed and closed in it as they are in
one that belongs to a data folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from desktop_rag.index import indexes
from desktop_rag.index.chroma_process import ChromaProcess


class SharedChromaProcess(ChromaProcess):
    """A process that outlives each data folder that it serves, until `end`."""

    def rest(self) -> None:
        """Leave the process running: the next data folder needs it soon."""

    def close(self) -> None:
        """Leave the process running, as above; what was open in it was closed before."""

    def end(self) -> None:
        """End the process."""
        super().close()


@contextmanager
def shared_by_all(process: SharedChromaProcess) -> Iterator[None]:
    """Let every `IndexManager` that is made meanwhile use this process."""

    def give(lock: Path) -> ChromaProcess:
        del lock  # of the data folder, whose only process this would be
        return process

    with patch.object(indexes, "ChromaProcess", give):
        yield
