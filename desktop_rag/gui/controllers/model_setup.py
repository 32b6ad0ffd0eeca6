"""A language model set up step by step: what this computer is, Ollama started, a model tried.

Which models there are, and downloads, are `OllamaController`'s. What leaves this computer is told
here: the address of another computer, or of a cloud that Ollama passes questions on to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core import usual_servers
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import is_this_computer
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.hardware import Hardware, read_hardware
from desktop_rag.core.ollama_records import CLOUD, is_cloud_name
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.llm_health import HealthController
from desktop_rag.gui.controllers.ollama import OllamaController, Server, ServerFound
from desktop_rag.gui.controllers.privacy import PrivacyController, RemoteAccess
from desktop_rag.gui.controllers.server_search import ServerSearchController
from desktop_rag.gui.controllers.settings import SettingsController

if TYPE_CHECKING:
    from desktop_rag.core.ollama_records import Installation, InstalledModel, Suggestion
    from desktop_rag.models.ollama.installation import StartedServer

_POLL_MS = 1000
_START_SECONDS = 30.0
_MOST_TOKENS = 200


@dataclass(frozen=True, slots=True)
class ComputerFound:
    """This computer, the models that suit it, smallest first, and the one to fetch first."""

    hardware: Hardware
    models: tuple[Suggestion, ...]
    recommended: Suggestion


@dataclass(frozen=True, slots=True)
class ServerStarting:
    """Ollama was started and does not answer yet."""


@dataclass(frozen=True, slots=True)
class StartFailed:
    """It could not be started, or does not answer; both are sentences."""

    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ModelAnswering:
    """A model was asked something; `text` is what it has written so far."""

    model: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ModelAnswered:
    """It answered, within seconds: the first word after `waited` of them."""

    model: str
    text: str
    seconds: float
    waited: float


@dataclass(frozen=True, slots=True)
class ModelFailed:
    """It did not answer; both are sentences."""

    model: str
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """Where what is asked of a model would go: an address, and whether that is agreed to."""

    place: str
    is_allowed: bool
    is_blocked: bool = False
    """The switch is on that no consent lifts."""


StartState = ServerStarting | StartFailed | None
FirstAnswer = ModelAnswering | ModelAnswered | ModelFailed | None


class ModelSetupController(QObject):
    """Holds how far a language model is set up.

    `computer_changed` carries a `ComputerFound`, `installation_changed` an `Installation`,
    `start_changed` a `StartState`, `answer_changed` a `FirstAnswer`; `access_changed` says that
    something else may leave this computer now; before `knows_access` nobody knows what.
    """

    computer_changed = Signal(object)
    installation_changed = Signal(object)
    start_changed = Signal(object)
    answer_changed = Signal(object)
    access_changed = Signal()

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        *,
        ollama: OllamaController,
        settings: SettingsController,
        privacy: PrivacyController,
        health: HealthController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._folder = jobs, folder
        self._ollama, self._settings = ollama, settings
        self._privacy, self._health = privacy, health
        self.search = ServerSearchController(
            jobs, ollama=ollama, settings=settings, privacy=privacy, parent=self
        )
        self._access = RemoteAccess("", "", (), ())
        self.knows_access = False
        self._answered: ServerFound | None = None
        self._process: StartedServer | None = None
        self._deadline = 0.0
        self._asking: Job | None = None
        self._polling: Job | None = None
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_POLL_MS)
        self._again.timeout.connect(self._poll)
        self._watches = False
        self.computer: ComputerFound | None = None
        self.installation: Installation | None = None
        self.start_state: StartState = None
        self.answer: FirstAnswer = None
        privacy.outlook_changed.connect(self._learn_access)
        ollama.server_changed.connect(self._learn_server)

    # ---- what is here

    @Slot()
    def look(self) -> None:
        """Look at this computer, at Ollama and other servers on it, and at what may leave it."""
        self._privacy.refresh()
        self._ollama.look()
        looking = Operation(_look_at_computer).on_success(self._learn_computer)
        looking.start(self._jobs, Lane.PROBE)
        self.search.look()

    def watch(self) -> None:
        """Look again and again for Ollama, until it answers or `leave` is called."""
        self._watches = True
        self._poll()

    def leave(self) -> None:
        """Look for Ollama no more."""
        self._watches = False
        self._again.stop()

    @property
    def place(self) -> str:
        """Where Ollama is, as the settings have it; empty while that is not known."""
        return self._access.ollama

    @property
    def is_far(self) -> bool:
        """Whether Ollama is on another computer."""
        return _is_far(self._access.ollama)

    @property
    def is_others(self) -> bool:
        """Whether another program than Ollama is at the address, or is usually at its port."""
        place = self._access.ollama
        if self._answered is not None and self._answered.url == place:
            return not self._answered.is_ollama
        return bool(self._access.server) or urlsplit(place).port in usual_servers.OTHER_PORTS

    # ---- what leaves this computer

    def remote_model(self, model: str) -> RemoteModel | None:
        """Return where questions to a model would go; None where they stay on this computer."""
        place = self._access.ollama if self.is_far else self._cloud_of(model)
        if not place:
            return None
        privacy = self._settings.settings.privacy
        given = any(each.place == place for each in self._access.consents)
        is_allowed = not privacy.block_remote and (privacy.allow_remote or given)
        return RemoteModel(place, is_allowed, privacy.block_remote)

    def may_ask(self, model: str) -> bool:
        """Say whether a model may be asked: it is here, or its user has agreed."""
        remote = self.remote_model(model)
        return remote is None or remote.is_allowed

    def installed(self, model: str) -> InstalledModel | None:
        """Return a model that Ollama has, by its name with or without its tag."""
        server = self._ollama.server
        models = server.models if isinstance(server, ServerFound) else ()
        names = {model, f"{model}:latest"}
        return next((each for each in models if each.name in names), None)

    def _cloud_of(self, model: str) -> str:
        known = self.installed(model)
        if known is not None:
            return known.cloud
        return CLOUD if is_cloud_name(model) else ""

    @Slot(object)
    def _learn_access(self, access: RemoteAccess) -> None:
        before, self._access, self.knows_access = self._access, access, True
        if before.consents != access.consents:
            self._ollama.look()
        self.access_changed.emit()

    @Slot(object)
    def _learn_server(self, server: Server) -> None:
        if isinstance(server, ServerFound):
            self._answered = server

    # ---- starting Ollama

    @Slot()
    def start_server(self) -> None:
        """Start Ollama on this computer, and look until it answers."""
        is_starting = isinstance(self.start_state, ServerStarting)
        if self.installation is None or is_starting or self.is_others:
            return
        self._be_started(ServerStarting())
        work = partial(_start, self._folder, self.installation.program)
        starting = Operation(work).on_success(self._learn_process)
        starting.on_user_error(self._fail_start).start(self._jobs, Lane.PROBE)

    @Slot()
    def stop_starting(self) -> None:
        """End what was started and does not answer."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
        self._be_started(None)

    @Slot(object)
    def _learn_process(self, process: StartedServer) -> None:
        if not isinstance(self.start_state, ServerStarting):
            process.stop()  # it was given up meanwhile
            return
        self._process = process
        self._deadline = time.monotonic() + _START_SECONDS
        self.watch()

    @Slot(object)
    def _fail_start(self, error: UserError) -> None:
        self._be_started(StartFailed(error.what, error.remedy))

    def _be_started(self, state: StartState) -> None:
        self.start_state = state
        self.start_changed.emit(state)

    # ---- looking for Ollama

    @Slot()
    def _poll(self) -> None:
        polling = Operation(partial(_look_for_server, self._folder, self._process))
        polling.on_success(self._learn_poll).on_end(self._rest)
        self._polling = polling.start(self._jobs, Lane.PROBE, instead_of=self._polling)

    @Slot()
    def _rest(self) -> None:
        if self._watches:
            self._again.start()

    @Slot(object)
    def _learn_poll(self, seen: ServerSight) -> None:
        if seen.installation != self.installation:
            self.installation = seen.installation
            self.installation_changed.emit(seen.installation)
        if seen.answers:
            self._process = None
            self._be_started(None)
            self._ollama.look()
        elif seen.failure is not None:
            self._process = None
            self._fail_start(seen.failure)
        elif self._process is not None and time.monotonic() > self._deadline:
            self._process = None  # it may answer yet
            self._fail_start(_too_slow())

    @Slot(object)
    def _learn_computer(self, found: ComputerFound) -> None:
        self.computer = found
        self.computer_changed.emit(found)

    # ---- the first question

    def ask(self, model: str, question: str) -> None:
        """Ask a model something, where that may be; what it writes comes by `answer_changed`."""
        if not self.may_ask(model):
            return
        self._be_answered(ModelAnswering(model))
        work = partial(_ask, self._folder, model, question)
        asking = Operation(work).on_value(self._be_answered).on_bug(self.stop_asking)
        asking.on_user_error(self._fail_answer)
        self._asking = asking.start(self._jobs, Lane.TRY, instead_of=self._asking)

    @Slot()
    def stop_asking(self) -> None:
        """Stop the model."""
        if self._asking is not None:
            self._asking.cancel()
        self._be_answered(None)

    def use(self, model: str) -> None:
        """Have a model answer from now on."""
        self._settings.change("ollama.model", model)
        self._health.look()

    @Slot(object)
    def _be_answered(self, answer: FirstAnswer) -> None:
        self.answer = answer
        self.answer_changed.emit(answer)

    @Slot(object)
    def _fail_answer(self, error: UserError) -> None:
        model = self.answer.model if self.answer is not None else ""
        self._be_answered(ModelFailed(model, error.what, error.remedy))


@dataclass(frozen=True, slots=True)
class ServerSight:
    """What a look for Ollama saw: how it is installed, and whether it answers.

    `failure` says that what was started here has ended.
    """

    installation: Installation
    answers: bool
    failure: UserError | None = None


def _is_far(place: str) -> bool:
    return bool(place) and not is_this_computer(urlsplit(place).hostname or "")


def _too_slow() -> UserError:
    return UserError(
        "Ollama was started and does not answer yet.",
        "Wait a little longer: it is found by itself.",
    )


def _look_at_computer(token: CancelToken) -> ComputerFound:
    from desktop_rag.models.ollama.model_suggestions import offer_for

    token.check()
    hardware = read_hardware()
    offer = offer_for(hardware)
    return ComputerFound(hardware, offer.models, offer.recommended)


def _start(folder: DataFolder, program: str, token: CancelToken) -> StartedServer:
    from desktop_rag.models.ollama import resolve_host
    from desktop_rag.models.ollama.installation import start_server

    return start_server(program, resolve_host(folder.get(token).settings))


def _look_for_server(
    folder: DataFolder, process: StartedServer | None, token: CancelToken
) -> ServerSight:
    from desktop_rag.commands.consent_check import any_consent
    from desktop_rag.models.model_server import find_server
    from desktop_rag.models.ollama.installation import ended_at_once, find_installation

    workspace = folder.get(token)
    found = find_installation()
    try:
        find_server(workspace.settings, any_consent(workspace), token)
    except UserError:
        status = None if process is None else process.exit_status
        failure = None if status is None else ended_at_once(status)
        return ServerSight(found, answers=False, failure=failure)
    return ServerSight(found, answers=True)


def _ask(
    folder: DataFolder, model: str, question: str, token: CancelToken
) -> Iterator[FirstAnswer]:
    from desktop_rag.commands.consent_check import any_consent
    from desktop_rag.models.protocols import GenerationOptions, Message, ReplyPiece

    workspace = folder.get(token)
    chat = workspace.chat_model(model, any_consent(workspace))
    began = time.monotonic()
    text, waited = "", 0.0
    how = GenerationOptions(max_tokens=_MOST_TOKENS)
    for each in chat.chat([Message("user", question)], how, token):
        if isinstance(each, ReplyPiece) and each.text:
            waited = waited or time.monotonic() - began
            text += each.text
            yield ModelAnswering(model, text.strip())
    if not text.strip():
        raise ModelUnavailable("The model answered nothing.", "Try again, or choose another model.")
    yield ModelAnswered(model, text.strip(), time.monotonic() - began, waited)
