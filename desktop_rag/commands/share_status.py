"""What every command asks of shared knowledge bases: are they in step, and is the server there."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import KbId
from desktop_rag.workspace import Workspace


def synchronise_if_shared(workspace: Workspace, kb: KbId, token: CancelToken) -> Iterator[Event]:
    """Bring a knowledge base in step if it is shared; a server that is away is told, no more."""
    if workspace.catalog.shares.get(kb) is None:
        return
    from desktop_rag.commands import share_kb  # hardly anybody shares one

    base = next(each for each in workspace.catalog.kbs.all() if each.id == kb)
    try:
        yield from share_kb.synchronise(workspace, base, token)
    except UserError as error:
        yield Notice(error.sentence)


def away_notices(catalog: Catalog, kbs: Collection[KbId]) -> Iterator[Notice]:
    """Yield a notice for each of these whose server could not be asked the last time."""
    for known in catalog.shares.all():
        if known.kb in kbs and known.away:
            yield Notice(
                Phrase(
                    "The server of “{0}” does not answer: this is what was there on {1}.",
                    known.shared_name,
                    time.strftime("%Y-%m-%d, %H:%M", time.localtime(known.synced)),
                )
            )
