"""Choices whose values are found out: strategies, Ollama's models, embedding models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from desktop_rag.app.desk import Desk
from desktop_rag.app.offers import Offers
from desktop_rag.app.settings import Declared
from desktop_rag.app.settings_ollama import Found, OllamaController, Server
from desktop_rag.ui.settings import words
from desktop_rag.ui.settings.controls import Choice
from desktop_rag.ui.spoken import spoken

if TYPE_CHECKING:
    from desktop_rag.engine.models.ollama import InstalledModel


class StrategyChoice(Choice):
    """The presets and strategies there are."""

    def __init__(self, setting: Declared, desk: Desk) -> None:
        super().__init__(setting)
        desk.offered.connect(self._offer)
        self._offer(desk.offers)

    @Slot(object)
    def _offer(self, offers: Offers) -> None:
        ready = [(each.name, each.title) for each in offers.presets]
        self.offer([(name, spoken(title)) for name, title in (*ready, *offers.strategies)])


class ModelChoice(Choice):
    """Ollama's models of one kind, after what there always is."""

    def __init__(self, setting: Declared, ollama: OllamaController) -> None:
        super().__init__(setting)
        ollama.server_changed.connect(self.show_server)
        self.show_server(ollama.server)

    @Slot(object)
    def show_server(self, server: Server) -> None:
        """Offer what a server has."""
        models = server.models if isinstance(server, Found) else ()
        self.offer([self._always()] + [self._named(each) for each in models if self._fits(each)])

    def _always(self) -> tuple[str, str]:
        return "", words.choice("ollama.model", "")

    def _fits(self, model: InstalledModel) -> bool:
        return model.can_chat

    def _named(self, model: InstalledModel) -> tuple[str, str]:
        return model.name, model.name


class EmbedderChoice(ModelChoice):
    """The built-in embedding model, and those of Ollama."""

    def _always(self) -> tuple[str, str]:
        return "builtin", words.choice("models.embedder", "builtin")

    def _fits(self, model: InstalledModel) -> bool:
        return not model.can_chat

    def _named(self, model: InstalledModel) -> tuple[str, str]:
        return f"ollama:{model.name}", f"{model.name} (Ollama)"
