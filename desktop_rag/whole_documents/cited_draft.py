"""A text with numbered sources that grows part by part, each sentence of it with its citation.

A part brings numbers of its own; they become those of the whole, in the order in which sources are
first cited. What nothing supports is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.whole_documents.document_passages import WholeDocument

MOST_SOURCES = 999
"""A source's number has up to three digits."""
_NUMBER = re.compile(r"\[(\d{1,3})\]")


@dataclass
class CitedDraft:
    """The text so far; source n is `sources[n - 1]`."""

    text: str = ""
    citations: list[Citation] = field(default_factory=list)
    sources: list[Passage] = field(default_factory=list)

    def copy(self) -> CitedDraft:
        """Return the same draft, to go on with in another way."""
        return CitedDraft(self.text, [*self.citations], [*self.sources])

    def heading(self, text: str, level: int = 3) -> str:
        """Add a heading, "" for none; return what was added."""
        added = f"{'#' * level} {text}\n\n" if text.strip() else ""
        self.text += added
        return added

    def add(self, part: CitedText, sources: Sequence[Passage], parting: str = "\n\n") -> None:
        """Add a text whose numbers mean these sources; only those that it cites are taken."""
        if not part.text.strip():
            return
        numbers = {n: self._number(sources[n - 1]) for n in _cited_in_order(part)}
        before = len(sentences(self.text))
        text = _NUMBER.sub(lambda found: _renumbered(found, numbers), part.text.strip())
        self.text += f"{text}{parting}"
        self.citations += [
            replace(
                each,
                n=numbers[each.n],
                chunk_id=self.sources[numbers[each.n] - 1].chunk_id,
                sentence=before + each.sentence,
            )
            for each in part.citations
            if numbers.get(each.n)
        ]

    def place(self, document: WholeDocument) -> None:
        """Let each source of a document be known by the chunk that holds its first quote."""
        first: dict[int, int] = {}
        for each in self.citations:
            if each.locator.start is not None:
                first.setdefault(each.n, each.locator.start)
        for n, offset in first.items():
            if document.holds(self.sources[n - 1]):
                self.sources[n - 1] = document.at(self.sources[n - 1], offset)
        self.citations = [
            replace(each, chunk_id=self.sources[each.n - 1].chunk_id) for each in self.citations
        ]

    def _number(self, passage: Passage) -> int:
        """Return a passage's number, a new one where it has none; 0 where there are too many."""
        for n, each in enumerate(self.sources, start=1):
            if _is_same(each, passage):
                return n
        if len(self.sources) == MOST_SOURCES:
            return 0
        self.sources.append(passage)
        return len(self.sources)


def cited_only(made: CitedText) -> CitedText:
    """Return a text without the sentences that no source supports, each once; headings stay."""
    spans = sentences(made.text)
    cited = {each.sentence for each in made.citations} - set(made.from_model)
    said: set[str] = set()
    kept = []
    for n, span in enumerate(spans):
        mark = citation_markers.strip_citations(span.of(made.text)).casefold()
        if _is_heading(mark) or (n in cited and mark not in said):
            kept.append(n)
            said.add(mark)
    cited &= set(kept)
    if not cited:
        return CitedText("", (), ())
    places = {n: at for at, n in enumerate(kept)}
    text = ""
    for at, n in enumerate(kept):
        if at:
            text += _between(made.text[spans[kept[at - 1]].end : spans[n].start])
        text += spans[n].of(made.text)
    citations = [
        replace(each, sentence=places[each.sentence])
        for each in made.citations
        if each.sentence in cited
    ]
    return CitedText(text, tuple(citations), ())


def left_out(made: CitedText) -> int:
    """Return how many sentences `cited_only` leaves out because nothing supports them."""
    return len(set(made.from_model))


def _is_same(one: Passage, other: Passage) -> bool:
    return (one.document_id, one.path, one.rank) == (other.document_id, other.path, other.rank)


def _cited_in_order(part: CitedText) -> list[int]:
    cited = {each.n for each in part.citations}
    named = [int(n) for n in _NUMBER.findall(part.text)]
    return list(dict.fromkeys([*(n for n in named if n in cited), *sorted(cited)]))


def _renumbered(found: re.Match[str], numbers: dict[int, int]) -> str:
    number = numbers.get(int(found[1]))
    return f"[{number}]" if number else ""


def _between(gap: str) -> str:
    return "\n\n" if "\n\n" in gap else "\n" if "\n" in gap else " " if gap[:1].isspace() else gap


def _is_heading(sentence: str) -> bool:
    return sentence.lstrip().startswith("#")
