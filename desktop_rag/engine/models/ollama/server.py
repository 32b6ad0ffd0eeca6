"""What an Ollama server has: its version, its models, and fetching more of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connections import Purpose
from desktop_rag.core.consent import NOWHERE, Consent
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.engine.models.ollama.address import normalise, require_consent
from desktop_rag.engine.models.ollama.errors import BrokeOff, download_broke_off, missing
from desktop_rag.engine.models.ollama.installed import (
    InstalledModel,
    PullProgress,
    RunningModel,
    full_name,
    read_listed,
    read_running,
    with_details,
)
from desktop_rag.engine.models.ollama.link import Link

if TYPE_CHECKING:
    from ollama import AsyncClient

_SECONDS = 10.0


class OllamaServer:
    """One server. Every call raises `ModelUnavailable` when it does not answer."""

    def __init__(self, host: str = "", consent: Consent = NOWHERE) -> None:
        self.url = normalise(host)
        self._consent = consent

    def version(self, token: CancelToken | None = None) -> str:
        """Return the server's version, `0.12.11`."""
        return str(self._ask(_version, token))

    def models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the installed models, newest first, without what only `show` tells."""
        found: tuple[InstalledModel, ...] = self._ask(_list, token)
        return found

    def show(self, name: str, token: CancelToken | None = None) -> InstalledModel:
        """Return everything about one model."""
        found = [
            each
            for each in self.models(token)
            if each.name.casefold() == full_name(name).casefold()
        ]
        if not found:
            raise missing(name)
        return self._detailed(found[0], token)

    def detailed_models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the installed models with all that is known of them: one call each."""
        return tuple(self._detailed(each, token) for each in self.models(token))

    def first_chat_model(self, token: CancelToken | None = None) -> str:
        """Return the newest model that may be asked; `ModelUnavailable` when there is none."""
        for each in self._able(token):
            return each.name
        raise ModelUnavailable(
            "Ollama has no model that can answer.",
            "Run `ollama pull llama3.2:3b`, or another model that suits this computer.",
        )

    def running(self, token: CancelToken | None = None) -> tuple[RunningModel, ...]:
        """Return the loaded models with the context in force."""
        found: tuple[RunningModel, ...] = self._ask(_running, token)
        return found

    def pull(self, name: str, token: CancelToken) -> Iterator[PullProgress]:
        """Fetch a model from Ollama's library (the server does, over the internet)."""

        async def start(client: AsyncClient) -> AsyncIterator[Any]:
            return await client.pull(name, stream=True)

        status = ""
        try:
            for part in self._link(name, Purpose.PULL).stream(start, token):
                status = part.status or ""
                yield PullProgress(status, part.completed, part.total, part.digest or "")
        except BrokeOff:
            raise download_broke_off(name) from None
        if status != "success":
            raise download_broke_off(name)

    def _able(self, token: CancelToken | None) -> Iterator[InstalledModel]:
        for each in self.models(token):
            if not each.runs_elsewhere or self._consent.covers(each.cloud):
                detailed = self._detailed(each, token)
                if detailed.can_chat:
                    yield detailed

    def _detailed(self, model: InstalledModel, token: CancelToken | None) -> InstalledModel:
        async def call(client: AsyncClient) -> Any:
            return await client.show(model.name)

        return with_details(model, self._ask(call, token, model.name))

    def _link(self, model: str = "", purpose: Purpose = Purpose.MODELS) -> Link:
        require_consent(self.url, self._consent)
        return Link(self.url, model, purpose)

    def _ask(self, call: Any, token: CancelToken | None, model: str = "") -> Any:
        return self._link(model).ask(call, token or CancelToken(), _SECONDS)


async def _version(client: AsyncClient) -> str:
    return str((await _get(client, "/api/version"))["version"])


async def _list(client: AsyncClient) -> tuple[InstalledModel, ...]:
    # The client's own `list` leaves out which models run elsewhere.
    return tuple(read_listed(row) for row in (await _get(client, "/api/tags"))["models"])


async def _running(client: AsyncClient) -> tuple[RunningModel, ...]:
    return tuple(read_running(row) for row in (await _get(client, "/api/ps"))["models"])


async def _get(client: AsyncClient, path: str) -> dict[str, Any]:
    private: Any = client  # it has no call for some paths, and its way to make one is private
    told = (await private._request_raw("GET", path)).json()  # noqa: SLF001
    if not isinstance(told, dict):
        raise TypeError(f"{path} gave no object")
    return told
