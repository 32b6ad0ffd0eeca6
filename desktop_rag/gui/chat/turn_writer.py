"""Writes one turn of a conversation into a text document, and goes on while the answer grows.

Only what has changed is written again, while the answer grows and when it ends.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor, QTextFrame, QTextFrameFormat

from desktop_rag.core.events import NoticeCode
from desktop_rag.core.phrases import has_code
from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.chat.answer_cuts import WrittenCut, source_numbers, unchanged_cuts
from desktop_rag.gui.chat.answer_parts import AnswerSplitter, DisplayPart
from desktop_rag.gui.chat.markdown_blocks import split_blocks, stable_cuts
from desktop_rag.gui.chat.markdown_writer import MarkdownWriter
from desktop_rag.gui.chat.safe_markdown import CITE, STEPS
from desktop_rag.gui.chat.scope_row import question_text
from desktop_rag.gui.chat.sentence_positions import ShownSentence, find_sentences
from desktop_rag.gui.chat.text_style import (
    SMALL,
    TurnStyle,
    clear_frame,
    collapse_paragraph,
    paragraph,
)
from desktop_rag.gui.chat.timeline_writer import FOLDED, Expansion, TimelineWriter
from desktop_rag.gui.chat.transcript_links import (
    COPY,
    EARLIER,
    EDIT,
    ELSEWHERE,
    EXPORT,
    KEEP,
    MORE,
    NOTE,
    PART,
    PREPARE,
    QUOTED,
    RETRY,
    ROWS,
    SOURCES,
    TEST,
    VERSION,
    WAIT,
    WRITTEN,
)
from desktop_rag.gui.controllers.transcript import Answered, Failed, InProgress, Turn
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.viewer.source_list_model import source_name

_GAP = "\u2003"
_MOST_CHIPS = 6


class TurnWriter:
    """Keeps one frame of the document as its turn is; `number` is the turn's, for its links.

    `steps` is the frame of its timeline, None while that is folded. Unfolded, the rest of the turn
    has a frame of its own: so a timeline is not written again for each word of an answer.

    Of an answer that grows only the end is written again; of one that ends, what is behind the
    first change. Of a long answer one part is written.
    """

    def __init__(self, frame: QTextFrame, number: int) -> None:
        self.frame = frame
        self.question: QTextFrame | None = None
        self.turn: Turn | None = None
        self._number = number
        self.steps: QTextFrame | None = None
        self._body = frame
        self._unfolded = FOLDED
        self._cuts = [WrittenCut()]
        self._waiting: list[tuple[int, int, str]] = []
        self._claims: tuple[ShownSentence, ...] | None = None
        self._look: TurnStyle
        self._parts = AnswerSplitter()
        self._part: DisplayPart
        self._shown: Turn | None = None
        self._above: tuple[int, bool, bool] | None = None
        self._begin = self._prose_end = 0

    def write(self, turn: Turn, look: TurnStyle, unfolded: Expansion = FOLDED) -> None:
        """Bring the frame up to date."""
        is_alike = self.turn is not None and look == self._look and unfolded == self._unfolded
        before, self.turn = self.turn or turn, turn
        if is_alike and turn == before:
            return
        goes_on = is_alike and before.running and _head(turn) == _head(before)
        shown_before, part_before = self._shown, self._part if self._shown else None
        above_before = self._above
        shown = self._choose_part(turn, unfolded.part)
        goes_on = goes_on and self._above == above_before
        if goes_on and turn.running and shown == shown_before and self._is_alike(part_before):
            return  # what came is in a part that is not shown
        self._look, self._unfolded, self._claims = look, unfolded, None
        if goes_on and shown_before is not None:
            self._cuts = unchanged_cuts(self._cuts, shown_before, shown)
        if goes_on and not turn.running:
            self._offer_now()
        cursor = self.frame.firstCursorPosition()
        cursor.beginEditBlock()
        if not goes_on:
            self._write_head(turn)
        self._write_answer(shown)
        if not (goes_on and turn.running and turn.trace == before.trace):
            self._write_steps(turn)
        cursor.endEditBlock()

    def _choose_part(self, turn: Turn, number: int) -> Turn:
        """Return a turn with the part of its answer that is to be shown as all of it."""
        part = self._part = self._parts.get(turn.text, number)
        ends = part.is_last and not turn.running
        self._above = (part.number, part.is_last, ends) if part.number else None
        is_whole = len(self._part.text) == len(turn.text)
        self._shown = turn if is_whole else replace(turn, text=self._part.text)
        return self._shown

    def _is_alike(self, before: DisplayPart | None) -> bool:
        """Return whether a part is the same, and as much the last one."""
        return before is not None and before.is_last == self._part.is_last

    @property
    def beginning(self) -> int:
        """Where in the document the part that is shown begins, with the line above it."""
        return self._body.firstPosition() + self._begin

    def claims(self) -> tuple[ShownSentence, ...]:
        """Return where in the frame each sentence of the answer stands."""
        if self._claims is None:
            self._claims = self._found_claims()
        return self._claims

    def _write_head(self, turn: Turn) -> None:
        self.steps, self._body = None, self.frame
        self._waiting = []
        clear_frame(self.frame)
        if self._unfolded.steps:
            self._body = self._inner()
            clear_frame(self._body)
            self.steps = self._inner()
        if not self._look.alone:
            self._question(turn)
            self._under_question(turn)
        self._begin = self._body.lastPosition() - self._body.firstPosition() + 1
        if self._part.number:
            self._beside_part(turn)
        self._cuts = [WrittenCut(at=self._mark(), count=self._part.before)]

    def _write_steps(self, turn: Turn) -> None:
        if self.steps is not None:
            clear_frame(self.steps)
            TimelineWriter(self.steps, self._look, self._number).write(turn, self._unfolded.hits)

    def _inner(self) -> QTextFrame:
        """Return a new frame at the end of the turn's own."""
        made = self.frame.lastCursorPosition().insertFrame(QTextFrameFormat())
        collapse_paragraph(self.frame.lastCursorPosition())
        return made

    def _mark(self) -> int:
        """Set an invisible paragraph at the end, behind which all can be written anew."""
        cursor = self._body.lastCursorPosition()
        cursor.insertBlock(paragraph(), QTextCharFormat())
        collapse_paragraph(cursor)
        return cursor.position() - self._body.firstPosition()

    def _write_answer(self, turn: Turn) -> None:
        """Write what is new, cut in the same places whether it grows or has ended: so it stays."""
        last = self._cuts[-1]
        clear_frame(self._body, self._body.firstPosition() + last.at)
        prose = MarkdownWriter(self._body, self._look, source_numbers(turn), self._number)
        text, begin = transcript_text.answer(turn), last.text
        for cut in stable_cuts(text[begin:]):
            count = replace(last.count)
            for piece in split_blocks(text[last.text : begin + cut]):
                prose.write(piece, count, finished=True)
            last = WrittenCut(begin + cut, self._mark(), count)
            self._cuts.append(last)
        count = replace(last.count)
        for piece in split_blocks(text[last.text :]):
            prose.write(piece, count, finished=not turn.running)
        self._below(turn)

    def _below(self, turn: Turn) -> None:
        outcome = turn.outcome
        self._prose_end = self._body.lastPosition() - self._body.firstPosition()
        self._beside_part(turn)
        if isinstance(outcome, InProgress) and not turn.text:
            stage = transcript_text.progress(turn) or transcript_text.stage(outcome)
            self._paragraph(stage, self._look.chars("muted"), top=0)
        if isinstance(outcome, Failed):
            self._paragraph(translate_message(outcome.what), self._look.chars("bad"))
            self._paragraph(translate_message(outcome.remedy), self._look.chars("text"))
        if not self._look.alone and (advice := transcript_text.advice(turn)):
            self._paragraph(advice, self._look.chars("text"))
        self._elsewhere(turn)
        self._sources(turn)
        self._earlier(turn)
        notices = self._notices(turn)
        self._waiting_line(turn)
        dotted = self._dot(turn)
        if dotted and not any(has_code(each, NoticeCode.NO_QUOTE) for each in notices):
            self._paragraph(transcript_text.unsupported(dotted), self._look.chars("muted", SMALL))
        self._footer(turn)

    def _sources(self, turn: Turn) -> None:
        """Name the places that an answer cites, each a link to it, and the way to all sources."""
        told = transcript_text.all_sources(turn)
        if turn.running or self._look.alone or not told:
            return
        muted = self._look.chars("muted", SMALL)
        cursor = self._paragraph("", muted, top=10)
        for n in [each for each in turn.cited() if each <= len(turn.sources)][:_MOST_CHIPS]:
            place = next(each.locator for each in turn.citations if each.n == n)
            words = f"{n}\u2002{source_name(turn.sources[n - 1], place)}"
            chip = self._look.chip(f"{CITE}{n}")
            cursor.insertText(f"\u00a0{words}\u00a0".replace(" ", "\u00a0"), chip)
            cursor.insertText(" \u2002", muted)
        self._link(cursor, told.replace(" ", "\u00a0"), f"{SOURCES}{self._number}")

    def _beside_part(self, turn: Turn) -> None:
        """Write which part of a long answer this is, and the way to those beside it."""
        part, muted = self._part, self._look.chars("muted", SMALL)
        if not part.number and part.is_last:
            return
        told = transcript_text.tr("Part %1 of a long answer")
        if part.is_last and not turn.running:
            told = transcript_text.tr("Part %1, the last of a long answer")
        cursor = self._paragraph(told.replace("%1", str(part.number + 1)), muted, top=8)
        for number, words in (
            (part.number - 1, transcript_text.tr("‹ Previous part")),
            (part.number + 1, transcript_text.tr("Next part ›")),
        ):
            if number >= 0 and (number < part.number or not part.is_last):
                cursor.insertText(_GAP, muted)
                whole = words.replace(" ", "\u00a0")
                self._link(cursor, whole, f"{PART}{self._number}.{number}")

    def _notices(self, turn: Turn) -> list[str]:
        """Tell notices behind the answer: most come when it is being read, and nothing may move."""
        look = self._look
        said = turn.notices[turn.told_before :] if turn.running else turn.notices
        news = [each for each in said if each not in look.told and not look.leaves_out(each)]
        for notice in news:
            cursor = self._paragraph(translate_message(notice), look.chars("muted", 0.92))
            if not (turn.running or look.alone):
                self._remedy(cursor, notice)
        return news

    def _remedy(self, cursor: QTextCursor, notice: str) -> None:
        """Write what can be done about a notice, where that is a click."""
        remedies = (
            (NoticeCode.ANSWERED_BEFORE, transcript_text.tr("Ask anew"), RETRY),
            (NoticeCode.UNPREPARED, transcript_text.tr("Prepare…"), PREPARE),
        )
        for code, words, kind in remedies:
            if has_code(notice, code):
                cursor.insertText(_GAP, self._look.chars("muted", SMALL))
                self._link(cursor, words.replace(" ", "\u00a0"), f"{kind}{self._number}")

    def _earlier(self, turn: Turn) -> None:
        """Tell of kept answers to near questions; a click opens one."""
        if self._look.alone:
            return
        muted = self._look.chars("muted", 0.92)
        for place, each in enumerate(turn.earlier):
            told = transcript_text.tr("An earlier answer, asked on %1:").replace("%1", each.asked)
            cursor = self._paragraph(f"{told} ", muted)
            words = transcript_text.shortened(each.question)
            self._link(cursor, words, f"{EARLIER}{self._number}.{place}")
            if became := transcript_text.documents_now(each.documents):
                cursor.insertText(f" · {became}", muted)

    def _elsewhere(self, turn: Turn) -> None:
        """Name the knowledge base that may know, with the way to ask it the same."""
        if not turn.elsewhere or turn.running or self._look.alone:
            return
        told = transcript_text.may_know(turn.elsewhere)
        cursor = self._paragraph(told, self._look.chars("text"))
        cursor.insertText(_GAP, self._look.chars("text"))
        whole = transcript_text.tr("Ask there").replace(" ", "\u00a0")
        self._link(cursor, whole, f"{ELSEWHERE}{self._number}")

    def _waiting_line(self, turn: Turn) -> None:
        """Write that an answer is asked again when files are read, and the way out of that."""
        if turn.awaits is None or turn.running or self._look.alone:
            return
        text, way_out = transcript_text.waiting(turn)
        cursor = self._paragraph(text, self._look.chars("muted", SMALL))
        cursor.insertText(_GAP, self._look.chars("muted", SMALL))
        whole = way_out.replace(" ", "\u00a0")
        self._link(cursor, whole, f"{WAIT}{self._number}")

    def _question(self, turn: Turn) -> None:
        bubble = QTextFrameFormat()
        bubble.setPadding(11)
        bubble.setTopMargin(2)
        bubble.setBottomMargin(4)
        self.question = self._body.lastCursorPosition().insertFrame(bubble)
        inner = self.question.firstCursorPosition()
        inner.setBlockFormat(paragraph(height=115))
        inner.insertText(
            question_text(turn), self._look.chars("text", weight=QFont.Weight.DemiBold)
        )
        collapse_paragraph(self._body.lastCursorPosition())

    def _under_question(self, turn: Turn) -> None:
        """Write what may be done with a question: from the start, so that nothing moves later."""
        muted = self._look.chars("muted", SMALL)
        if turn.condensed:
            text = transcript_text.tr("Searched as: “%1”").replace("%1", turn.condensed)
            self._paragraph(text, self._look.chars("muted", 0.92), indent=11)
        cursor = self._paragraph("", muted, top=0, indent=11)
        if turn.task is None:
            self._offer(cursor, transcript_text.tr("Edit"), f"{EDIT}{self._number}", turn)
        if turn.condensed:
            cursor.insertText(_GAP, muted)
            words = transcript_text.tr("Search as I wrote it")
            self._offer(cursor, words, f"{WRITTEN}{self._number}", turn)
        if len(turn.versions) > 1:
            cursor.insertText(_GAP, muted)
            self._versions(cursor, turn)

    def _offer(self, cursor: QTextCursor, text: str, address: str, turn: Turn) -> None:
        """Write a link that waits for the end of the answer."""
        if not turn.running:
            self._link(cursor, text, address)
            return
        begin, first = cursor.position(), self._body.firstPosition()
        cursor.insertText(text, self._look.chars("faint", SMALL))
        self._waiting.append((begin - first, cursor.position() - first, address))

    def _offer_now(self) -> None:
        """Make links of those that waited: a change of its own, or Qt lays out all behind anew."""
        cursor, first = self._body.firstCursorPosition(), self._body.firstPosition()
        cursor.beginEditBlock()
        for begin, end, address in self._waiting:
            cursor.setPosition(first + begin)
            cursor.setPosition(first + end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(self._look.link(address))
        cursor.endEditBlock()
        self._waiting = []

    def _versions(self, cursor: QTextCursor, turn: Turn) -> None:
        at, count = turn.version, len(turn.versions)
        self._arrow(cursor, "‹", turn.versions[at - 1] if at else 0, turn)
        counted = f"\u00a0{at + 1}\u00a0/\u00a0{count}\u00a0"
        cursor.insertText(counted, self._look.chars("muted", SMALL))
        self._arrow(cursor, "›", turn.versions[at + 1] if at + 1 < count else 0, turn)

    def _arrow(self, cursor: QTextCursor, sign: str, message: int, turn: Turn) -> None:
        text = f"\u00a0{sign}\u00a0"
        if message:
            self._offer(cursor, text, f"{VERSION}{message}", turn)
        else:
            cursor.insertText(text, self._look.chars("faint", SMALL))

    def _footer(self, turn: Turn) -> None:
        """Write how the answer came about, and what may be done: two lines from the start on."""
        if not self._look.alone:
            self._came_about(turn)
        cursor = self._paragraph("", self._look.chars("muted", SMALL), top=2)
        for at, (words, address) in enumerate(self._links(turn)):
            cursor.insertText(_GAP if at else "", self._look.chars("muted", SMALL))
            whole = words.replace(" ", "\u00a0")
            self._link(cursor, whole, f"{address}{self._number}")

    def _came_about(self, turn: Turn) -> None:
        word, role = transcript_text.badge(turn)
        if turn.refused:
            word = ""  # the answer itself says so
        text = self._figures(turn)
        if not (word or text or turn.running):
            return
        is_quiet = role == "muted"
        weight = QFont.Weight.Normal if is_quiet else QFont.Weight.DemiBold
        cursor = self._paragraph(word, self._look.chars(role, SMALL, weight), top=8)
        text = text.replace(" ", "\u00a0").replace("\u00a0·\u00a0", " · ")  # "0.6 s" stays whole
        lead = _GAP if word and text else ""
        cursor.insertText(lead + text, self._look.chars("muted", SMALL))

    def _figures(self, turn: Turn) -> str:
        """Return by what and at what cost an answer was made; of an earlier one, since when."""
        if not self._look.is_expert:
            return transcript_text.answered_before(turn)
        parts = [] if turn.running else [transcript_text.made_by(turn, self._look.forms)]
        return " · ".join(part for part in (*parts, transcript_text.figures(turn)) if part)

    def _links(self, turn: Turn) -> list[tuple[str, str]]:
        links = []
        if turn.trace and self._look.is_expert:
            sign = "▾" if self._unfolded.steps else "▸"
            links.append((f"{sign}\u00a0{transcript_text.tr('Steps')}", STEPS))
        if turn.running:
            return links
        if turn.text:
            links.append((transcript_text.tr("Copy"), COPY))
        if turn.text and turn.citations:
            links.append((transcript_text.tr("Copy with sources"), QUOTED))
        if self._look.alone:
            return links
        return links + _kept_links(turn, is_expert=self._look.is_expert)

    def _paragraph(
        self, text: str, chars: QTextCharFormat, *, top: int = 4, indent: int = 0
    ) -> QTextCursor:
        cursor = self._body.lastCursorPosition()
        cursor.insertBlock(paragraph(top=top, indent=indent), chars)
        cursor.insertText(text, chars)
        return cursor

    def _link(self, cursor: QTextCursor, text: str, address: str) -> None:
        cursor.insertText(text, self._look.link(address))

    def _found_claims(self) -> tuple[ShownSentence, ...]:
        if self._shown is None or self._shown.running or self._part.number:
            return ()
        begin = self._body.firstPosition() + self._cuts[0].at
        end = self._body.firstPosition() + self._prose_end
        return find_sentences(self._body.firstCursorPosition(), begin, end, self._shown)

    def _dot(self, turn: Turn) -> int:
        """Underline, in dots, what has no quote; return how many sentences that are."""
        outcome = turn.outcome
        if not turn.from_model or not isinstance(outcome, Answered) or outcome.mode != "generated":
            return 0
        dotted = QTextCharFormat()
        dotted.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        dotted.setUnderlineColor(self._look.colors.of("warn"))
        claims = [each for each in self._found_claims() if each.sentence in turn.from_model]
        for claim in claims:
            cursor = self._body.firstCursorPosition()
            cursor.setPosition(claim.start)
            cursor.setPosition(claim.end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(dotted)
        return len(claims)


def _head(turn: Turn) -> tuple[object, ...]:
    return turn.question, turn.condensed, turn.versions, turn.version


def _kept_links(turn: Turn, *, is_expert: bool) -> list[tuple[str, str]]:
    """Return what may be done with a turn of a kept conversation."""
    is_table = turn.task is not None and turn.task.action == "each" and turn.task.documents
    may_keep = is_expert and turn.can_be_kept and not turn.is_kept
    offered = (
        (turn.is_unfinished, transcript_text.tr("Continue"), MORE),
        (True, transcript_text.tr("Try again"), RETRY),
        (is_table, transcript_text.tr("Save as table…"), ROWS),
        (turn.can_be_noted, transcript_text.tr("Save as note"), NOTE),
        (turn.can_be_noted, transcript_text.tr("Export…"), EXPORT),
        (turn.is_kept, transcript_text.tr("Keep no longer"), KEEP),
        (may_keep, transcript_text.tr("Keep this answer"), KEEP),
        (
            is_expert and isinstance(turn.outcome, Answered) and turn.task is None,
            transcript_text.tr("Save as test question"),
            TEST,
        ),
    )
    return [(words, kind) for is_possible, words, kind in offered if is_possible]
