"""What a server of OpenAI's protocol has: which program it is, and its models."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.connection_audit import Purpose
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.ollama_records import InstalledModel, RunningModel
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.models.ollama.address import normalise_url, require_consent
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.server_errors import was_blocked
from desktop_rag.models.openai_compatible.http_client import (
    answers_as_ollama,
    get_object,
    make_client,
)
from desktop_rag.models.openai_compatible.model_info import (
    ServedModel,
    ServerProduct,
    lists_as_ollama,
    product_of,
    read_model,
    rows_of,
    studio_rows,
    with_slot,
    with_studio,
)
from desktop_rag.models.openai_compatible.server_errors import (
    model_missing,
    no_model_loaded,
    ollama_answers,
    server_error,
)

if TYPE_CHECKING:
    import httpx

_SECONDS = 10.0
_EXTRA_SECONDS = 2.0
_Served = tuple[ServedModel, ...]


class OpenAIServer:
    """One server. Every call raises `ModelUnavailable` when it does not answer.

    So does an Ollama, with `OllamaAnswers`: what is asked of it here would be asked without what
    guards its models that run elsewhere.
    """

    def __init__(self, host: str = "", consent: Consent = NOWHERE) -> None:
        self.url = normalise_url(host)
        self.product = ServerProduct.OTHER
        self._consent = consent
        self._told: _Served = ()

    @property
    def title(self) -> str:
        """What the server is called, as far as its list of models told."""
        return self.product.value

    def version(self, token: CancelToken | None = None) -> str:
        """Return the empty version: the protocol has none. The server is asked for its models."""
        self.served(token)
        return ""

    def served(self, token: CancelToken | None = None) -> _Served:
        """Return the models with the context in force, those that are loaded first."""
        require_consent(self.url, self._consent)
        link = CancellableConnection(
            self.url, purpose=Purpose.MODELS, client=make_client, fault=server_error
        )
        told = link.ask(self._list, token or current_token(), _SECONDS)
        self.product, self._told = told
        return self._told

    def known(self, name: str) -> ServedModel | None:
        """Return what was told of a model when the server was asked last; None for nothing."""
        return next((each for each in self._told if each.facts.name == name), None)

    def models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the models, those that are loaded first."""
        return tuple(each.facts for each in self.served(token))

    def detailed_models(self, token: CancelToken | None = None) -> tuple[InstalledModel, ...]:
        """Return the models: the list says all that is known of them."""
        return self.models(token)

    def show_served(self, name: str, token: CancelToken | None = None) -> ServedModel:
        """Return one model with the context in force."""
        self.served(token)
        found = self.known(name)
        if found is None:
            raise model_missing(name)
        return found

    def show(self, name: str, token: CancelToken | None = None) -> InstalledModel:
        """Return everything about one model."""
        return self.show_served(name, token).facts

    def first_chat_model(self, token: CancelToken | None = None) -> str:
        """Return the first model that may be asked; `ModelUnavailable` when there is none."""
        for each in self._told or self.served(token):
            if each.facts.can_chat:
                return each.facts.name
        raise no_model_loaded()

    def running(self, token: CancelToken | None = None) -> tuple[RunningModel, ...]:
        """Return the loaded models with the context in force."""
        return tuple(
            RunningModel(each.facts.name, each.facts.size, each.context)
            for each in self.served(token)
            if each.is_loaded
        )

    def cloud_is_off(self, token: CancelToken | None = None) -> bool | None:
        """Return None: such a server does not tell whether it passes questions on."""
        del token
        return None

    async def _list(
        self, client: httpx.AsyncClient
    ) -> tuple[ServerProduct, tuple[ServedModel, ...]]:
        listed = rows_of(await get_object(client, self.url, "/v1/models"))
        if lists_as_ollama(listed) or await answers_as_ollama(client, self.url):
            raise ollama_answers(self.url)
        product = product_of(listed)
        found = tuple(map(read_model, listed))
        if product is ServerProduct.LLAMA_CPP and len(found) == 1:
            props = await self._extra(client, "/props")
            found = tuple(with_slot(each, props) for each in found)
        elif product in (ServerProduct.LM_STUDIO, ServerProduct.OTHER):
            known = studio_rows(await self._extra(client, "/api/v0/models"))
            product = ServerProduct.LM_STUDIO if known else product
            found = tuple(with_studio(each, known) for each in found)
        return product, tuple(sorted(found, key=lambda each: each.is_loaded is False))

    async def _extra(self, client: httpx.AsyncClient, path: str) -> dict[str, Any]:
        """Return what a product tells beside the protocol, nothing where it does not."""
        import httpx

        faults = (ModelUnavailable, httpx.HTTPError, OSError, TypeError, ValueError, RecursionError)
        try:
            async with asyncio.timeout(_EXTRA_SECONDS):  # raises an OSError
                return await get_object(client, self.url, path)
        except faults as error:
            if was_blocked(error):
                raise
            return {}
