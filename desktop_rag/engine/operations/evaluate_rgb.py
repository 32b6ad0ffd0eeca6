"""Measure what the language model does with passages: RGB's abilities, on one's own questions.

No model judges another, words do: docs/decisions/0024-abilities-are-judged-by-words.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.language import language
from desktop_rag.core.requests import EvalRequest
from desktop_rag.engine.answering.compose import Composer, Prompt
from desktop_rag.engine.evaluation import metrics, own, rgb
from desktop_rag.engine.evaluation.rgb import Case, Known
from desktop_rag.engine.evaluation.runs import Scored
from desktop_rag.engine.evaluation.ways import finished
from desktop_rag.engine.models.protocols import ChatModel, Generation
from desktop_rag.engine.operations.consent import consent_of
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.strategies.base import Question
from desktop_rag.engine.strategies.calls import ModelCalls
from desktop_rag.engine.workspace import Workspace
from desktop_rag.store.questions import SavedQuestion

_LEAST = 3  # questions: with fewer there is no noise to speak of
_IMPOSSIBLE = {
    rgb.REJECTION: "Passages without the answer could not be shown alone: every other passage "
    "holds it as well.",
    rgb.COUNTERFACTUAL: "No contradiction could be made: that takes two questions with different "
    "answers, each standing word for word in its passage.",
}


@dataclass(frozen=True, slots=True)
class _Reader:
    """The model with what is put before it."""

    workspace: Workspace
    model: ChatModel
    token: CancelToken

    def prompt(self, case: Case) -> Prompt:
        """Return a case as an ordinary question over its passages."""
        return self._composer(case).answer(case.passages, "brief")

    def said(self, case: Case, prompt: Prompt) -> str:
        """Return what the model replies; `ModelUnavailable` where it breaks off."""
        spoken = language(case.question)
        question = Question(case.question, case.question, spoken)
        engine = replace(engine_of(self.workspace), model=self.model)
        calls = ModelCalls(engine, question, self.token)
        how = Generation(self._composer(case).answer_tokens)
        reply = finished(calls.generate(prompt.messages, case.ability, how))
        if reply.reason == "broken":
            raise ModelUnavailable(
                "The language model broke off.", "Figures without it would mislead."
            )
        return reply.text

    def _composer(self, case: Case) -> Composer:
        settings, spoken = self.workspace.settings, language(case.question)
        return Composer(self.model, settings, case.question, spoken, ())


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row an ability: how many of its cases the model met, in percent."""
    saved = workspace.catalog.questions.all(request.saved)
    found = own.asked(workspace.catalog, saved, request.kbs)
    names = tuple(dict.fromkeys(name for each in found.names.values() for name in each))
    model = workspace.chat_model(request.model, consent_of(workspace, names))
    reader = _Reader(workspace, model, token)
    known = _known(workspace, saved, request.kbs)
    asked = known[: request.limit]
    if len(asked) < _LEAST:
        raise UserError(
            f"“{request.saved}” has {len(asked)} questions with an answer and one passage; "
            f"{_LEAST} are needed.",
            "Save more of them, or have some proposed.",
        )
    if len(known) < len(saved):
        yield Notice(
            f"Questions left out: {len(saved) - len(known)}. Each must have an answer, and one "
            "passage that is still there."
        )
    yield from _measured(reader, request.saved, list(rgb.cases(asked)))


def _measured(reader: _Reader, name: str, cases: Sequence[Case]) -> Iterator[Event]:
    """Put every case before the model, and yield the rows."""
    tried = {case.ability for case in cases}
    yield from (Notice(_IMPOSSIBLE[each]) for each in _IMPOSSIBLE if each not in tried)
    met: dict[str, dict[str, float]] = {}
    cut = 0
    for done, case in enumerate(cases):
        reader.token.check()
        yield IndexProgress(done, len(cases), case.ability, "ask", 0, 0.0, None)
        prompt = reader.prompt(case)
        cut += bool(prompt.dropped)
        right = case.is_met(reader.said(case, prompt))
        met.setdefault(case.ability, {})[case.made_of] = float(right)
    if cut:
        yield Notice(f"Times that not every passage fitted the model's context: {cut}.")
    for ability in rgb.ABILITIES:
        if ability in met:
            yield Scored(_figures(name, ability, reader.model.name, met[ability]), met[ability])


def _figures(name: str, ability: str, model: str, met: Mapping[str, float]) -> dict[str, object]:
    """Return the figures of one ability."""
    values = list(met.values())
    return {
        "dataset": name,
        "ability": ability,
        "model": model,
        "questions": len(values),
        "right": metrics.percent(values),
        "interval": metrics.interval(values),
    }


def _known(workspace: Workspace, saved: Sequence[SavedQuestion], kbs: Sequence[str]) -> list[Known]:
    """Return the questions that have an answer, and one passage whose text is there."""
    catalog = workspace.catalog
    bases = catalog.kbs.names()
    made = []
    for each in saved:
        asked = [bases[name] for name in kbs or each.kbs if name in bases]
        texts = [own.text_of(catalog, passage, asked) for passage in each.passages]
        if each.answers and len(texts) == 1 and texts[0]:
            passage = rgb.passage_of(each.id, each.passages[0].path, texts[0])
            made.append(Known(str(each.id), each.question, each.answers, passage))
    return made
