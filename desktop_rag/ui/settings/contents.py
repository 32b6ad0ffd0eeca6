"""What stands on each page: the rows of its section, and what belongs to it beside them."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from desktop_rag.app.desk import Desk
from desktop_rag.app.settings import Declared, declared
from desktop_rag.ui.settings import words
from desktop_rag.ui.settings.about import AboutCard
from desktop_rag.ui.settings.chunking import CutAnew
from desktop_rag.ui.settings.controls import control_of
from desktop_rag.ui.settings.fold import Fold
from desktop_rag.ui.settings.languages import LanguagesCard
from desktop_rag.ui.settings.log_table import ConnectionTable
from desktop_rag.ui.settings.offered import (
    EmbedderChoice,
    ModelChoice,
    StrategyChoice,
)
from desktop_rag.ui.settings.ollama_pull import PullCard
from desktop_rag.ui.settings.ollama_state import ServerCard
from desktop_rag.ui.settings.page import SettingsPage
from desktop_rag.ui.settings.privacy_page import ConsentList, OutlookCard
from desktop_rag.ui.settings.row import SettingRow
from desktop_rag.ui.theme import Theme


def make_pages(theme: Theme, desk: Desk) -> list[SettingsPage]:
    """Return every page; each knows how to fill itself."""
    fill = partial(_fill, theme, desk)
    return [SettingsPage(desk.settings, heading, fill) for heading in words.headings()]


def _fill(theme: Theme, desk: Desk, page: SettingsPage) -> None:
    _fill_top(page, desk)
    page.add_rows(
        [
            SettingRow(theme, desk.settings, each, _control(each, theme, desk))
            for each in declared.values()
            if each.section == page.heading.section and not each.run_only
        ],
        Fold(theme),
    )
    _fill_bottom(page, theme, desk)


def _control(setting: Declared, theme: Theme, desk: Desk) -> QWidget:
    """Return a setting's control; a choice where what there is to choose is found out."""
    if setting.key == "ollama.model":
        return ModelChoice(setting, desk.ollama)
    if setting.key == "answering.strategy":
        return StrategyChoice(setting, desk)
    if setting.key == "models.embedder":
        return EmbedderChoice(setting, desk.ollama)
    return control_of(setting, theme)


def _fill_top(page: SettingsPage, desk: Desk) -> None:
    section = page.heading.section
    if section == "ollama":
        page.add_part(ServerCard(desk.ollama, desk.settings), "ollama test version")
    elif section == "privacy":
        page.add_part(OutlookCard(desk.settings, desk.privacy), "contact privacy")


def _fill_bottom(page: SettingsPage, theme: Theme, desk: Desk) -> None:
    section = page.heading.section
    if section == "window":
        page.add_part(AboutCard(desk.data_dir), "about version data folder licence")
    elif section == "ollama":
        page.add_part(PullCard(desk.ollama), "fetch pull model download")
    elif section == "models":
        page.add_part(LanguagesCard(desk), "embedding language bge-m3")
    elif section == "chunking":
        page.add_part(CutAnew(desk), "chunking cut anew")
    elif section == "privacy":
        page.add_part(ConsentList(desk.privacy), "consent")
        page.add_part(ConnectionTable(theme, desk.privacy), "connections log")
