"""Says that what is asked of a model leaves this computer, and offers to allow it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from desktop_rag.gui.controllers.model_setup import RemoteModel
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.message_translation import join_sentences
from desktop_rag.gui.widgets.cards import text_label


class RemoteModelNotice(QFrame):
    """Hidden where nothing leaves this computer; `allow_wanted` comes of its button."""

    allow_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.text = text_label()
        self.allow = QPushButton(self.tr("Allow…"))
        self.allow.clicked.connect(self.allow_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.addWidget(self.text, 1)
        row.addWidget(self.allow)
        self.hide()

    def show_remote(self, model: str, remote: RemoteModel | None) -> None:
        """Show where questions to a model would go, if they leave this computer."""
        self.setVisible(remote is not None)
        if remote is None:
            return
        where = self.tr("%1 does not run on this computer: it answers at %2.")
        self.text.setText(join_sentences(fill(where, model, remote.place), self._about(remote)))
        self.allow.setVisible(not remote.is_allowed and not remote.is_blocked)

    def _about(self, remote: RemoteModel) -> str:
        if remote.is_blocked:
            return self.tr(
                "Connections to other computers are blocked in the settings, on the page “Privacy”."
            )
        if remote.is_allowed:
            return self.tr(
                "You have allowed that; it can be taken back in the settings, on the page "
                "“Privacy”."
            )
        return self.tr(
            "What you ask, and passages of your documents, would be sent there. It is not used "
            "before you allow it."
        )
