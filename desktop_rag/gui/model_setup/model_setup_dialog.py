"""A language model in three steps: choose one, get Ollama, fetch and try it."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.cancel import CancelToken
from desktop_rag.gui.consent_dialog import ConsentDialog
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.ollama import Pulling, Server, ServerFound
from desktop_rag.gui.controllers.privacy import ConsentAnswer, ConsentRequest
from desktop_rag.gui.model_setup.choice_page import ModelChoicePage, ModelGroup
from desktop_rag.gui.model_setup.finish_page import FinishPage
from desktop_rag.gui.model_setup.remote_model_notice import RemoteModelNotice
from desktop_rag.gui.model_setup.server_page import ServerPage
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog

CHOICE, SERVER, FINISH = range(3)
_SIZE, _SMALLEST = (620, 560), (440, 320)
_AROUND = 60  # pixels of the screen that are left around


class ModelSetupDialog(QDialog):
    """Sets a language model up over the controllers of an `AppContext`; open it with `open()`."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Set up a language model"))
        self._context, self._setup, self._ollama = context, context.model_setup, context.ollama
        self._consent: ConsentRequest | None = None
        self._wanted, self._knew_installed = "", False
        self.notice = RemoteModelNotice()
        usual = context.settings.settings.ollama.model
        self.choice = ModelChoicePage(self._setup, self._ollama, usual)
        self.server = ServerPage(self._setup, self._ollama)
        self.finish = FinishPage(self._setup, self._ollama)
        self._pages = (self.choice, self.server, self.finish)
        self.stack = QStackedWidget()
        self._steps = [QLabel(each) for each in self._titles()]
        self.leave = QPushButton(self.tr("Close"))
        self.back = QPushButton(self.tr("Back"))
        self.next = QPushButton(self.tr("Next"))
        self._lay_out()
        self._connect()
        self._order_tabs()
        self._show_step(CHOICE)
        self._setup.look()
        if isinstance(self._ollama.download, Pulling):
            self._try(self._ollama.download.name)

    @property
    def step(self) -> int:
        """Which of the steps is shown."""
        return self.stack.currentIndex()

    @property
    def model(self) -> str:
        """The model that is set up."""
        return self.finish.model if self.step == FINISH else self.choice.chosen

    @Slot(int)
    def done(self, result: int) -> None:
        """Stop what nobody looks at any more; a download goes on."""
        self._setup.leave()
        self._setup.stop_asking()
        super().done(result)

    @Slot()
    def _go_on(self) -> None:
        if self.step == FINISH:
            self._setup.use(self.finish.model)
            self.accept()
            return
        self._wanted = self.choice.chosen
        groups = {row.choice.group for row in self.choice.rows}
        self._knew_installed = ModelGroup.INSTALLED in groups
        if isinstance(self._ollama.server, ServerFound):
            self._try(self._wanted)
        else:
            self._show_step(SERVER)

    @Slot()
    def _go_back(self) -> None:
        self._setup.stop_asking()
        self._show_step(CHOICE)
        self._ollama.look()  # it may have ended meanwhile

    @Slot(object)
    def _heed_server(self, server: Server) -> None:
        """Go on when Ollama answers; to the choice, where it has models that nobody knew of."""
        if self.step != SERVER or not isinstance(server, ServerFound):
            self._update()
            return
        able = [each for each in server.models if each.can_chat and not each.runs_elsewhere]
        is_there = self._setup.installed(self._wanted) is not None
        if able and not is_there and not self._knew_installed:
            self.choice.prefer_installed()
            self._show_step(CHOICE)
        else:
            self._try(self._wanted)

    def _try(self, model: str) -> None:
        self.finish.show_model(model)
        self._show_step(FINISH)

    def _show_step(self, step: int) -> None:
        (self._setup.watch if step == SERVER else self._setup.leave)()
        self.stack.setCurrentIndex(step)
        for number, label in enumerate(self._steps):
            label.setObjectName("heading" if number == step else "muted")
            label.style().polish(label)
        announce(self, self._steps[step].text())
        self._update()
        self._pages[step].take_focus()

    @Slot()
    def _update(self) -> None:
        """Show what can be done now, and what would leave this computer."""
        remote = self._setup.remote_model(self.model) if self.model else None
        self.notice.show_remote(self.model, remote)
        may_go = self._setup.may_ask(self.model)
        is_last = self.step == FINISH
        self.back.setVisible(self.step != CHOICE)
        self.next.setVisible(self.step != SERVER)
        self.next.setText(self.tr("Use it") if is_last else self.tr("Next"))
        is_ready = self.finish.works if is_last else bool(self.choice.chosen)
        may_go = may_go and self._setup.knows_access
        had_focus = self.next.isEnabled()
        self.next.setEnabled(is_ready and may_go)
        if is_last and self.next.isEnabled() and not had_focus:
            self.next.setFocus()

    @Slot()
    def _order_tabs(self) -> None:
        """Let Tab go from the models to the buttons below."""
        order = (*self.choice.tab_order, self.leave, self.back, self.next)
        for one, other in pairwise(order):
            QWidget.setTabOrder(one, other)

    @Slot()
    def _ask_consent(self) -> None:
        """Ask for the consent without which nothing leaves this computer."""
        remote = self._setup.remote_model(self.model)
        if remote is None:
            return
        kb = self._context.library.snapshot.current
        self._consent = ConsentRequest(remote.place, (kb,), ConsentAnswer())
        box = ConsentDialog(self._consent, self)
        box.finished.connect(self._keep_consent)
        box.open()

    @Slot()
    def _keep_consent(self) -> None:
        wanted, self._consent = self._consent, None
        if wanted is not None and wanted.decision.wait(CancelToken()):  # it is made by now
            for kb in wanted.kbs:
                self._context.privacy.give(kb, wanted.place)

    @Slot(object)
    def _open_page(self, address: str) -> None:
        WebLinkDialog(address, self).open()

    def _titles(self) -> tuple[str, str, str]:
        return self.tr("1. Choose a model"), self.tr("2. Get Ollama"), self.tr("3. Fetch and try")

    def _connect(self) -> None:
        self.leave.clicked.connect(self.reject)
        self.back.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self.notice.allow_wanted.connect(self._ask_consent)
        self.server.page_wanted.connect(self._open_page)
        self.choice.chosen_changed.connect(self._update)
        self.choice.filled.connect(self._order_tabs)
        self.finish.works_changed.connect(self._update)
        self._setup.access_changed.connect(self._update)
        self._ollama.server_changed.connect(self._heed_server)

    def _lay_out(self) -> None:
        steps = QHBoxLayout()
        steps.setSpacing(18)
        for label in self._steps:
            steps.addWidget(label)
        steps.addStretch(1)
        for page in self._pages:
            self.stack.addWidget(page)
        self.next.setObjectName("primary")
        self.next.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.leave)
        buttons.addStretch(1)
        buttons.addWidget(self.back)
        buttons.addWidget(self.next)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addLayout(steps)
        column.addWidget(self.notice)
        column.addWidget(self.stack, 1)
        column.addLayout(buttons)
        self.setMinimumSize(*_SMALLEST)
        room = self.screen().availableGeometry().size()
        self.resize(min(_SIZE[0], room.width() - _AROUND), min(_SIZE[1], room.height() - _AROUND))
