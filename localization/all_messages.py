"""Everything that is translated: the window's strings, the settings, the engine's sentences."""

from __future__ import annotations

from pathlib import Path

from desktop_rag.core.settings_file import setting_declarations
from localization import message_extraction, string_extraction
from localization.string_extraction import Message

PACKAGE = Path(__file__).resolve().parent.parent / "desktop_rag"
SETTINGS, SPOKEN = "Settings", "Spoken"


def messages() -> list[Message]:
    """Return every message of the program, each once."""
    return list(
        dict.fromkeys([*string_extraction.messages(PACKAGE / "gui"), *_settings(), *_spoken()])
    )


def sentences() -> list[str]:
    """Return the templates of the engine's sentences."""
    return message_extraction.sentences(PACKAGE)


def _settings() -> list[Message]:
    return [
        Message(SETTINGS, text)
        for each in setting_declarations()
        for text in (each.title, each.effect)
    ]


def _spoken() -> list[Message]:
    return [Message(SPOKEN, text) for text in sentences()]
