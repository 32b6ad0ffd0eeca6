"""Writing the timeline of an answer's steps into its turn's frame.

A step is a paragraph: its time, a place for the rail, its kind, what it says. What is painted and
not written (the rail, its dots, the graph of chains) is told by properties of the paragraphs'
forms; `gui/chat/transcript_background.py` paints it. All that the painting says stands in the text,
too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrame,
    QTextOption,
)

from desktop_rag.core.events import (
    Chain,
    Draft,
    ModelCall,
    Notice,
    PassagesFound,
    ResultTable,
    SearchStarted,
    TableQuery,
)
from desktop_rag.core.types import ChunkId
from desktop_rag.gui.chat import passage_graph, timeline_text
from desktop_rag.gui.chat.text_style import SMALL, TurnStyle, paragraph
from desktop_rag.gui.chat.transcript_links import FOUND, HITS
from desktop_rag.gui.chat.transcript_text import tr
from desktop_rag.gui.controllers.timeline import (
    UNSURE,
    VERY_UNSURE,
    TimelineEntry,
    chains,
    entries,
    place_of,
    sums,
    unsure_words,
)
from desktop_rag.gui.controllers.transcript import Turn

_TAB = QTextOption.TabType
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value
_ROOM = 11.0  # pixels between time, rail and text
_DEEPER = 18.0
_LONGEST = 4000  # letters of a step that are written
_WAVE = QTextCharFormat.UnderlineStyle.WaveUnderline
_DASH = QTextCharFormat.UnderlineStyle.DashUnderline


class TimelineProperty(IntEnum):
    """Properties of a paragraph of the timeline: where its rail runs, its dot, its end, a graph.

    The dot is a colour's role, with "-" before it where it is hollow, "" for none; the end is
    `first`, `last`, both or neither.
    """

    RAIL = QTextFormat.Property.UserProperty.value + 1
    DOT = QTextFormat.Property.UserProperty.value + 2
    END = QTextFormat.Property.UserProperty.value + 3
    GRAPH = QTextFormat.Property.UserProperty.value + 4


@dataclass(frozen=True, slots=True)
class Expansion:
    """Whether a turn's steps are shown, which with what they found, and the part of its answer."""

    steps: bool = False
    hits: frozenset[int] = field(default_factory=frozenset)
    part: int = 0


FOLDED = Expansion()


class TimelineWriter:
    """Writes the steps of turn `number` at the end of its frame."""

    def __init__(self, frame: QTextFrame, look: TurnStyle, number: int) -> None:
        self._frame = frame
        self._look = look
        self._number = number
        small = look.chars("muted", SMALL).font()
        wide = QFontMetricsF(small).horizontalAdvance(timeline_text.seconds(100))
        self._rail = wide + _ROOM
        self._left = self._rail + _ROOM

    def write(self, turn: Turn, hits: frozenset[int]) -> None:
        """Write all steps of a turn; of those in `hits` also what they found."""
        steps = entries(turn)
        last_chain = max((e.number for e in steps if isinstance(e.event, Chain)), default=-1)
        for at, entry in enumerate(steps):
            ends = "first" * (at == 0) + "last" * (at == len(steps) - 1)
            self._entry(turn, entry, ends, is_open=entry.number in hits)
            if entry.number == last_chain >= 0:
                self._graph(turn)
        if any(unsure_words(each.event) for each in steps if isinstance(each.event, Draft)):
            self._legend()
        took = sums(turn)
        if took.calls > 1:
            said = timeline_text.in_all(took)
            self._row(tr("Model calls in all"), said, paragraph(top=2, height=120))

    def _entry(self, turn: Turn, entry: TimelineEntry, ends: str, *, is_open: bool) -> None:
        cursor = self._begin(entry, ends)
        event = entry.event
        if isinstance(event, Draft):
            self._draft(cursor, event)
        elif isinstance(event, Chain):
            self._chain(cursor, turn, event)
        else:
            role = "text" if entry.thought else "muted"
            cursor.insertText(_lines(timeline_text.entry_text(entry)), self._chars(role))
        if isinstance(event, PassagesFound) and event.passages:
            self._fold(cursor, entry, is_open=is_open)
            if is_open:
                self._hits(turn, entry, event, ends)

    def _begin(self, entry: TimelineEntry, ends: str) -> QTextCursor:
        """Write a step's time and kind, and leave the cursor behind them."""
        form = self._form(entry.depth, top=3)
        form.setProperty(TimelineProperty.DOT, _dot(entry))
        form.setProperty(TimelineProperty.END, ends)
        cursor = self._paragraph(form)
        at = entry.event.at
        time = "" if at is None else timeline_text.seconds(at)
        cursor.insertText(f"\t{time}\t", self._look.chars("muted", SMALL))
        bold = self._chars("text" if entry.thought else "muted", QFont.Weight.DemiBold)
        cursor.insertText(timeline_text.kind(entry) + "  ", bold)
        return cursor

    def _fold(self, cursor: QTextCursor, entry: TimelineEntry, *, is_open: bool) -> None:
        text = tr("Hide them") if is_open else tr("Show them")
        sign = "▾" if is_open else "▸"
        cursor.insertText("  ", self._chars("muted"))
        address = f"{HITS}{self._number}.{entry.number}"
        cursor.insertText(f"{sign}\u00a0{text}", self._look.link(address))

    def _hits(self, turn: Turn, entry: TimelineEntry, event: PassagesFound, ends: str) -> None:
        for at, passage in enumerate(event.passages):
            cursor = self._under(entry.depth, ends)
            cursor.insertText(f"{passage.rank}.\u2002", self._chars("muted"))
            self._passage(cursor, timeline_text.title(passage), entry.first + at, turn)
            kept = passage.chunk_id in event.kept
            said = (
                timeline_text.scores(passage),
                timeline_text.passage_outcome(turn, passage, kept=kept),
            )
            faint = self._look.chars("muted" if kept else "faint", SMALL)
            cursor.insertText("\u2002" + " · ".join(filter(None, said)), faint)

    def _passage(self, cursor: QTextCursor, title: str, place: int, turn: Turn) -> None:
        """Write a passage's name, as a link where it still stands somewhere."""
        if 0 <= place < len(turn.retrieved) and turn.retrieved[place].path:
            cursor.insertText(title, self._look.link(f"{FOUND}{self._number}.{place}", 0.9))
        else:
            cursor.insertText(title, self._chars("muted"))

    def _draft(self, cursor: QTextCursor, draft: Draft) -> None:
        """Write a draft, its unsure words tinted and underlined, and named behind it."""
        words = tuple(each for each in unsure_words(draft) if each.end <= _LONGEST)
        at = 0
        text, plain = _lines(draft.text), self._chars("text")
        for word in words:
            cursor.insertText(text[at : word.start], plain)
            tinted = self._tinted(word.probability)
            tinted.setToolTip(timeline_text.probability(draft, word))
            cursor.insertText(text[word.start : word.end], tinted)
            at = word.end
        cursor.insertText(text[at:], plain)
        if words:
            faint = self._look.chars("muted", SMALL)
            cursor.insertText("\u2028" + timeline_text.least_sure(draft, words), faint)

    def _tinted(self, probability: float) -> QTextCharFormat:
        is_very = probability < VERY_UNSURE
        made = self._chars("text")
        made.setBackground(self._look.colors.of("bad_soft" if is_very else "notice"))
        made.setUnderlineStyle(_WAVE if is_very else _DASH)
        made.setUnderlineColor(self._look.colors.of("bad" if is_very else "warn"))
        return made

    def _chain(self, cursor: QTextCursor, turn: Turn, chain: Chain) -> None:
        """Write a first passage, and below it each that may follow, with what led there."""
        self._linked(cursor, turn, chain.chunk_id, chain.title)
        cursor.insertText("\u2002" + timeline_text.first(chain), self._chars("muted"))
        for each in chain.follows:
            cursor = self._under(0, "")
            cursor.insertText("→\u2002", self._chars("muted"))
            self._linked(cursor, turn, each.chunk_id, each.title)
            cursor.insertText("\u2002" + timeline_text.follow(each), self._chars("muted"))

    def _linked(self, cursor: QTextCursor, turn: Turn, chunk_id: ChunkId, title: str) -> None:
        place = place_of(turn, chunk_id)
        named = timeline_text.title(turn.retrieved[place]) if place >= 0 else title
        self._passage(cursor, named, place, turn)

    def _graph(self, turn: Turn) -> None:
        """Leave room for the graph of all chains."""
        form = self._form(0, top=4)
        form.setTextIndent(0)
        form.setProperty(TimelineProperty.GRAPH, self._number)
        form.setLineHeight(passage_graph.height(chains(turn), self._look.font), _FIXED)
        self._paragraph(form)

    def _legend(self) -> None:
        """Say what the tint and the lines under words mean."""
        words = tr("Words under which there is a line are those the model was less sure of:")
        cursor = self._row("", words + " ", paragraph(top=6, height=120))
        low, high = (timeline_text.percent(each) for each in (VERY_UNSURE, UNSURE))
        cursor.insertText(tr("below %1").replace("%1", high), self._tinted(VERY_UNSURE))
        cursor.insertText(" ", self._chars("muted"))
        cursor.insertText(tr("below %1").replace("%1", low), self._tinted(0.0))

    def _row(self, kind: str, said: str, form: QTextBlockFormat) -> QTextCursor:
        """Write a line that is no step: it has no place on the rail."""
        form.setLeftMargin(self._left)
        cursor = self._paragraph(form)
        if kind:
            cursor.insertText(kind + "  ", self._chars("muted", QFont.Weight.DemiBold))
        cursor.insertText(said, self._chars("muted"))
        return cursor

    def _under(self, depth: int, ends: str) -> QTextCursor:
        """Begin a paragraph that belongs to the step above it; after the last one without rail."""
        form = self._form(depth, top=0)
        form.setProperty(TimelineProperty.END, "first last" if "last" in ends else "")
        form.setTextIndent(-_ROOM)
        form.setLeftMargin(form.leftMargin() + 2 * _ROOM)
        return self._paragraph(form)

    def _form(self, depth: int, top: int) -> QTextBlockFormat:
        """Return the form of a step's paragraph: time and rail hang out to the left of its text."""
        form = paragraph(top=top, height=120)
        left = self._left + depth * _DEEPER
        form.setLeftMargin(left)
        form.setTextIndent(-left)
        right = QTextOption.Tab(self._rail - _ROOM, _TAB.RightTab)
        form.setTabPositions([right, QTextOption.Tab(left, _TAB.LeftTab)])
        form.setProperty(TimelineProperty.RAIL, self._rail)
        return form

    def _paragraph(self, form: QTextBlockFormat) -> QTextCursor:
        cursor = self._frame.lastCursorPosition()
        cursor.insertBlock(form, self._chars("muted"))
        return cursor

    def _chars(self, role: str, weight: QFont.Weight = QFont.Weight.Normal) -> QTextCharFormat:
        return self._look.chars(role, 0.9, weight)


def _lines(text: str) -> str:
    """Return a text whose lines stay in one paragraph: a second one would be a second step.

    Of a very long one the beginning.
    """
    shown = text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
    return shown.replace("\n", "\u2028")


def _dot(entry: TimelineEntry) -> str:
    """Return the colour role of a step's dot, with "-" before it where it is hollow."""
    event = entry.event
    if isinstance(event, Draft):
        return "good" if event.kept else "-warn"
    roles: dict[type, str] = {
        SearchStarted: "-accent",
        PassagesFound: "accent",
        Chain: "accent",
        TableQuery: "-accent",
        ResultTable: "accent",
        ModelCall: "-muted",
        Notice: "warn",
    }
    return roles.get(type(event), "muted")
