"""What an Ollama server has: its version, its models, and fetching more of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.engine.models.ollama.address import normalise, require_consent
from desktop_rag.engine.models.ollama.errors import broke_off, missing
from desktop_rag.engine.models.ollama.link import Link

if TYPE_CHECKING:
    from ollama import AsyncClient

_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that Ollama has. `size` is in bytes on disk, `parameters` like `3.2B`.

    `capabilities` (`completion`, `embedding`, `thinking`, `vision` …) and `context_length` (in
    tokens, what the model was made for) are known after `OllamaServer.show`, else empty and None.
    """

    name: str
    size: int
    digest: str
    family: str
    parameters: str
    quantization: str
    capabilities: frozenset[str] = frozenset()
    context_length: int | None = None
    template: str = ""

    @property
    def can_chat(self) -> bool:
        """Whether it writes text; unknown capabilities count as yes, except of embedding models."""
        if self.capabilities:
            return "completion" in self.capabilities
        return self.family not in ("bert", "nomic-bert")


@dataclass(frozen=True, slots=True)
class RunningModel:
    """A loaded model; `context_length` is the context in force, None where not reported."""

    name: str
    size: int
    context_length: int | None


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a download has come; bytes of the current layer, None between layers."""

    status: str
    completed: int | None = None
    total: int | None = None


class OllamaServer:
    """One server. Every call raises `ModelUnavailable` when it does not answer."""

    def __init__(self, host: str = "", allow_remote: bool = False) -> None:  # noqa: FBT001, FBT002
        self.url = normalise(host)
        self._allow_remote = allow_remote

    def version(self, token: CancelToken | None = None) -> str:
        """Return the server's version, `0.12.11`."""
        return str(self._ask(_version, token))

    def models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the installed models, newest first, without what only `show` tells."""
        answer = self._ask(_list, token)
        return tuple(_installed(each) for each in answer.models)

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

    def chat_models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the models that can chat, newest first, with all that is known: one call each."""
        detailed = (self._detailed(each, token) for each in self.models(token))
        return tuple(each for each in detailed if each.can_chat)

    def first_chat_model(self, token: CancelToken | None = None) -> str:
        """Return the newest model that can chat; `ModelUnavailable` when there is none."""
        for each in self.models(token):
            if self._detailed(each, token).can_chat:
                return each.name
        raise ModelUnavailable(
            "Ollama has no model that can answer.",
            "Run `ollama pull llama3.2:3b`, or another model that suits this computer.",
        )

    def running(self, token: CancelToken | None = None) -> tuple[RunningModel, ...]:
        """Return the loaded models with the context in force."""
        answer = self._ask(_running, token)
        return tuple(
            RunningModel(str(each.model or each.name), int(each.size or 0), each.context_length)
            for each in answer.models
        )

    def pull(self, name: str, token: CancelToken) -> Iterator[PullProgress]:
        """Fetch a model from Ollama's library (the server does, over the internet)."""

        async def start(client: AsyncClient) -> AsyncIterator[Any]:
            return await client.pull(name, stream=True)

        status = ""
        for part in self._link(name).stream(start, token):
            status = part.status or ""
            yield PullProgress(status, part.completed, part.total)
        if status != "success":
            raise broke_off()

    def _detailed(self, model: InstalledModel, token: CancelToken | None) -> InstalledModel:
        async def call(client: AsyncClient) -> Any:
            return await client.show(model.name)

        return _detailed(model, self._ask(call, token, model.name))

    def _link(self, model: str = "") -> Link:
        require_consent(self.url, allow_remote=self._allow_remote)
        return Link(self.url, model)

    def _ask(self, call: Any, token: CancelToken | None, model: str = "") -> Any:
        return self._link(model).ask(call, token or CancelToken(), _SECONDS)


def full_name(name: str) -> str:
    """Return a model's name with its tag, as Ollama completes it."""
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


async def _version(client: AsyncClient) -> Any:
    # The client has no call for it, and its way to make one is private.
    private: Any = client
    answer = await private._request_raw("GET", "/api/version")  # noqa: SLF001
    told = answer.json()
    if not isinstance(told, dict) or "version" not in told:
        raise ValueError("no version in the answer")
    return told["version"]


async def _list(client: AsyncClient) -> Any:
    return await client.list()


async def _running(client: AsyncClient) -> Any:
    return await client.ps()


def _installed(listed: Any) -> InstalledModel:
    details = listed.details
    return InstalledModel(
        name=str(listed.model),
        size=int(listed.size or 0),
        digest=str(listed.digest or ""),
        family=str((details and details.family) or ""),
        parameters=str((details and details.parameter_size) or ""),
        quantization=str((details and details.quantization_level) or ""),
    )


def _detailed(model: InstalledModel, shown: Any) -> InstalledModel:
    info = shown.modelinfo or {}
    lengths = [value for key, value in info.items() if key.endswith(".context_length")]
    return replace(
        model,
        capabilities=frozenset(shown.capabilities or ()),
        context_length=int(lengths[0]) if lengths else None,
        template=shown.template or "",
    )
