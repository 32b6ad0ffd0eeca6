"""Answers judged by the language model itself: an opinion, not a measurement.

Acc† has it say whether an answer is right. Faithfulness, answer relevance, context precision and
context recall are those of RAGAS (Es et al. 2023); facts are checked as fields of one structured
call, each true, false or not clear (FaaF, Katranidis & Barany 2024). Every judgement is one
decision, two for faithfulness, that is asked for again once where it breaks the form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from desktop_rag.core.events import Answer
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Embedder, Message
from desktop_rag.strategies.base import Steps
from desktop_rag.strategies.model_calls import ModelTools

QUESTIONS = 3
"""How many questions are made back from an answer."""

_MOST_STATEMENTS = 12
_REPLY = 400  # tokens that a decision needs
_FACT = ("True", "False", "Not clear")

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the model says of one answer, each in [0, 1]; None where it was not to be judged.

    `unsaid` counts the judgements that twice broke the form.
    """

    right: float | None = None
    faithful: float | None = None
    relevance: float | None = None
    precision: float | None = None
    recall: float | None = None
    facts: float | None = None
    unsaid: int = 0


@dataclass(slots=True)
class Judge:
    """Judges one answer with a model's calls; `embedder` compares the questions made back."""

    calls: ModelTools
    embedder: Embedder
    item: EvalQuestion
    answer: Answer
    unsaid: int = 0

    def judged(self) -> Steps[Judgement]:
        """Return every judgement that this answer allows.

        A refusal says nothing that could be judged but that it was wrong, where an answer is known.
        """
        known = bool(self.item.answers)
        told = self.answer.mode != "refused"
        right = (yield from self._right()) if known and told else (0.0 if known else None)
        faithful = (yield from self._faithful()) if told and self.answer.sources else None
        relevance = (yield from self._relevance()) if told else None
        precision = (yield from self._precision()) if known and self.answer.sources else None
        recall = (yield from self._recall()) if known and self.answer.sources else None
        facts = (yield from self._facts()) if known and told else None
        return Judgement(right, faithful, relevance, precision, recall, facts, self.unsaid)

    def _right(self) -> Steps[float | None]:
        """Acc†: 1 where the answer is right, whatever its words."""
        shown = self._text(
            "judge/question_and_answer", known=_listed(self.item.answers), told=self._told()
        )
        found = yield from self._decide("judge/right", shown, _flag("right"))
        return None if found is None else float(found["right"])

    def _faithful(self) -> Steps[float | None]:
        """Supported statements / statements."""
        shown = self._text("judge/question_and_answer", known="-", told=self._told())
        listed = yield from self._decide("judge/statements", shown, _texts("statements"))
        said = [each for each in (listed or {}).get("statements", ()) if each.strip()]
        return (yield from self._share("judge/supported", said[:_MOST_STATEMENTS]))

    def _recall(self) -> Steps[float | None]:
        """Sentences of the known answer that the passages say / all of them."""
        return (yield from self._share("judge/supported", _sentences(self.item.answers[0])))

    def _share(self, rules: str, said: Sequence[str]) -> Steps[float | None]:
        """Return the share of statements that the passages support, in one decision."""
        if not said:
            return None
        shown = self._over_passages(statements=_listed(said))
        found = yield from self._decide(rules, shown, _flags("supported", len(said)))
        return None if found is None else float(np.mean(found["supported"]))

    def _relevance(self) -> Steps[float | None]:
        """Mean cosine of questions made back from the answer with the real one.

        0 where the answer is non-committal.
        """
        shown = self._text("judge/answer", told=self._told())
        schema = _joined(_texts("questions", QUESTIONS), _flag("noncommittal"))
        found = yield from self._decide("judge/questions", shown, schema)
        if found is None:
            return None
        if found["noncommittal"]:
            return 0.0
        asked, *made = map(self.embedder.embed_query, (self.item.question, *found["questions"]))
        return float(np.clip(np.mean([each @ asked for each in made]), 0.0, 1.0))

    def _precision(self) -> Steps[float | None]:
        """Average precision of the passages that help towards the known answer."""
        shown, count = self._fitting(statements=_listed(self.item.answers))
        found = yield from self._decide("judge/useful", shown, _flags("useful", count))
        return None if found is None else average_precision(found["useful"])

    def _facts(self) -> Steps[float | None]:
        """FaaF: every fact of the known answer a field of one call; the share of those true."""
        known = _sentences(self.item.answers[0])
        names = [f"fact_{number}" for number in range(1, len(known) + 1)]
        facts = "\n".join(f"{name}: {each}" for name, each in zip(names, known, strict=True))
        shown = self._text("judge/question_and_answer", known=facts, told=self._told())
        schema = _object({name: {"enum": list(_FACT)} for name in names})
        found = yield from self._decide("judge/facts", shown, schema)
        return None if found is None else sum(found[n] == _FACT[0] for n in names) / len(names)

    def _decide(self, rules: str, shown: str, schema: Schema) -> Steps[dict[str, Any] | None]:
        messages = [Message("system", self._text(rules)), Message("user", shown)]
        found = yield from self.calls.decide(messages, rules.replace("/", ": "), schema)
        self.unsaid += found is None
        return found

    def _text(self, name: str, **values: str) -> str:
        own = {"question": self.item.question} if name in _WITH_QUESTION else {}
        return Prompts(self.calls.question.language).text(name, **own, **values)

    def _over_passages(self, statements: str) -> str:
        return self._fitting(statements)[0]

    def _fitting(self, statements: str) -> tuple[str, int]:
        """Return passages with statements: as many of the first as there is room for."""
        sources: Sequence[Passage] = self.answer.sources
        count = len(sources)
        while True:
            passages = delimit(list(enumerate(sources[:count], start=1)), self.item.question)
            shown = self._text(
                "judge/passages_and_statements", passages=passages, statements=statements
            )
            if count == 1 or self.calls.room([Message("user", shown)]) >= 2 * _REPLY:
                return shown, count
            count -= 1

    def _told(self) -> str:
        return citation_markers.normalised(self.answer.text, 0)


def figures(judged: Sequence[Judgement], model: str) -> dict[str, Any]:
    """Return the means in percent, each over the answers that it was said of, and whose they are.

    A judgement that was never said has no figure: None. `judged_unsaid` counts broken replies.
    """
    made: dict[str, Any] = {"judge": model, "judged_asked": len(judged)}
    for each in fields(Judgement):
        said = [value for one in judged if (value := getattr(one, each.name)) is not None]
        if each.name != "unsaid":
            made[f"judged_{each.name}"] = metrics.percent(said) if said else None
    made["judged_unsaid"] = sum(one.unsaid for one in judged)
    return made


def average_precision(useful: Sequence[bool]) -> float:
    """Return the mean of the precision at each useful passage, 0 where none is."""
    precise = [sum(useful[:rank]) / rank for rank, each in enumerate(useful, start=1) if each]
    return sum(precise) / len(precise) if precise else 0.0


_WITH_QUESTION = ("judge/question_and_answer", "judge/passages_and_statements")


def _sentences(text: str) -> list[str]:
    found = [span.of(text).strip() for span in sentences(text)]
    return [each for each in found if each][:_MOST_STATEMENTS] or [text]


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"{number}. {' '.join(t.split())}" for number, t in enumerate(texts, start=1))


def _object(properties: Mapping[str, Any]) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _flag(name: str) -> Schema:
    return _object({name: {"type": "boolean"}})


def _flags(name: str, count: int) -> Schema:
    items = {"type": "array", "items": {"type": "boolean"}, "minItems": count, "maxItems": count}
    return _object({name: items})


def _texts(name: str, count: int = 0) -> Schema:
    items: Schema = {"type": "array", "items": {"type": "string"}}
    return _object({name: items | ({"minItems": count, "maxItems": count} if count else {})})


def _joined(*schemas: Schema) -> Schema:
    return _object({name: each for one in schemas for name, each in one["properties"].items()})
