"""The question before passages leave this computer."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop_rag.gui.controllers.privacy import ConsentRequest
from desktop_rag.gui.display_text import fill, shown_name


class ConsentDialog(QMessageBox):
    """Asks for the consent that a question waits for; whatever closes it but Allow is a no."""

    def __init__(self, wanted: ConsentRequest, parent: QWidget) -> None:
        super().__init__(parent)
        self._wanted = wanted
        names = "”, “".join(map(shown_name, wanted.kbs))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(self.tr("Send passages to another computer?"))
        asked = self.tr("Send passages of “%1” to %2?")
        self.setText(fill(asked, names, wanted.place))
        self.setInformativeText(
            self.tr(
                "A language model there would write the answer. Sent are your question, the "
                "conversation before it, and the passages that were found for it, with their "
                "files' names. Nothing else of your documents is sent there. You can take this "
                "back in the settings, on the page “Privacy”. If it is not sent, the answer is "
                "made of quotes."
            )
        )
        self.allow = self.addButton(self.tr("Allow"), QMessageBox.ButtonRole.AcceptRole)
        self.decline = self.addButton(self.tr("Not now"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.decline)
        self.setEscapeButton(self.decline)
        self.finished.connect(self._decide)

    @Slot(int)
    def _decide(self, result: int) -> None:
        del result
        self._wanted.decision.make(allowed=self.clickedButton() is self.allow)
