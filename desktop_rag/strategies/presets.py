"""Presets: ways to answer that are composed beforehand, of a strategy, transforms and retrieval.

What a question's request names itself takes the place of that part of its preset. Why they are
composed so, with the figures: docs/decisions/0020-presets.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase
from desktop_rag.strategies import registry
from desktop_rag.strategies.base import Strategy
from desktop_rag.strategies.query_complexity import SEVERAL, query_complexity
from desktop_rag.strategies.transforms.base import Transform


@dataclass(frozen=True, slots=True)
class Preset:
    """A composition under a name; each works without a language model, by quoting.

    `several` is the strategy for a question that seems to need several steps, where that is another
    one. `reads` is how many passages the second stage reads at most; 0: as the settings say.
    `answering` are settings of that section which it has its own values of. `without` is the
    sentence on what it leaves out without a language model, empty for nothing.

    `paper` is where a recipe comes from that is not ours; `instead` names the parts of it for which
    others stand here: each with what stands there, and a sentence.
    """

    name: str
    title: str
    effect: str
    strategy: str
    several: str = ""
    transforms: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    reads: int = 0
    without: str = ""
    answering: Mapping[str, str] = field(default_factory=dict)
    paper: str = ""
    instead: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Composition:
    """How one question is answered; `preset` is empty where a strategy was chosen itself.

    `left_out` is told where there is no language model, which the preset's transforms need: then
    they are left out.
    """

    strategy: Strategy
    several: Strategy | None = None
    transforms: tuple[Transform, ...] = ()
    preset: str = ""
    reads: int = 0
    left_out: str = ""
    answering: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, question: str) -> Strategy:
        """Return the strategy for a question that stands alone."""
        if self.several is not None and query_complexity(question) == SEVERAL:
            return self.several
        return self.strategy

    @property
    def needs_model(self) -> bool:
        """Whether it is not itself without a language model."""
        needs = [self.strategy.needs, *(each.needs for each in self.transforms)]
        return any("llm" in each for each in needs)


_STUDY = "Wang et al. 2024, Searching for best practices in RAG, arXiv 2407.01219"
_STUDY_ANSWERING = {"order": "reverse", "compression": "extractive"}
_CLASSIFIER = (
    "classifier",
    "rules",
    "Instead of the study's trained classifier: rules, which search nothing for small talk.",
)

PRESETS = (
    Preset(
        name="fast",
        title="Fast",
        effect="One search, few passages. For a slow computer.",
        strategy="single_pass",
        options={"k": "3"},
        reads=12,
    ),
    Preset(
        name="balanced",
        title="Balanced",
        effect="One search; linked passages where several steps are needed.",
        strategy="single_pass",
        several="linked_hops",
    ),
    Preset(
        name="thorough",
        title="Thorough",
        effect="Several wordings, linked passages, a checked answer. Slow.",
        strategy="linked_hops",
        transforms=("multi_query", "verify"),
        without="Without a language model, Thorough searches in no other wordings, and checks no "
        "answer.",
    ),
    Preset(
        name="study_best",
        title="Best practices, most accurate",
        effect="A made-up passage searches along, the best sentences are read.",
        strategy="single_pass",
        transforms=("hyde",),
        without="Without a language model, no passage is made up to search with.",
        answering=_STUDY_ANSWERING,
        paper=_STUDY,
        instead=(
            _CLASSIFIER,
            ("reranker", "built-in reader", "Instead of the study's monoT5: the built-in reader."),
        ),
    ),
    Preset(
        name="study_balanced",
        title="Best practices, balanced",
        effect="Few passages are reranked, the best sentences are read.",
        strategy="single_pass",
        reads=12,
        answering=_STUDY_ANSWERING,
        paper=_STUDY,
        instead=(
            _CLASSIFIER,
            (
                "reranker",
                "built-in reader, few passages",
                "Instead of the study's TILDEv2: the built-in reader, on few passages.",
            ),
        ),
    ),
)


def is_preset(name: str) -> bool:
    """Say whether there is a preset of this name."""
    return any(each.name == name for each in PRESETS)


def find(name: str) -> Preset:
    """Return a preset; a `UsageError` when there is none of that name."""
    known = {each.name: each for each in PRESETS}
    if name not in known:
        raise UsageError(
            Phrase("There is no preset {0}.", f"{name!r}"),
            Phrase("Choose one of: {0}.", ", ".join(known)),
        )
    return known[name]


def compose(
    name: str,
    *,
    preset: str = "",
    transforms: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
) -> Composition:
    """Return the way that names and options mean; a `UsageError` for a wrong one.

    `name` is a strategy's, beside a preset in the place of its own; or it is a preset's itself.
    """
    if not preset and is_preset(name):
        name, preset = "", name
    if not preset:
        known = [*(each.name for each in PRESETS), *(each.name for each in registry.STRATEGIES)]
        if name not in known:
            raise UsageError(
                Phrase("There is no strategy {0}.", f"{name!r}"),
                Phrase("Choose one of: {0}.", ", ".join(known)),
            )
        made = registry.transforms(transforms, options or {})
        return Composition(registry.make(name, options or {}), transforms=made)
    return _composed(find(preset), name, transforms, options or {})


def described(preset: Preset) -> dict[str, Any]:
    """Return a preset as `strategies --json` lists it: its options are what it is composed of."""
    return {
        "kind": "preset",
        "name": preset.name,
        "title": preset.title,
        "paper": preset.paper,
        "needs": [],
        "options": list(parts_of(preset)),
    }


def parts_of(preset: Preset) -> Iterator[dict[str, Any]]:
    """Yield what a preset is composed of, each part as an option of the listing."""
    yield _part("strategy", preset.strategy, "The strategy.")
    if preset.several:
        effect = "The strategy for questions that seem to need several steps."
        yield _part("several", preset.several, effect)
    if preset.transforms:
        effect = "What is done around the strategy, where there is a language model."
        yield _part("transforms", ", ".join(preset.transforms), effect)
    for key, value in preset.options.items():
        yield _part(key, value, "An option of the strategy.")
    if preset.reads:
        effect = "How many passages the second stage reads at most."
        yield _part("rerank_candidates", preset.reads, effect)
    for key, value in preset.answering.items():
        yield _part(key, value, "A setting of answers.")
    for key, value, effect in preset.instead:
        yield _part(key, value, effect)


def _composed(
    preset: Preset, name: str, transforms: Sequence[str], options: Mapping[str, str]
) -> Composition:
    """Return a preset's way, with what was named in the place of its parts."""
    own = {} if name else dict(preset.options)
    names = [each for each in (name or preset.strategy, "" if name else preset.several) if each]
    made = [registry.make(each, chosen) for each, chosen in _shared(names, own, options)]
    return Composition(
        made[0],
        made[1] if len(made) > 1 else None,
        registry.transforms(transforms or preset.transforms, options),
        preset.name,
        preset.reads,
        "" if transforms else preset.without,
        preset.answering,
    )


def _shared(
    names: Sequence[str], own: Mapping[str, str], options: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each strategy with the options that it has; what none of them has, with the first."""
    known = {name: {each.name for each in fields(registry.find(name))} for name in names}
    anywhere = set[str]().union(*known.values())
    for place, name in enumerate(names):
        fits = {key: text for key, text in options.items() if key in known[name]}
        lost = {key: text for key, text in options.items() if key not in anywhere}
        yield name, dict(own) | fits | (lost if place == 0 else {})


def _part(name: str, value: object, effect: str) -> dict[str, Any]:
    return {"name": name, "default": value, "effect": effect}
