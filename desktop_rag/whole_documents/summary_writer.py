"""A summary of a whole document by a language model: every passage is read, window by window.

Map and reduce, as in "Recursively Summarizing Books with Human Feedback" (Wu et al. 2021) and the
hierarchical merging of BooookScore (Chang et al. 2024). A window of passages that fits the model's
context becomes a few notes; each note keeps the passages that it rests on, and is told in their
place, under their numbers, when notes are joined. So what is written at last cites passages, never
notes, and each of its sentences is tied to a quote. A sentence that nothing supports is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Notice, Step, answer_broken_off
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.extractive_compression import (
    CompressedPassage,
    Identity,
    passage_identity,
)
from desktop_rag.generation.packing import slice_passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Steps
from desktop_rag.whole_documents.cited_draft import CitedDraft, cited_only, left_out
from desktop_rag.whole_documents.document_passages import WholeDocument
from desktop_rag.whole_documents.document_tools import DocumentTools, WritingTask, Written
from desktop_rag.whole_documents.extractive_summary import best_sentences, summary_length

_MOST_IN_WINDOW = 6000  # tokens: of more, models lose the middle (Liu et al. 2023)
_NOTES = (3, 8)  # sentences of a window's notes, at least and at most
_JOINED = 4  # windows whose notes fit one, about; for the cost alone
_SHORTEST = 25  # characters of a part of a passage
_MOST_LAYERS = 6
_NUMBERS = re.compile(r"\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class NotedPassage:
    """A passage, or a part of one, and what was noted of it; "" where it is read itself."""

    passage: Passage
    note: str = ""


@dataclass(frozen=True, slots=True)
class Notes:
    """What was noted of a window, each sentence cited; `is_quoted` where it is quotes alone."""

    text: CitedText
    sources: tuple[Passage, ...]
    is_quoted: bool = False


class Unsupported(Exception):
    """Nothing that the model wrote of a document is supported by its passages."""


Window = tuple[NotedPassage, ...]


@dataclass(frozen=True, slots=True)
class SummaryWriter:
    """Writes the summary of one document behind what `draft` holds of others."""

    tools: DocumentTools
    draft: CitedDraft

    def windows(self, document: WholeDocument) -> list[Window]:
        """Return the windows in which a document is read."""
        room = self._room
        parts = [part for each in document.passages for part in self._fitting(each, room)]
        return self._packed([NotedPassage(each) for each in parts], room)

    def planned_calls(self, document: WholeDocument) -> int:
        """Return about how many calls of the model a summary takes."""
        count = len(self.windows(document))
        if count <= 1:
            return count
        calls = count
        while count > 1:
            count = -(-count // _JOINED)
            calls += count
        return calls

    def write(self, document: WholeDocument, heading: str = "") -> Steps[bool]:
        """Add the summary to the draft; say whether it is whole.

        Where the model breaks off, the notes that it had taken stand in its place.
        `ModelUnavailable` is raised where there are none, `Unsupported` where nothing that it wrote
        is supported.
        """
        windows, notes = self.windows(document), list[Notes]()
        for layer in range(_MOST_LAYERS):
            if len(windows) <= 1:
                break
            made: list[Notes] = []
            try:
                yield from self._noted(document, windows, made, heading if layer == 0 else None)
            except ModelUnavailable as problem:
                return (yield from self._broken(problem, heading, notes or made))
            notes, before = made, len(windows)
            windows = self._packed(_joined_notes(notes), self._room)
            if len(windows) >= before:
                windows = [self._cut(windows)]
        if not windows:
            return True
        try:
            return (yield from self._final(document, windows[0], notes, heading))
        except ModelUnavailable as problem:
            return (yield from self._broken(problem, heading, notes))

    @property
    def _room(self) -> int:
        rules = self._rules("notes", _NOTES[1])
        return min(_MOST_IN_WINDOW, self.tools.passages_room(rules))

    def _rules(self, name: str, count: int) -> str:
        prompts = Prompts(self.tools.question.language)
        return prompts.text(f"summarise/{name}", sentences=str(count))

    def _noted(
        self,
        document: WholeDocument,
        windows: Sequence[Window],
        made: list[Notes],
        heading: str | None,
    ) -> Steps[None]:
        """Have notes taken of each window; those of the first layer, whose `heading` is told, are
        what is there of the answer meanwhile.
        """
        for number, window in enumerate(windows, start=1):
            yield _progress(number, len(windows), window, is_first=heading is not None)
            count = min(_NOTES[1], max(_NOTES[0], len(window)))
            written = yield from self._composed(document, self._task("notes", window, count))
            noted = cited_only(self.tools.checked(written, by_meaning=False))
            if noted.text:
                made.append(Notes(noted, written.sources))
            else:
                quoted = self._quoted(written, max(1, count // 3))
                made.append(Notes(quoted, written.sources, is_quoted=True))
            if heading is not None:
                self._keep(made, heading)

    def _composed(self, document: WholeDocument, task: WritingTask) -> Steps[Written]:
        """Have it written; its sources are whole passages, also where parts of them were told."""
        written = yield from self.tools.compose(task)
        whole = (
            document.passages[each.rank - 1] if document.holds(each) else each
            for each in written.sources
        )
        return replace(written, sources=tuple(whole))

    def _task(self, name: str, window: Window, count: int) -> WritingTask:
        shorter: dict[Identity, CompressedPassage] = {
            passage_identity(each.passage): CompressedPassage(each.note)
            for each in window
            if each.note
        }
        passages = tuple(each.passage for each in window)
        purpose = "take notes" if name == "notes" else "summarise"
        return WritingTask(purpose, self._rules(name, count), passages, count, shorter)

    def _keep(self, notes: Sequence[Notes], heading: str) -> None:
        """Let the notes so far be what is there of the answer."""
        so_far = self.draft.copy()
        _add(so_far, notes, heading)
        self.tools.tally.written, self.tools.tally.shown = so_far.text, tuple(so_far.sources)

    def _quoted(self, written: Written, count: int) -> CitedText:
        """Return a window's most central sentences, where nothing supports what was noted."""
        text, citations = "", []
        tools = self.tools
        for quote in best_sentences(written.sources, count, tools.engine.embedder, tools.token):
            text += f"{' '.join(_NUMBERS.sub('', quote.text).split())} [{quote.n}]\n\n"
            citations.append(quote.citation(len(sentences(text)) - 1))
        return CitedText(text.strip(), tuple(citations), ())

    def _final(
        self, document: WholeDocument, window: Window, notes: Sequence[Notes], heading: str
    ) -> Steps[bool]:
        """Write the summary from one window: the whole document, or the notes of all of it."""
        tools, draft = self.tools, self.draft
        yield Step(
            "joining", Phrase("Passages that the summary is written from: {0}.", len(window))
        )
        length = sum(len(each.text) for each in document.passages)
        count = summary_length(len(document.passages), max(3, length // 100))
        tools.tally.written = draft.text
        yield from tools.keep(CitedDraft().heading(heading, level=2))
        task = self._task("summary", window, count)
        task = replace(task, shown=True, known=tuple(draft.sources))
        written = yield from self._composed(document, task)
        checked = tools.checked(written, by_meaning=True, sources=_named(written))
        kept = cited_only(checked)
        if kept.text:
            if missing := left_out(checked):
                yield Notice(
                    Phrase("Sentences that no passage supports were left out: {0}.", missing)
                )
            _add(draft, [Notes(kept, written.sources)], heading)
            return written.is_whole
        if not _add(draft, notes, heading):
            raise Unsupported
        yield Notice("Nothing that the model wrote at last is supported: these are its notes.")
        return True

    def _broken(
        self, problem: ModelUnavailable, heading: str, notes: Sequence[Notes]
    ) -> Steps[bool]:
        """Let what was noted stand as the summary."""
        if not _add(self.draft, notes, heading):
            raise problem
        yield answer_broken_off(problem.sentence)
        return False

    def _fitting(self, passage: Passage, room: int) -> list[Passage]:
        """Return a passage, or the halves of one that is too long for a window."""
        if self.tools.size([passage], {}) <= room or len(passage.text) < _SHORTEST:
            return [passage]
        middle = _middle(passage.text)
        halves = (0, middle), (middle, len(passage.text))
        return [
            part
            for start, end in halves
            for part in self._fitting(slice_passage(passage, start, end), room)
        ]

    def _packed(self, items: Sequence[NotedPassage], room: int) -> list[Window]:
        """Fill windows with items, in their order; no passage stands twice in one."""
        made: list[Window] = []
        current: list[NotedPassage] = []
        left = room
        for each in items:
            cost = self.tools.size([_told(each)], {})
            again = any(_is_same(each, other) for other in current)
            if current and (cost > left or again):
                made.append(tuple(current))
                current, left = [], room
            current.append(each)
            left -= cost
        return [*made, tuple(current)] if current else made

    def _cut(self, windows: Sequence[Window]) -> Window:
        """Return as many notes, evenly taken, as fit one window: joining made them no fewer."""
        items = [each for window in windows for each in window]
        while len(items) > 1 and len(self._packed(items, self._room)) > 1:
            items = items[::2] if len(items) > 3 else items[:-1]
        return tuple(items)


def _add(draft: CitedDraft, notes: Sequence[Notes], heading: str) -> bool:
    """Add what the model noted to a draft; say whether that is anything."""
    own = [each for each in notes if not each.is_quoted]
    if own:
        draft.heading(heading, level=2)
    for each in own:
        draft.add(each.text, each.sources)
    return bool(own)


def _joined_notes(notes: Sequence[Notes]) -> list[NotedPassage]:
    """Return the notes under the passages that they rest on first, in the passages' order."""
    made: dict[Identity, NotedPassage] = {}
    for each in notes:
        for n, span in enumerate(sentences(each.text.text)):
            cited = next((c for c in each.text.citations if c.sentence == n), None)
            if cited is None:
                continue
            passage = each.sources[cited.n - 1]
            key = passage_identity(passage)
            text = citation_markers.strip_citations(span.of(each.text.text))
            before = made[key].note if key in made else ""
            made[key] = NotedPassage(passage, f"{before} {text}".strip())
    return list(made.values())


def _named(written: Written) -> tuple[Passage, ...]:
    """Return the sources, those that the text does not name without their text: it is checked
    against what it names.
    """
    text = citation_markers.normalised(written.reply.text, len(written.sources))
    named = set(citation_markers.numbers_in(text))
    if not named:
        return written.sources
    return tuple(
        each if n in named else replace(each, text="")
        for n, each in enumerate(written.sources, start=1)
    )


def _told(each: NotedPassage) -> Passage:
    return replace(each.passage, text=each.note) if each.note else each.passage


def _is_same(one: NotedPassage, other: NotedPassage) -> bool:
    return passage_identity(one.passage) == passage_identity(other.passage)


def _middle(text: str) -> int:
    """Return where a text is cut in two: between sentences, where there is one near the middle."""
    half = len(text) // 2
    starts = [each.start for each in sentences(text) if 0 < each.start < len(text)]
    best = min(starts, key=lambda at: abs(at - half), default=half)
    return best if abs(best - half) < half // 2 else half


def _progress(number: int, count: int, window: Window, *, is_first: bool) -> Step:
    if not is_first:
        return Step("joining", Phrase("Notes {0} of {1} are joined.", number, count))
    first, last = window[0].passage.rank, window[-1].passage.rank
    told = Phrase("Window {0} of {1}: passages {2} to {3}.", number, count, first, last)
    return Step("reading", told)
