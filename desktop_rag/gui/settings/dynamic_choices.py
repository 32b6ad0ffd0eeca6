"""Choices whose values are found out: strategies, Ollama's models, embedding models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.ollama import OllamaController, Server, ServerFound
from desktop_rag.gui.controllers.settings import SettingDeclaration
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.display_text import model_label
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.settings import settings_text
from desktop_rag.gui.settings.setting_controls import ChoiceControl
from desktop_rag.gui.theme import Theme

if TYPE_CHECKING:
    from desktop_rag.core.ollama_records import InstalledModel


class StrategyControl(ChoiceControl):
    """The presets there are; for experts the study's recipes and the strategies, too."""

    def __init__(self, setting: SettingDeclaration, context: AppContext, theme: Theme) -> None:
        super().__init__(setting)
        self._offers, self._theme = context.offers, theme
        context.offered.connect(self._take_offers)
        theme.changed.connect(self._offer)
        self._offer()

    @Slot(object)
    def _take_offers(self, offers: StrategyChoices) -> None:
        self._offers = offers
        self._offer()

    @Slot()
    def _offer(self) -> None:
        offers, is_expert = self._offers, self._theme.is_expert
        ready = [(each.name, each.title) for each in offers.presets if is_expert or not each.paper]
        ways = offers.strategies if is_expert else ()
        self.offer([(name, translate_message(title)) for name, title in (*ready, *ways)])


class ChatModelControl(ChoiceControl):
    """The server's models of one kind, after what there always is."""

    OF_OLLAMA_ONLY = False

    def __init__(self, setting: SettingDeclaration, ollama: OllamaController) -> None:
        super().__init__(setting)
        ollama.server_changed.connect(self.show_server)
        self.show_server(ollama.server)

    @Slot(object)
    def show_server(self, server: Server) -> None:
        """Offer what a server has."""
        models = server.models if isinstance(server, ServerFound) else ()
        if isinstance(server, ServerFound) and self.OF_OLLAMA_ONLY and not server.is_ollama:
            models = ()
        self.offer([self._always()] + [self._named(each) for each in models if self._fits(each)])

    def _always(self) -> tuple[str, str]:
        return "", settings_text.choice_text("ollama.model", "")

    def _fits(self, model: InstalledModel) -> bool:
        return model.can_chat

    def _named(self, model: InstalledModel) -> tuple[str, str]:
        return model.name, model_label(model.name, {model.name} if model.runs_elsewhere else ())


class EmbedderControl(ChatModelControl):
    """The built-in embedding model, and those of Ollama."""

    OF_OLLAMA_ONLY = True

    def _always(self) -> tuple[str, str]:
        return "builtin", settings_text.choice_text("models.embedder", "builtin")

    def _fits(self, model: InstalledModel) -> bool:
        return not model.can_chat

    def _named(self, model: InstalledModel) -> tuple[str, str]:
        return f"ollama:{model.name}", f"{model.name} (Ollama)"
