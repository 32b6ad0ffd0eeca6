"""What the timeline says of each step of an answer, translated."""

from __future__ import annotations

from desktop_rag.core.events import (
    Chain,
    Draft,
    EarlierAnswer,
    KbsChosen,
    LinkedPassage,
    ModelCall,
    Notice,
    OtherKb,
    PassagesFound,
    ResultTable,
    SearchStarted,
    Step,
    TableQuery,
)
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage
from desktop_rag.gui.chat.transcript_text import may_know, shortened, tr
from desktop_rag.gui.controllers.timeline import (
    TimelineEntry,
    TimelineTotals,
    UnsureWord,
    source_number,
)
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.display_text import join_details, join_list, locator_text, shown_name
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.viewer.source_list_model import localize_removed as told_of

_QUERY = 280  # characters of a query that are shown; a whole draft may be one
_TABLES, _ROWS = 3, 12  # of a query, and of its result
_LEAST_SURE = 3  # words that are named beside a draft


def seconds(count: float) -> str:
    """Return a time in seconds."""
    return tr("%1 s").replace("%1", f"{count:.1f}")


def percent(share: float) -> str:
    """Return a probability; what is left of a very small one is not nothing."""
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def kind(entry: TimelineEntry) -> str:
    """Return what kind of step it is."""
    event = entry.event
    if isinstance(event, Draft):
        return _kind_of_draft(event, entry)
    if isinstance(event, Step):
        numbered = tr("Thought %1").replace("%1", str(entry.thought))
        return numbered if entry.thought else _kind_of_step(event.name)
    return {
        SearchStarted: tr("Search"),
        PassagesFound: tr("Found"),
        Chain: tr("Leads on"),
        TableQuery: tr("Query"),
        ResultTable: tr("Result"),
        EarlierAnswer: tr("Earlier answer"),
        KbsChosen: tr("Asked"),
        OtherKb: tr("Elsewhere"),
        ModelCall: tr("Model call"),
        Notice: tr("Notice"),
    }[type(event)]


def entry_text(entry: TimelineEntry) -> str:
    """Return what a step says; of a draft and a chain that is more than words."""
    event = entry.event
    if isinstance(event, SearchStarted):
        said = event.query if len(event.query) <= _QUERY else f"{event.query[:_QUERY]} …"
        return " · ".join(filter(None, (f"“{said}”", translate_message(event.why))))
    if isinstance(event, EarlierAnswer):
        return f"{shortened(event.question)} · {event.asked}"
    if isinstance(event, KbsChosen):
        return _chosen(event)
    if isinstance(event, OtherKb):
        return may_know(event.kb)
    if isinstance(event, PassagesFound):
        return _counts(event)
    if isinstance(event, ModelCall):
        return _call(event)
    if isinstance(event, TableQuery):
        return _query(event)
    if isinstance(event, ResultTable):
        return _result(event)
    return translate_message(event.text) if isinstance(event, (Step, Notice)) else ""


def _chosen(event: KbsChosen) -> str:
    """Return which knowledge bases were chosen by the question, and among how many."""
    told = tr("%1, chosen by the question among %n knowledge bases")
    told = told.replace("%n", str(len(event.ranking)))
    return told.replace("%1", join_list(f"“{shown_name(each)}”" for each in event.kbs))


def least_sure(draft: Draft, words: tuple[UnsureWord, ...]) -> str:
    """Return which words a model was least sure of, "" where it was sure of all."""
    least = sorted(sorted(words, key=lambda word: word.probability)[:_LEAST_SURE])
    if not least:
        return ""
    said = (f"“{draft.text[word.start : word.end]}” {percent(word.probability)}" for word in least)
    return tr("Least sure of: %1").replace("%1", join_list(said))


def probability(draft: Draft, word: UnsureWord) -> str:
    """Return how probable the model found a word."""
    said = tr("“%1”: the model gave it %2").replace("%2", percent(word.probability))
    return said.replace("%1", draft.text[word.start : word.end])


def title(passage: Passage) -> str:
    """Return a passage's document and its place there."""
    return join_details(name(passage), place(passage))


def name(passage: Passage) -> str:
    """Return what a passage's document is called."""
    return sanitize_name(told_of(passage).title or passage.path)


def place(passage: Passage) -> str:
    """Return where in its document a passage stands; one that was removed stands nowhere."""
    return locator_text(passage.place_of(*passage.match)) if passage.path else ""


def scores(passage: Passage) -> str:
    """Return the scores that a search gave a passage, the last stage's first."""
    ranks = (
        (tr("reranked %1"), passage.rerank_score),
        (tr("fused #%1"), passage.fused_rank),
        (tr("meaning #%1"), passage.dense_rank),
        (tr("words #%1"), passage.lexical_rank),
        (tr("age ×%1"), passage.age_weight),
    )
    said = (
        text.replace("%1", f"{value:.2f}" if isinstance(value, float) else str(value)).replace(
            " ", "\u00a0"
        )
        for text, value in ranks
        if value is not None
    )
    return " · ".join(said)


def passage_outcome(turn: Turn, passage: Passage, *, kept: bool) -> str:
    """Return what became of a passage that a search found."""
    if not kept:
        return tr("dropped")
    number = source_number(turn, passage)
    said = tr("source %1").replace("%1", str(number)) if number else tr("kept")
    return said.replace(" ", "\u00a0")


def first(chain: Chain) -> str:
    """Return how probable a passage is as the first of a chain."""
    return tr("chance of being the starting point: %1").replace("%1", percent(chain.score))


def follow(each: LinkedPassage) -> str:
    """Return what led from a first passage to this one, and how probable that is."""
    return f"{percent(each.score)} · {link(each)}"


def link(each: LinkedPassage) -> str:
    """Return what led from a first passage to this one."""
    if each.by == "name":
        return tr("mentions “%1”").replace("%1", sanitize_name(each.name))
    return tr("shared words") if each.by == "words" else tr("also found by the question")


def in_all(sums: TimelineTotals) -> str:
    """Return what all calls of the model took together."""
    parts = []
    if sums.read or sums.written:
        counts = tr("%1 tokens read, %2 written").replace("%1", f"{sums.read:,}")
        parts.append(counts.replace("%2", f"{sums.written:,}"))
    parts.append(tr("%1 s in the model").replace("%1", f"{sums.seconds:.1f}"))
    return " · ".join(parts)


def _kind_of_draft(draft: Draft, entry: TimelineEntry) -> str:
    if draft.kept:
        return tr("Draft, kept")
    if not entry.searched:
        return tr("Draft, not kept")
    return tr("Draft, searched with") if draft.tokens is None else tr("Draft, searched again")


def _kind_of_step(name: str) -> str:
    kinds = {
        "condensed": tr("Question understood as"),
        "thought": tr("Thought"),
        "sub-question": tr("Sub-question"),
        "decision": tr("Decision"),
        "another wording": tr("Another wording"),
        "step back": tr("More general question"),
        "rewritten": tr("Rewritten"),
        "labels": tr("Labels"),
        "chain": tr("Leads on"),
        "shortened": tr("Shortened"),
        "summary": tr("Summary"),
        "matched": tr("Found by"),
        "contents": tr("Contents"),
        "small talk": tr("Small talk"),
        "utility": tr("Utility"),
        "reading": tr("Reading"),
        "joining": tr("Joining notes"),
        "document": tr("Document"),
        "point": tr("Point of comparison"),
    }
    return kinds.get(name, name.capitalize())


def _counts(event: PassagesFound) -> str:
    count = len(event.passages)
    kept = sum(each.chunk_id in event.kept for each in event.passages)
    if not count:
        return tr("nothing")
    text = tr("1 passage") if count == 1 else tr("%n passages").replace("%n", str(count))
    return text if kept == count else join_details(text, tr("%1 kept").replace("%1", str(kept)))


def _query(event: TableQuery) -> str:
    """Return the SQL, who wrote it, and over how many rows it goes."""
    by = tr("written by the model") if event.by == "model" else tr("read from the question")
    rows = tr("over %1 rows").replace("%1", f"{event.rows:,}")
    names = join_list(sanitize_name(each) for each in event.tables[:_TABLES])
    return "\n".join((" · ".join(filter(None, (by, rows, names))), event.sql))


def _result(event: ResultTable) -> str:
    """Return the first rows of a result, one a line."""
    shown = event.rows[:_ROWS]
    lines = [" | ".join(row) for row in (event.columns, *shown)]
    if event.total > len(shown):
        lines.append(tr("… and %1 more rows").replace("%1", f"{event.total - len(shown):,}"))
    return "\n".join(lines)


def _purpose(name: str) -> str:
    known = {
        "answer": tr("answer"),
        "prepare: summary": tr("a summary of passages"),
        "condense": tr("follow-up understood"),
        "continue": tr("answer continued"),
        "draft": tr("draft"),
        "reason": tr("reasoning"),
        "look ahead": tr("looking a sentence ahead"),
        "write anew": tr("written anew"),
        "from the passages": tr("written from the passages"),
        "next window": tr("the next words"),
        "next sentence": tr("the next sentence"),
        "segment": tr("a part of the answer"),
        "retrieve?": tr("is a search needed?"),
        "critique": tr("how well is it supported?"),
        "route": tr("how many steps are needed?"),
        "keywords": tr("keywords"),
        "summarise the passages": tr("passages summarised"),
        "evaluate the passages": tr("passages judged"),
        "evaluate the strips": tr("parts of passages judged"),
        "made-up document": tr("a made-up document"),
        "filter": tr("a filter for documents"),
        "choose documents": tr("documents chosen"),
        "choose headings": tr("headings chosen"),
        "take notes": tr("notes taken"),
        "summarise": tr("summary"),
        "points of comparison": tr("points of comparison"),
        "compare a point": tr("a point compared"),
        "write a query": tr("a query over tables"),
        "from memory": tr("what the model knows itself"),
    }
    if isinstance(name, Phrase) and name.template == "{0}, again":
        return tr("%1, again").replace("%1", _purpose(str(name.arguments[0])))
    return known.get(name, translate_message(name))


def _call(call: ModelCall) -> str:
    parts = [_purpose(call.purpose), call.model]
    if call.prompt_tokens is not None and call.answer_tokens is not None:
        counts = tr("%1 tokens read, %2 written").replace("%1", f"{call.prompt_tokens:,}")
        parts.append(counts.replace("%2", f"{call.answer_tokens:,}"))
    parts.append(seconds(call.seconds))
    if call.dropped:
        parts.append(
            tr("did not fit: %1").replace("%1", "; ".join(map(translate_message, call.dropped)))
        )
    return " · ".join(parts)
