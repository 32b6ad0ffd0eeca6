"""Print docs/strategies.md, run as `python -m desktop_rag.strategies.reference_page`.

Everything in it comes from the strategies themselves, so that it cannot be out of date unseen.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from desktop_rag.core.phrases import Phrase
from desktop_rag.strategies import presets, registry

_HEAD = """\
# Strategies

<!-- Made by `python -m desktop_rag.strategies.reference_page`; change the strategies instead. -->

How a question is researched: `ask --strategy NAME`, with `--option KEY=VALUE` for a strategy's own
settings. A question can be changed before with `--transform NAME`, repeated for several: the first
that is named acts first. `--option NAME.KEY=VALUE` sets an option of a transform.

In the window both are set beside the way under the question, and kept from then on, as the setting
`answering.options`: `iter_retgen.rounds=2` there is what `--option rounds=2` says for one question,
`iter_retgen.transforms=hyde` what `--transform hyde` does. `ask` uses what is kept, `strategies`
shows it; what the command line names itself comes first, and `--set answering.options=` leaves all
of it out for once. `eval` measures every way under its defaults. A strategy that another way runs,
as `adaptive` and the presets do, has that way's options and not those kept for itself.

A preset is a composition of these: `ask --preset NAME`. A strategy, transforms or options that are
named beside it take the place of that part of it. Why they are composed so, and what they cost:
[0020](decisions/0020-presets.md)."""
_NEEDS = {
    "llm": "a language model",
    "logprobs": "one that tells how sure it is of each token",
    "prepared": "a knowledge base that is prepared for it",
}


def markdown() -> str:
    """Return the whole page."""
    sections = ("\n".join(_strategy(kind)) for kind in registry.STRATEGIES)
    changes = ("\n".join(_strategy(kind, "###")) for kind in registry.TRANSFORMS)
    composed = "\n".join(_composition())
    return "\n\n".join((_HEAD, composed, *sections, "## Transforms", *changes)) + "\n"


def _composition() -> Iterator[str]:
    """Yield the lines on what the presets are composed of."""
    yield "## Presets"
    yield ""
    yield "| preset | what for | composed of | without a language model |"
    yield "| --- | --- | --- | --- |"
    for each in presets.PRESETS:
        parts = (f"{part['name']} `{part['default']}`" for part in presets.parts_of(each))
        cells = f"{each.title} (`{each.name}`)", each.effect, ", ".join(parts)
        yield f"| {' | '.join(cells)} | {each.without or 'The same, with quotes as its answer.'} |"


def _strategy(kind: type[Any], level: str = "##") -> Iterator[str]:
    """Yield the lines of one strategy's or transform's section."""
    needs = " and ".join(_NEEDS.get(need, need) for need in kind.needs) or "nothing else"
    paper = Phrase(" Paper: {0}.", kind.paper) if kind.paper else ""
    yield f"{level} {kind.title} (`{kind.name}`)"
    yield ""
    yield Phrase("{0}{1} Needs {2}.", (kind.__doc__ or "").splitlines()[0], paper, needs)
    if not fields(kind):
        return
    yield ""
    yield "| option | default | allowed | name | effect |"
    yield "| --- | --- | --- | --- | --- |"
    for option in fields(kind):
        said = option.metadata
        cells = f"`{option.name}`", f"`{option.default}`", _allowed(said)
        yield f"| {' | '.join(cells)} | {said['title']} | {registry.effect(option)} |"


def _allowed(limits: Any) -> str:
    if limits.get("choices"):
        return _codes(limits["choices"])
    if "strategies_but" in limits:
        return "any strategy but " + _codes(limits["strategies_but"])
    low, high = limits.get("low"), limits.get("high")
    if low is None and high is None:
        return "any"
    return f"{'…' if low is None else low} to {'…' if high is None else high}"


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


if __name__ == "__main__":
    sys.stdout.write(markdown())
