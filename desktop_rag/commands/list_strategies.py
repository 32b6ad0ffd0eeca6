"""List the presets, strategies and transforms of questions that there are, with their options."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.core.way_options import NO_CHANGES, parse_options
from desktop_rag.strategies import presets, registry
from desktop_rag.strategies.kept_options import fitting_options
from desktop_rag.workspace import Workspace


def run(
    workspace: Workspace,
    request: DescribeRequest,  # noqa: ARG001 (every operation is called alike)
    token: CancelToken,  # noqa: ARG001
) -> Iterator[Event]:
    """Yield one row a preset, strategy or transform, in this order.

    `kept` is what the settings keep of a way's options.
    """
    kept = parse_options(workspace.settings.answering.options)
    rows = [presets.described(preset) for preset in presets.PRESETS]
    rows += [registry.described(kind) for kind in (*registry.STRATEGIES, *registry.TRANSFORMS)]
    for row in rows:
        fitting, _ = fitting_options(row["name"], kept.get(row["name"], NO_CHANGES))
        yield ListingRow(row | ({"kept": dict(fitting.items())} if fitting else {}))
