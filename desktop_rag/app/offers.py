"""What can be chosen for a question: presets, strategies, and the way in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Row
from desktop_rag.core.requests import DescribeRequest


@dataclass(frozen=True, slots=True)
class Ready:
    """A preset: its name, its title, and what it does in a line."""

    name: str
    title: str
    effect: str


@dataclass(frozen=True, slots=True)
class Offers:
    """Pairs of a strategy's name and title, the name of the usual way, and the presets.

    `transforms` are pairs as well, of what can be done around any way.
    """

    strategies: tuple[tuple[str, str], ...]
    usual: str
    presets: tuple[Ready, ...] = ()
    transforms: tuple[tuple[str, str], ...] = ()


def offers(folder: DataFolder) -> Work:
    """Return the work that lists what there is to choose."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.perform import perform
        from desktop_rag.engine.strategies.presets import PRESETS

        workspace = folder.get(token)
        kinds: dict[str, list[tuple[str, str]]] = {}
        for event in perform(workspace, DescribeRequest("strategies"), token):
            if isinstance(event, Row):
                row = event.values
                kinds.setdefault(row["kind"], []).append((str(row["name"]), str(row["title"])))
        yield Offers(
            tuple(kinds.get("strategy", ())),
            workspace.settings.answering.strategy,
            tuple(Ready(each.name, each.title, each.effect) for each in PRESETS),
            tuple(kinds.get("transform", ())),
        )

    return work
