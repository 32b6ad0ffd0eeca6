"""A comparison by a language model, point by point, from what each document says of the point.

The model names the points from the documents' outlines; of each point it is given passages of
every document, found in that document alone. Differences in figures are not left to it: sentences
that differ were aligned before, and their passages are told as a point of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.document_table import plain
from desktop_rag.core.events import Step
from desktop_rag.core.path_filter import path_filter
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import Steps
from desktop_rag.strategies.research_context import ResearchState
from desktop_rag.whole_documents.cited_draft import CitedDraft, cited_only
from desktop_rag.whole_documents.comparison_text import letter
from desktop_rag.whole_documents.document_comparison import DocumentComparison, most_telling
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_tools import DocumentTools, WritingTask

_MOST_POINTS = 6
_PASSAGES = 2  # of each document, for a point
_MOST_PAIRS = 6  # sentences that differ in figures, told at once
_MOST_ALONE = 5  # sentences that only one document has
_SENTENCES = 5  # of a point
_HEADINGS = 30  # of a document's outline
_LONGEST_POINT = 80  # characters
_OUTLINE = 1500  # characters of a document's outline


@dataclass(frozen=True, slots=True)
class ComparisonWriter:
    """Writes what documents say of points behind what `draft` holds, under headings of `labels`."""

    tools: DocumentTools
    draft: CitedDraft
    documents: tuple[WholeDocument, ...]
    labels: Prompts

    @staticmethod
    def planned_calls(documents: int) -> int:
        """Return about how many calls of the model a comparison takes, at most."""
        return 2 + _MOST_POINTS + documents

    def write(self, found: DocumentComparison) -> Steps[None]:
        """Add all points to the draft."""
        prompts = self.labels
        differing = [each for each in found.aligned if each.differs][:_MOST_PAIRS]
        told = [quote.passage for each in differing for _, quote in each.quotes]
        if told:
            yield from self._point(prompts.text("compare/different"), told, "figures")
        for point in (yield from self._points()):
            yield Step("point", point)
            passages = yield from self._found(point)
            yield from self._point(point, passages, "point")
        for at, quotes in enumerate(found.alone):
            passages = [each.passage for each in most_telling(quotes, _MOST_ALONE)]
            if passages:
                heading = prompts.text("compare/only", document=letter(at))
                yield from self._point(heading, passages, "alone")

    def _points(self) -> Steps[list[str]]:
        """Return the points that the model names; the documents' headings where it names none."""
        prompts = Prompts(self.tools.question.language)
        rules = prompts.text("compare/points", count=str(_MOST_POINTS))
        asked = prompts.text(
            "shared/passages_and_question",
            passages=self.tools.fenced([_outline(each) for each in self.documents]),
            question=self.tools.question.text,
        )
        schema = {
            "type": "object",
            "properties": {
                "points": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "maxItems": _MOST_POINTS,
                }
            },
            "required": ["points"],
        }
        messages = [Message("system", rules), Message("user", asked)]
        chosen = yield from self.tools.decide(messages, "points of comparison", schema)
        named = chosen["points"] if chosen else [*_shared_headings(self.documents)]
        short = (" ".join(str(each).split())[:_LONGEST_POINT] for each in named)
        return list(dict.fromkeys(filter(None, short)))[:_MOST_POINTS]

    def _found(self, point: str) -> Steps[list[Passage]]:
        """Return what each document says of a point."""
        made: list[Passage] = []
        for document in self.documents:
            where = path_filter(document.path)
            question = replace(self.tools.question, text=point, kbs=(document.kb,), where=where)
            own = replace(self.tools, question=question, tally=ResearchState())
            found = yield from own.search(point, "in one document", _PASSAGES)
            self.tools.tally.searches += own.tally.searches
            made += [_whole(document, each) for each in found]
        return made

    def _point(self, heading: str, passages: Sequence[Passage], kind: str) -> Steps[None]:
        """Have one point written, shown as it comes; what nothing supports is left out."""
        tools, draft = self.tools, self.draft
        if kind == "point":  # named by the model from what documents say: no rule of ours
            tools = replace(tools, question=replace(tools.question, text=heading))
        room = tools.passages_room(self._rules(kind))
        few = _fitting(tools, list(dict.fromkeys(passages)), room)
        if not few:
            return
        tools.tally.written = draft.text
        yield from tools.keep(CitedDraft().heading(plain(heading)))
        task = WritingTask(
            "compare a point",
            self._rules(kind),
            tuple(few),
            _SENTENCES,
            known=tuple(draft.sources),
            shown=True,
        )
        written = yield from tools.compose(task)
        kept = cited_only(tools.checked(written, by_meaning=True))
        if kept.text:
            draft.heading(plain(heading))
            draft.add(kept, written.sources)
        tools.tally.written, tools.tally.shown = draft.text, tuple(draft.sources)

    def _rules(self, kind: str) -> str:
        prompts = Prompts(self.tools.question.language)
        manner = prompts.text(f"compare/{kind}")
        return prompts.text("compare/rules", manner=manner, sentences=str(_SENTENCES))


def _fitting(tools: DocumentTools, passages: Sequence[Passage], room: int) -> list[Passage]:
    """Return the first passages that fit, each document's in turn being the caller's order."""
    few = list(passages)
    while few and tools.size(few, {}) > room:
        few.pop()
    return few


def _whole(document: WholeDocument, found: Passage) -> Passage:
    """Return the document's own passage of what a search found: one passage has one number."""
    start = found.match[0]
    for each, places in zip(document.passages, document.chunks, strict=True):
        if any(place.start <= start < place.end for place in places):
            return each
    return document.passages[0]


def _outline(document: WholeDocument) -> Passage:
    """Return a document's headings and the beginning of each as one passage."""
    lines: dict[str, str] = {}
    for passage in document.passages:
        lines.setdefault(passage.section, passage.text)
    few = list(lines.items())[:_HEADINGS]
    room = max(40, _OUTLINE // max(1, len(few)))
    told = "\n".join(f"{section}: {' '.join(text.split())[:room]}" for section, text in few)
    return replace(document.passages[0], text=told[: 2 * _OUTLINE])


def _shared_headings(documents: Sequence[WholeDocument]) -> Iterator[str]:
    """Yield the headings of the first document, those that others have before the rest."""
    headings = [
        [each.section.rpartition(" > ")[2] for each in document.passages if each.section]
        for document in documents
    ]
    others = {each.casefold() for own in headings[1:] for each in own}
    yield from (each for each in headings[0] if each.casefold() in others)
    yield from headings[0]
