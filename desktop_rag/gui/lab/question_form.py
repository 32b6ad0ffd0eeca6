"""A test question on its way in and out of a dialog: with its passages, to be ticked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.evaluation_records import WHOLE, GoldPassage, SavedQuestion
from desktop_rag.core.types import DocumentId, KbId, Locator, LocatorKind, Passage
from desktop_rag.gui.controllers.transcript import Answered, Turn

if TYPE_CHECKING:
    from desktop_rag.commands.propose_questions import ProposedQuestion
    from desktop_rag.workspace import Workspace

_NUMBERS = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class PassageChoice:
    """A passage beside a question, as it is shown to be ticked; `gold` is one already saved."""

    path: str
    title: str
    text: str
    locator: Locator
    document: DocumentId
    span: tuple[int, int] = (0, WHOLE)
    gold: GoldPassage | None = None
    is_gold: bool = True


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question that is being written: what is in the dialog, and its set."""

    set_name: str
    question: SavedQuestion
    pieces: tuple[PassageChoice, ...] = ()


def choice_of(
    passage: Passage, span: tuple[int, int] | None = None, text: str = ""
) -> PassageChoice:
    """Return a passage, or a stretch of it, to be ticked."""
    start, stop = passage.locator.start, passage.locator.end
    whole = passage.match if start is None or stop is None else (start, stop)
    return PassageChoice(
        passage.path,
        passage.title or Path(passage.path).name,
        text or passage.text,
        passage.locator,
        passage.document_id,
        span or whole,
    )


def form_from_turn(turn: Turn, kbs: tuple[str, ...]) -> QuestionForm:
    """Return an answer as a test question: its words without numbers, and what it quotes.

    To a refusal nothing is the right answer. Sources that were removed are left out.
    """
    if turn.refused:
        return QuestionForm("", SavedQuestion(0, turn.question, kbs=kbs))
    pieces: dict[tuple[str, tuple[int, int]], PassageChoice] = {}
    for each in turn.citations:
        source = turn.sources[each.n - 1] if 1 <= each.n <= len(turn.sources) else None
        start, stop = each.locator.start, each.locator.end
        if source is None or not source.path or start is None or stop is None:
            continue
        made = replace(choice_of(source, (start, stop), each.quote), locator=each.locator)
        pieces.setdefault((made.path, made.span), made)
    question = SavedQuestion(0, turn.question, _answers(turn), kbs=kbs)
    return QuestionForm("", question, tuple(pieces.values()))


def _answers(turn: Turn) -> tuple[str, ...]:
    """Return what may count as right: of an answer made of quotes any of them, else its text."""
    if isinstance(turn.outcome, Answered) and turn.outcome.mode == "extracted":
        said = [each.quote for each in turn.citations]
    else:
        said = [_NUMBERS.sub("", turn.text)]
    return tuple(dict.fromkeys(filter(None, (" ".join(each.split()) for each in said))))


def proposed_form(workspace: Workspace, set_name: str, proposed: ProposedQuestion) -> QuestionForm:
    """Return a proposal as a form, with its passage ticked."""
    values, one = proposed.values, proposed.proposal
    locator = workspace.catalog.documents.locator_for(one.document, *one.span)
    path = str(values["gold"][0]).rpartition("#char=")[0]
    piece = PassageChoice(path, Path(path).name, one.text, locator, one.document, one.span)
    kbs, answers = tuple(values["kbs"]), tuple(values["answers"])
    return QuestionForm(set_name, SavedQuestion(0, one.question, answers, kbs=kbs), (piece,))


def saved_form(workspace: Workspace, name: str, question: SavedQuestion) -> QuestionForm:
    """Return a saved question with what its passages say today."""
    known = workspace.catalog.kbs.names()
    kbs = [known[kb] for kb in question.kbs if kb in known]
    pieces = tuple(_saved_piece(workspace, gold, kbs) for gold in question.passages)
    return QuestionForm(name, question, pieces)


def _saved_piece(workspace: Workspace, gold: GoldPassage, kbs: Sequence[KbId]) -> PassageChoice:
    catalog = workspace.catalog
    same, now = catalog.questions.located(gold, kbs)
    title = Path(gold.path).name
    if not same or gold.stop == WHOLE:
        nowhere = Locator(LocatorKind.PART, "")
        document = now[0] if now else DocumentId(0)
        return PassageChoice(gold.path, title, "", nowhere, document, gold=gold)
    span = gold.start, gold.stop
    text = catalog.documents.text(same[0], *span)
    locator = catalog.documents.locator_for(same[0], *span)
    return PassageChoice(gold.path, title, text, locator, same[0], span, gold)


def gold_of(workspace: Workspace, piece: PassageChoice) -> GoldPassage:
    """Return a ticked passage; of a document that is another one by now, the whole file."""
    if piece.gold is not None:
        return piece.gold
    content = workspace.catalog.questions.content_of(piece.document)
    return GoldPassage(piece.path, content, *piece.span) if content else GoldPassage(piece.path)
