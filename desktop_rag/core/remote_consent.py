"""What the user has agreed to: which other computers may be sent texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Consent:
    """Other computers that may be used: those at `places` (addresses), or `everywhere`.

    `blocked` is the switch that wins over every consent.
    """

    places: frozenset[str] = frozenset()
    everywhere: bool = False
    blocked: bool = False

    def covers(self, place: str) -> bool:
        """Say whether an address may be used; this computer's own always may."""
        return not self.blocked and (self.everywhere or place in self.places)


NOWHERE = Consent()
