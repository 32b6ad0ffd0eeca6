"""The passwords of documents: this run's in memory, those to be kept in the system's key ring.

They are kept by the content that they open, so that a copy or a renamed file opens as well. That a
password is in the key ring is noted in the catalog, the password never: nothing is asked of the key
ring, which may ask the user, but what it has.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.catalog.file_rules import FileRules
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.indexing.key_ring import KeyRing, KeyRingAway
from desktop_rag.parsing.sandbox.parser_pool import PasswordCandidate

_MOST_OTHERS = 4  # passwords of other files that are tried on one
_KEPT = "password "  # what the catalog's notes begin with; the content's hash follows


class PasswordPlace(StrEnum):
    """Where a file's password is."""

    RUN = "run"
    KEY_RING = "key ring"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A password that the user gave for a path, and whether the key ring is to keep it."""

    password: Secret
    keep: bool


class PasswordStore:
    """Of one data folder, as long as this process owns it; for any thread."""

    def __init__(self, notes: FileRules, key_ring: KeyRing) -> None:
        self._notes = notes
        self.key_ring = key_ring
        self._lock = threading.Lock()
        self._entered: dict[str, _Entry] = {}
        self._known: dict[str, Secret] = {}
        self._others: deque[Secret] = deque(maxlen=_MOST_OTHERS)
        self._refused: list[KeyRingAway] = []

    def enter(self, paths: Iterable[str], password: Secret, *, keep: bool) -> None:
        """Take a password for files, or for all files in folders, until `withdraw`."""
        with self._lock:
            self._entered |= dict.fromkeys(paths, _Entry(password, keep))

    def withdraw(self, paths: Iterable[str]) -> None:
        """Try what was entered on nothing more but what it opened, and what is like that."""
        with self._lock:
            for path in paths:
                self._entered.pop(path, None)

    def take_refusals(self) -> tuple[KeyRingAway, ...]:
        """Return why the key ring did not keep what it should have, each reason once."""
        with self._lock:
            refused, self._refused = self._refused, []
        return tuple({each.what: each for each in refused}.values())

    def is_entered(self, path: str) -> bool:
        """Say whether the user entered a password for a path just now."""
        return self._entry(path) is not None

    def of(self, content_hash: str, token: CancelToken) -> Secret:
        """Return what opens a content, nothing where that is not known."""
        if not content_hash:
            return NO_PASSWORD
        with self._lock:
            known = self._known.get(content_hash)
        if known is not None or not self._is_kept(content_hash):
            return known or NO_PASSWORD
        try:
            found = self.key_ring.get(content_hash, token)
        except KeyRingAway:
            return NO_PASSWORD
        if found:
            self._remember(content_hash, found)
        return found

    def candidates(
        self, path: str, content_hash: str, former_hash: str, token: CancelToken
    ) -> Iterator[PasswordCandidate]:
        """Yield what may open a file, each once: what was entered for it, what opened its content,
        what opened its former one, and what opened other files last.
        """
        tried = set[str]()
        for candidate in self._in_order(path, (content_hash, former_hash), token):
            if candidate.password and candidate.password.text not in tried:
                tried.add(candidate.password.text)
                yield candidate

    def confirm(
        self, path: str, content_hash: str, candidate: PasswordCandidate, token: CancelToken
    ) -> None:
        """Remember what opened a content; keep it in the key ring if the user wants that."""
        entry = self._entry(path)
        self._remember(content_hash, candidate.password)
        if entry is None or not entry.keep or not content_hash:
            return
        try:
            self.key_ring.put(content_hash, candidate.password, token)
        except KeyRingAway as refusal:
            with self._lock:
                self._refused.append(refusal)
            return
        self._notes.note(_KEPT + content_hash, time.time())

    def place(self, content_hash: str) -> PasswordPlace | None:
        """Return where a content's password is, None where there is none."""
        if not content_hash:
            return None
        if self._is_kept(content_hash):
            return PasswordPlace.KEY_RING
        with self._lock:
            return PasswordPlace.RUN if content_hash in self._known else None

    def contents(self) -> set[str]:
        """Return the contents whose password is known."""
        kept = self._notes.names(_KEPT)
        with self._lock:
            return {name.removeprefix(_KEPT) for name in kept} | set(self._known)

    def forget(self, content_hashes: Iterable[str], token: CancelToken) -> int:
        """Forget what opens these contents, in the key ring too; say of how many."""
        count = 0
        for content_hash in set(content_hashes):
            if self.place(content_hash) is None:
                continue
            count += 1
            with self._lock:
                known = self._known.pop(content_hash, None)
                if known is not None and known in self._others:
                    self._others.remove(known)
            if self._is_kept(content_hash):
                self.key_ring.delete(content_hash, token)
                self._notes.drop(_KEPT + content_hash)
        return count

    def _in_order(
        self, path: str, contents: tuple[str, str], token: CancelToken
    ) -> Iterator[PasswordCandidate]:
        if (entry := self._entry(path)) is not None:
            yield PasswordCandidate(entry.password, is_own=True)
        for content_hash in contents:
            yield PasswordCandidate(self.of(content_hash, token))
        with self._lock:
            others = tuple(self._others)
        yield from map(PasswordCandidate, others)

    def _entry(self, path: str) -> _Entry | None:
        """Return what was entered for a file, or for a folder around it."""
        with self._lock:
            around = [each for each in self._entered if is_at_or_below(path, each)]
            return self._entered[max(around, key=len)] if around else None

    def _remember(self, content_hash: str, password: Secret) -> None:
        with self._lock:
            if content_hash:
                self._known[content_hash] = password
            if password in self._others:
                self._others.remove(password)
            self._others.appendleft(password)

    def _is_kept(self, content_hash: str) -> bool:
        return self._notes.figure(_KEPT + content_hash) > 0
