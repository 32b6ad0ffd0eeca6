"""The places of what was searched for, in reading order, and the one that is looked at."""

from __future__ import annotations

from bisect import bisect_left
from typing import Generic, Protocol, TypeVar


class OrderedHit(Protocol):
    """What has a place in the document."""

    @property
    def order(self) -> tuple[int, int]:
        """Where it stands among others."""
        ...


PlaceT = TypeVar("PlaceT", bound=OrderedHit)


class SearchHits(Generic[PlaceT]):
    """Places as they come in. The first one becomes the current one."""

    def __init__(self) -> None:
        self.places: list[PlaceT] = []
        self.current: PlaceT | None = None
        self.done = True

    def begin(self) -> None:
        """Forget the places: another search has begun."""
        self.places = []
        self.current = None
        self.done = False

    def add(self, places: list[PlaceT], *, done: bool) -> bool:
        """Take places that came together; say whether the current one is the first of them."""
        self.done = done
        first = self.current is None and bool(places)
        if places:
            at = bisect_left(self.places, places[0].order, key=_order)
            self.places[at:at] = places
        if first:
            self.current = places[0]
        return first

    def prefer(self, order: tuple[int, int]) -> None:
        """Make the first place at or after a place of the document the current one."""
        if self.places:
            at = bisect_left(self.places, order, key=_order)
            self.current = self.places[at % len(self.places)]

    def step(self, by: int) -> PlaceT | None:
        """Go to the next place, or back, around at the ends."""
        if not self.places:
            return None
        at = self.index + by if self.current is not None else 0
        self.current = self.places[at % len(self.places)]
        return self.current

    @property
    def index(self) -> int:
        """The number of the current place, from 0."""
        if self.current is None:
            return -1
        return bisect_left(self.places, self.current.order, key=_order)


def _order(place: OrderedHit) -> tuple[int, int]:
    return place.order
