"""List the presets, strategies and transforms of questions that there are, with their options."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event, ListingRow
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.strategies import presets, registry
from desktop_rag.workspace import Workspace


def run(
    workspace: Workspace,  # noqa: ARG001 (every operation is called alike)
    request: DescribeRequest,  # noqa: ARG001
    token: CancelToken,  # noqa: ARG001
) -> Iterator[Event]:
    """Yield one row a preset, strategy or transform, in this order."""
    for preset in presets.PRESETS:
        yield ListingRow(presets.described(preset))
    for kind in (*registry.STRATEGIES, *registry.TRANSFORMS):
        yield ListingRow(registry.described(kind))
