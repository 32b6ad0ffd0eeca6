"""What can be chosen for a question: presets, strategies, and the way in the settings."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.gui.controllers.data_folder import DataFolder


@dataclass(frozen=True, slots=True)
class PresetChoice:
    """A preset: its name, its title, and what it does in a line."""

    name: str
    title: str
    effect: str


@dataclass(frozen=True, slots=True)
class StrategyChoices:
    """Pairs of a strategy's name and title, the name of the usual way, and the presets.

    `transforms` are pairs as well, of what can be done around any way.
    """

    strategies: tuple[tuple[str, str], ...]
    usual: str
    presets: tuple[PresetChoice, ...] = ()
    transforms: tuple[tuple[str, str], ...] = ()


def list_choices(folder: DataFolder, token: CancelToken) -> StrategyChoices:
    """List what there is to choose."""
    from desktop_rag.commands.dispatch import perform
    from desktop_rag.strategies.presets import PRESETS

    workspace = folder.get(token)
    kinds: dict[str, list[tuple[str, str]]] = {}
    for event in perform(workspace, DescribeRequest("strategies"), token):
        if isinstance(event, ListingRow):
            row = event.values
            kinds.setdefault(row["kind"], []).append((str(row["name"]), str(row["title"])))
    return StrategyChoices(
        tuple(kinds.get("strategy", ())),
        workspace.settings.answering.strategy,
        tuple(PresetChoice(each.name, each.title, each.effect) for each in PRESETS),
        tuple(kinds.get("transform", ())),
    )
