"""Where a question's passages would go, and whether the user has agreed to that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import KbId
from desktop_rag.models.ollama import OllamaServer, is_loopback, resolve_host
from desktop_rag.strategies.base import KnowledgeBaseRef
from desktop_rag.workspace import Workspace


@dataclass(frozen=True, slots=True)
class MissingConsent:
    """Consent that a question lacks: the knowledge bases, and where their passages would go."""

    place: str
    kbs: tuple[str, ...]


def common_consent(workspace: Workspace, kbs: Sequence[str]) -> Consent:
    """Return what may be done with the passages of all these knowledge bases together."""
    catalog = workspace.catalog
    return _consent(workspace, catalog.consents.common([catalog.kbs.get(kb).id for kb in kbs]))


def other_kbs_with_consent(
    workspace: Workspace, kbs: Sequence[KbId]
) -> tuple[KnowledgeBaseRef, ...]:
    """Return the other knowledge bases whose passages may go wherever those of these may go."""
    privacy, catalog = workspace.settings.privacy, workspace.catalog
    is_same_for_all = privacy.allow_remote or privacy.block_remote
    places = catalog.consents.common(kbs)
    return tuple(
        KnowledgeBaseRef(name, kb)
        for name, kb in catalog.kbs.names().items()
        if kb not in kbs and (is_same_for_all or places <= catalog.consents.places(kb))
    )


def any_consent(workspace: Workspace) -> Consent:
    """Return which computers may be called at all, as to list models: no text is sent so."""
    return _consent(workspace, workspace.catalog.consents.any_places())


def missing_consent(
    workspace: Workspace, request: AskRequest, token: CancelToken
) -> MissingConsent | None:
    """Return the consent that a question lacks; None where nothing leaves this computer.

    Nor where it is blocked, or allowed for this run.
    """
    privacy = workspace.settings.privacy
    if privacy.block_remote or privacy.allow_remote:
        return None
    place = _destination(workspace, request, token)
    catalog = workspace.catalog
    lacking = tuple(
        kb for kb in request.kbs if place not in catalog.consents.places(catalog.kbs.get(kb).id)
    )
    return MissingConsent(place, lacking) if place and lacking else None


def _consent(workspace: Workspace, places: frozenset[str]) -> Consent:
    privacy = workspace.settings.privacy
    return Consent(places, everywhere=privacy.allow_remote, blocked=privacy.block_remote)


def _destination(workspace: Workspace, request: AskRequest, token: CancelToken) -> str:
    """Return the other computer that would answer; empty where it is this one."""
    settings = workspace.settings
    try:
        host = resolve_host(settings)
        chosen = request.model or settings.ollama.model
        if not is_loopback(host):
            return host
        return OllamaServer(host).show(chosen, token).cloud if chosen else ""
    except ModelUnavailable:
        return ""  # there is nothing that could answer, as the question itself will find out
