"""Say in [0, 1] how surely each passage helps to answer a question.

The built-in reader does, where it reads the language; else the model is asked, many passages at a
time.
"""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import Question, Steps, StrategyTools
from desktop_rag.strategies.strips import strips_of

AT_ONCE = 20  # passages of one call
_SENTENCES = 3  # that the reader reads at once
_TOP = 10  # the model marks from 0 to 10
_REPLY = 400  # tokens that a decision needs


def evaluate_passages(
    passages: Sequence[Passage], purpose: str, question: Question, tools: StrategyTools
) -> Steps[tuple[float, ...]]:
    """Return one score a passage; none at all where the model gave no marks.

    The model is called at most once for every passage, as a rule once for twenty.
    """
    read = _read(passages, question.text, tools)
    if read is not None:
        return read
    made: list[float] = []
    while len(made) < len(passages):
        messages, count = _asked(passages[len(made) : len(made) + AT_ONCE], question, tools)
        marks = yield from tools.decide(messages, purpose, _schema(count))
        if marks is None:
            return ()
        made += [mark / _TOP for mark in marks["marks"]]
    return tuple(made)


def _read(
    passages: Sequence[Passage], question: str, tools: StrategyTools
) -> tuple[float, ...] | None:
    """Return what the reader says: of a long passage, of which it reads a part, its best strip."""
    scores = []
    for passage in passages:
        strips = strips_of([passage], _SENTENCES)
        texts = [f"{passage.title}\n{passage.text[each.start : each.end]}" for each in strips]
        readings = tools.read(question, texts)
        if readings is None:
            return None
        scores.append(max((1.0 - each.silence for each in readings), default=0.0))
    return tuple(scores)


def _asked(
    passages: Sequence[Passage], question: Question, tools: StrategyTools
) -> tuple[list[Message], int]:
    """Return messages about as many of the passages as the context has room for, at least one."""
    prompts = Prompts(question.language)
    count = len(passages)
    while True:
        rules = prompts.text("evaluate", count=str(count))
        shown = tools.fenced(passages[:count])
        asked = prompts.text("question", passages=shown, question=question.text)
        messages = [Message("system", rules), Message("user", asked)]
        if count == 1 or tools.room(messages) >= _REPLY:
            return messages, count
        count //= 2


def _schema(count: int) -> dict[str, object]:
    mark = {"type": "integer", "minimum": 0, "maximum": _TOP}
    marks = {"type": "array", "items": mark, "minItems": count, "maxItems": count}
    return {"type": "object", "properties": {"marks": marks}, "required": ["marks"]}
