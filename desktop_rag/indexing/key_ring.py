"""The system's key ring: macOS' Keychain, Windows' Credential Locker, Linux' Secret Service.

It is asked in a thread of its own, for it may ask the user in turn, and wait for an answer. What
keeps secrets in a plain file is no key ring here. `PYTHON_KEYRING_BACKEND` names another backend.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, TypeVar

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.secret import NO_PASSWORD, Secret

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
_SERVICE = "Desktop RAG"
_PATIENCE = 60.0  # seconds that a question to the user may take
_GLANCE = 0.1
_SOUND = 1.0  # the priority from which a backend counts as a safe one


class KeyRingAway(UserError):
    """There is no key ring, or it does not do what it is asked."""


class KeyRing:
    """Keeps passwords under names; its library is loaded, and the system asked, when it is used.

    Every call raises `KeyRingAway` where the key ring does not do it. One that was silent is not
    asked again: no file waits for it twice.
    """

    def __init__(self, patience: float = _PATIENCE) -> None:
        self._patience = patience
        self._turn = threading.Lock()
        self._is_silent = False

    def require(self, token: CancelToken) -> None:
        """Raise `KeyRingAway` where there is none; nothing that it keeps is asked for."""
        self._ask(lambda _: None, token)

    def get(self, name: str, token: CancelToken) -> Secret:
        """Return what is kept under a name, nothing where it is gone."""
        found = self._ask(lambda ring: ring.get_password(_SERVICE, name), token)
        return Secret(found) if found else NO_PASSWORD

    def put(self, name: str, password: Secret, token: CancelToken) -> None:
        """Keep a password."""
        self._ask(lambda ring: ring.set_password(_SERVICE, name, password.text), token)

    def delete(self, name: str, token: CancelToken) -> None:
        """Keep it no longer; harmless where it is gone."""

        def delete(ring: KeyringBackend) -> None:
            if ring.get_password(_SERVICE, name) is not None:
                ring.delete_password(_SERVICE, name)

        self._ask(delete, token)

    def _ask(self, work: Callable[[KeyringBackend], T], token: CancelToken) -> T:
        """Return what the key ring says; raise that it says nothing, or no."""
        while not self._turn.acquire(timeout=_GLANCE):
            token.check()
        try:
            if self._is_silent:
                raise _silent()
            return self._answer(work, token)
        finally:
            self._turn.release()

    def _answer(self, work: Callable[[KeyringBackend], T], token: CancelToken) -> T:
        answer: Future[T] = Future()

        def ask() -> None:
            try:
                answer.set_result(work(_backend()))
            except Exception as error:  # noqa: BLE001 - `_answer` raises it in the caller's thread
                answer.set_exception(error)

        threading.Thread(target=ask, name="key-ring", daemon=True).start()
        left = self._patience
        while not wait((answer,), timeout=_GLANCE).done:
            token.check()
            left -= _GLANCE
            if left <= 0:
                self._is_silent = True
                raise _silent()
        try:
            return answer.result()
        except _refusals() as error:
            raise KeyRingAway(
                "The system's key ring refused.", "Unlock it, and try again."
            ) from error


def _silent() -> KeyRingAway:
    return KeyRingAway(
        "The system's key ring does not answer.", "Unlock it, and start Desktop RAG again."
    )


def _backend() -> KeyringBackend:
    """Return the system's key ring; `KeyRingAway` where there is none that keeps secrets safely."""
    try:
        from keyring import core

        found = core.load_env() or _of_system()
        is_sound = found.priority >= _SOUND
    except _refusals() as error:
        raise _missing() from error
    if not is_sound:
        raise _missing()
    return found


def _of_system() -> KeyringBackend:
    """Return the backend of this system; named here, as a frozen build finds no others."""
    if sys.platform == "win32":
        from keyring.backends.Windows import WinVaultKeyring

        return WinVaultKeyring()
    if sys.platform == "darwin":
        from keyring.backends.macOS import Keyring as Keychain

        return Keychain()
    from keyring.backends import SecretService

    made: KeyringBackend = SecretService.Keyring()  # type: ignore[no-untyped-call]
    return made


def _missing() -> KeyRingAway:
    return KeyRingAway(
        "This system has no key ring that Desktop RAG can use.",
        "The password is kept until Desktop RAG ends.",
    )


def _refusals() -> tuple[type[Exception], ...]:
    """Return what a key ring raises that is not there, is locked, or says no."""
    from keyring.errors import KeyringError

    kinds: list[type[Exception]] = [KeyringError, OSError, RuntimeError, ValueError]
    if sys.platform == "linux":
        from jeepney.wrappers import DBusErrorResponse
        from secretstorage.exceptions import SecretStorageException

        kinds += [DBusErrorResponse, SecretStorageException]
    return tuple(kinds)
