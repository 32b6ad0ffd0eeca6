"""The card of a knowledge base's adaptation: what it does, what was measured, begin and remove."""

from __future__ import annotations

from PySide6.QtCore import Signal

from desktop_rag.gui.controllers.adaptation import AdaptationRow, AdaptationStatus
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.library.background_work_card import BackgroundWorkCard
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import text_label


class AdaptationCard(BackgroundWorkCard):
    """`asked` carries `adapt`, `stop` or `remove`."""

    asked = Signal(str)

    def __init__(self) -> None:
        self.figures = text_label("", "small")
        super().__init__((self.figures,))
        self.remove.setText(self.tr("Remove"))

    def show_status(self, status: AdaptationStatus) -> None:
        """Show what was measured, and how far a run is."""
        row, is_running = status.row, status.progress is not None
        self.title.setText(translate_message(row.title))
        self.effect.setText(translate_message(row.effect))
        self.state.setText(self._told(status))
        self.figures.setText(self._measured(row))
        self.figures.setVisible(bool(row.held_out))
        self.action = "stop" if is_running else "adapt"
        again = self.tr("Adapt anew") if row.held_out else self.tr("Adapt")
        self.go.setText(self.tr("Stop") if is_running else again)
        self.go.setEnabled(is_running or bool(row.documents))
        self.remove.setVisible(row.state != "none" and not is_running)
        done, total = status.progress or (0, 0)
        self.show_progress(done, total, is_shown=is_running)
        self.name_buttons()

    def decide(self, action: str) -> None:
        """Ask for what was chosen."""
        self.asked.emit(action)

    def _told(self, status: AdaptationStatus) -> str:
        if status.progress is not None:
            done, total = status.progress
            if not total:
                return self.tr("Questions are being proposed from the documents…")
            return fill(self.tr("At work · %1 of %2 questions"), f"{done:,}", f"{total:,}")
        states = {
            "none": self.tr("Not adapted · takes some minutes; questions can be asked meanwhile"),
            "kept": self.tr("Adapted: more is found"),
            "not_kept": self.tr("Not kept: no gain that could be told from chance"),
            "other_model": self.tr("Not applied: it was trained for another embedding model"),
        }
        return states[status.row.state]

    def _measured(self, row: AdaptationRow) -> str:
        low, high = row.gain
        found = fill(
            self.tr(
                "Recall@5 of %1 held-out questions: %2 → %3 (95 % interval of the gain: %4 to %5); "
                "by the vector alone: %6 → %7."
            ),
            f"{row.held_out:,}",
            f"{row.recall_before:.1f}",
            f"{row.recall_after:.1f}",
            f"{low:+.1f}",
            f"{high:+.1f}",
            f"{row.vector_before:.1f}",
            f"{row.vector_after:.1f}",
        )
        trained = fill(
            self.tr("Trained on %1 questions, when there were %2 documents; now there are %3."),
            f"{row.trained:,}",
            f"{row.documents_then:,}",
            f"{row.documents:,}",
        )
        return f"{found}\n{trained}"
