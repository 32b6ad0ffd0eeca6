"""What this program may contact, in plain words; consents given; the log of connections."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.privacy import (
    ConsentRecord,
    PrivacyController,
    RemoteAccess,
    is_this_computer,
)
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.display_text import fill, shown_name
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import TitledCard, heading_label, text_label


def _is_other(url: str) -> bool:
    return bool(url) and not is_this_computer(urlsplit(url).hostname or "")


class RemoteAccessCard(TitledCard):
    """Says what may be contacted as things stand."""

    def __init__(self, settings: SettingsController, privacy: PrivacyController) -> None:
        super().__init__()
        self.lines = text_label()
        self.column.addWidget(self.lines)
        self._settings = settings
        self._outlook = RemoteAccess("", "", (), ())
        privacy.outlook_changed.connect(self.show_outlook)
        settings.settings_changed.connect(self._say)
        settings.applied.connect(privacy.refresh)
        self._say()

    @Slot(object)
    def show_outlook(self, outlook: RemoteAccess) -> None:
        """Show where texts may go."""
        self._outlook = outlook
        self._say()

    @Slot()
    def _say(self) -> None:
        said = [self._ollama(), self._chroma(), self._programs(), self._browser()]
        said.append(self._passwords())
        said.append(self._nothing_else())
        self.lines.setText("\n".join(f"• {line}" for line in said if line))

    def _ollama(self) -> str:
        place = self._outlook.ollama
        if not place:
            return translate_message(self._outlook.wrong) or self.tr("Ollama: looking…")
        if not _is_other(place) and self._outlook.server:
            here = self.tr(
                "%1 at %2, on this computer. What is sent to it stays here, unless that program "
                "itself passes it on."
            )
            return fill(here, self._outlook.server, place)
        if not _is_other(place):
            here = self.tr(
                "Ollama at %1, on this computer. What is sent to it stays here, unless Ollama "
                "passes it on to a model in the cloud; no such model is used without your consent."
            )
            return here.replace("%1", place)
        if self._settings.value("privacy.block_remote"):
            return self.tr("Ollama at %1 is another computer: blocked.").replace("%1", place)
        if self._settings.value("privacy.allow_remote"):
            run = self.tr("Ollama at %1 is another computer: allowed for this run, without asking.")
            return run.replace("%1", place)
        allowed = [each for each in self._outlook.consents if each.place == place]
        if not allowed:
            text = self.tr("Ollama at %1 is another computer: not used without your consent.")
            return text.replace("%1", place)
        text = self.tr("Ollama at %1 is another computer: it is sent passages of %2.")
        return fill(text, place, ", ".join(f"“{shown_name(e.kb)}”" for e in allowed))

    def _chroma(self) -> str:
        place = self._outlook.chroma
        if not place:
            return ""
        if not _is_other(place):
            return self.tr("Chroma at %1, on this computer.").replace("%1", place)
        if self._settings.value("privacy.block_remote"):
            return self.tr("Chroma at %1 is another computer: blocked.").replace("%1", place)
        if self._settings.value("privacy.allow_remote"):
            run = self.tr("Chroma at %1 is another computer: allowed for this run, without asking.")
            return run.replace("%1", place)
        text = self.tr("Chroma at %1 is another computer: what you share there, and allow below.")
        return text.replace("%1", place)

    def _programs(self) -> str:
        """Say which knowledge bases other programs may ask."""
        if not self._outlook.served:
            return self.tr("No other program may ask your documents.")
        names = ", ".join(f"“{shown_name(kb)}”" for kb in self._outlook.served)
        told = self.tr(
            "Other programs on this computer may ask %1, and send what they read elsewhere. That "
            "is changed in the menu of the knowledge base."
        )
        return fill(told, names)

    def _nothing_else(self) -> str:
        return self.tr(
            "Nothing else: no telemetry, no update checks, no fonts or pictures from the web."
        )

    def _passwords(self) -> str:
        return self.tr(
            "The password of a file is kept in memory until Desktop RAG ends, and in the system's "
            "key ring only if you tick that."
        )

    def _browser(self) -> str:
        return self.tr(
            "A link in a document or an answer is opened in your browser, after you have seen it "
            "in full. Models are fetched by Ollama itself, when you ask for one."
        )


class ConsentList(QWidget):
    """Each knowledge base and the other computers that are set: allowed or not, to be changed."""

    def __init__(self, privacy: PrivacyController) -> None:
        super().__init__()
        self._privacy = privacy
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(heading_label(self.tr("Consent by knowledge base")))
        self._rows: list[QWidget] = []
        self._none = text_label("", "muted")
        self._column.addWidget(self._none)
        self._chroma = text_label(
            self.tr(
                "What a Chroma server has of a shared knowledge base stays there until it is taken "
                "off: “desktop-rag kb unshare NAME --withdraw”."
            ),
            "muted",
        )
        self._column.addWidget(self._chroma)
        privacy.outlook_changed.connect(self.show_outlook)

    @Slot(object)
    def show_outlook(self, outlook: RemoteAccess) -> None:
        """Show a line for each consent that is given, or could be."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.deleteLater()
        places = [each for each in (outlook.ollama, outlook.chroma) if _is_other(each)]
        known = {(each.kb, each.place): each for each in outlook.consents}
        wanted = [(kb, place) for place in places for kb in outlook.kbs]
        pairs = list(dict.fromkeys([*known, *wanted]))
        self._rows = [ConsentRow(pair, known.get(pair), self._privacy) for pair in pairs]
        for row in self._rows:
            self._column.addWidget(row)
        self._column.removeWidget(self._chroma)
        self._column.addWidget(self._chroma)
        self._chroma.setVisible(_is_other(outlook.chroma))
        self._none.setVisible(not pairs)
        self._none.setText(self._no_consent(outlook.server))

    def _no_consent(self, server: str) -> str:
        if server:
            here = self.tr("%1 and the vectors are on this computer: no consent is needed.")
            return fill(here, server)
        return self.tr(
            "Ollama and the vectors are on this computer: no consent is needed. You are asked "
            "before a model answers that Ollama runs in the cloud."
        )

    @property
    def rows(self) -> list[QWidget]:
        """What is shown, in order."""
        return list(self._rows)


class ConsentRow(QWidget):
    """One knowledge base and one address, with the button that changes it."""

    def __init__(
        self, pair: tuple[str, str], given: ConsentRecord | None, privacy: PrivacyController
    ) -> None:
        super().__init__()
        self._kb, self._place = pair
        self._given = given
        self._privacy = privacy
        words = fill(self.tr("“%1” to %2"), shown_name(self._kb), self._place)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.addWidget(text_label(words), 1)
        row.addWidget(self._state())
        self.button = QPushButton(self.tr("Allow") if given is None else self.tr("Revoke"))
        self.button.setAccessibleName(f"{self.button.text()}: {words}")
        self.button.clicked.connect(self._change)
        row.addWidget(self.button)

    def _state(self) -> QLabel:
        if self._given is None:
            said = self.tr("not allowed")
        else:
            day = time.strftime("%Y-%m-%d", time.localtime(self._given.when))
            said = self.tr("allowed since %1").replace("%1", day)
        label = QLabel(said)
        label.setObjectName("muted")
        return label

    @Slot()
    def _change(self) -> None:
        self.button.setEnabled(False)
        if self._given is None:
            self._privacy.give(self._kb, self._place)
        else:
            self._privacy.revoke(self._kb, self._place)
