"""What is said of ways to answer and of what came of them, in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.core import strategy_titles
from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.chat.clipboard import source_line
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.controllers.transcript import Answered
from desktop_rag.gui.lab.compare_controller import AnswerMethod, ComparisonColumn
from desktop_rag.gui.lab.shared_sources import SharedSource, SourceUse
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.viewer.source_list_model import matched_locator


def tr(text: str) -> str:
    """Translate a sentence of the comparison."""
    return QCoreApplication.translate("ComparePage", text)


def method_title(way: AnswerMethod, offers: StrategyChoices) -> str:
    """Return what a way is called: its preset or strategy, transforms, and its own model."""
    known = dict(offers.strategies) | {each.name: each.title for each in offers.presets}
    named = dict(offers.transforms)
    parts = [translate_message(known.get(way.name, strategy_titles.strategy_title(way.name)))]
    parts += [
        translate_message(named.get(each, strategy_titles.strategy_title(each)))
        for each in way.transforms
    ]
    title = " + ".join(parts)
    return f"{title} · {way.model}" if way.model else title


def state(column: ComparisonColumn, *, waits: bool) -> tuple[str, str]:
    """Return in a few words how far a column is, and the colour role that is said in."""
    if waits:
        return tr("Waits for its turn"), "muted"
    if column.turn is None:
        return tr("Not asked yet"), "muted"
    if column.turn.running:
        return tr("Is answering…"), "accent"
    return transcript_text.badge(column.turn)


def figures(column: ComparisonColumn, offers: StrategyChoices) -> str:
    """Return what ran and what it took, in a line."""
    turn = column.turn
    if turn is None or turn.running:
        return ""
    parts = (transcript_text.made_by(turn, offers.forms), transcript_text.figures(turn))
    text = " · ".join(part for part in parts if part)
    return text.replace(" ", "\u00a0").replace("\u00a0·\u00a0", " · ")


def use_text(source: SharedSource, at: int) -> str:
    """Return what an answer makes of a source."""
    said = {
        SourceUse.CITED: tr("[%1] cited"),
        SourceUse.READ: tr("[%1] read"),
        SourceUse.NOT_FOUND: "–",
    }
    return said[source.uses[at]].replace("%1", str(source.numbers[at]))


def shared_text(
    sources: tuple[SharedSource, ...], titles: tuple[str, ...], whole: tuple[int, ...]
) -> str:
    """Return how many sources the answers share, and how many only one of them has.

    `whole` are the columns whose answers are there: with fewer than two nothing is compared.
    """
    if len(whole) < 2:
        return tr("Sources")
    common = sum(set(each.holders) >= set(whole) for each in sources)
    parts = [tr("Sources in all answers: %1").replace("%1", str(common))]
    for at in whole:
        alone = sum(each.holders == (at,) for each in sources)
        only = tr("only in “%1”: %2").replace("%1", titles[at])
        parts.append(only.replace("%2", str(alone)))
    return " · ".join(parts)


def table(
    columns: tuple[ComparisonColumn, ...],
    sources: tuple[SharedSource, ...],
    offers: StrategyChoices,
    question: str,
) -> list[list[str]]:
    """Return the comparison as rows of cells, the first one naming the ways."""
    rows = [[question, *(method_title(each.way, offers) for each in columns)]]
    rows.append([tr("Answer"), *(_text(each) for each in columns)])
    rows.append([tr("How it came about"), *(state(each, waits=False)[0] for each in columns)])
    rows.append([tr("Strategy and model"), *(_made_by(each, offers) for each in columns)])
    for name, attribute in (
        (tr("Model calls"), "llm_calls"),
        (tr("Searches"), "searches"),
        (tr("Tokens"), "tokens"),
        (tr("Seconds"), "seconds"),
    ):
        rows.append([name, *(_figure(each, attribute) for each in columns)])
    for source in sources:
        uses = (use_text(source, at) for at in range(len(columns)))
        rows.append([source_line(source.passage, matched_locator(source.passage)), *uses])
    return rows


def _text(column: ComparisonColumn) -> str:
    return transcript_text.answer(column.turn) if column.turn is not None else ""


def _made_by(column: ComparisonColumn, offers: StrategyChoices) -> str:
    return transcript_text.made_by(column.turn, offers.forms) if column.turn is not None else ""


def _figure(column: ComparisonColumn, attribute: str) -> str:
    turn = column.turn
    if turn is None or not isinstance(turn.outcome, Answered):
        return ""
    value = getattr(turn.outcome, attribute)
    return f"{value:.1f}" if isinstance(value, float) else str(value)
