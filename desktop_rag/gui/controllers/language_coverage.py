"""Whether the built-in models read the knowledge base that is shown, and one model that reads more.

Lives as long as the window: a model that is fetched is chosen when it has come, whatever dialog was
closed meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.types import KbId
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Jobs, Lane, Operation
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.library_commands import save_figure
from desktop_rag.gui.controllers.ollama import Download, OllamaController, Pulled, ServerFound
from desktop_rag.gui.controllers.settings import SettingsController

MULTILINGUAL = "bge-m3"
_EMBEDDER = "models.embedder"
_TOLD = "told of languages that are not read, in %d"


@dataclass(frozen=True, slots=True)
class UncoveredBase:
    """Much of a knowledge base is in languages that the built-in models do not read."""

    kb: KbId
    name: str


class LanguageCoverageController(QObject):
    """Looks at what a knowledge base holds when it is shown, and when files of it were read.

    `changed` says that `unread` did: None where all is well, or where the user did not want to hear
    it again.
    """

    changed = Signal()

    def __init__(
        self,
        jobs: Jobs,
        folder: DataFolder,
        library: LibraryController,
        *,
        ollama: OllamaController,
        settings: SettingsController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._folder = jobs, folder
        self._library = library
        self._ollama, self._settings = ollama, settings
        self._shown = ""
        self._is_looking = self._is_stale = False
        self._wanted = False
        self._dismissed: set[KbId] = set()
        self.unread: UncoveredBase | None = None
        library.snapshot_changed.connect(self._heed)
        library.indexed.connect(self.look)
        self._ollama.download_changed.connect(self._follow)
        self._settings.settings_changed.connect(self._reconsider)

    @Slot()
    def look(self) -> None:
        """Look at the knowledge base that is shown; while one look runs, the next one waits."""
        self._is_stale = self._is_looking
        if self._is_looking:
            return
        self._is_looking = True
        self._shown = self._library.snapshot.current
        looking = Operation(self._find_uncovered).on_end(self._end).on_success(self._learn)
        looking.on_user_error(self._ignore).start(self._jobs, Lane.LOOK)

    def dismiss(self) -> None:
        """Never tell of this knowledge base again."""
        if self.unread is not None:
            kb = self.unread.kb
            self._dismissed.add(kb)
            work = partial(save_figure, self._folder, _TOLD % kb, 1.0)
            Operation(work).start(self._jobs, Lane.HAND)
            self._be(None)

    def use_multilingual(self) -> None:
        """Choose the model for many languages; fetch it first where it is not there."""
        if name := installed(self._ollama):
            self._settings.change(_EMBEDDER, f"ollama:{name}")
        else:
            self._wanted = True
            self._ollama.pull(MULTILINGUAL)

    @Slot()
    def _heed(self) -> None:
        if self._library.snapshot.current != self._shown:
            self._be(None)
            self.look()

    @Slot()
    def _reconsider(self) -> None:
        """Say nothing once another model is chosen."""
        if self._settings.value(_EMBEDDER) != "builtin":
            self._be(None)

    @Slot(object)
    def _learn(self, learnt: tuple[str, UncoveredBase | None]) -> None:
        name, unread = learnt
        if name == self._library.snapshot.current:
            self._be(None if unread is None or unread.kb in self._dismissed else unread)

    @Slot()
    def _end(self) -> None:
        self._is_looking = False
        if self._is_stale:
            self.look()

    @Slot(object)
    def _ignore(self, error: UserError) -> None:
        """Tell nothing where nothing can be read; who reads it next says why."""

    @Slot(object)
    def _follow(self, download: Download) -> None:
        """Choose the model that was wanted once it has come."""
        if not isinstance(download, Pulled) or not self._wanted:
            return
        self._wanted = False
        if download.name == MULTILINGUAL and download.is_whole:
            self._settings.change(_EMBEDDER, f"ollama:{MULTILINGUAL}")

    def _be(self, unread: UncoveredBase | None) -> None:
        if unread != self.unread:
            self.unread = unread
            self.changed.emit()

    def _find_uncovered(self, token: CancelToken) -> tuple[str, UncoveredBase | None]:
        from desktop_rag.commands.language_support import has_unsupported_languages

        name, workspace = self._shown, self._folder.get(token)
        kb = workspace.catalog.kbs.names().get(name)
        if kb is None or workspace.catalog.choices.figure(_TOLD % kb):
            return name, None
        is_uncovered = has_unsupported_languages(workspace, kb, token)
        return name, UncoveredBase(kb, name) if is_uncovered else None


def installed(ollama: OllamaController) -> str:
    """Return the name under which Ollama has the model for many languages, empty if it has not."""
    server = ollama.server
    found = server if isinstance(server, ServerFound) and server.is_ollama else None
    names = [model.name for model in found.models] if found else []
    return next((name for name in names if name.partition(":")[0] == MULTILINGUAL), "")
