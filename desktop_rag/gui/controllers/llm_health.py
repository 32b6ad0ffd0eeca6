"""Whether a language model can answer: its server is asked now and then, in the probe lane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import NotAllowed, UserError
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation

_AGAIN_WHEN_MISSING_MS = 15_000
_AGAIN_WHEN_THERE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody has looked yet."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Ollama does not answer, or may not be asked; `what` and `remedy` are sentences."""

    what: str
    remedy: str
    is_refused: bool = False
    """It is on a computer that the user has not agreed to."""


@dataclass(frozen=True, slots=True)
class NoModel:
    """Ollama is there and has no model."""


@dataclass(frozen=True, slots=True)
class Ready:
    """These models can answer; the first is the one that does unless another is chosen.

    `usual` is the one that the settings name, where it is there; `elsewhere` are those that Ollama
    passes on to another computer.
    """

    models: tuple[str, ...]
    usual: str = ""
    elsewhere: frozenset[str] = frozenset()


Health = Unknown | Missing | NoModel | Ready


class HealthController(QObject):
    """Holds what is known of the language model; `health_changed` carries a `Health`."""

    health_changed = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.look)
        self.health: Health = Unknown()

    @Slot()
    def look(self) -> None:
        """Ask Ollama now, and again after a while."""
        self._again.stop()
        probing = Operation(partial(probe, self._folder))
        probing.on_end(self._rest).on_success(self._learn).start(self._jobs, Lane.PROBE)

    def stop(self) -> None:
        """Look no more."""
        self._again.stop()

    @Slot()
    def _rest(self) -> None:
        """Look again later, whatever it is."""
        self._again.start(_AGAIN_WHEN_THERE_MS)

    @Slot(object)
    def _learn(self, health: Health) -> None:
        if not isinstance(health, Ready):
            self._again.start(_AGAIN_WHEN_MISSING_MS)
        if health != self.health:
            self.health = health
            self.health_changed.emit(health)


def probe(folder: DataFolder, token: CancelToken) -> Health:
    """Ask the server which models it has."""
    from desktop_rag.commands.consent_check import any_consent
    from desktop_rag.models.model_server import OtherServerSilent, find_server
    from desktop_rag.models.ollama import ServerSilent

    workspace = folder.get(token)
    settings = workspace.settings
    try:
        server = find_server(settings, any_consent(workspace), token)
        able = [each for each in server.models(token) if each.can_chat]
    except OtherServerSilent as error:
        return Missing(error.what, error.remedy)
    except ServerSilent as error:  # nothing was tried that could be tried again
        return Missing(
            error.what, "Start Ollama, or install it from ollama.com: it is found by itself."
        )
    except UserError as error:
        return Missing(error.what, error.remedy, isinstance(error, NotAllowed))
    names = tuple(each.name for each in able if not each.runs_elsewhere)
    elsewhere = tuple(each.name for each in able if each.runs_elsewhere)
    names += elsewhere  # never the first by itself
    if not names:
        return NoModel()
    usual = settings.ollama.model if settings.ollama.model in names else ""
    first = (usual,) if usual else ()
    rest = tuple(name for name in names if name not in first)
    return Ready(first + rest, usual, frozenset(elsewhere))
