"""Many digests in little room: a Python set of a million would take 100 MB, this takes 16."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

SIZE = 16  # bytes


def digest_of(*texts: str) -> bytes:
    """Return a digest of some texts."""
    made = hashlib.blake2b(digest_size=SIZE)
    for text in texts:
        made.update(len(text).to_bytes(8, "little") + text.encode())
    return made.digest()


class DigestSet:
    """Digests that are first all added, then asked about."""

    def __init__(self) -> None:
        self._added = bytearray()
        self._sorted: npt.NDArray[np.bytes_] | None = None

    def add(self, digest: bytes) -> None:
        """Add one of `SIZE` bytes."""
        self._added += digest

    def have_twice(self) -> bool:
        """Say whether one was added twice."""
        made = self._in_order()
        return bool((made[1:] == made[:-1]).any())

    def have_all(self, digests: Iterable[bytes]) -> bool:
        """Say whether all of these were added."""
        made, asked = self._in_order(), np.array(list(digests), f"S{SIZE}")
        if not len(made):
            return not len(asked)
        at = np.minimum(np.searchsorted(made, asked), len(made) - 1)
        return bool((made[at] == asked).all())

    def _in_order(self) -> npt.NDArray[np.bytes_]:
        if self._sorted is None:
            self._sorted = np.sort(np.frombuffer(bytes(self._added), f"S{SIZE}"))
            self._added.clear()
        return self._sorted
