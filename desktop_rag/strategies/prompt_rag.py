"""Prompt-RAG (Kang et al. 2024): no vectors; the model reads the contents and picks headings.

1. contents     the table of contents of all documents: headings, sheets, slides
2. selection    the model picks the headings under which the answer may stand, best first
3. answer       from the passages under these

The paper has one book, whose contents are in the prompt as a whole, and picks five headings (from
memory, as is that it asks for them in order of importance, and cuts the sections to what fits the
model). Here they are of many documents: where they are more lines than are offered at once, or than
the model's context has room for, documents are picked first, and then headings of these; deep
levels are left out, or the word index says which lines are offered. Of long sections the reranker
says which passages count. A document without headings is a line with its title and its beginning.

Where there is no model, or its choice cannot be used or leads to nothing that answers, the built-in
reader picks the headings, which it reads with the beginning of their text; where it doesn't read
the question, the word index does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase, PhraseList, SourceName
from desktop_rag.generation.prompt_delimiters import delimit_lines
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.retrieval.query_cleaning import without_answer_instructions
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option

Lines = tuple[OutlineEntry, ...]

_PURPOSES = {"documents": "choose documents", "headings": "choose headings"}
_REPLY = 400  # tokens that a decision needs
_FEWEST = 5  # lines that are offered, however small the context
_BEGUN = 60  # chunks of a document of which headings are shown beside its title
_BESIDE = 6  # such headings
_WIDTH = 100  # characters of a line
_SHOWN = 8  # lines that a step names of those that were offered
_NAMED = 24  # characters of a title that a step names
_RANK_WEIGHT = 2.0  # what the logarithm of its rank by words takes from a reader's score
_LEAST_SHARE = 4  # a level is folded in only where that leaves a quarter of what may be offered


@dataclass(frozen=True, slots=True)
class PromptRag:
    """Lets the model choose headings, and answers from the passages under them.

    Besides the answer it calls the model once, or twice where documents are chosen first; once more
    each where a choice breaks the form.
    """

    name: ClassVar[str] = "prompt_rag"
    title: ClassVar[str] = "Table of contents (Prompt-RAG)"
    paper: ClassVar[str] = "Kang et al. 2024, Prompt-RAG, arXiv 2401.11246"
    needs: ClassVar[tuple[str, ...]] = ()

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)
    headings: int = option(5, "Headings", "How many headings are picked at most.", low=1, high=30)
    documents: int = option(
        5,
        "Documents",
        "How many documents are picked first, where there are too many headings.",
        low=1,
        high=30,
    )
    offered: int = option(
        200, "Lines offered", "How many headings the model reads at most.", low=10, high=2000
    )
    read: int = option(
        48, "Headings read", "How many the built-in reader reads, where it picks.", low=5, high=500
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Read the contents, pick headings, answer from what stands under them."""
        k, documents = question.k or self.k, tools.documents()
        if not documents:
            found = yield from tools.search(question.text, "the question", k)
            return (yield from tools.answer(found))
        contents = yield from self._contents(documents, question, tools)
        picked = contents
        if len(contents) > self.headings:
            picked = yield from self._picked("headings", contents, question, tools)
        found = yield from tools.under(picked, "what stands under these headings", k)
        if picked is not contents and tools.model_name and not tools.enough(found):
            yield Step("decision", "What stands there does not answer the question.")
            named = tools.headings(tools.by_words(documents, self.read))
            picked = yield from self._read(named, self.headings, question, tools)
            found = yield from tools.under(picked, "what stands under these headings", k)
        return (yield from tools.answer(found))

    def _contents(self, documents: Lines, question: Question, tools: StrategyTools) -> Steps[Lines]:
        """Return the lines to pick from: of all documents, or of those that are picked first."""
        if not tools.model_name:
            return tools.headings(tools.by_words(documents, self.read))
        if len(documents) <= self.offered:
            lines = tools.headings(documents)
            messages = _messages("headings", lines, self.headings, question)
            if len(lines) <= self.offered and tools.room(messages) >= _REPLY:
                return lines
        if len(documents) > self.documents:
            documents = yield from self._picked("documents", documents, question, tools)
        return tools.headings(documents)

    def _picked(
        self, what: str, lines: Lines, question: Question, tools: StrategyTools
    ) -> Steps[Lines]:
        """Return some of the lines, best first: the model's choice, or else the reader's."""
        most = self.documents if what == "documents" else self.headings
        if tools.model_name:
            offered, messages = self._offered(what, lines, question, tools)
            yield Step("contents", _told_offered(what, offered))
            reply = yield from tools.decide(messages, _PURPOSES[what], _schema(len(offered), most))
            numbers = dict.fromkeys(reply["chosen"]) if reply is not None else {}
            if numbers:
                picked = tuple(offered[number - 1] for number in numbers)
                yield Step("decision", Phrase("The model picks: {0}", _named(picked)))
                return picked
            yield Step("decision", "The model names no line that can be used.")
        return (yield from self._read(lines, most, question, tools))

    def _read(
        self, lines: Lines, most: int, question: Question, tools: StrategyTools
    ) -> Steps[Lines]:
        """Return the lines that the built-in reader finds best, or else the word index."""
        read = tools.by_words(_parted(lines), self.read)
        asked = without_answer_instructions(question.text)
        pairs = [(asked, f"{' > '.join(each.names)}\n{each.opening}") for each in read]
        scores = tools.score(pairs)
        if scores is None:
            picked = read[:most]
            yield Step("decision", Phrase("The word index picks: {0}", _named(picked)))
            return picked
        told = [score - _RANK_WEIGHT * math.log(rank) for rank, score in enumerate(scores, start=1)]
        order = sorted(range(len(read)), key=lambda at: -told[at])[:most]
        picked = tuple(read[at] for at in order)
        yield Step(
            "decision",
            Phrase("The built-in reader picks, of {0}: {1}", len(read), _named(picked)),
        )
        return picked

    def _offered(
        self, what: str, lines: Lines, question: Question, tools: StrategyTools
    ) -> tuple[Lines, list[Message]]:
        """Return as many lines as may be offered and fit, and the messages that offer them."""
        most = self.documents if what == "documents" else self.headings
        beside = _headings_beside(lines, tools) if what == "documents" else {}
        count = self.offered
        while True:
            shown = _fewer(lines, count, tools)
            messages = _messages(what, shown, most, question, beside)
            if tools.room(messages) >= _REPLY or count <= _FEWEST:
                return shown, messages
            count = max(_FEWEST, count * 2 // 3)


def _fewer(lines: Lines, count: int, tools: StrategyTools) -> Lines:
    """Return at most so many lines in their order: without deep levels, or those that words name.

    A level that is left out stands under the one above it.
    """
    if len(lines) <= count:
        return lines
    for depth in range(max(each.depth for each in lines) - 1, 0, -1):
        folded = tuple(each for each in lines if each.depth <= depth)
        if count // _LEAST_SHARE <= len(folded) <= count:
            return folded
    named = set(tools.by_words(lines, count))
    return tuple(each for each in lines if each in named)


def _parted(lines: Lines) -> Lines:
    """Return lines that share no text: of one with headings below it what stands before these.

    A line whose text all stands under those is left out. The index names pieces of text, and a
    piece before the first heading does not speak for a whole document.
    """
    parted = []
    for each, below in zip(lines, (*lines[1:], None), strict=True):
        is_parted = below is not None and below.names[: len(each.names)] == each.names
        if below is None or not is_parted or below.document_id != each.document_id:
            parted.append(each)
        elif below.first > each.first:
            parted.append(replace(each, last=below.first - 1))
    return tuple(parted)


def _headings_beside(documents: Lines, tools: StrategyTools) -> Mapping[int, str]:
    """Return the first headings of each document."""
    found: dict[int, list[str]] = {}
    for each in tools.headings(documents, _BEGUN):
        if each.depth:
            found.setdefault(each.document_id, []).append(each.names[-1])
    return {number: "; ".join(names[:_BESIDE]) for number, names in found.items()}


def _messages(
    what: str,
    lines: Lines,
    most: int,
    question: Question,
    beside: Mapping[int, str] | None = None,
) -> list[Message]:
    """Return the rules, and the numbered lines with the question."""
    prompts = Prompts(question.language)
    begun = dict.fromkeys((each.document_id for each in lines if each.depth), "") | dict(
        beside or {}
    )
    told = delimit_lines([_line(each, begun) for each in lines], question.text)
    rules = prompts.text(f"prompt_rag/{what}", count=str(most))
    asked = prompts.text("shared/passages_and_question", passages=told, question=question.text)
    return [Message("system", rules), Message("user", asked)]


def _line(entry: OutlineEntry, beside: Mapping[int, str]) -> str:
    """Return a line of the contents, further in the deeper it stands.

    Beside a title stands what is told of its document, or how that begins.
    """
    text = entry.names[-1]
    if not entry.depth:
        more = beside.get(entry.document_id, entry.opening.removeprefix(text).strip())
        text = f"{text}: {more}" if more else text
    return f"{'  ' * entry.depth}{text[:_WIDTH]}"


def _schema(count: int, most: int) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 1, "maximum": count}
    chosen = {"type": "array", "items": number, "maxItems": most}
    return {"type": "object", "properties": {"chosen": chosen}, "required": ["chosen"]}


def _told_offered(what: str, lines: Lines) -> str:
    """Return which lines the model may pick from."""
    few = _named(lines[:_SHOWN])
    more = Phrase(" … and {0} more", len(lines) - _SHOWN) if len(lines) > _SHOWN else ""
    if what == "documents":
        return Phrase("{0} documents to choose from: {1}{2}", len(lines), few, more)
    documents = len({each.document_id for each in lines})
    return Phrase(
        "{0} headings of {1} documents to choose from: {2}{3}", len(lines), documents, few, more
    )


def _named(lines: Sequence[OutlineEntry]) -> PhraseList:
    """Return lines as a step names them; they leave a conversation with their documents."""
    named = (SourceName(_short(each.names), each.chunk_id, each.document_id) for each in lines)
    return PhraseList(named, "; ")


def _short(names: Sequence[str]) -> str:
    """Return a heading with its document's title; a title alone."""
    title, *_ = (name if len(name) <= _NAMED else f"{name[:_NAMED]} …" for name in names)
    return title if len(names) == 1 else f"{names[-1]} ({title})"
