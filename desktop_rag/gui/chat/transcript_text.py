"""What the transcript says around an answer: figures, states; translated."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.events import SMALL_TALK, NoticeCode, ResultTable, Step
from desktop_rag.core.phrases import Phrase, has_code
from desktop_rag.core.strategy_titles import strategy_title
from desktop_rag.gui.chat import way_options_text
from desktop_rag.gui.controllers.strategy_choices import WayForm
from desktop_rag.gui.controllers.timeline import sums
from desktop_rag.gui.controllers.transcript import Answered, Failed, InProgress, Stopped, Turn
from desktop_rag.gui.display_text import join_list, shown_name
from desktop_rag.gui.message_translation import translate_message

_CONTEXT = "Transcript"
_QUESTION = 120  # characters of an earlier question


def tr(text: str) -> str:
    """Translate a sentence of the transcript."""
    return QCoreApplication.translate(_CONTEXT, text)


def stage(running: InProgress) -> str:
    """Return what is going on before the first word."""
    return {
        "search": tr("Searching your documents…"),
        "read": tr("Reading the passages…"),
        "steps": tr("Researching step by step…"),
        "write": tr("Writing…"),
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
        if any(has_code(each, NoticeCode.UNREAD_FILES) for each in turn.notices):
            return tr("There is nothing to search yet: no file has been read"), "warn"
        return tr("There is nothing to search yet: add files or a folder"), "warn"
    if turn.broken_off:
        return tr("Unfinished: the language model broke off"), "warn"
    if any(isinstance(each, Step) and each.name == SMALL_TALK for each in turn.trace):
        return tr("A ready-made reply: nothing was searched"), "muted"
    if turn.outcome.mode == "extracted" and _is_calculated(turn):
        return tr("Calculated from the tables of your documents"), "muted"
    if turn.outcome.mode == "extracted" and turn.task is not None:
        return _taken_from_documents(turn.task.action), "muted"
    return {
        "generated": (tr("Written by the language model"), "muted"),
        "extracted": (tr("Quotes from your documents, no language model"), "muted"),
        "refused": (tr("No passage answers this"), "muted"),
    }.get(turn.outcome.mode, (turn.outcome.mode, "muted"))


def _taken_from_documents(action: str) -> str:
    """Return what an answer over whole documents is that no language model wrote."""
    return {
        "summarise": tr("Summary of sentences from your documents, no language model"),
        "compare": tr("Sentences of your documents side by side, no language model"),
    }.get(action, tr("Rows from your documents, no language model"))


def _is_calculated(turn: Turn) -> bool:
    return any(isinstance(each, ResultTable) for each in turn.trace)


def answer(turn: Turn) -> str:
    """Return an answer's text; one of quotes that has none left is a sentence of the engine.

    That nothing was found is said in the window's language, whichever was asked in.
    """
    if turn.refused and turn.task is None:
        return _refusal(turn)
    outcome = turn.outcome
    is_quoting = isinstance(outcome, Answered) and outcome.mode == "extracted"
    return translate_message(turn.text) if is_quoting and not turn.citations else turn.text


def _refusal(turn: Turn) -> str:
    """Return that an answer was not found, and in what; or that there was nothing to look in."""
    is_unread = any(has_code(each, NoticeCode.UNREAD_FILES) for each in turn.notices)
    if turn.retrieved or turn.sources:
        if is_unread:
            return tr("Not found in what has been read of your documents.")
        return tr("Not found in your documents.")
    if is_unread:
        return tr("Nothing of your documents has been read yet.")
    return tr("There is nothing to search yet: add files or a folder.")


def progress(turn: Turn) -> str:
    """Return how far the reading of whole documents is, "" where nothing is known of it."""
    if turn.task is None:
        return ""
    steps = (each.text for each in reversed(turn.trace) if isinstance(each, Step))
    return translate_message(next(steps, ""))


def unsupported(count: int) -> str:
    """Return a line on so many sentences that no quote was found for."""
    if count == 1:
        return tr("No quote was found for the dotted sentence: check it yourself.")
    text = tr("No quote was found for the %n dotted sentences: check them yourself.")
    return text.replace("%n", str(count))


def waiting(turn: Turn) -> tuple[str, str]:
    """Return that an answer is asked again by itself, or is being, and what ends that."""
    if turn.is_asked_again:
        return tr("Files were read since: the question is being asked again…"), tr("Stop")
    text = tr("The question is asked again by itself when more is read.")
    return text, tr("Do not ask again")


def advice(turn: Turn) -> str:
    """Return what to do about a refusal, "" where there is nothing to look at."""
    if not turn.refused or not (turn.retrieved or turn.sources):
        return ""
    return tr("Ask in other words, or look at what came nearest.")


def may_know(kb: str) -> str:
    """Return that another knowledge base may know the answer."""
    return tr("The knowledge base “%1” may know.").replace("%1", shown_name(kb))


def all_sources(turn: Turn) -> str:
    """Return the words that show the list of a turn's sources, "" where it has none."""
    number = len(turn.sources) + len(turn.also_retrieved())
    told = tr("What came nearest (%1)") if turn.refused else tr("All sources (%1)")
    return told.replace("%1", str(number)) if number else ""


def shortened(question: str) -> str:
    """Return a question in quotation marks, no longer than a line."""
    said = " ".join(question.split())
    return f"“{said}”" if len(said) <= _QUESTION else f"“{said[:_QUESTION].rstrip()} …”"


def documents_now(state: str) -> str:
    """Return what became of an earlier answer's documents, "" where they are the same."""
    return {
        "changed": tr("its documents have changed since"),
        "gone": tr("its documents are gone"),
    }.get(state, "")


def figures(turn: Turn) -> str:
    """Return one line on what it took: searches, passages, calls, tokens, seconds.

    Of an answer that is given again: since when it is kept. Its steps are those of that time.
    """
    if told := answered_before(turn):
        return told
    took = sums(turn)
    counted = (
        (took.searches, tr("1 search"), tr("%n searches")),
        (took.passages, tr("1 passage"), tr("%n passages")),
        (took.calls, tr("1 model call"), tr("%n model calls")),
    )
    parts = [
        one if count == 1 else many.replace("%n", str(count))
        for count, one, many in counted
        if count
    ]
    if isinstance(turn.outcome, Answered):
        if turn.outcome.tokens:
            parts.append(tr("%n tokens").replace("%n", f"{turn.outcome.tokens:,}"))
        parts.append(tr("%1 s").replace("%1", f"{turn.outcome.seconds:.1f}"))
    if took.drafted:
        text = tr("searched again for %1 of %2 sentences").replace("%1", str(took.again))
        parts.append(text.replace("%2", str(took.drafted)))
    return " · ".join(parts)


def answered_before(turn: Turn) -> str:
    """Return since when an answer is kept that is given again; "" of any other."""
    told = (each for each in turn.notices if has_code(each, NoticeCode.ANSWERED_BEFORE))
    notice = next(told, "")
    asked = str(notice.arguments[0]) if isinstance(notice, Phrase) and notice.arguments else ""
    return tr("kept from %1, nothing was searched now").replace("%1", asked) if asked else ""


def made_by(turn: Turn, forms: Sequence[WayForm] = ()) -> str:
    """Return strategy and model, the preset that chose the strategy, and what was set for it.

    `forms` tell what the options of ways are called.
    """
    model = turn.outcome.model if isinstance(turn.outcome, Answered) else None
    way = translate_message(strategy_title(turn.strategy))
    if turn.preset:
        by = tr("%1: %2").replace("%1", translate_message(strategy_title(turn.preset)))
        way = by.replace("%2", way)
    form = next((each for each in forms if each.name == (turn.preset or turn.strategy)), None)
    if changes := way_options_text.titled(form, turn.transforms, turn.options):
        way = f"{way} ({join_list(changes)})"
    return " · ".join(part for part in (way, model) if part)
