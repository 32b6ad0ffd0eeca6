"""Ollama as the settings show it: tested, its models listed, more of them fetched."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import NotAllowed, UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation

if TYPE_CHECKING:
    from desktop_rag.core.ollama_records import InstalledModel, RunningModel, Suggestion
    from desktop_rag.core.remote_consent import Consent
    from desktop_rag.workspace import Workspace

OLLAMA = "Ollama"
_LAYERS = 100  # of a model that are counted; it has about five


@dataclass(frozen=True, slots=True)
class ServerChecking:
    """The server is being asked."""


@dataclass(frozen=True, slots=True)
class ServerFound:
    """The server answered, after so many milliseconds; `is_here` says that it is this computer.

    `title` is which program it is; only Ollama has a version, and fetches models.
    """

    url: str
    is_here: bool
    version: str
    latency_ms: int
    models: tuple[InstalledModel, ...]
    running: tuple[RunningModel, ...]
    title: str = OLLAMA

    @property
    def is_ollama(self) -> bool:
        """Whether it is Ollama, which fetches models."""
        return self.title == OLLAMA

    @property
    def name(self) -> str:
        """What it is called, with its version where it has one."""
        return f"{self.title} {self.version}".strip()


@dataclass(frozen=True, slots=True)
class ServerAbsent:
    """It did not answer, or may not be asked (`is_refused`); both others are sentences."""

    what: str
    remedy: str
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class Pulling:
    """A model is being fetched: bytes over all layers that are known so far; 0 before the first."""

    name: str
    status: str = ""
    layers: tuple[tuple[str, int, int], ...] = ()

    @property
    def completed(self) -> int:
        """Bytes that have come."""
        return sum(done for _, done, _ in self.layers)

    @property
    def total(self) -> int:
        """Bytes in all."""
        return sum(size for _, _, size in self.layers)


@dataclass(frozen=True, slots=True)
class Pulled:
    """The download is over: whole, stopped (`what` is empty then, too), or failed."""

    name: str
    is_whole: bool
    what: str = ""
    remedy: str = ""


Server = ServerChecking | ServerFound | ServerAbsent
Download = Pulling | Pulled | None


class OllamaController(QObject):
    """Holds what is known of the server, and one download at a time.

    `server_changed` carries a `Server`, `download_changed` a `Download`.
    """

    server_changed = Signal(object)
    download_changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._job: Job | None = None
        self._asking: Job | None = None
        self.server: Server = ServerChecking()
        self.download: Download = None

    @Slot()
    def look(self) -> None:
        """Ask the server of the settings, if it may be asked."""
        self._look(self._looking)

    @Slot()
    def test(self) -> None:
        """Ask it because the user said so: another computer is called, too, but sent no text."""
        self._look(self._testing)

    def pull(self, name: str) -> None:
        """Fetch a model, or go on fetching it; ignored while another one comes."""
        if isinstance(self.download, Pulling) or not name.strip():
            return
        self._download(Pulling(name.strip()))
        pulling = Operation(self._pulling).on_value(self._download)
        pulling.on_user_error(self._fail).on_bug(self.cancel_pull)
        self._job = pulling.start(self._jobs, Lane.FETCH)

    @Slot()
    def cancel_pull(self) -> None:
        """Stop the download; what has come stays with Ollama, for the next try."""
        if self._job is not None and isinstance(self.download, Pulling):
            self._job.cancel()
            self._download(Pulled(self.download.name, is_whole=False))

    def _look(self, work: Callable[[CancelToken], Server]) -> None:
        self._be(ServerChecking())
        asking = Operation(work).on_success(self._be)
        asking.on_user_error(self._be_absent).on_bug(self._lose)
        self._asking = asking.start(self._jobs, Lane.PROBE, instead_of=self._asking)

    @Slot(object)
    def _be(self, server: Server) -> None:
        self.server = server
        self.server_changed.emit(server)

    @Slot(object)
    def _be_absent(self, error: UserError) -> None:
        self._be(absent_by(error))

    @Slot()
    def _lose(self) -> None:
        """Say no longer that it is being looked for."""
        self._be(ServerAbsent("Ollama could not be asked.", "Try again with Test."))

    @Slot(object)
    def _download(self, download: Download) -> None:
        self.download = download
        self.download_changed.emit(download)
        if isinstance(download, Pulled) and download.is_whole:
            self.look()

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        name = self.download.name if isinstance(self.download, Pulling) else ""
        self._download(Pulled(name, is_whole=False, what=error.what, remedy=error.remedy))

    def _looking(self, token: CancelToken) -> Server:
        from desktop_rag.commands.consent_check import any_consent

        workspace = self._folder.get(token)
        return probe_server(workspace, any_consent(workspace), token)

    def _testing(self, token: CancelToken) -> Server:
        from desktop_rag.core.remote_consent import Consent

        workspace = self._folder.get(token)
        blocked = workspace.settings.privacy.block_remote
        return probe_server(workspace, Consent(everywhere=True, blocked=blocked), token)

    def _pulling(self, token: CancelToken) -> Iterator[object]:
        from desktop_rag.commands.consent_check import any_consent
        from desktop_rag.models.model_server import find_server
        from desktop_rag.models.ollama import OllamaServer

        workspace = self._folder.get(token)
        assert isinstance(self.download, Pulling)  # noqa: S101 - set before the job was started
        state = self.download
        server = find_server(workspace.settings, any_consent(workspace), token)
        if not isinstance(server, OllamaServer):
            raise _fetches_none(server.title, server.url)
        for part in server.pull(state.name, token):
            state = replace(state, status=part.status)
            if part.layer and part.total:
                others = tuple(each for each in state.layers[-_LAYERS:] if each[0] != part.layer)
                mine = (part.layer, part.completed or 0, part.total)
                state = replace(state, layers=(*others, mine))
            yield state
        yield Pulled(state.name, is_whole=True)


def probe_server(workspace: Workspace, consent: Consent, token: CancelToken) -> Server:
    """Ask a server what it is and has."""
    from desktop_rag.models.model_server import find_server
    from desktop_rag.models.ollama import is_loopback

    try:
        server = find_server(workspace.settings, consent, token)
        began = time.monotonic()
        version = server.version(token)
        took = int((time.monotonic() - began) * 1000)
        models, running = server.detailed_models(token), server.running(token)
    except UserError as error:
        return absent_by(error)
    here = is_loopback(server.url)
    return ServerFound(server.url, here, version, took, models, running, server.title)


def _fetches_none(title: str, url: str) -> UserError:
    return UserError(
        Phrase("{0} answers at {1}, and fetches no models by itself.", title, url),
        "Fetch and load the model there, or set the address to Ollama's.",
    )


def absent_by(error: UserError) -> ServerAbsent:
    """Return what a server is that an error came of."""
    return ServerAbsent(error.what, error.remedy, isinstance(error, NotAllowed))


def suggestions() -> tuple[Suggestion, ...]:
    """Return models that can be fetched."""
    from desktop_rag.models.ollama.model_suggestions import SUGGESTED

    return SUGGESTED


def best_suggestion() -> Suggestion:
    """Return the language model to fetch first on this computer."""
    from desktop_rag.models.ollama.model_suggestions import best_for_this_computer

    return best_for_this_computer()
