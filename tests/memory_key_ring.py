"""A key ring in memory, as `keyring` lets one be written: in place of the system's."""

from __future__ import annotations

import threading

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class MemoryKeyRing(KeyringBackend):
    """Keeps passwords for all who ask; while it is `locked` it refuses, `silent` it waits."""

    priority = 5.0
    kept: dict[tuple[str, str], str] = {}  # noqa: RUF012 - what one instance keeps, another gives
    asked = 0
    locked = False
    silence = threading.Event()

    @classmethod
    def clear(cls) -> None:
        cls.kept.clear()
        cls.asked, cls.locked = 0, False
        cls.silence.set()

    def get_password(self, service: str, username: str) -> str | None:
        self._ask()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._ask()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._ask()
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError(username)

    def _ask(self) -> None:
        type(self).asked += 1
        self.silence.wait()
        if self.locked:
            raise KeyringLocked("locked")
