"""The log of connections: one bounded file in the data folder. Hosts and times, never a text."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path

from desktop_rag.core import codec
from desktop_rag.core.connection_audit import Contact, Purpose

FILE_NAME = "connections.jsonl"
KEPT = 2000
_log = logging.getLogger(__name__)


class ConnectionLog:
    """Adds to, reads and empties the log of a data folder. Safe to use from several threads."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "logs" / FILE_NAME
        self._lock = threading.Lock()
        self._lines: int | None = None

    def add(self, contact: Contact) -> None:
        """Write a contact down; a full disk is no reason to fail a call."""
        row = [contact.when, contact.host, contact.port, contact.purpose, contact.allowed]
        try:
            with self._lock:
                self._append(json.dumps(row))
        except OSError:
            _log.warning("a connection could not be written down")

    def all(self) -> list[Contact]:
        """Return the newest contacts, oldest first; lines that can't be read are passed over."""
        found = [_read(line) for line in self._read_lines()[-KEPT:]]
        return [each for each in found if each is not None]

    def clear(self) -> None:
        """Forget every contact."""
        with self._lock:
            self._path.unlink(missing_ok=True)
            self._lines = 0

    def _append(self, line: str) -> None:
        if self._lines is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lines = len(self._read_lines())
        if self._lines >= 2 * KEPT:
            self._shorten()
        with self._path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        self._lines += 1

    def _shorten(self) -> None:
        kept = self._read_lines()[-KEPT:]
        draft = self._path.with_suffix(".new")
        draft.write_text("".join(f"{each}\n" for each in kept), encoding="utf-8")
        draft.replace(self._path)
        self._lines = len(kept)

    def _read_lines(self) -> list[str]:
        try:
            return self._path.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []


def _read(line: str) -> Contact | None:
    try:
        row = codec.decode(json.loads(line), tuple[float, str, int, Purpose, bool])
        return Contact(*row)
    except (ValueError, RecursionError):
        return None  # cut short by a kill, or of another version
