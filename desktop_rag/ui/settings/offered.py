"""Choices whose values are found out: strategies, Ollama's models, embedding models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.app.desk import Desk
from desktop_rag.app.offers import Offers
from desktop_rag.app.settings import Declared
from desktop_rag.app.settings_ollama import Found, OllamaController, Server
from desktop_rag.ui.settings import words
from desktop_rag.ui.settings.cards import text_label
from desktop_rag.ui.settings.controls import Choice
from desktop_rag.ui.spoken import spoken

if TYPE_CHECKING:
    from desktop_rag.engine.models.ollama import InstalledModel


class StrategyChoice(Choice):
    """The strategies there are."""

    def __init__(self, setting: Declared, desk: Desk) -> None:
        super().__init__(setting)
        desk.offered.connect(self._offer)
        self._offer(desk.offers)

    @Slot(object)
    def _offer(self, offers: Offers) -> None:
        self.offer([(name, spoken(title)) for name, title in offers.strategies])


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


class EmbedderNote(QWidget):
    """What the choice of an embedding model means."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 0)
        column.addWidget(
            text_label(
                self.tr(
                    "The built-in model was trained on English. Other languages are found by "
                    "their words, in the same way, and by meaning less well. Ollama's bge-m3 "
                    "knows a hundred languages; every passage is sent to Ollama then, once."
                ),
                "muted",
            )
        )
        column.addWidget(
            text_label(
                self.tr(
                    "After a change, and a new start, every passage is embedded anew in the "
                    "background; nothing is read again. Until that is done, passages are found by "
                    "their words, and by meaning as far as it has come."
                ),
                "muted",
            )
        )
