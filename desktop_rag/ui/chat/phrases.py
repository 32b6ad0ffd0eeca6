"""What the transcript says around an answer: steps, figures, states; translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.app.transcript import Answered, Failed, Running, Stopped, Trace, Turn
from desktop_rag.core.events import Call, Draft, PassagesFound, SearchStarted
from desktop_rag.ui.spoken import spoken

_CONTEXT = "Transcript"


def tr(text: str) -> str:
    """Translate a sentence of the transcript."""
    return QCoreApplication.translate(_CONTEXT, text)


def stage(running: Running) -> str:
    """Return what is going on before the first word."""
    return {
        "search": tr("Searching your documents …"),
        "read": tr("Reading the passages …"),
        "write": tr("Writing …"),
    }[running.stage]


def badge(turn: Turn) -> tuple[str, str]:
    """Return a word on how the answer came about, and the colour role it is shown in."""
    if isinstance(turn.outcome, Stopped):
        return tr("Stopped"), "warn"
    if isinstance(turn.outcome, Failed):
        return tr("No answer"), "bad"
    if not isinstance(turn.outcome, Answered):
        return "", "muted"
    if turn.refused and not (turn.retrieved or turn.sources):
        return tr("There is nothing to search yet: add files or a folder"), "warn"
    if turn.broken_off:
        return tr("Unfinished: the language model broke off"), "warn"
    return {
        "generated": (tr("Written by the language model"), "muted"),
        "extracted": (tr("Quotes from your documents, no language model"), "warn"),
        "refused": (tr("No passage answers this"), "warn"),
    }.get(turn.outcome.mode, (turn.outcome.mode, "muted"))


def answer(turn: Turn) -> str:
    """Return an answer's text; one of quotes that has none left is a sentence of the engine."""
    outcome = turn.outcome
    is_quoting = isinstance(outcome, Answered) and outcome.mode == "extracted"
    return spoken(turn.text) if is_quoting and not turn.citations else turn.text


def unsupported(count: int) -> str:
    """Return a line on so many sentences that no passage stands behind."""
    if count == 1:
        return tr("No passage of your documents supports the dotted sentence.")
    text = tr("No passage of your documents supports the %n dotted sentences.")
    return text.replace("%n", str(count))


def figures(turn: Turn) -> str:
    """Return one line on what it took: searches, calls, tokens, seconds."""
    searches = sum(isinstance(each, SearchStarted) for each in turn.trace)
    calls = sum(isinstance(each, Call) for each in turn.trace)
    parts = []
    if searches:
        parts.append(
            tr("1 search") if searches == 1 else tr("%n searches").replace("%n", str(searches))
        )
    if calls:
        parts.append(
            tr("1 model call") if calls == 1 else tr("%n model calls").replace("%n", str(calls))
        )
    if isinstance(turn.outcome, Answered):
        if turn.outcome.tokens:
            parts.append(tr("%n tokens").replace("%n", f"{turn.outcome.tokens:,}"))
        parts.append(tr("%1 s").replace("%1", f"{turn.outcome.seconds:.1f}"))
    return " · ".join(parts)


def made_by(turn: Turn) -> str:
    """Return strategy and model, and the preset that chose the strategy."""
    model = turn.outcome.model if isinstance(turn.outcome, Answered) else None
    way = spoken(title_of(turn.strategy))
    if turn.preset:
        by = tr("%1: %2").replace("%1", spoken(title_of(turn.preset)))
        way = by.replace("%2", way)
    return " · ".join(part for part in (way, model) if part)


def title_of(strategy: str) -> str:
    """Return a strategy's name for people, until its own title is known."""
    return strategy.replace("_", " ").capitalize()


def step(each: Trace) -> tuple[str, str]:
    """Return a step's kind, and what it says."""
    if isinstance(each, SearchStarted):
        said = f"“{each.query}”"
        return tr("Search"), " · ".join(filter(None, (said, spoken(each.why))))
    if isinstance(each, PassagesFound):
        text = tr("%1 passages, %2 kept").replace("%1", str(len(each.passages)))
        return tr("Found"), text.replace("%2", str(len(each.kept)))
    if isinstance(each, Call):
        return tr("Model call"), _call(each)
    if isinstance(each, Draft):
        return (tr("Draft kept") if each.kept else tr("Draft dropped")), each.text
    kinds = {
        "condensed": tr("Question understood as"),
        "thought": tr("Thought"),
        "sub-question": tr("Sub-question"),
        "decision": tr("Decision"),
    }
    return kinds.get(each.name, each.name.capitalize()), spoken(each.text)


def purpose(name: str) -> str:
    """Return what a call of the language model was for."""
    known = {
        "answer": tr("answer"),
        "condense": tr("follow-up understood"),
        "draft": tr("draft"),
        "reason": tr("reasoning"),
    }
    return known.get(name, spoken(name))


def _call(call: Call) -> str:
    parts = [call.model, purpose(call.purpose)]
    if call.prompt_tokens is not None and call.answer_tokens is not None:
        counts = tr("%1 tokens read, %2 written").replace("%1", f"{call.prompt_tokens:,}")
        parts.append(counts.replace("%2", f"{call.answer_tokens:,}"))
    parts.append(tr("%1 s").replace("%1", f"{call.seconds:.1f}"))
    if call.dropped:
        parts.append(tr("did not fit: %1").replace("%1", "; ".join(map(spoken, call.dropped))))
    return " · ".join(parts)
