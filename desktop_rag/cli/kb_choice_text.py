"""Which knowledge base was chosen and why, and which other one may know, in words for a person."""

from __future__ import annotations

from desktop_rag.core.routing_signals import LeftOut, NamedBy
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.ipc.wire import Line

_WHY_OUT = {
    LeftOut.EMPTY: "nothing is read there",
    LeftOut.NO_CONSENT: "its passages may not go to the language model",
    LeftOut.FAILED: "it can't be searched",
}
_NAMES = {
    NamedBy.BASE: "its name",
    NamedBy.FILE: "a file's name",
    NamedBy.PERSON: "a person",
    NamedBy.YEAR: "a year",
    NamedBy.LANGUAGE: "a language",
}


def chosen_kbs(line: Line) -> str:
    """Return a line on what was chosen, why, what came next and what was left out."""
    ranking = line["ranking"]
    told = " and ".join(map(_quoted, line["kbs"]))
    why = _why(ranking)
    rest = [_quoted(each["kb"]) for each in ranking if each["kb"] not in line["kbs"]]
    next_best = f" Next would be {rest[0]}." if rest else ""
    out = [f"{_quoted(kb)} ({_WHY_OUT[LeftOut(why)]})" for kb, why in line["left_out"]]
    left_out = f" Left out: {', '.join(out)}." if out else ""
    return f"Chosen by the question: {told}{f' ({why})' if why else ''}.{next_best}{left_out}"


def other_kb(line: Line) -> str:
    """Return a line on another knowledge base that may know."""
    return f"{_quoted(line['kb'])} may know: ask there with --kb."


def _why(ranking: list[Line]) -> str:
    """Return what spoke for the first of several."""
    best, others = ranking[0], ranking[1:]
    said = []
    if others and best["meaning"] is not None and _leads(best, others, "meaning"):
        said.append("nearest in meaning")
    if best["words"] > 0 and (not others or _leads(best, others, "words")):
        said.append(f"{best['words']:.0%} of the question's words in one passage")
    said += [f"{_NAMES[NamedBy(by)]}: {text}" for by, text in best["named"]]
    return "; ".join(said)


def _leads(best: Line, others: list[Line], sign: str) -> bool:
    return all(best[sign] > (each[sign] or 0.0) for each in others)


def _quoted(name: str) -> str:
    return f"“{sanitize_name(name)}”"
