"""What an Ollama server has: its version, its models, and fetching more of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.ollama_records import InstalledModel, RunningModel
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.models.ollama.address import normalise_url, require_consent
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.model_info import (
    PullProgress,
    full_name,
    read_listed,
    read_running,
    require_pull_consent,
    with_details,
)
from desktop_rag.models.ollama.reply_values import count, mapping, one_line
from desktop_rag.models.ollama.server_errors import (
    ConnectionDropped,
    NotOllama,
    StreamInterrupted,
    download_broke_off,
    model_missing,
    not_ollama,
)

if TYPE_CHECKING:
    from ollama import AsyncClient

_SECONDS = 10.0
_NO_SUCH_PATH = 404
_OF_OTHERS = (401, _NO_SUCH_PATH, 405)  # what Ollama never answers to who asks for its version
_MOST_MODELS = 500  # of which more is asked: one call each


class OllamaServer:
    """One server. Every call raises `ModelUnavailable` when it does not answer."""

    def __init__(self, host: str = "", consent: Consent = NOWHERE) -> None:
        self.url = normalise_url(host)
        self._consent = consent

    @property
    def title(self) -> str:
        """What the server is called."""
        return "Ollama"

    def version(self, token: CancelToken | None = None) -> str:
        """Return the server's version, `0.12.11`.

        Raises `NotOllama` where what answers is surely none: one in trouble may be Ollama.
        """
        return str(self._ask(partial(_version, self.url), token))

    def models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the installed models, newest first, without what only `show` tells.

        Of more than 500 the newest.
        """
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
            raise model_missing(name)
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

    def cloud_is_off(self, token: CancelToken | None = None) -> bool | None:
        """Tell whether the server's cloud is switched off; None of one that does not say."""
        told: bool | None = self._ask(_cloud_is_off, token)
        return told

    def running(self, token: CancelToken | None = None) -> tuple[RunningModel, ...]:
        """Return the loaded models with the context in force."""
        found: tuple[RunningModel, ...] = self._ask(_running, token)
        return found

    def pull(self, name: str, token: CancelToken) -> Iterator[PullProgress]:
        """Fetch a model from Ollama's library (the server does, over the internet).

        One that would run in Ollama's cloud only with consent: it is what would be asked next.
        """
        require_pull_consent(name, self._consent)

        async def start(client: AsyncClient) -> AsyncIterator[Any]:
            return await client.pull(name, stream=True)

        status = ""
        try:
            for part in self._link(name, Purpose.PULL).stream(start, token):
                status = one_line(part.status)
                done, total = count(part.completed), count(part.total)
                yield PullProgress(status, done, total, one_line(part.digest))
        except (StreamInterrupted, ConnectionDropped):
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
            return with_details(model, await _asked(client, "POST", "/api/show", model.name))

        detailed: InstalledModel = self._ask(call, token, model.name)
        return detailed

    def _link(self, model: str = "", purpose: Purpose = Purpose.MODELS) -> CancellableConnection:
        require_consent(self.url, self._consent)
        return CancellableConnection(self.url, model, purpose)

    def _ask(self, call: Any, token: CancelToken | None, model: str = "") -> Any:
        return self._link(model).ask(call, token or current_token(), _SECONDS)


async def _version(url: str, client: AsyncClient) -> str:
    from ollama import ResponseError

    private: Any = client
    try:
        reply = await private._request_raw("GET", "/api/version")  # noqa: SLF001
    except ResponseError as error:
        if error.status_code in _OF_OTHERS:
            raise not_ollama(url, NotOllama) from error
        raise
    is_page = reply.text.lstrip().startswith("<")
    told = {} if is_page else reply.json()
    if isinstance(told, dict) and "version" not in told:
        raise not_ollama(url, NotOllama)
    return one_line(told["version"])


async def _cloud_is_off(client: AsyncClient) -> bool | None:
    """Read `/api/status`, which servers before 0.16.2 do not have."""
    from ollama import ResponseError

    try:
        told = mapping((await _get(client, "/api/status")).get("cloud"))
    except ResponseError as error:
        if error.status_code != _NO_SUCH_PATH:
            raise
        return None
    return told["disabled"] if isinstance(told.get("disabled"), bool) else None


async def _list(client: AsyncClient) -> tuple[InstalledModel, ...]:
    return tuple(map(read_listed, await _rows(client, "/api/tags")))


async def _running(client: AsyncClient) -> tuple[RunningModel, ...]:
    return tuple(map(read_running, await _rows(client, "/api/ps")))


async def _rows(client: AsyncClient, path: str) -> list[dict[str, Any]]:
    rows = (await _get(client, path))["models"] or []
    if not isinstance(rows, list):
        message = f"{path} gave no list"
        raise TypeError(message)
    return rows[:_MOST_MODELS]


async def _get(client: AsyncClient, path: str) -> dict[str, Any]:
    return await _asked(client, "GET", path)


async def _asked(client: AsyncClient, method: str, path: str, model: str = "") -> dict[str, Any]:
    """Return a reply's object.

    The client has no call for some paths, leaves out which models run elsewhere for others, and
    its way to make a call is private.
    """
    private: Any = client
    body = {"json": {"model": model}} if model else {}
    told = (await private._request_raw(method, path, **body)).json()  # noqa: SLF001
    if not isinstance(told, dict):
        raise TypeError(f"{path} gave no object")
    return told
