"""Everything a window stands on, made in one place: lanes, the data folder, the controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.errors import CatalogDamaged
from desktop_rag.core.settings import Settings
from desktop_rag.gui.controllers.answer_renewal import AnswerRenewalController
from desktop_rag.gui.controllers.catalog_watch import CatalogWatch
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.controllers.conversations import ConversationsController
from desktop_rag.gui.controllers.data_folder import (
    DataFolder,
    FolderOpened,
    FolderOwner,
    HandedOver,
)
from desktop_rag.gui.controllers.file_table import FileTableController
from desktop_rag.gui.controllers.index_health import IndexHealthController
from desktop_rag.gui.controllers.jobs import JobRunner, Lane, Operation
from desktop_rag.gui.controllers.language_coverage import LanguageCoverageController
from desktop_rag.gui.controllers.library import LibraryController
from desktop_rag.gui.controllers.llm_health import HealthController
from desktop_rag.gui.controllers.notes import NotesController
from desktop_rag.gui.controllers.ollama import OllamaController
from desktop_rag.gui.controllers.privacy import ConsentRecord, PrivacyController, RemoteAccess
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices, list_choices
from desktop_rag.gui.controllers.suggested_questions import SuggestedQuestionsController
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.controllers.way_options import WayOptionsController
from desktop_rag.gui.lab.compare_controller import CompareController
from desktop_rag.gui.lab.evaluation_controller import EvaluationController
from desktop_rag.gui.lab.search_test_controller import SearchTestController

if TYPE_CHECKING:
    from desktop_rag.gui.controllers.model_setup import ModelSetupController


class AppContext(QObject):
    """Owns the lanes and the controllers.

    `refused` carries the error when the data folder can't be opened, `damaged` the first
    `CatalogDamaged` of one that is open, `offered` the `StrategyChoices`; `handed_over` says that
    another window has the folder. `called` may be emitted from any thread, with the paths of a
    second start.
    """

    refused = Signal(object)
    damaged = Signal(object)
    offered = Signal(object)
    handed_over = Signal()
    called = Signal(object)

    first_chat: int | None = None
    """The conversation to begin with, where there is one."""
    _given: tuple[ConsentRecord, ...] = ()

    def __init__(
        self,
        data_dir: Path,
        move_in: Callable[[AppContext], FolderOwner | None],
        parent: QObject | None = None,
        overrides: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self.data_dir = data_dir
        self._move_in, self._is_open, self._is_damaged = move_in, False, False
        self.offers = StrategyChoices((), "")
        self.jobs = JobRunner(self)
        self.folder = DataFolder(self._take_folder)
        self.settings = SettingsController(data_dir, overrides or {}, self.jobs, self.folder, self)
        self.privacy = PrivacyController(data_dir, self.jobs, self.folder, self)
        self.folder.before_asking = self.privacy.seek
        self.ollama = OllamaController(self.jobs, self.folder, self)
        self.chat = ChatController(self.jobs, self.folder, self)
        self.conversations = ConversationsController(self.jobs, self.folder, self.chat, self)
        self.notes = NotesController(self.jobs, self.folder, self)
        self.library = LibraryController(self.jobs, self.folder, self)
        served = (self.jobs, self.folder, self.chat, self.library)
        self.renewal = AnswerRenewalController(*served, self)
        self.fit = LanguageCoverageController(
            self.jobs,
            self.folder,
            self.library,
            ollama=self.ollama,
            settings=self.settings,
            parent=self,
        )
        self.listing = FileTableController(self.jobs, self)
        self.index_health = IndexHealthController(self.jobs, self.folder, self)
        self.measuring = EvaluationController(self.jobs, self.folder, self)
        self.health = HealthController(self.jobs, self.folder, self)
        self.reader = ViewerController(self.jobs, self.folder, data_dir, self)
        self.library.snapshot_changed.connect(self.reader.places.look_again)
        self._heeded = self.settings.settings
        self._watch = CatalogWatch(self.jobs, self.folder, self)
        self._listen()

    def _listen(self) -> None:
        self.jobs.broke.connect(self.meet_damage)
        self.library.complained.connect(self.meet_damage)
        self.settings.applied.connect(self._heed)
        self.privacy.outlook_changed.connect(self._heed_consent)
        self._watch.changed.connect(self.refresh_soon)
        self.library.commands.done.connect(self.conversations.heed)
        self.library.commands.done.connect(self.notes.heed)

    @cached_property
    def suggestions(self) -> SuggestedQuestionsController:
        """The questions to suggest, followed once somebody looks at them."""
        return SuggestedQuestionsController(self.jobs, self.folder, self.library, self.chat, self)

    @cached_property
    def way_options(self) -> WayOptionsController:
        """The options of ways to answer."""
        return WayOptionsController(self.settings, self)

    @cached_property
    def model_setup(self) -> ModelSetupController:
        """How far a language model is set up, made when somebody first does that."""
        from desktop_rag.gui.controllers.model_setup import ModelSetupController

        return ModelSetupController(
            self.jobs,
            self.folder,
            ollama=self.ollama,
            settings=self.settings,
            privacy=self.privacy,
            health=self.health,
            parent=self,
        )

    @cached_property
    def trying(self) -> SearchTestController:
        """The searches that are tried, made when somebody first looks at them."""
        return SearchTestController(self.jobs, self.folder, self)

    @cached_property
    def comparing(self) -> CompareController:
        """The answers that are compared, made when somebody first looks at them."""
        return CompareController(self.jobs, self.folder, self)

    @Slot()
    def begin(self) -> None:
        """Open the data folder and bring everything up; the window is shown already."""
        opening = Operation(self.folder.open).on_success(self._go_on)
        opening.on_user_error(self.refused).start(self.jobs, Lane.INGEST)

    @Slot(object)
    def meet_damage(self, error: Exception) -> None:
        """Have a catalog that turns out damaged looked through before it is opened again."""
        if not isinstance(error, CatalogDamaged):
            return
        self.folder.doubt()
        if self._is_open and not self._is_damaged:
            self._is_damaged = True
            self.damaged.emit(error)

    @Slot()
    def refresh_soon(self) -> None:
        """Read again what somebody else may have changed."""
        self.library.refresh_soon()
        self.conversations.catch_up()
        self.notes.catch_up()

    def refresh(self) -> None:
        """Read again what is shown, once the folder is open."""
        if self._is_open:
            self.library.refresh()
            self.conversations.refresh()

    def close(self) -> bool:
        """Stop everything within seconds; say whether it all ended."""
        self.health.stop()
        self._watch.stop()
        ended = self.jobs.close(self._leave)
        self.reader.close()
        return ended

    def _leave(self) -> bool:
        """Do what is left to do; what can't be done keeps nothing else from it."""
        try:
            with ExitStack() as last:
                if self._is_open:
                    last.callback(self.settings.close)
                    last.callback(self.conversations.close)
                    last.callback(self.notes.close)
                    last.callback(self.chat.close)
        finally:
            ended = self.folder.close()
        return ended

    def _take_folder(self) -> FolderOwner | None:
        return self._move_in(self)

    @Slot(object)
    def _go_on(self, outcome: FolderOpened | HandedOver) -> None:
        if isinstance(outcome, HandedOver):
            self.handed_over.emit()
            return
        self._is_open = True
        self._watch.look()  # before anything is read: what is written after it is noticed
        self.library.follow()
        self.conversations.refresh()
        if self.first_chat is None:
            self.chat.recall_draft()
        else:
            self.chat.open(self.first_chat)
        self.health.look()
        self._offer()

    def _offer(self) -> None:
        listing = Operation(partial(list_choices, self.folder))
        listing.on_success(self._learn_offers).start(self.jobs, Lane.READ)

    @Slot(object)
    def _heed_consent(self, outlook: RemoteAccess) -> None:
        """Look for models at an address that may be used from now on, or no longer."""
        before, self._given = self._given, outlook.consents
        if before != outlook.consents:
            self.health.look()

    @Slot(object)
    def _learn_offers(self, found: StrategyChoices) -> None:
        self.offers = found
        self.way_options.learn(found)
        self.offered.emit(found)

    @Slot(object)
    def _heed(self, now: Settings) -> None:
        """Take up what changed settings mean for what is shown."""
        before, self._heeded = self._heeded, now
        if (now.ollama, now.privacy) != (before.ollama, before.privacy):
            self.health.look()
        if _looks_for(now) != _looks_for(before):
            self.library.look_everywhere()
        if now.answering.strategy != before.answering.strategy:
            self._offer()


def _looks_for(settings: Settings) -> tuple[object, ...]:
    """Return what decides which files are found, and when."""
    ingest = settings.ingest
    return ingest.exclude, ingest.max_megabytes, ingest.poll_seconds, ingest.recognize_text
