"""Measure what the language model does with passages: RGB's abilities, on one's own questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, IndexProgress, Row
from desktop_rag.core.language import language
from desktop_rag.core.requests import EvalRequest
from desktop_rag.engine.answering.compose import Composer
from desktop_rag.engine.evaluation import metrics, own, rgb
from desktop_rag.engine.evaluation.rgb import Case, Known
from desktop_rag.engine.evaluation.ways import finished
from desktop_rag.engine.models.protocols import ChatModel, Generation
from desktop_rag.engine.operations.consent import consent_of
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.strategies.base import Question
from desktop_rag.engine.strategies.calls import ModelCalls
from desktop_rag.engine.workspace import Workspace

_LEAST = 3  # questions: with fewer there is no noise to speak of


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row an ability: how many of its cases the model met, in percent."""
    found = own.asked(
        workspace.catalog, workspace.catalog.questions.all(request.saved), request.kbs
    )
    names = tuple(dict.fromkeys(name for each in found.names.values() for name in each))
    model = workspace.chat_model(request.model, consent_of(workspace, names))
    known = _known(workspace, request)[: request.limit]
    if len(known) < _LEAST:
        raise UserError(
            f"“{request.saved}” has {len(known)} questions with an answer and one passage; "
            f"{_LEAST} are needed.",
            "Save more of them, or have some proposed.",
        )
    cases = list(rgb.cases(known))
    met: dict[str, list[float]] = {}
    for done, case in enumerate(cases, start=1):
        token.check()
        right = case.is_met(_said(workspace, model, case, token))
        met.setdefault(case.ability, []).append(float(right))
        yield IndexProgress(done, len(cases), case.ability, "ask", 0, 0.0, None)
    for ability, values in met.items():
        yield _row(request, ability, model.name, values)


def _row(request: EvalRequest, ability: str, model: str, values: list[float]) -> Row:
    """Return the figures of one ability."""
    return Row(
        {
            "dataset": request.saved,
            "ability": ability,
            "model": model,
            "questions": len(values),
            "right": metrics.percent(values),
            "interval": metrics.interval(values),
        }
    )


def _known(workspace: Workspace, request: EvalRequest) -> list[Known]:
    """Return the questions that have an answer, and one passage whose text is there."""
    catalog = workspace.catalog
    bases = catalog.kbs.names()
    made = []
    for each in catalog.questions.all(request.saved):
        kbs = [bases[name] for name in request.kbs or each.kbs if name in bases]
        texts = [own.text_of(catalog, passage, kbs) for passage in each.passages]
        if each.answers and len(texts) == 1 and texts[0]:
            passage = rgb.passage_of(each.id, each.passages[0].path, texts[0])
            made.append(Known(each.question, each.answers, passage))
    return made


def _said(workspace: Workspace, model: ChatModel, case: Case, token: CancelToken) -> str:
    """Return what the model answers by the rules of an ordinary answer."""
    spoken = language(case.question)
    composer = Composer(model, workspace.settings, case.question, spoken, ())
    prompt = composer.answer(case.passages, "brief")
    question = Question(case.question, case.question, spoken)
    calls = ModelCalls(replace(engine_of(workspace), model=model), question, token)
    how = Generation(composer.answer_tokens)
    return finished(calls.generate(prompt.messages, case.ability, how)).text
