"""A password on its way through the program: nothing that is shown, logged or kept holds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A password; only who asks for its `text` sees it, an empty one is none."""

    text: str = ""

    def __repr__(self) -> str:
        return "Secret(hidden)" if self.text else "Secret()"

    def __bool__(self) -> bool:
        return bool(self.text)


NO_PASSWORD = Secret()
