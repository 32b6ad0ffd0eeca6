"""A document cut into the parts that a summary must cover: its sections, or stretches of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.types import Passage

_LONGEST_HEADING = 100  # characters
_DEEPEST = 6  # levels of headings
_SMALL = 4  # a part that is so many times shorter than its share is joined to another


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Neighbouring passages that belong together, under a heading or none."""

    heading: str
    passages: tuple[Passage, ...]

    @property
    def length(self) -> int:
        """How many characters it has."""
        return sum(len(each.text) for each in self.passages)


def document_parts(passages: Sequence[Passage], most: int) -> list[DocumentPart]:
    """Return at most so many parts, along headings where there are some.

    A long section is cut along its own headings; short ones are joined with their neighbours. A
    text without headings is cut into parts of about the same length.
    """
    if not passages:
        return []
    parts = _sections(DocumentPart("", tuple(passages)), 1)
    whole = sum(each.length for each in parts)
    for level in range(2, _DEEPEST):
        parts = [
            smaller
            for each in parts
            for smaller in (_sections(each, level) if each.length * most > 2 * whole else [each])
        ]
    if len(parts) == 1:
        return _stretches(parts[0], min(most, max(1, len(passages) // 3)))
    while len(parts) > 1:
        lengths = [each.length for each in parts]
        at = lengths.index(min(lengths))
        if len(parts) <= most and lengths[at] * most * _SMALL >= whole:
            break
        at -= at == len(parts) - 1 or (at > 0 and lengths[at - 1] < lengths[at + 1])
        parts[at : at + 2] = [_joined(parts[at], parts[at + 1])]
    return parts


def shares(lengths: Sequence[int], count: int) -> list[int]:
    """Divide a count by lengths, at least 1 each (largest remainders)."""
    spare, total = count - len(lengths), sum(lengths) or 1
    exact = [spare * each / total for each in lengths]
    made = [1 + int(each) for each in exact]
    order = sorted(range(len(lengths)), key=lambda at: int(exact[at]) - exact[at])
    for at in order[: max(0, count - sum(made))]:
        made[at] += 1
    return made


def _name(passage: Passage, level: int) -> str:
    return " > ".join(passage.section.split(" > ")[:level])


def _sections(part: DocumentPart, level: int) -> list[DocumentPart]:
    """Cut a part along its headings down to a level."""
    made: list[DocumentPart] = []
    former: str | None = None
    for each in part.passages:
        name = _name(each, level)
        if name == former:
            made[-1] = DocumentPart(made[-1].heading, (*made[-1].passages, each))
        else:
            made.append(DocumentPart(_heading(name), (each,)))
        former = name
    return made


def _heading(name: str) -> str:
    return " ".join(name.rpartition(" > ")[2].split())[:_LONGEST_HEADING]


def _joined(one: DocumentPart, other: DocumentPart) -> DocumentPart:
    longer = one if one.length >= other.length else other
    return DocumentPart(
        longer.heading or one.heading or other.heading, (*one.passages, *other.passages)
    )


def _stretches(part: DocumentPart, count: int) -> list[DocumentPart]:
    """Cut a part into stretches of about one length; the heading stays over the first."""
    made: list[list[Passage]] = [[] for _ in range(count)]
    so_far, whole = 0, part.length or 1
    for each in part.passages:
        made[min(count - 1, so_far * count // whole)].append(each)
        so_far += len(each.text)
    filled = [tuple(each) for each in made if each]
    return [DocumentPart(part.heading if n == 0 else "", each) for n, each in enumerate(filled)]
