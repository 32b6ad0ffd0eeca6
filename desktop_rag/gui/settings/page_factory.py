"""Makes the settings' pages: the rows of each section, and what stands beside them.

On the page about chunking a row says what a change of chunking means for what is indexed already.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.settings import SettingDeclaration, declared
from desktop_rag.gui.settings import settings_text
from desktop_rag.gui.settings.about_card import AboutCard
from desktop_rag.gui.settings.advanced_section import AdvancedSection
from desktop_rag.gui.settings.connection_log_table import ConnectionLogTable
from desktop_rag.gui.settings.dynamic_choices import (
    ChatModelControl,
    EmbedderControl,
    StrategyControl,
)
from desktop_rag.gui.settings.language_card import LanguageCard
from desktop_rag.gui.settings.ollama_page import DownloadCard, ServerCard
from desktop_rag.gui.settings.privacy_page import ConsentList, RemoteAccessCard
from desktop_rag.gui.settings.search_words import words_of_part
from desktop_rag.gui.settings.setting_controls import control_of
from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.settings.settings_page import SettingsPage
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.cards import text_label


class RechunkRow(QWidget):
    """Says when documents are cut anew, and does it on request."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        self._asked = False
        self.said = text_label("", "muted")
        self.now = QPushButton(self.tr("Do it now"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 12, 0, 0)
        row.addWidget(self.said, 1)
        row.addWidget(self.now)
        self.now.clicked.connect(self._cut)
        context.settings.settings_changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        self._asked = False
        self._say()

    @Slot()
    def _cut(self) -> None:
        """Bring every knowledge base up to date under today's settings."""
        self._context.library.look_everywhere()
        self._asked = True
        self._say()

    def _say(self) -> None:
        later = self.tr(
            "After a change, documents are cut anew when they are next indexed: at the latest "
            "when the program starts again. Until then they are found as they are."
        )
        begun = self.tr("Documents are being looked through; you can close the settings.")
        self.said.setText(begun if self._asked else later)
        self.now.setEnabled(not self._asked)


class ModelSetupRow(QWidget):
    """Opens what sets a language model up step by step."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._context = context
        said = self.tr("A language model in three steps: choose one, get Ollama, try it.")
        self.open = QPushButton(self.tr("Set up step by step…"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 10)
        row.addWidget(text_label(said, "muted"), 1)
        row.addWidget(self.open)
        self.open.clicked.connect(self._set_up)

    @Slot()
    def _set_up(self) -> None:
        from desktop_rag.gui.model_setup.model_setup_dialog import ModelSetupDialog

        ModelSetupDialog(self._context, self.window()).open()


def make_pages(theme: Theme, context: AppContext) -> list[SettingsPage]:
    """Return every page; each knows how to fill itself."""
    fill = partial(_fill, theme, context)
    return [SettingsPage(context.settings, heading, fill) for heading in settings_text.headings()]


def _fill(theme: Theme, context: AppContext, page: SettingsPage) -> None:
    _fill_top(page, context)
    page.add_rows(
        [
            SettingRow(theme, context.settings, each, _control(each, theme, context))
            for each in declared.values()
            if each.section == page.heading.section and not each.run_only
        ],
        AdvancedSection(theme),
    )
    _fill_bottom(page, theme, context)


def _control(setting: SettingDeclaration, theme: Theme, context: AppContext) -> QWidget:
    """Return a setting's control; a choice where what there is to choose is found out."""
    if setting.key == "ollama.model":
        return ChatModelControl(setting, context.ollama)
    if setting.key == "answering.strategy":
        return StrategyControl(setting, context, theme)
    if setting.key == "models.embedder":
        return EmbedderControl(setting, context.ollama)
    return control_of(setting, theme)


def _fill_top(page: SettingsPage, context: AppContext) -> None:
    section = page.heading.section
    if section == "ollama":
        page.add_part(ModelSetupRow(context), words_of_part("setup"))
        page.add_part(ServerCard(context.ollama, context.settings), words_of_part("server"))
    elif section == "privacy":
        page.add_part(RemoteAccessCard(context.settings, context.privacy), words_of_part("contact"))


def _fill_bottom(page: SettingsPage, theme: Theme, context: AppContext) -> None:
    section = page.heading.section
    if section == "window":
        page.add_part(AboutCard(context.data_dir), words_of_part("about"))
    elif section == "ollama":
        page.add_part(DownloadCard(context.ollama), words_of_part("download"))
    elif section == "models":
        page.add_part(LanguageCard(context), words_of_part("language"))
    elif section == "chunking":
        page.add_part(RechunkRow(context), words_of_part("rechunk"))
    elif section == "privacy":
        page.add_part(ConsentList(context.privacy), words_of_part("consent"))
        page.add_part(ConnectionLogTable(theme, context.privacy), words_of_part("log"))
