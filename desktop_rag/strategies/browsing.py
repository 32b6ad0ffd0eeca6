"""A document opened by a search: how it begins, and where in it a word stands next.

Of a document only what the search found is known: a page is those passages, the best one first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from desktop_rag.core.language import content_words, scripts
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.packing import slice_passage
from desktop_rag.generation.quotes import Quote, quotes_of

_SENTENCES = 5  # of a document that was found
_TITLES = 5  # of similar documents where it was not


@dataclass(frozen=True, slots=True)
class Page:
    """The passages of the open document, and how many results of which keyword were read."""

    passages: tuple[Passage, ...] = ()
    keyword: str = ""
    read: int = 0

    def beginning(self) -> Passage:
        """Return the first sentences of the best passage."""
        best = self.passages[0]
        ends = [each.end for each in sentences(best.text)[:_SENTENCES]]
        return slice_passage(best, 0, max(ends, default=0))

    def turned_to(self, keyword: str) -> Page:
        """Return the page one result of a keyword further on, at its first if it is a new one."""
        same = keyword.casefold() == self.keyword
        return replace(self, keyword=keyword.casefold(), read=self.read + 1 if same else 1)

    def results(self) -> list[Quote]:
        """Return the sentences with the keyword, in the order of the document, none twice."""
        in_order = sorted(self.passages, key=lambda each: each.match)
        found = [each for each in quotes_of(in_order) if self.keyword in each.text.casefold()]
        return list({each.text: each for each in found}.values())


def open_document(found: Sequence[Passage], entity: str) -> Page:
    """Return the best document that speaks of an entity; an empty page where none does."""
    best = next((each for each in found if _speaks_of(each, entity)), None)
    if best is None:
        return Page()
    others = (each for each in found if each.document_id == best.document_id and each != best)
    return Page((best, *others))


def titles(found: Sequence[Passage]) -> list[Passage]:
    """Return one passage a document that holds its title only, at most five."""
    by_document = {each.document_id: each for each in reversed(found)}
    best_first = sorted(by_document.values(), key=lambda each: each.rank)[:_TITLES]
    return [replace(each, text=each.title or PurePath(each.path).name) for each in best_first]


def sentence_of(result: Quote) -> Passage:
    """Return a result as the part of its passage that it is."""
    return slice_passage(result.passage, result.start, result.end)


def _speaks_of(passage: Passage, entity: str) -> bool:
    """Tell whether a passage has half of an entity's words; another script can't have them."""
    if not scripts(entity) & scripts(passage.text):
        return True
    wanted = set(content_words(entity))
    told = set(content_words(f"{passage.title} {passage.section} {passage.text}"))
    return 2 * len(wanted & told) >= len(wanted)
