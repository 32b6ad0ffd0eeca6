"""What the settings keep of the options of ways to answer: `iter_retgen.rounds=2, react.k=8`.

A way is a preset or a strategy. Behind its name stands one of its options or, as
`react.hyde.passages=4`, one of a transform around it; `react.transforms=hyde+verify` names these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

PATTERN = r"(\w+(\.\w+)+=[\w.+-]*(,? +|,|$))*"
"""What the whole text looks like."""
_ITEM = re.compile(r"(\w+)\.([\w.]+)=([\w.+-]*)")
_TRANSFORMS = "transforms"


@dataclass(frozen=True, slots=True)
class WayOptions:
    """What is changed of one way: options as they are written (`rounds`, `hyde.passages`), and the
    transforms around it in their order.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    transforms: tuple[str, ...] = ()

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield what is changed as pairs of a key and a text, the transforms' first."""
        if self.transforms:
            yield _TRANSFORMS, "+".join(self.transforms)
        yield from self.options.items()

    def __bool__(self) -> bool:
        """Say whether anything is changed."""
        return bool(self.options or self.transforms)


NO_CHANGES = WayOptions()


def parse_options(kept: str) -> dict[str, WayOptions]:
    """Return what a text keeps, by the names of ways."""
    made: dict[str, WayOptions] = {}
    for way, key, value in _ITEM.findall(kept):
        before = made.get(way, NO_CHANGES)
        if key == _TRANSFORMS:
            made[way] = WayOptions(before.options, tuple(filter(None, value.split("+"))))
        else:
            made[way] = WayOptions({**before.options, key: value}, before.transforms)
    return {way: changes for way, changes in made.items() if changes}


def write_options(kept: str, way: str, changes: WayOptions) -> str:
    """Return a text in which one way's part is another."""
    ways = {**parse_options(kept), way: changes}
    items = (f"{name}.{key}={text}" for name, each in ways.items() for key, text in each.items())
    return ", ".join(items)
