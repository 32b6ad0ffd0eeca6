"""What can be chosen for a question: the strategies there are, and the one in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.app.folder import DataFolder
from desktop_rag.app.jobs import Work
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Row
from desktop_rag.core.requests import DescribeRequest


@dataclass(frozen=True, slots=True)
class Offers:
    """Pairs of a strategy's name and title, and the name of the usual one."""

    strategies: tuple[tuple[str, str], ...]
    usual: str


def offers(folder: DataFolder) -> Work:
    """Return the work that lists what there is to choose."""

    def work(token: CancelToken) -> Iterator[object]:
        from desktop_rag.engine.operations.perform import perform

        workspace = folder.get(token)
        rows = [
            event.values
            for event in perform(workspace, DescribeRequest("strategies"), token)
            if isinstance(event, Row) and event.values.get("kind") == "strategy"
        ]
        pairs = tuple((str(row["name"]), str(row["title"])) for row in rows)
        yield Offers(pairs, workspace.settings.answering.strategy)

    return work
