"""What can be chosen for a question: presets, strategies, and the way in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.core.settings_file import SettingDeclaration
from desktop_rag.gui.controllers.data_folder import DataFolder

_Row = Mapping[str, Any]


_STAND_INS = ("classifier", "reranker")  # parts of presets that stand for others


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset: its name, its title, what it does in a line, and of a recipe that is not ours where
    it comes from.
    """

    name: str
    title: str
    effect: str
    paper: str = ""


@dataclass(frozen=True, slots=True)
class TransformForm:
    """A transform with its options, whose keys are `NAME.OPTION`."""

    name: str
    title: str
    options: tuple[SettingDeclaration, ...] = ()


@dataclass(frozen=True, slots=True)
class WayForm:
    """A preset or strategy with its options, as `--option` names them.

    `transforms` may be put around it. Of a preset, `parts` are the titles of its strategies, the
    second for questions of several steps, `transforms` its own, which always are around it, and
    `reads` how many passages the second stage reads at most, where it says so, and `instead` are
    sentences on what stands in it for other parts.
    """

    name: str
    title: str
    options: tuple[SettingDeclaration, ...] = ()
    transforms: tuple[TransformForm, ...] = ()
    parts: tuple[str, ...] = ()
    reads: int = 0
    instead: tuple[str, ...] = ()

    @property
    def is_preset(self) -> bool:
        """Whether it is composed beforehand."""
        return bool(self.parts)


@dataclass(frozen=True, slots=True)
class StrategyChoices:
    """Pairs of a strategy's name and title, the name of the usual way, and the presets.

    `transforms` are pairs as well, of what can be done around any way. `forms` hold the options of
    each way.
    """

    strategies: tuple[tuple[str, str], ...]
    usual: str
    presets: tuple[PresetChoice, ...] = ()
    transforms: tuple[tuple[str, str], ...] = ()
    forms: tuple[WayForm, ...] = ()


def list_choices(folder: DataFolder, token: CancelToken) -> StrategyChoices:
    """List what there is to choose."""
    from desktop_rag.commands.dispatch import perform
    from desktop_rag.strategies.presets import PRESETS

    workspace = folder.get(token)
    rows: dict[str, list[_Row]] = {"strategy": [], "transform": [], "preset": []}
    for event in perform(workspace, DescribeRequest("strategies"), token):
        if isinstance(event, ListingRow):
            rows[event.values["kind"]].append(event.values)
    return StrategyChoices(
        _titled(rows["strategy"]),
        workspace.settings.answering.strategy,
        tuple(PresetChoice(each.name, each.title, each.effect, each.paper) for each in PRESETS),
        _titled(rows["transform"]),
        tuple(_forms(rows)),
    )


def _titled(rows: Iterable[_Row]) -> tuple[tuple[str, str], ...]:
    return tuple((str(row["name"]), str(row["title"])) for row in rows)


def _forms(rows: Mapping[str, list[_Row]]) -> Iterator[WayForm]:
    around = {
        row["name"]: TransformForm(row["name"], row["title"], _declared(row, f"{row['name']}."))
        for row in rows["transform"]
    }
    strategies = {row["name"]: row for row in rows["strategy"]}
    for row in rows["strategy"]:
        yield WayForm(row["name"], row["title"], _declared(row), tuple(around.values()))
    for row in rows["preset"]:
        yield _preset_form(row, strategies, around)


def _preset_form(
    preset: _Row, strategies: Mapping[str, _Row], around: Mapping[str, TransformForm]
) -> WayForm:
    """Return a preset's options: those of its strategies, with the values that it gives them."""
    parts = {part["name"]: part["default"] for part in preset["options"]}
    composed = [strategies[parts[each]] for each in ("strategy", "several") if each in parts]
    options: dict[str, SettingDeclaration] = {}
    for row in composed:
        for each in _declared(row, given=parts):
            options.setdefault(each.key, each)
    own = filter(None, str(parts.get("transforms", "")).split(", "))
    return WayForm(
        preset["name"],
        preset["title"],
        tuple(options.values()),
        tuple(around[name] for name in own),
        tuple(str(row["title"]) for row in composed),
        int(parts.get("rerank_candidates", 0)),
        tuple(part["effect"] for part in preset["options"] if part["name"] in _STAND_INS),
    )


def _declared(
    row: _Row, before: str = "", given: Mapping[str, Any] | None = None
) -> tuple[SettingDeclaration, ...]:
    """Return the options of a row, each a setting with the default that it has or is given."""
    made = []
    for option in row["options"]:
        limits = {each: option[each] for each in ("low", "high", "choices") if each in option}
        kind, default = type(option["default"]), option["default"]
        if given and option["name"] in given:
            default = kind(given[option["name"]])
        made.append(
            SettingDeclaration(
                key=before + option["name"],
                kind=kind,
                default=default,
                title=option["title"],
                effect=option["effect"],
                **limits,
            )
        )
    return tuple(made)
