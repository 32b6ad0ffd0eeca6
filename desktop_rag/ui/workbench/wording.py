"""What is said of ways to answer and of what came of them, in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.app.comparing import Column, Way
from desktop_rag.app.offers import Offers
from desktop_rag.app.shared_sources import Source, Use
from desktop_rag.app.transcript import Answered
from desktop_rag.core import titles
from desktop_rag.ui.chat import phrases
from desktop_rag.ui.chat.clips import place
from desktop_rag.ui.sources.model import match_of
from desktop_rag.ui.spoken import spoken


def tr(text: str) -> str:
    """Translate a sentence of the comparison."""
    return QCoreApplication.translate("Compare", text)


def title_of(way: Way, offers: Offers) -> str:
    """Return what a way is called: its preset or strategy, transforms, and its own model."""
    known = dict(offers.strategies) | {each.name: each.title for each in offers.presets}
    named = dict(offers.transforms)
    parts = [spoken(known.get(way.name, titles.title_of(way.name)))]
    parts += [spoken(named.get(each, titles.title_of(each))) for each in way.transforms]
    title = " + ".join(parts)
    return f"{title} · {way.model}" if way.model else title


def state(column: Column, *, waits: bool) -> tuple[str, str]:
    """Return in a few words how far a column is, and the colour role that is said in."""
    if waits:
        return tr("Waits for its turn"), "muted"
    if column.turn is None:
        return tr("Not asked yet"), "muted"
    if column.turn.running:
        return tr("Is answering…"), "accent"
    return phrases.badge(column.turn)


def figures(column: Column) -> str:
    """Return what ran and what it took, in a line."""
    turn = column.turn
    if turn is None or turn.running:
        return ""
    parts = (phrases.made_by(turn), phrases.figures(turn))
    text = " · ".join(part for part in parts if part)
    return text.replace(" ", "\u00a0").replace("\u00a0·\u00a0", " · ")


def use(source: Source, at: int) -> str:
    """Return what an answer makes of a source."""
    said = {Use.CITED: tr("[%1] cited"), Use.READ: tr("[%1] read"), Use.NOT_FOUND: "–"}
    return said[source.uses[at]].replace("%1", str(source.numbers[at]))


def shared(sources: tuple[Source, ...], titles: tuple[str, ...], whole: tuple[int, ...]) -> str:
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
    columns: tuple[Column, ...], sources: tuple[Source, ...], offers: Offers, question: str
) -> list[list[str]]:
    """Return the comparison as rows of cells, the first one naming the ways."""
    rows = [[question, *(title_of(each.way, offers) for each in columns)]]
    rows.append([tr("Answer"), *(_text(each) for each in columns)])
    rows.append([tr("How it came about"), *(state(each, waits=False)[0] for each in columns)])
    rows.append([tr("Strategy and model"), *(_made_by(each) for each in columns)])
    for name, attribute in (
        (tr("Model calls"), "llm_calls"),
        (tr("Searches"), "searches"),
        (tr("Tokens"), "tokens"),
        (tr("Seconds"), "seconds"),
    ):
        rows.append([name, *(_figure(each, attribute) for each in columns)])
    for source in sources:
        uses = (use(source, at) for at in range(len(columns)))
        rows.append([place(source.passage, match_of(source.passage)), *uses])
    return rows


def _text(column: Column) -> str:
    return phrases.answer(column.turn) if column.turn is not None else ""


def _made_by(column: Column) -> str:
    return phrases.made_by(column.turn) if column.turn is not None else ""


def _figure(column: Column, attribute: str) -> str:
    turn = column.turn
    if turn is None or not isinstance(turn.outcome, Answered):
        return ""
    value = getattr(turn.outcome, attribute)
    return f"{value:.1f}" if isinstance(value, float) else str(value)
