"""Servers of language models that run on this computer, looked for when a person asks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core import usual_servers
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import Settings
from desktop_rag.core.usual_servers import FoundServer
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.ollama import OllamaController
from desktop_rag.gui.controllers.privacy import PrivacyController
from desktop_rag.gui.controllers.settings import SettingsController

_OF_OLLAMA = "ollama:"


class ServerSearchController(QObject):
    """Holds what was found; `found_changed` carries a tuple of `FoundServer`.

    `refused` carries a sentence that says why one cannot be used.
    """

    found_changed = Signal(object)
    refused = Signal(object)

    def __init__(
        self,
        jobs: Jobs,
        *,
        ollama: OllamaController,
        settings: SettingsController,
        privacy: PrivacyController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._ollama = jobs, ollama
        self._settings, self._privacy = settings, privacy
        self._looking: Job | None = None
        self._awaited: str | None = None
        self.found: tuple[FoundServer, ...] = ()
        settings.applied.connect(self._heed_settings)

    @Slot()
    def look(self) -> None:
        """Ask at the usual addresses of this computer who answers; no text is sent."""
        looking = Operation(partial(_search, usual_servers.ADDRESSES)).on_success(self._learn)
        self._looking = looking.start(self._jobs, Lane.PROBE, instead_of=self._looking)

    def use(self, server: FoundServer) -> None:
        """Have a server's models answer from now on."""
        embedder = self._settings.settings.models.embedder
        if embedder.startswith(_OF_OLLAMA) and not server.is_ollama:
            self.refused.emit(_embeds_with_ollama(embedder.removeprefix(_OF_OLLAMA)))
            return
        self._set_address(server.url)

    @Slot()
    def use_usual_address(self) -> None:
        """Have the Ollama of this computer answer from now on, at its usual address."""
        self._set_address("" if self._settings.settings.ollama.host else usual_servers.OLLAMA)

    def _set_address(self, url: str) -> None:
        self._awaited = url
        self._settings.change("ollama.model", "")
        self._settings.change("ollama.host", url)

    @Slot(object)
    def _learn(self, found: tuple[FoundServer, ...]) -> None:
        self.found = found
        self.found_changed.emit(found)

    @Slot(object)
    def _heed_settings(self, settings: Settings) -> None:
        """Ask the server that was chosen once the settings are in force."""
        if self._awaited is not None and settings.ollama.host == self._awaited:
            self._awaited = None
            self._privacy.refresh()
            self._ollama.look()


def _embeds_with_ollama(model: str) -> str:
    return Phrase(
        "The embedding model {0} is Ollama's, which has to stay the server then. Choose another "
        "embedding model first, in the settings.",
        model,
    )


def _search(addresses: tuple[str, ...], token: CancelToken) -> tuple[FoundServer, ...]:
    from desktop_rag.models.server_search import search_servers

    return search_servers(addresses, token)
