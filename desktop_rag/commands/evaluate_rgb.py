"""Measure what the language model does with passages: RGB's abilities, on one's own questions.

No model judges another, words do: docs/decisions/0024-abilities-are-judged-by-words.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.evaluation_records import SavedQuestion
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import EvalRequest
from desktop_rag.evaluation import metrics, rgb_benchmark, saved_question_set
from desktop_rag.evaluation.retrieval_run import ScoredRow
from desktop_rag.evaluation.rgb_benchmark import RgbCase, RgbQuestion
from desktop_rag.generation.prompt_builder import Prompt, PromptBuilder
from desktop_rag.models.protocols import ChatModel, GenerationOptions
from desktop_rag.strategies.base import Question, run_to_end
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.workspace import Workspace

_LEAST = 3  # questions: with fewer there is no noise to speak of
_IMPOSSIBLE = {
    rgb_benchmark.REJECTION: "Passages without the answer could not be shown alone: "
    "every other passage holds it as well.",
    rgb_benchmark.COUNTERFACTUAL: "No contradiction could be made: that takes two questions "
    "with different answers, each standing word for word in its passage.",
}


@dataclass(frozen=True, slots=True)
class _Reader:
    """The model with what is put before it."""

    workspace: Workspace
    model: ChatModel
    token: CancelToken

    def prompt(self, case: RgbCase) -> Prompt:
        """Return a case as an ordinary question over its passages."""
        return self._composer(case).answer(case.passages, "answer/brief")

    def said(self, case: RgbCase, prompt: Prompt) -> str:
        """Return what the model replies; `ModelUnavailable` where it breaks off."""
        spoken = language(case.question)
        question = Question(case.question, case.question, spoken)
        engine = replace(research_context_of(self.workspace), model=self.model)
        calls = ModelTools(engine, question, self.token)
        how = GenerationOptions(self._composer(case).answer_tokens)
        reply = run_to_end(calls.generate(prompt.messages, case.ability, how))
        if reply.reason == "broken":
            raise ModelUnavailable(
                "The language model broke off.", "Figures without it would mislead."
            )
        return reply.text

    def _composer(self, case: RgbCase) -> PromptBuilder:
        settings, spoken = self.workspace.settings, language(case.question)
        return PromptBuilder(self.model, settings, case.question, spoken, ())


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row an ability: how many of its cases the model met, in percent."""
    saved = workspace.catalog.questions.all(request.saved)
    found = saved_question_set.measurable(workspace.catalog, saved, request.kbs)
    names = tuple(dict.fromkeys(name for each in found.names.values() for name in each))
    model = workspace.chat_model(request.model, common_consent(workspace, names))
    reader = _Reader(workspace, model, token)
    known = _known(workspace, saved, request.kbs)
    asked = known[: request.limit]
    if len(asked) < _LEAST:
        raise UserError(
            Phrase(
                "“{0}” has {1} questions with an answer and one passage; {2} are needed.",
                request.saved,
                len(asked),
                _LEAST,
            ),
            "Save more of them, or have some proposed.",
        )
    if len(known) < len(saved):
        yield Notice(
            Phrase(
                "Questions left out: {0}. Each must have an answer, and one passage that "
                "is still there.",
                len(saved) - len(known),
            )
        )
    yield from _measured(reader, request.saved, list(rgb_benchmark.cases(asked)))


def _measured(reader: _Reader, name: str, cases: Sequence[RgbCase]) -> Iterator[Event]:
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
        yield Notice(Phrase("Times that not every passage fitted the model's context: {0}.", cut))
    for ability in rgb_benchmark.ABILITIES:
        if ability in met:
            yield ScoredRow(_figures(name, ability, reader.model.name, met[ability]), met[ability])


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


def _known(
    workspace: Workspace, saved: Sequence[SavedQuestion], kbs: Sequence[str]
) -> list[RgbQuestion]:
    """Return the questions that have an answer, and one passage whose text is there."""
    catalog = workspace.catalog
    bases = catalog.kbs.names()
    made = []
    for each in saved:
        asked = [bases[name] for name in kbs or each.kbs if name in bases]
        texts = [saved_question_set.text_of(catalog, passage, asked) for passage in each.passages]
        if each.answers and len(texts) == 1 and texts[0]:
            passage = rgb_benchmark.passage_of(each.id, each.passages[0].path, texts[0])
            made.append(RgbQuestion(str(each.id), each.question, each.answers, passage))
    return made
