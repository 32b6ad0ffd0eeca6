"""The strategies and transforms that there are, each made with the options that a user gives.

`rounds=3` is an option of the strategy, `hyde.passages=8` one of a transform.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any

from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.generation.worked_examples import tokens_each
from desktop_rag.strategies.adaptive import Adaptive
from desktop_rag.strategies.base import Strategy
from desktop_rag.strategies.chain_of_thought import ChainOfThought
from desktop_rag.strategies.crag import Crag
from desktop_rag.strategies.direct import Direct
from desktop_rag.strategies.dsp import Dsp
from desktop_rag.strategies.efficient_rag import EfficientRag
from desktop_rag.strategies.entity_graph import EntityGraphWalk
from desktop_rag.strategies.flare_baselines import PreviousSentence, PreviousWindow
from desktop_rag.strategies.flare_direct import FlareDirect
from desktop_rag.strategies.flare_instruct import FlareInstruct
from desktop_rag.strategies.hypothetical_questions import HypotheticalQuestions
from desktop_rag.strategies.ircot import Ircot
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.linked_hops import LinkedHops
from desktop_rag.strategies.multi_head import MultiHead
from desktop_rag.strategies.prompt_rag import PromptRag
from desktop_rag.strategies.propositions import Propositions
from desktop_rag.strategies.raptor import Raptor
from desktop_rag.strategies.react import React
from desktop_rag.strategies.self_ask import SelfAsk
from desktop_rag.strategies.self_rag import SelfRag
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.single_pass_cot import SinglePassCot
from desktop_rag.strategies.tables import Tables
from desktop_rag.strategies.transforms.base import Transform
from desktop_rag.strategies.transforms.condense import Condense
from desktop_rag.strategies.transforms.decompose import Decompose
from desktop_rag.strategies.transforms.hyde import Hyde
from desktop_rag.strategies.transforms.multi_query import MultiQuery
from desktop_rag.strategies.transforms.passage_utility import Utility
from desktop_rag.strategies.transforms.query2doc import Query2Doc
from desktop_rag.strategies.transforms.rewrite import Rewrite
from desktop_rag.strategies.transforms.self_query import SelfQuery
from desktop_rag.strategies.transforms.step_back import StepBack
from desktop_rag.strategies.transforms.verify import Verify

STRATEGIES: tuple[type[Any], ...] = (
    SinglePass,
    LinkedHops,
    Tables,
    EfficientRag,
    PromptRag,
    IterRetgen,
    Ircot,
    SelfAsk,
    React,
    Dsp,
    FlareDirect,
    FlareInstruct,
    PreviousSentence,
    PreviousWindow,
    SelfRag,
    Crag,
    Adaptive,
    HypotheticalQuestions,
    Propositions,
    Raptor,
    MultiHead,
    EntityGraphWalk,
    SinglePassCot,
    Direct,
    ChainOfThought,
)
TRANSFORMS: tuple[type[Any], ...] = (
    Condense, Rewrite, Hyde, Query2Doc, MultiQuery, StepBack, Decompose, SelfQuery, Utility,
    Verify,
)  # fmt: skip


def make(name: str, options: Mapping[str, str]) -> Strategy:
    """Return a strategy under options as written (`rounds=3`); a `UsageError` for a wrong one."""
    strategy: Strategy = _made(find(name), {k: v for k, v in options.items() if "." not in k})
    return strategy


def make_default(name: str) -> Strategy:
    """Return a strategy under its defaults; a `UsageError` when there is none of that name."""
    return make(name, {})


def transforms(names: Iterable[str], options: Mapping[str, str]) -> tuple[Transform, ...]:
    """Return the transforms around a strategy, in this order, each once.

    A `UsageError` where one is unknown, or where options are for one that is not named.
    """
    wanted: dict[str, dict[str, str]] = {name: {} for name in names}
    for key, value in options.items():
        name, dot, own = key.partition(".")
        if dot and name not in wanted:
            raise UsageError(
                Phrase("{0} is an option of no transform that is used.", key),
                Phrase("Add --transform {0}.", name),
            )
        if dot:
            wanted[name][own] = value
    return tuple(_made(find_transform(name), own) for name, own in wanted.items())


def find(name: str) -> type[Any]:
    """Return a strategy's class; a `UsageError` when there is none of that name."""
    return _found(name, STRATEGIES, "strategy")


def find_transform(name: str) -> type[Any]:
    """Return a transform's class; a `UsageError` when there is none of that name."""
    return _found(name, TRANSFORMS, "transform")


def described(kind: type[Any]) -> dict[str, Any]:
    """Return a strategy or a transform as `strategies --json` lists it."""
    return {
        "kind": "transform" if kind in TRANSFORMS else "strategy",
        "name": kind.name,
        "title": kind.title,
        "paper": kind.paper,
        "needs": list(kind.needs),
        "options": [_described(each) for each in fields(kind)],
    }


def _found(name: str, kinds: Iterable[type[Any]], what: str) -> type[Any]:
    known = {kind.name: kind for kind in kinds}
    if name not in known:
        raise UsageError(
            Phrase("There is no {0} {1}.", what, f"{name!r}"),
            Phrase("Choose one of: {0}.", ", ".join(known)),
        )
    return known[name]


def _made(kind: type[Any], options: Mapping[str, str]) -> Any:
    """Return a strategy or transform under options as written."""
    declared = {each.name: each for each in fields(kind)}
    unknown = sorted(set(options) - set(declared))
    if unknown:
        raise UsageError(
            Phrase("{0} has no option {1}.", kind.name, unknown[0]),
            Phrase("Its options are: {0}.", ", ".join(declared) or "none"),
        )
    return kind(**{key: _value(declared[key], written) for key, written in options.items()})


def prices(declared: Field[Any]) -> dict[str, int]:
    """Return what one of the examples that an option counts adds to a call: tokens a language."""
    kind = declared.metadata.get("examples")
    return {each: tokens_each(kind, each) for each in ("en", "zh")} if kind else {}


def _described(declared: Field[Any]) -> dict[str, Any]:
    described = {"name": declared.name, "default": declared.default, **_limits(declared)}
    if price := prices(declared):
        described |= {"effect": effect(declared), "tokens_each": price}
    return described


def effect(declared: Field[Any]) -> str:
    """Return what an option does, and of one that counts examples what each costs."""
    price = prices(declared)
    each = Phrase(
        "Each adds about {0} tokens to every call, in Chinese {1}.",
        price.get("en", 0),
        price.get("zh", 0),
    )
    return joined(declared.metadata["effect"], each if price else "")


def _limits(declared: Field[Any]) -> dict[str, Any]:
    """Return what is declared of an option; where it names a strategy, those are its choices."""
    limits = {key: value for key, value in declared.metadata.items() if value is not None}
    limits.pop("examples", None)
    but = limits.pop("strategies_but", None)
    if but is not None:
        limits["choices"] = tuple(kind.name for kind in STRATEGIES if kind.name not in but)
    return limits


def _value(declared: Field[Any], written: str) -> Any:
    """Return a written value as the option's kind, checked against its limits."""
    kind: Any = type(declared.default)
    try:
        value = _boolean(written) if kind is bool else kind(written)
    except ValueError as error:
        raise _wrong(declared, written) from error
    limits = _limits(declared)
    too_low = "low" in limits and not value >= limits["low"]  # nor is "nan" a number
    too_high = "high" in limits and not value <= limits["high"]
    if too_low or too_high or ("choices" in limits and value not in limits["choices"]):
        raise _wrong(declared, written)
    return value


def _boolean(written: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if written.casefold() not in known:
        raise ValueError(written)
    return known[written.casefold()]


def _wrong(declared: Field[Any], written: str) -> UsageError:
    limits = _limits(declared)
    allowed: str
    if "choices" in limits:
        allowed = Phrase("one of {0}", ", ".join(map(str, limits["choices"])))
    elif "low" in limits and "high" in limits:
        allowed = Phrase(
            "{0} from {1} to {2}", type(declared.default).__name__, limits["low"], limits["high"]
        )
    else:
        allowed = type(declared.default).__name__
    return UsageError(
        Phrase("{0}={1} is not possible.", declared.name, written),
        Phrase("It must be {0}.", allowed),
    )
