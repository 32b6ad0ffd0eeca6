"""What several answers to one question rest on: which sources they share, which only one has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from desktop_rag.core.types import Passage
from desktop_rag.gui.lab.compare_controller import ComparisonColumn


class SourceUse(IntEnum):
    """What an answer makes of a source."""

    NOT_FOUND = 0
    READ = 1
    CITED = 2


@dataclass(frozen=True, slots=True)
class SharedSource:
    """A stretch of a document, and for each column its number there (0: none) and its use."""

    passage: Passage
    numbers: tuple[int, ...]
    uses: tuple[SourceUse, ...]

    @property
    def holders(self) -> tuple[int, ...]:
        """The columns whose answers rest on it."""
        return tuple(n for n, use in enumerate(self.uses) if use is not SourceUse.NOT_FOUND)


def sources_of(columns: Sequence[ComparisonColumn]) -> tuple[SharedSource, ...]:
    """Return every numbered source of the answers that are whole, those of most columns first."""
    found: dict[tuple[int, int | None, str], Passage] = {}
    numbers: dict[tuple[int, int | None, str], dict[int, int]] = {}
    for at, column in enumerate(columns):
        for n, passage in enumerate(_numbered(column), start=1):
            key = (int(passage.document_id), passage.locator.start, passage.path)
            found.setdefault(key, passage)
            numbers.setdefault(key, {}).setdefault(at, n)
    made = [_source(passage, numbers[key], columns) for key, passage in found.items()]
    return tuple(sorted(made, key=_order))


def _numbered(column: ComparisonColumn) -> tuple[Passage, ...]:
    return column.turn.sources if column.turn is not None and column.is_answered else ()


def _source(
    passage: Passage, numbers: dict[int, int], columns: Sequence[ComparisonColumn]
) -> SharedSource:
    all_numbers = tuple(numbers.get(at, 0) for at in range(len(columns)))
    uses = tuple(_use(column, n) for column, n in zip(columns, all_numbers, strict=True))
    return SharedSource(passage, all_numbers, uses)


def _use(column: ComparisonColumn, number: int) -> SourceUse:
    if not number or column.turn is None:
        return SourceUse.NOT_FOUND
    return SourceUse.CITED if number in column.turn.cited() else SourceUse.READ


def _order(source: SharedSource) -> tuple[int, int, int]:
    cited = sum(use is SourceUse.CITED for use in source.uses)
    return -len(source.holders), -cited, min(n for n in source.numbers if n)
